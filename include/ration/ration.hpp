#pragma once

/// Everything a program needs to limit how often something happens. Start with ration::Client.

#include <ration/client.hpp>
#include <ration/clock.hpp>
#include <ration/decision.hpp>
#include <ration/delay_queue.hpp>
#include <ration/error.hpp>
#include <ration/expiring_hash.hpp>
#include <ration/hash_options.hpp>
#include <ration/keyed_rate_limiter.hpp>
#include <ration/limiter_options.hpp>
#include <ration/queue_options.hpp>
#include <ration/rate.hpp>
#include <ration/rate_limiter.hpp>
#include <ration/types.hpp>
