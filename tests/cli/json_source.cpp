// Boost.JSON, compiled: the tests read what `ration --json` writes with a parser that is not ours.
#include <boost/json/src.hpp>
