package ration;

import java.util.concurrent.TimeUnit;

import org.redisson.api.RRateLimiter;
import org.redisson.api.RateIntervalUnit;
import org.redisson.api.RateLimiterConfig;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;

/** One command, one call of RRateLimiter. What a version does not have yet goes through Newer. */
final class Commands {
    private final RedissonClient redisson;

    Commands(RedissonClient redisson) {
        this.redisson = redisson;
    }

    Object run(String command, String name, String[] arguments) throws Exception {
        RRateLimiter limiter = redisson.getRateLimiter(name);
        long[] numbers = new long[5]; // those that are left out are 0
        for (int i = 0; i < arguments.length; ++i) {
            numbers[i] = Long.parseLong(arguments[i]);
        }
        long first = numbers[0];
        switch (command) {
            // RATE INTERVAL_MS TYPE KEEP_ALIVE_MS
            case "try-set":
                return numbers[3] == 0 ? limiter.trySetRate(type(numbers), first, numbers[1], RateIntervalUnit.MILLISECONDS)
                                       : Newer.trySetRate(limiter, type(numbers), first, numbers[1], numbers[3]);
            case "set":
                return Newer.setRate(limiter, type(numbers), first, numbers[1], numbers[3]);
            // RATE INTERVAL_MS TYPE KEEP_ALIVE_MS KEEP_STATE
            case "set-args":
                return Newer.withArgs(limiter, "setRate", type(numbers), numbers);
            case "update":
                return Newer.withArgs(limiter, "updateRate", type(numbers), numbers);
            // PERMITS [TIMEOUT_MS]
            case "try":
                return limiter.tryAcquire(first);
            case "try-for":
                return limiter.tryAcquire(first, numbers[1], TimeUnit.MILLISECONDS);
            case "acquire":
                limiter.acquire(first);
                return null;
            case "release":
                return Newer.call(limiter, "release", first);
            case "available":
                return Newer.call(limiter, "availablePermits");
            case "config":
                RateLimiterConfig config = limiter.getConfig();
                return config.getRate() + " " + config.getRateInterval() + " " + config.getRateType().ordinal();
            case "exists":
                return limiter.isExists();
            case "delete":
                return limiter.delete();
            // MILLISECONDS
            case "expire":
                return Newer.call(limiter, "expire", first, TimeUnit.MILLISECONDS);
            case "clear-expiry":
                return Newer.call(limiter, "clearExpire");
            case "time-to-live":
                return Newer.call(limiter, "remainTimeToLive");
            // THREADS MILLISECONDS SEED
            case "load":
                return new Load(limiter, first, numbers[1], numbers[2]).run();
            // of this process, in milliseconds
            case "clock":
                return System.currentTimeMillis();
            default:
                throw new IllegalArgumentException("no such command: " + command);
        }
    }

    private static RateType type(long[] numbers) {
        return RateType.values()[(int) numbers[2]];
    }
}
