package peers;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Buckets by compare-and-swap over one Lettuce connection, which pipelines by itself; plain, or with batching. */
final class Bucket4j implements Asked {
    private final AsyncProxyManager<String> manager;
    private final BucketConfiguration configuration;
    private final boolean batching;
    private final Map<String, AsyncBucketProxy> buckets = new ConcurrentHashMap<>();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    Bucket4j(Options options, boolean batching) {
        this.batching = batching;
        RedisClient client = RedisClient.create(options.url());
        Duration interval = Duration.ofMillis(options.intervalMs());
        manager = Bucket4jLettuce.casBasedBuilder(client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
                .expirationAfterWrite(ExpirationAfterWriteStrategy
                        .basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(10)))
                .build().asAsync();
        configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(options.rate()).refillGreedy(options.rate(), interval)).build();
    }

    /** Kept, because batching happens within one proxy. */
    private AsyncBucketProxy bucket(String key) {
        return buckets.computeIfAbsent(key, name -> {
            var builder = manager.builder();
            if (batching) builder = builder.withOptimization(Optimizations.batching());
            return builder.build(name, () -> CompletableFuture.completedFuture(configuration));
        });
    }

    @Override
    public CompletionStage<Boolean> tryAcquire(String key) {
        return bucket(key).tryConsume(1);
    }

    @Override
    public CompletionStage<?> acquire(String key) {
        return bucket(key).asScheduler().consume(1, scheduler);
    }

    /** The configuration goes along with the first call. */
    @Override
    public CompletionStage<Boolean> prepare(String key) {
        return CompletableFuture.completedFuture(true);
    }

    /** A bucket: empty, it fills evenly. */
    @Override
    public void drain(String key) throws Exception {
        bucket(key).tryConsumeAsMuchAsPossible().get();
    }

    @Override
    public String algorithm() {
        return "token_bucket";
    }
}
