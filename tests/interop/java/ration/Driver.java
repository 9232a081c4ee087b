package ration;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * A Redisson client that does what standard input says, line by line:
 *
 *   17 try lim 3              a number, a command, a limiter, arguments (see Commands)
 *   17 ok true                its answer, on standard output: the number again, and what Redisson said
 *   17 error RedisException: ...
 *
 * Commands do not wait for each other: each has a thread. Ends with its input.
 */
public final class Driver {
    public static void main(String[] arguments) throws Exception {
        RedissonClient redisson = connect(Integer.parseInt(arguments[0]));
        Commands commands = new Commands(redisson);
        ExecutorService threads = Executors.newCachedThreadPool();
        answer("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            threads.execute(() -> answer(words[0] + " " + result(commands, words)));
        }
        Runtime.getRuntime().halt(0); // with somebody still waiting, nothing else ends it
    }

    private static String result(Commands commands, String[] words) {
        try {
            Object result = commands.run(words[1], words[2], Arrays.copyOfRange(words, 3, words.length));
            return "ok " + (result == null ? "" : result); // null: of a method without a result
        } catch (Throwable thrown) {
            Throwable cause = thrown instanceof InvocationTargetException ? thrown.getCause() : thrown;
            return "error " + cause.getClass().getSimpleName() + ": " + String.valueOf(cause.getMessage()).replace('\n', ' ');
        }
    }

    private static synchronized void answer(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static RedissonClient connect(int port) {
        Config config = new Config();
        // A call that times out is sent again, and charged twice; a busy machine must not cause that. Whole tenths of a
        // second: Redisson derives the tick of its timer from it.
        config.useSingleServer()
            .setAddress("redis://127.0.0.1:" + port)
            .setConnectionMinimumIdleSize(2)
            .setConnectionPoolSize(16)
            .setTimeout(30_000)
            .setConnectTimeout(30_000);
        config.setCodec(StringCodec.INSTANCE); // the default one of old versions does not run on a new JDK; limiters use none
        config.setThreads(4);
        config.setNettyThreads(4);
        return Redisson.create(config);
    }
}
