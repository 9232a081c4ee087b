#include "baseline.hpp"

#include "keyed_rate.hpp"
#include "program.hpp"
#include "raw_connection.hpp"

#include "core/batch.hpp"
#include "redis/answers.hpp"
#include "redis/keys.hpp"
#include "redis/script.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace ration::bench {

std::string_view const baseline::redisson_script = R"lua(
local rate = redis.call('HGET', KEYS[1], 'rate')
local interval = redis.call('HGET', KEYS[1], 'interval')
local type = redis.call('HGET', KEYS[1], 'type')
assert(rate ~= false and interval ~= false and type ~= false, 'not initialized')
local value_key, permits_key = KEYS[2], KEYS[4]
if type == '1' then value_key, permits_key = KEYS[3], KEYS[5] end
assert(tonumber(rate) >= tonumber(ARGV[1]), 'more than the rate')

local result
local value = redis.call('GET', value_key)
if value ~= false then
    local expired = redis.call('ZRANGEBYSCORE', permits_key, 0, tonumber(ARGV[2]) - interval)
    local released = 0
    for _, member in ipairs(expired) do
        local _, permits = struct.unpack('Bc0I', member)
        released = released + permits
    end
    if released > 0 then
        redis.call('ZREMRANGEBYSCORE', permits_key, 0, tonumber(ARGV[2]) - interval)
        value = math.min(tonumber(value) + released, tonumber(rate))
        redis.call('SET', value_key, value)
    end
    if tonumber(value) < tonumber(ARGV[1]) then
        local first = redis.call('ZRANGE', permits_key, 0, 0, 'WITHSCORES')
        result = 3 + interval - (tonumber(ARGV[2]) - tonumber(first[2]))
    else
        redis.call('ZADD', permits_key, ARGV[2], struct.pack('Bc0I', string.len(ARGV[3]), ARGV[3], ARGV[1]))
        redis.call('DECRBY', value_key, ARGV[1])
    end
else
    redis.call('SET', value_key, rate)
    redis.call('ZADD', permits_key, ARGV[2], struct.pack('Bc0I', string.len(ARGV[3]), ARGV[3], ARGV[1]))
    redis.call('DECRBY', value_key, ARGV[1])
end

local keep_alive = redis.call('HGET', KEYS[1], 'keepAliveTime')
if keep_alive ~= false and tonumber(keep_alive) > 0 then
    redis.call('PEXPIRE', KEYS[1], keep_alive)
    redis.call('PEXPIRE', value_key, keep_alive)
    redis.call('PEXPIRE', permits_key, keep_alive)
else
    local ttl = redis.call('PTTL', KEYS[1])
    if ttl > 0 then
        redis.call('PEXPIRE', value_key, ttl)
        redis.call('PEXPIRE', permits_key, ttl)
    end
end
return result
)lua";

