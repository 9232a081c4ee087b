#include "interop/checks.hpp"
#include "interop/expect.hpp"
#include "interop/redisson_stories.hpp"

#include <sstream>

namespace ration::interop {

std::string behaviours(Jars const& jars, Version const& version)
{
    Scene scene{jars, version, Scene::Time::frozen};
    std::ostringstream problems;
    auto const count = [&](std::vector<Story> const& stories) {
        std::size_t good = 0;
        for (auto const& story : stories) {
            try {
                tell(story, scene, scene.java);
                tell(story, scene, scene.ration);
                ++good;
            } catch (Mismatch const& mismatch) {
                problems << '\n' << mismatch.what();
            }
        }
        return std::to_string(good) + " of " + std::to_string(stories.size());
    };
    auto text = count(redisson_stories()) + " of Redisson's own tests hold for " + version.text
                + " and for ration, " + count(defect_stories()) + " defects of Redisson are none of ration";
    expect(problems.str().empty(), text + problems.str());
    return text;
}

}  // namespace ration::interop
