#pragma once

// One function per topic: registers its benchmarks, and adds to the summary what is worth a line there.

namespace ration::bench {

class Summary;

void add_floor(Summary& summary);
void add_hot_limiter(Summary& summary);
void add_keyed(Summary& summary, bool quick);
void add_waiting(Summary& summary);

}  // namespace ration::bench
