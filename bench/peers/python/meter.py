"""What the callers have seen, and which phase it is."""

import array
import asyncio
import collections
import json
import math
import time


class Meter:
    def __init__(self, options):
        self.options = options
        self.is_measuring = False
        self.is_over = False
        self.seconds = 0.0
        self.decisions = self.granted = self.granted_in_all = 0
        self.latencies = collections.Counter()  # bucket b holds e^(b/200) ns and up: half a percent apart
        self.records = array.array("q")

    def count(self, permits):
        self.granted_in_all += permits
        if self.is_measuring:
            self.decisions += 1
            self.granted += permits

    def time(self, nanoseconds):
        if self.is_measuring:
            self.latencies[int(math.log(max(1, nanoseconds)) * 200)] += 1

    def log(self, start, end, value):
        """A decision: the wall clock (ns) before and after, and its permits. A waiter: the same, and its number."""
        if self.options.log:
            self.records.extend((start // 1000, end // 1000, value))

    async def keep_time(self):
        await asyncio.sleep(self.options.warmup)
        print("begin", flush=True)
        self.is_measuring = True
        begin = time.perf_counter()
        await asyncio.sleep(self.options.seconds)
        self.is_measuring = False
        self.is_over = True
        self.seconds = time.perf_counter() - begin
        print("end", flush=True)

    def report(self, algorithm):
        if self.options.log:
            with open(self.options.log, "wb") as file:
                self.records.tofile(file)
        print(json.dumps({
            "seconds": self.seconds, "decisions": self.decisions, "granted": self.granted,
            "granted_in_all": self.granted_in_all, "algorithm": algorithm, "latency": dict(self.latencies),
        }), flush=True)
