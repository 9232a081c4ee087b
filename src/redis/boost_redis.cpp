// Boost.Redis itself, which is headers only and has to be compiled in exactly one place.

#include <boost/redis/src.hpp>
