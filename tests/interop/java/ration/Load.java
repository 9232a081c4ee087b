package ration;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.redisson.api.RRateLimiter;

/** Threads that take 1 to 5 permits at a time, in all ways there are, for a while. */
final class Load {
    private final RRateLimiter limiter;
    private final long threads;
    private final long milliseconds;
    private final long seed;
    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong denials = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Load(RRateLimiter limiter, long threads, long milliseconds, long seed) {
        this.limiter = limiter;
        this.threads = threads;
        this.milliseconds = milliseconds;
        this.seed = seed;
    }

    /** "PERMITS_GRANTED DENIALS" */
    String run() throws Exception {
        Thread[] crowd = new Thread[(int) threads];
        for (int i = 0; i < crowd.length; ++i) {
            Random random = new Random(seed * 1000 + i);
            crowd[i] = new Thread(() -> takePermits(random));
            crowd[i].start();
        }
        for (Thread each : crowd) {
            each.join();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("under load: " + failure.get());
        }
        return granted + " " + denials;
    }

    private void takePermits(Random random) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        try {
            while (System.nanoTime() < end) {
                int permits = 1 + random.nextInt(5);
                if (take(permits, random)) {
                    granted.addAndGet(permits);
                } else {
                    denials.incrementAndGet();
                }
            }
        } catch (Throwable thrown) {
            failure.compareAndSet(null, thrown);
        }
    }

    private boolean take(int permits, Random random) {
        switch (random.nextInt(5)) {
            case 0:
                return limiter.tryAcquire(permits);
            case 1:
            case 2:
                return limiter.tryAcquire(permits, random.nextInt(300), TimeUnit.MILLISECONDS);
            default:
                limiter.acquire(permits);
                return true;
        }
    }
}
