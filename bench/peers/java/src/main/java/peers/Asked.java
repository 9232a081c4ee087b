package peers;

import java.util.concurrent.CompletionStage;

/** A limiter behind Redis, by its asynchronous API. */
interface Asked {
    /** One permit now, or not. */
    CompletionStage<Boolean> tryAcquire(String key);

    /** One permit, as soon as there is one. */
    CompletionStage<?> acquire(String key);

    /** Makes the limiter of the key known, where that is a call of its own. */
    CompletionStage<Boolean> prepare(String key);

    /** Uses up the limiter's permits in such a way that they come back one by one. */
    void drain(String key) throws Exception;

    String algorithm();
}
