package peers;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** RRateLimiter with the client's default configuration: a pool of up to 64 connections, scripts cached. */
final class Redisson implements Asked {
    private final Options options;
    private final RedissonClient client;
    private final Map<String, RRateLimiter> limiters = new ConcurrentHashMap<>();

    Redisson(Options options) {
        this.options = options;
        Config config = new Config();
        config.useSingleServer().setAddress(options.url()).setTimeout(20_000);
        client = org.redisson.Redisson.create(config);
    }

    private RRateLimiter limiter(String key) {
        return limiters.computeIfAbsent(key, client::getRateLimiter);
    }

    @Override
    public CompletionStage<Boolean> tryAcquire(String key) {
        return limiter(key).tryAcquireAsync();
    }

    @Override
    public CompletionStage<?> acquire(String key) {
        return limiter(key).acquireAsync();
    }

    @Override
    public CompletionStage<Boolean> prepare(String key) {
        return limiter(key).trySetRateAsync(RateType.OVERALL, options.rate(), Duration.ofMillis(options.intervalMs()));
    }

    /** A log: what is taken evenly comes back evenly. */
    @Override
    public void drain(String key) throws InterruptedException {
        long begin = System.nanoTime();
        for (long i = 0; i < options.rate(); i++) {
            long due = begin + i * options.intervalMs() * 1_000_000 / options.rate();
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime())
                Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
            limiter(key).tryAcquire();
        }
    }

    @Override
    public String algorithm() {
        return "sliding_log";
    }
}
