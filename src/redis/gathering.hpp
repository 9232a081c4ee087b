#pragma once

#include "core/result.hpp"
#include "core/unique_function.hpp"
#include "redis/pending.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ration::redis {

/// Requests of the same sort that share calls: what comes while calls are out, or before the executor comes to it, goes into the
/// next one. Each request is a list of questions, and gets the answers to its own. Thread-safe.
template <class Question, class Answer>
class Gathering : public std::enable_shared_from_this<Gathering<Question, Answer>> {
public:
    using Answers = std::vector<Answer>;
    using Send = std::function<void(std::vector<Question>, Deadline, core::Reply<Answers>)>;
    using CallSoon = std::function<bool(core::UniqueFunction<void()>)>;

    static constexpr std::size_t questions_per_call = 500;
    static constexpr std::size_t calls_at_once = 1;  // with more, the calls would only be smaller

    /// `send` makes a call; its answers are in the order of the questions. `call_soon` has a function called by the executor, or says
    /// that it will not: so those who were answered together, and ask again one by one, share the next call too.
    Gathering(Send send, CallSoon call_soon) : send_{std::move(send)}, call_soon_{std::move(call_soon)} {}

    void add(std::vector<Question> questions, Deadline deadline, core::Reply<Answers> reply)
    {
        {
            std::lock_guard const lock{mutex_};
            waiting_.push_back({std::move(questions), deadline, std::move(reply)});
            if (out_ == calls_at_once || std::exchange(is_called_, true)) return;
        }
        auto called = [self = this->shared_from_this()] {
            {
                std::lock_guard const lock{self->mutex_};
                self->is_called_ = false;
            }
            self->send_waiting();
        };
        if (!call_soon_(called)) called();
    }

private:
    struct Request {
        std::vector<Question> questions;
        Deadline deadline;
        core::Reply<Answers> reply;
    };
    struct Share {
        std::size_t count;
        core::Reply<Answers> reply;
    };

    void send_waiting()
    {
        for (;;) {
            std::vector<Question> questions;
            std::vector<Share> shares;
            Deadline deadline = Deadline::max();
            {
                std::lock_guard const lock{mutex_};
                if (waiting_.empty() || out_ == calls_at_once) return;
                ++out_;
                do {
                    Request& request = waiting_.front();
                    deadline = std::min(deadline, request.deadline);
                    shares.push_back({request.questions.size(), std::move(request.reply)});
                    std::move(request.questions.begin(), request.questions.end(),
                              std::back_inserter(questions));
                    waiting_.pop_front();
                } while (!waiting_.empty()
                         && questions.size() + waiting_.front().questions.size() <= questions_per_call);
            }
            send_(std::move(questions), deadline,
                  [self = this->shared_from_this(),
                   shares = std::move(shares)](core::Result<Answers> result) mutable {
                      {
                          std::lock_guard const lock{self->mutex_};
                          --self->out_;
                      }
                      share_out(shares, std::move(result));
                      self->send_waiting();
                  });
        }
    }

    static void share_out(std::vector<Share>& shares, core::Result<Answers> result)
    {
        auto answer = result.value.begin();
        for (auto& [count, reply] : shares) {
            core::Result<Answers> own{result.error, result.detail, {}};
            auto const left = static_cast<std::size_t>(result.value.end() - answer);
            for (std::size_t i = std::min(count, left); i > 0; --i) own.value.push_back(std::move(*answer++));
            reply(std::move(own));
        }
    }

    Send const send_;
    CallSoon const call_soon_;
    std::mutex mutex_;
    std::deque<Request> waiting_;
    std::size_t out_ = 0;
    bool is_called_ = false;  // soon
};

}  // namespace ration::redis
