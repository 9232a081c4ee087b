package peers;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Callers that ask through Redis, each again as soon as it was answered: so many futures under way. */
final class AskRedis {
    private final Options options;
    private final Asked asked;
    private final Meter meter;
    private final CountDownLatch present;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final String[] keys;
    private final AtomicInteger cursor = new AtomicInteger();
    private long nextWaiter;

    AskRedis(Options options, Asked asked) {
        this.options = options;
        this.asked = asked;
        meter = new Meter(!options.log().isEmpty());
        present = new CountDownLatch(options.callers());
        keys = options.keys() > 1 ? Main.keysToAsk(options) : new String[] {"hot"};
    }

    String run() throws Exception {
        prepare();
        Main.waitForGo();
        boolean waits = options.mode().equals("wait");
        if (waits) asked.drain(keys[0]);
        for (int i = 0; i < options.callers(); i++) {
            if (waits) waitInLine();
            else ask();
        }
        double seconds = Main.keepTime(options);
        if (!waits && !present.await(30, TimeUnit.SECONDS))
            failure.compareAndSet(null, new TimeoutException(present.getCount() + " requests were never answered"));
        if (failure.get() != null) throw new IllegalStateException("a request failed: " + failure.get(), failure.get());
        synchronized (meter) {
            if (meter.keepsLog()) meter.writeLog(options.log());
            return meter.json(seconds, asked.algorithm());
        }
    }

    private void prepare() throws Exception {
        Semaphore underWay = new Semaphore(options.callers());
        for (int i = 0; i < options.keys(); i++) {
            String key = options.keys() > 1 ? Main.keyOf(i) : "hot";
            underWay.acquire();
            asked.prepare(key)
                    .thenCompose(done -> options.fill() ? asked.tryAcquire(key) : CompletableFuture.completedFuture(done))
                    .whenComplete((done, problem) -> {
                        if (problem != null) failure.set(problem);
                        underWay.release();
                    });
        }
        underWay.acquire(options.callers());
        if (failure.get() != null) throw new IllegalStateException("preparing failed", failure.get());
    }

    private String nextKey() {
        return keys.length == 1 ? keys[0] : keys[Math.floorMod(cursor.getAndIncrement(), keys.length)];
    }

    private void ask() {
        long start = System.nanoTime();
        long startOnWall = meter.keepsLog() ? Meter.microseconds() : 0;
        asked.tryAcquire(nextKey()).whenComplete((granted, problem) -> {
            long elapsed = System.nanoTime() - start;
            if (problem != null) {
                failure.set(problem);
                present.countDown();
                return;
            }
            synchronized (meter) {
                meter.count(1, granted ? 1 : 0);
                meter.time(elapsed);
                if (meter.keepsLog()) meter.log(startOnWall, Meter.microseconds(), granted ? 1 : 0);
            }
            if (Meter.phase == Meter.Phase.OVER) present.countDown();
            else ask();
        });
    }

    private void waitInLine() {
        long number;
        synchronized (meter) {
            number = nextWaiter++;
        }
        long since = Meter.microseconds();
        asked.acquire(keys[0]).whenComplete((done, problem) -> {
            if (Meter.phase == Meter.Phase.OVER) return;
            if (problem != null) {
                failure.set(problem);
                return;
            }
            synchronized (meter) {
                meter.count(1, 1);
                meter.log(since, Meter.microseconds(), number);
            }
            waitInLine();
        });
    }
}
