#pragma once

namespace ration::cli {

/// What a picture is drawn for.
struct Screen {
    int columns = 80;
    int rows = 24;
    bool colour = false;
    bool unicode = false;
};

}  // namespace ration::cli
