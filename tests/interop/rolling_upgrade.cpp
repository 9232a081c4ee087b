#include "interop/checks.hpp"
#include "interop/expect.hpp"
#include "interop/scene.hpp"
#include "interop/stored.hpp"

namespace ration::interop {

namespace {

/// Half of the rate is in use, by grants that the old version has stored.
void fill(Side& old, std::string const& name)
{
    expect_equal(old("try-set", name, 10, 2000, 0), "true", old.name() + ", try-set");
    expect_equal(old("try", name, 2), "true", old.name() + ", try");
    expect_equal(old("try", name, 3), "true", old.name() + ", try");
}

}  // namespace

std::string rolling_upgrade(Jars const& jars, Version const& old, Version const& newer)
{
    Scene scene{jars, newer, Scene::Time::frozen};
    ProcessSide old_java{java_command(jars, old, scene.server)};
    auto& new_java = scene.java;
    auto& ration = scene.ration;

    // Without the repair, the new version fails as soon as an old grant expires; ration goes on.
    fill(old_java, "left");
    expect_equal(ration("try", "left", 1), "true", "ration, while old grants are in use");
    expect_equal(ration("available", "left"), "4", "ration, while old grants are in use");
    scene.advance(2000);
    expect_equal(new_java("try", "left", 1), "error data string too short",
                 new_java.name() + " on grants of " + old_java.name());
    expect_equal(ration("try", "left", 10), "true", "ration, when the old grants have expired");

    // With it, both go on with the same grants.
    fill(old_java, "migrated");
    auto const before = read_stored(scene.redis, LimiterKeys{"migrated"});
    expect_equal(ration("migrate", "migrated"), "2", "grants that were rewritten");
    auto after = read_stored(scene.redis, LimiterKeys{"migrated"});
    for (auto& grant : after.log) {
        expect_equal(grant.format, "Bc0I", "the format of a rewritten grant");
        grant.format = "fI";
    }
    expect_equal(to_string(after), to_string(before), "all but the format");
    expect_equal(new_java("available", "migrated"), "5", new_java.name() + " after the repair");
    expect_equal(new_java("try", "migrated", 6), "false", new_java.name() + " after the repair");
    expect_equal(new_java("try", "migrated", 5), "true", new_java.name() + " after the repair");
    scene.advance(2000);
    expect_equal(new_java("try", "migrated", 10), "true",
                 new_java.name() + ", when the old grants have expired");
    return old.text + " to " + newer.text
           + ": Java says 'data string too short', and works again after migrate()";
}

}  // namespace ration::interop
