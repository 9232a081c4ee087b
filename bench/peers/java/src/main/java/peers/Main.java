package peers;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Random;

/** One run of one workload by one of the Java contenders, told and reported as docs/benchmarks-peers.md says. */
public final class Main {
    private Main() {
    }

    public static void main(String[] words) throws Exception {
        Options options = Options.parse(words);
        String result = switch (options.contender()) {
            case "redisson" -> new AskRedis(options, new Redisson(options)).run();
            case "bucket4j" -> new AskRedis(options, new Bucket4j(options, false)).run();
            case "bucket4j-batching" -> new AskRedis(options, new Bucket4j(options, true)).run();
            case "guava", "resilience4j", "bucket4j-memory" -> AskMemory.run(options);
            default -> throw new IllegalArgumentException("unknown contender " + options.contender());
        };
        System.out.println(result);
        System.out.flush();
        Runtime.getRuntime().halt(0); // not every client ends its threads quickly, and none has anything left to do
    }

    static void waitForGo() throws Exception {
        System.out.println("ready");
        System.out.flush();
        new BufferedReader(new InputStreamReader(System.in)).readLine();
    }

    /** Lets the callers warm up, says "begin", lets them be measured, says "end". How many seconds that took. */
    static double keepTime(Options options) throws InterruptedException {
        Thread.sleep((long) (options.warmup() * 1000));
        System.out.println("begin");
        System.out.flush();
        Meter.phase = Meter.Phase.MEASURING;
        long begin = System.nanoTime();
        Thread.sleep((long) (options.seconds() * 1000));
        Meter.phase = Meter.Phase.OVER;
        double elapsed = (System.nanoTime() - begin) / 1e9;
        System.out.println("end");
        System.out.flush();
        return elapsed;
    }

    static String keyOf(int number) {
        return "user:" + number;
    }

    /** At most a million keys to ask for, at random. */
    static String[] keysToAsk(Options options) {
        String[] keys = new String[(int) Math.min(1L << 20, 16L * options.keys())];
        Random random = new Random(options.process());
        for (int i = 0; i < keys.length; i++) keys[i] = keyOf(random.nextInt(options.keys()));
        return keys;
    }
}