namespace {

struct Load {
    int connections;
    int pipeline;
    double expected;  ///< calls per second, to choose how many make a run of the right length
};

constexpr Load pipelined{50, 16, 80'000};

/// Runs a command by redis-benchmark. "__rand_int__" in it stands for 12 digits, each time others.
double calls_per_second(Scene& scene, Load const& load, std::vector<std::string> const& words,
                        int random_range)
{
    auto const count = static_cast<long>(load.expected * scene.seconds());
    std::vector<std::string> line{"redis-benchmark",
                                  "-h",
                                  "127.0.0.1",
                                  "-p",
                                  std::to_string(scene.port()),
                                  "-c",
                                  std::to_string(load.connections),
                                  "-P",
                                  std::to_string(load.pipeline),
                                  "-n",
                                  std::to_string(count),
                                  "-r",
                                  std::to_string(random_range),
                                  "-q",
                                  "--csv"};
    line.insert(line.end(), words.begin(), words.end());
    auto output = run_program(line);

    // "the command","calls per second","avg",... of which the first may hold anything
    constexpr int behind_it = 6;
    auto at = output.rfind('"');
    for (int quotes = 0; quotes < 2 * behind_it && at != output.npos && at > 0; ++quotes)
        at = output.rfind('"', at - 1);
    // Now at the closing quote of the number, or at nothing sensible.
    auto const open = at == output.npos || at == 0 ? output.npos : output.rfind('"', at - 1);
    double const rate = open == output.npos ? 0 : std::strtod(output.c_str() + open + 1, nullptr);
    if (rate <= 0) throw std::runtime_error{"redis-benchmark says something else than expected: " + output};
    return rate;
}

std::vector<std::string> redisson_call(Scene& scene)
{
    using namespace std::chrono;
    auto const now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
    std::vector<std::string> words{"EVALSHA", scene.load(baseline::redisson_script), "5"};
    auto const keys = baseline::redisson_keys();
    words.insert(words.end(), keys.begin(), keys.end());
    words.insert(words.end(), {"1", std::to_string(now), "abcd__rand_int__"});
    return words;
}

void measure_redisson(Scene& scene, Load const& load, std::string const& name)
{
    scene.clear();
    baseline::set_redisson_rate(scene);
    scene.report().record(name, calls_per_second(scene, load, redisson_call(scene), 1'000'000'000));
}

std::string one_request()
{
    core::Batch batch;
    batch.runs.push_back({1, false, 1});
    return redis::packed(batch);
}

/// A call of ration's script for keyed limiters, as the limiter of `measure_keyed` makes it.
std::vector<std::string> keyed_call(std::string const& sha1, std::vector<std::string> const& keys,
                                    std::string const& batch)
{
    Rate const rate = keyed_rate();
    std::vector<std::string> words{"EVALSHA", sha1, std::to_string(keys.size())};
    for (auto const& key : keys) words.push_back(redis::keyed_key(keyed_name, key));
    words.insert(words.end(),
                 {"token_bucket", std::to_string(rate.permits()), std::to_string(rate.interval().count()),
                  std::to_string(rate.capacity()), "", "Q0123456789abcdef", batch});
    return words;
}

/// redis-benchmark ends an argument at its first byte of zero. So the batch stands in the script, and the argument is only as
/// long as it.
std::string script_with_batch()
{
    std::string literal;
    for (char const byte : one_request()) {
        char escape[5];
        std::snprintf(escape, sizeof escape, "\\%03u",
                      static_cast<unsigned>(static_cast<unsigned char>(byte)));
        literal += escape;
    }
    return "ARGV[7] = '" + literal + "'\n" + std::string{redis::scripts::keyed_acquire.text};
}

}  // namespace

std::vector<std::string> baseline::redisson_keys()
{
    auto const keys = redis::limiter_keys(redisson_name, "00000000-0000-4000-8000-000000000000");
    return {keys[0], keys[1], keys[4], keys[2], keys[5]};
}

void baseline::set_redisson_rate(Scene& scene, std::string const& rate)
{
    scene.control().integer("HSET", redisson_name, "rate", rate, "interval", "3600000", "type", "0");
}

std::string keyed_key(int number)
{
    char text[16];
    std::snprintf(text, sizeof text, "%012d", number);
    return text;
}

void fill_keyed(Scene& scene)
{
    constexpr int keys_per_call = 500;
    scene.clear();
    auto const sha1 = scene.load(redis::scripts::keyed_acquire.text);
    RawConnection connection{scene.port()};
    for (int first = 0; first < keyed_count; first += keys_per_call) {
        std::vector<std::string> keys;
        for (int i = first; i < first + keys_per_call; ++i) keys.push_back(keyed_key(i));
        connection.round_trip(wire(keyed_call(sha1, keys, one_request())));
    }
    scene.control().text("CONFIG", "RESETSTAT");
}

void measure_noop(Scene& scene)
{
    scene.clear();
    Load load = pipelined;
    load.expected = 400'000;
    scene.report().record(
        baseline::noop,
        calls_per_second(scene, load, {"EVALSHA", scene.load(baseline::noop_script), "0"}, 1));
}

void measure_redisson(Scene& scene)
{
    measure_redisson(scene, pipelined, baseline::redisson);
}

void measure_redisson_unpipelined(Scene& scene)
{
    measure_redisson(scene, {64, 1, 33'000}, baseline::redisson_unpipelined);
}

void measure_keyed_baseline(Scene& scene)
{
    fill_keyed(scene);
    auto const call = keyed_call(scene.load(script_with_batch()), {"__rand_int__"}, "as long as one");
    scene.report().record(baseline::keyed, calls_per_second(scene, pipelined, call, keyed_count));
    if (scene.stats_of("set").calls != scene.stats_of("evalsha").calls)
        throw std::runtime_error{"the script of one key did not grant every call"};
}

}  // namespace ration::bench
