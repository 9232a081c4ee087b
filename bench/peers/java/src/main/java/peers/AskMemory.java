package peers;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Threads that ask a limiter of their own process as fast as they can. */
final class AskMemory {
    private static final int BETWEEN_LOOKS = 64; // so that neither the clock nor the phase is what is measured
    private static final long BETWEEN_DENIALS = 10; // microseconds, in the log; there would be millions of them

    private AskMemory() {
    }

    /** None of these has keys: a limiter per key, in a map, is what one writes. */
    static String run(Options options) throws Exception {
        Supplier<BooleanSupplier> make = maker(options);
        Map<String, BooleanSupplier> limiters = new ConcurrentHashMap<>();
        if (options.fill()) for (int i = 0; i < options.keys(); i++) limiters.put(Main.keyOf(i), make.get());
        String[] keys = options.keys() > 1 ? Main.keysToAsk(options) : null;
        BooleanSupplier hot = make.get();

        List<Meter> meters = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        Main.waitForGo();
        for (int i = 0; i < options.callers(); i++) {
            Meter meter = new Meter(!options.log().isEmpty());
            BooleanSupplier ask = keys == null ? hot : new Walk(limiters, make, keys, i * 7919);
            Thread thread = new Thread(() -> {
                if (meter.keepsLog()) askAndLog(meter, ask);
                else askQuickly(meter, ask);
            });
            meters.add(meter);
            threads.add(thread);
            thread.start();
        }
        double seconds = Main.keepTime(options);
        for (Thread thread : threads) thread.join();
        for (Meter other : meters.subList(1, meters.size())) meters.get(0).add(other);
        if (!options.log().isEmpty()) meters.get(0).writeLog(options.log());
        return meters.get(0).json(seconds, options.contender().equals("resilience4j") ? "fixed_window" : "token_bucket");
    }

    private static Supplier<BooleanSupplier> maker(Options options) {
        double perSecond = options.rate() * 1000.0 / options.intervalMs();
        Duration interval = Duration.ofMillis(options.intervalMs());
        RateLimiterConfig config = RateLimiterConfig.custom().limitForPeriod((int) options.rate())
                .limitRefreshPeriod(interval).timeoutDuration(Duration.ZERO).build();
        return switch (options.contender()) {
            case "guava" -> () -> {
                RateLimiter limiter = RateLimiter.create(perSecond);
                return limiter::tryAcquire;
            };
            case "resilience4j" -> () -> {
                var limiter = io.github.resilience4j.ratelimiter.RateLimiter.of("hot", config);
                return limiter::acquirePermission;
            };
            default -> () -> {
                Bucket bucket = Bucket.builder()
                        .addLimit(limit -> limit.capacity(options.rate()).refillGreedy(options.rate(), interval)).build();
                return () -> bucket.tryConsume(1);
            };
        };
    }

    /** One key after the other. */
    private static final class Walk implements BooleanSupplier {
        private final Map<String, BooleanSupplier> limiters;
        private final Supplier<BooleanSupplier> make;
        private final String[] keys;
        private int cursor;

        Walk(Map<String, BooleanSupplier> limiters, Supplier<BooleanSupplier> make, String[] keys, int cursor) {
            this.limiters = limiters;
            this.make = make;
            this.keys = keys;
            this.cursor = cursor;
        }

        @Override
        public boolean getAsBoolean() {
            cursor = cursor + 1 < keys.length ? cursor + 1 : 0;
            return limiters.computeIfAbsent(keys[cursor], key -> make.get()).getAsBoolean();
        }
    }

    /** Times one in 64. */
    private static void askQuickly(Meter meter, BooleanSupplier ask) {
        while (Meter.phase != Meter.Phase.OVER) {
            int granted = 0;
            for (int i = 1; i < BETWEEN_LOOKS; i++) granted += ask.getAsBoolean() ? 1 : 0;
            long start = System.nanoTime();
            granted += ask.getAsBoolean() ? 1 : 0;
            long elapsed = System.nanoTime() - start;
            meter.count(BETWEEN_LOOKS, granted);
            meter.time(elapsed);
        }
    }

    private static void askAndLog(Meter meter, BooleanSupplier ask) {
        long lastDenial = 0;
        while (Meter.phase != Meter.Phase.OVER) {
            long start = Meter.microseconds();
            boolean granted = ask.getAsBoolean();
            long end = Meter.microseconds();
            meter.count(1, granted ? 1 : 0);
            if (!granted && start - lastDenial < BETWEEN_DENIALS) continue;
            if (!granted) lastDenial = start;
            meter.log(start, end, granted ? 1 : 0);
        }
    }
}
