"""One run of one workload by limits (Python), told and reported as docs/benchmarks-peers.md says."""

import argparse
import asyncio
import os
import random
import sys
import time

from limits import RateLimitItemPerSecond
from limits.aio.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter
from limits.storage import storage_from_string

from meter import Meter

STRATEGIES = {
    "limits-moving": (MovingWindowRateLimiter, "sliding_log"),
    "limits-fixed": (FixedWindowRateLimiter, "fixed_window"),
}


def parse():
    parser = argparse.ArgumentParser()
    for name, kind, otherwise in [
        ("contender", str, None), ("url", str, None), ("mode", str, "ask"), ("log", str, ""), ("callers", int, 1),
        ("keys", int, 1), ("rate", int, 1), ("interval-ms", int, 1000), ("warmup", float, 0.2), ("seconds", float, 1),
        ("process", int, 0), ("fill", int, 0),
    ]:
        parser.add_argument("--" + name, type=kind, default=otherwise)
    return parser.parse_args()


class Limiter:
    """The strategy over coredis, the async client that limits uses by default."""

    def __init__(self, options):
        strategy, self.algorithm = STRATEGIES[options.contender]
        storage = storage_from_string("async+" + options.url)
        self.strategy = strategy(storage)
        self.item = RateLimitItemPerSecond(options.rate, multiples=max(1, options.interval_ms // 1000))

    async def try_acquire(self, key):
        return await self.strategy.hit(self.item, key)

    async def acquire(self, key):
        """Waiting is not part of limits; one sleeps until the window's reset_time and asks again."""
        while not await self.try_acquire(key):
            stats = await self.strategy.get_window_stats(self.item, key)
            await asyncio.sleep(max(0.001, stats.reset_time - time.time()))

    async def drain(self, key, rate, interval_ms):
        """What is taken evenly from a log comes back evenly. A fixed window comes back at once."""
        if self.algorithm != "sliding_log":
            return
        begin = time.monotonic()
        for i in range(rate):
            await asyncio.sleep(max(0, begin + i * interval_ms / 1000 / rate - time.monotonic()))
            await self.try_acquire(key)


def keys_to_ask(options):
    """At most a million keys to ask for, at random."""
    if options.keys == 1:
        return ["hot"]
    generator = random.Random(options.process)
    return [f"user:{generator.randrange(options.keys)}" for _ in range(min(1 << 20, 16 * options.keys))]


async def ask(limiter, options, meter):
    keys = keys_to_ask(options)

    async def caller(cursor):
        while not meter.is_over:
            cursor = (cursor + 1) % len(keys)
            start = time.time_ns()
            granted = int(await limiter.try_acquire(keys[cursor]))
            end = time.time_ns()
            meter.count(granted)
            meter.time(end - start)
            meter.log(start, end, granted)

    await asyncio.gather(meter.keep_time(), *(caller(i * 7919) for i in range(options.callers)))


async def fill(limiter, options):
    numbers = iter(range(options.keys))

    async def caller():
        for number in numbers:
            await limiter.try_acquire(f"user:{number}")

    await asyncio.gather(*(caller() for _ in range(options.callers)))


async def wait_in_line(limiter, options, meter):
    await limiter.drain("hot", options.rate, options.interval_ms)
    next_number = iter(range(sys.maxsize))

    async def waiter():
        while not meter.is_over:
            number = next(next_number)
            since = time.time_ns()
            await limiter.acquire("hot")
            if meter.is_over:
                return
            meter.count(1)
            meter.log(since, time.time_ns(), number)

    waiters = [asyncio.create_task(waiter()) for _ in range(options.callers)]
    await meter.keep_time()
    for task in waiters:
        task.cancel()


async def main():
    options = parse()
    limiter = Limiter(options)
    meter = Meter(options)
    if options.fill:
        await fill(limiter, options)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await (wait_in_line if options.mode == "wait" else ask)(limiter, options, meter)
    meter.report(limiter.algorithm)
    sys.stdout.flush()
    os._exit(0)  # waiters may still sleep


asyncio.run(main())
