package peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What callers have seen. Used by one thread, or by several that hold its lock. */
final class Meter {
    enum Phase { WARMING_UP, MEASURING, OVER }

    static volatile Phase phase = Phase.WARMING_UP;

    private final boolean keepsLog;
    private final long[] latencies = new long[6000]; // bucket b holds e^(b/200) ns and up: half a percent apart
    private long decisions;
    private long granted;
    private long grantedInAll;
    private long[] log = new long[3 * 1024];
    private int logged;

    Meter(boolean keepsLog) {
        this.keepsLog = keepsLog;
    }

    /** The wall clock, which is the same for all processes. */
    static long microseconds() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }

    void count(long decided, long permits) {
        grantedInAll += permits;
        if (phase != Phase.MEASURING) return;
        decisions += decided;
        granted += permits;
    }

    void time(long nanoseconds) {
        if (phase != Phase.MEASURING) return;
        latencies[Math.min((int) (Math.log(Math.max(1, nanoseconds)) * 200), latencies.length - 1)]++;
    }

    /** A decision: the time before and after, and its permits. A waiter: the same, and its number. */
    void log(long start, long end, long value) {
        if (!keepsLog) return;
        if (logged + 3 > log.length) log = Arrays.copyOf(log, 2 * log.length);
        log[logged++] = start;
        log[logged++] = end;
        log[logged++] = value;
    }

    boolean keepsLog() {
        return keepsLog;
    }

    void add(Meter other) {
        decisions += other.decisions;
        granted += other.granted;
        grantedInAll += other.grantedInAll;
        for (int i = 0; i < latencies.length; i++) latencies[i] += other.latencies[i];
        for (int i = 0; i < other.logged; i += 3) log(other.log[i], other.log[i + 1], other.log[i + 2]);
    }

    void writeLog(String file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8 * logged).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(log, 0, logged);
        Files.write(Path.of(file), bytes.array());
    }

    String json(double seconds, String algorithm) {
        String buckets = IntStream.range(0, latencies.length).filter(i -> latencies[i] > 0)
                .mapToObj(i -> "\"" + i + "\": " + latencies[i]).collect(Collectors.joining(", "));
        return "{\"seconds\": " + seconds + ", \"decisions\": " + decisions + ", \"granted\": " + granted
                + ", \"granted_in_all\": " + grantedInAll + ", \"algorithm\": \"" + algorithm + "\", \"latency\": {"
                + buckets + "}}";
    }
}
