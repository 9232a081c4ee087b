package peers;

import java.util.HashMap;
import java.util.Map;

/** What the runner asks of a contender; the same for all languages (docs/benchmarks-peers.md, "The programs"). */
record Options(String contender, String url, String mode, String log, int callers, int keys, long rate, long intervalMs,
               double warmup, double seconds, int process, boolean fill) {

    static Options parse(String[] words) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i + 1 < words.length; i += 2) given.put(words[i], words[i + 1]);
        return new Options(given.get("--contender"), given.get("--url"), given.getOrDefault("--mode", "ask"),
                given.getOrDefault("--log", ""), Integer.parseInt(given.getOrDefault("--callers", "1")),
                Integer.parseInt(given.getOrDefault("--keys", "1")), Long.parseLong(given.get("--rate")),
                Long.parseLong(given.get("--interval-ms")), Double.parseDouble(given.getOrDefault("--warmup", "0.2")),
                Double.parseDouble(given.getOrDefault("--seconds", "1")),
                Integer.parseInt(given.getOrDefault("--process", "0")), "1".equals(given.get("--fill")));
    }
}
