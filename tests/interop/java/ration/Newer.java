package ration;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.redisson.api.RRateLimiter;
import org.redisson.api.RateIntervalUnit;
import org.redisson.api.RateType;

/**
 * Methods that not every version has. Looked up when called, so that one source compiles for all of them; where there is none, that
 * is the answer: NoSuchMethodException.
 */
final class Newer {
    static Object call(RRateLimiter limiter, String method, Object... arguments) throws Exception {
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < arguments.length; ++i) {
            types[i] = arguments[i] instanceof Long ? long.class
                : arguments[i] instanceof Enum ? ((Enum<?>) arguments[i]).getDeclaringClass() : arguments[i].getClass();
        }
        return RRateLimiter.class.getMethod(method, types).invoke(limiter, arguments);
    }

    /** keepAlive: since 3.38.0. */
    static Object trySetRate(RRateLimiter limiter, RateType type, long rate, long interval, long keepAlive) throws Exception {
        return call(limiter, "trySetRate", type, rate, Duration.ofMillis(interval), Duration.ofMillis(keepAlive));
    }

    /** Since 3.13.4. */
    static Object setRate(RRateLimiter limiter, RateType type, long rate, long interval, long keepAlive) throws Exception {
        if (keepAlive == 0) {
            return call(limiter, "setRate", type, rate, interval, RateIntervalUnit.MILLISECONDS);
        }
        return call(limiter, "setRate", type, rate, Duration.ofMillis(interval), Duration.ofMillis(keepAlive));
    }

    /** setRate and updateRate with RateLimiterArgs: since 4.4.0. Numbers: rate, interval, type, keepAlive, keepState. */
    static Object withArgs(RRateLimiter limiter, String method, RateType type, long[] numbers) throws Exception {
        Class<?> args = Class.forName("org.redisson.api.ratelimiter.RateLimiterArgs");
        Object value = args.getMethod("of", RateType.class, long.class, Duration.class)
            .invoke(null, type, numbers[0], Duration.ofMillis(numbers[1]));
        if (numbers[3] != 0) {
            value = args.getMethod("keepAliveTime", Duration.class).invoke(value, Duration.ofMillis(numbers[3]));
        }
        value = args.getMethod("keepState", boolean.class).invoke(value, numbers[4] != 0);
        Method call = RRateLimiter.class.getMethod(method, args);
        return call.invoke(limiter, value);
    }
}
