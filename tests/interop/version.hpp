#pragma once

#include <ration/limiter_options.hpp>

#include <compare>
#include <string>

namespace ration::interop {

/// The number of a version of Redisson, e.g. 3.16.1.
struct VersionNumber {
    int major = 0;
    int minor = 0;
    int patch = 0;

    /// Throws std::invalid_argument if it is none.
    static VersionNumber parse(std::string const& text);
    friend auto operator<=>(VersionNumber const&,
                            VersionNumber const&) = default;  // NOLINT(modernize-use-nullptr)
};

/// One version of Redisson: how to share a limiter with it, and what it can do.
struct Version {
    std::string name;  ///< "3.16.1", or "newest"
    std::string text;  ///< "3.16.1" in any case
    VersionNumber number;

    /// How ration opens a limiter that it shares with this version.
    LimiterOptions options() const;

    /// What such a limiter is.
    Algorithm algorithm() const
    {
        return counts_in_windows() ? Algorithm::fixed_window : Algorithm::sliding_log;
    }

    bool counts_in_windows() const { return number < VersionNumber{3, 13, 3}; }
    bool zero_timeout_waits_for_ever() const { return number < VersionNumber{3, 11, 1}; }
    bool has_available() const { return number >= VersionNumber{3, 12, 1}; }
    bool delete_leaves_state() const { return number < VersionNumber{3, 12, 5}; }
    bool delete_tells() const { return number >= VersionNumber{3, 13, 6}; }  ///< whether there was something
    bool has_expiry() const { return number >= VersionNumber{3, 13, 1}; }
    bool has_set_rate() const { return number >= VersionNumber{3, 13, 4}; }
    bool checks_permits_always() const { return number >= VersionNumber{3, 14, 0}; }
    bool copies_time_to_live() const { return number >= VersionNumber{3, 17, 3}; }
    bool set_rate_clears_own_state() const { return number >= VersionNumber{3, 22, 1}; }
    bool has_keep_alive() const { return number >= VersionNumber{3, 38, 0}; }
    bool has_release() const { return number >= VersionNumber{3, 52, 0}; }
    bool has_update() const { return number >= VersionNumber{4, 4, 0}; }
    bool release_edits_log() const { return number > VersionNumber{4, 7, 0}; }
};

}  // namespace ration::interop
