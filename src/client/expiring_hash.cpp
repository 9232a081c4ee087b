#include <ration/expiring_hash.hpp>

#include "client/hash.hpp"
#include "client/reply.hpp"

#include <algorithm>

namespace ration {

using client::converted;
using client::Hash;
using client::reply_to;
using core::Reply;
using core::Unit;

namespace {

/// Runs `start(reply)` and waits for the reply.
template <class T, class Start>
T wait_for(Hash const& hash, Start start)
{
    return client::wait_for<T>(*hash.context(), client::describe_hash(hash.name()), start);
}

using Made = std::vector<bool>;
using Found = std::vector<std::optional<std::string>>;

/// In pieces that the store puts in one step each, one after the other. A store that replies inside the call takes all at once.
void put_pieces(std::shared_ptr<Hash> const& hash, std::shared_ptr<std::vector<core::HashPut>> const& puts,
                std::size_t from, Reply<Unit> reply)
{
    auto const begin = puts->begin() + static_cast<std::ptrdiff_t>(from);
    auto const left = puts->size() - from;
    bool const at_once = hash->context()->store().replies_inside();
    auto const count = at_once ? left : std::min(left, core::HashStore::most_in_one_step);
    std::vector<core::HashPut> piece{std::make_move_iterator(begin),
                                     std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(count))};
    hash->put(std::move(piece),
              [hash, puts, next = from + count, reply = std::move(reply)](core::Result<Made> result) mutable {
                  if (result.error) {
                      reply(core::Result<Unit>::failed(*result.error, std::move(result.detail)));
                  } else if (next < puts->size()) {
                      put_pieces(hash, puts, next, std::move(reply));
                  } else {
                      reply({});
                  }
              });
}

void put_all_of(std::shared_ptr<Hash> const& hash, ExpiringHash::Entries const& entries, Hash::Ttl ttl,
                Reply<Unit> reply)
{
    auto const puts = std::make_shared<std::vector<core::HashPut>>();
    for (auto const& [field, value] : entries.entries) puts->push_back({field, value, ttl});
    put_pieces(hash, puts, 0, std::move(reply));
}

core::HashPut one_put(std::string_view field, std::string_view value, Hash::Ttl ttl, bool if_absent)
{
    return {std::string{field}, std::string{value}, ttl, if_absent};
}

template <class T>
std::vector<T> list_of(T one)
{
    std::vector<T> list;
    list.push_back(std::move(one));
    return list;
}

bool first_of(Made const& made)
{
    return !made.empty() && made.front();
}

std::optional<std::string> first_found(Found found)
{
    return found.empty() ? std::nullopt : std::move(found.front());
}

ExpiringHash::Values values_of(std::vector<std::string> const& fields, Found found)
{
    ExpiringHash::Values values;
    for (std::size_t i = 0; i < std::min(fields.size(), found.size()); ++i) {
        if (found[i]) values.insert_or_assign(fields[i], std::move(*found[i]));
    }
    return values;
}

}  // namespace

ExpiringHash::ExpiringHash(std::shared_ptr<Hash> hash) : hash_{std::move(hash)} {}

std::string const& ExpiringHash::name() const noexcept
{
    return hash_->name();
}

HashOptions const& ExpiringHash::options() const noexcept
{
    return hash_->options();
}

boost::asio::any_io_executor ExpiringHash::get_executor() const
{
    return hash_->context()->executor();
}

HashStrategy ExpiringHash::strategy() const
{
    return wait_for<HashStrategy>(*hash_, [&](auto reply) { hash_->strategy(std::move(reply)); });
}

// ---- writing ----

void ExpiringHash::put(std::string_view field, std::string_view value)
{
    wait_for<Made>(
        *hash_, [&](auto reply) { hash_->put(list_of(one_put(field, value, {}, false)), std::move(reply)); });
}

void ExpiringHash::put(std::string_view field, std::string_view value, Span ttl)
{
    wait_for<Made>(*hash_, [&](auto reply) {
        hash_->put(list_of(one_put(field, value, Duration{ttl}, false)), std::move(reply));
    });
}

void ExpiringHash::start_put(std::string const& field, std::string const& value, Ttl ttl,
                             detail::Handler<void> handler) const
{
    hash_->put(list_of(one_put(field, value, ttl, false)),
               converted<Made>(reply_to<void>(hash_->context(), std::move(handler)),
                               [](Made const&) { return Unit{}; }));
}

bool ExpiringHash::put_if_absent(std::string_view field, std::string_view value)
{
    return first_of(wait_for<Made>(
        *hash_, [&](auto reply) { hash_->put(list_of(one_put(field, value, {}, true)), std::move(reply)); }));
}

bool ExpiringHash::put_if_absent(std::string_view field, std::string_view value, Span ttl)
{
    return first_of(wait_for<Made>(*hash_, [&](auto reply) {
        hash_->put(list_of(one_put(field, value, Duration{ttl}, true)), std::move(reply));
    }));
}

void ExpiringHash::start_put_if_absent(std::string const& field, std::string const& value, Ttl ttl,
                                       detail::Handler<bool> handler) const
{
    hash_->put(list_of(one_put(field, value, ttl, true)),
               converted<Made>(reply_to<bool>(hash_->context(), std::move(handler)), first_of));
}

void ExpiringHash::put_all(Entries const& entries)
{
    wait_for<Unit>(*hash_, [&](auto reply) { put_all_of(hash_, entries, {}, std::move(reply)); });
}

void ExpiringHash::put_all(Entries const& entries, Span ttl)
{
    wait_for<Unit>(*hash_, [&](auto reply) { put_all_of(hash_, entries, Duration{ttl}, std::move(reply)); });
}

void ExpiringHash::start_put_all(Entries const& entries, Ttl ttl, detail::Handler<void> handler) const
{
    put_all_of(hash_, entries, ttl, reply_to<void>(hash_->context(), std::move(handler)));
}

// ---- reading ----

std::optional<std::string> ExpiringHash::get(std::string_view field) const
{
    return first_found(wait_for<Found>(
        *hash_, [&](auto reply) { hash_->get(list_of(std::string{field}), std::move(reply)); }));
}

void ExpiringHash::start_get(std::string const& field,
                             detail::Handler<std::optional<std::string>> handler) const
{
    hash_->get(list_of(field),
               converted<Found>(reply_to<std::optional<std::string>>(hash_->context(), std::move(handler)),
                                first_found));
}

ExpiringHash::Values ExpiringHash::get_all(Fields const& fields) const
{
    return values_of(fields.texts, wait_for<Found>(*hash_, [&](auto reply) {
                         hash_->get(fields.texts, std::move(reply));
                     }));
}

void ExpiringHash::start_get_all(Fields const& fields, detail::Handler<Values> handler) const
{
    hash_->get(fields.texts, converted<Found>(reply_to<Values>(hash_->context(), std::move(handler)),
                                              [texts = fields.texts](Found found) {
                                                  return values_of(texts, std::move(found));
                                              }));
}

bool ExpiringHash::contains(std::string_view field) const
{
    return wait_for<core::FieldState>(*hash_,
                                      [&](auto reply) { hash_->state(std::string{field}, std::move(reply)); })
        .exists;
}

void ExpiringHash::start_contains(std::string const& field, detail::Handler<bool> handler) const
{
    hash_->state(field,
                 converted<core::FieldState>(reply_to<bool>(hash_->context(), std::move(handler)),
                                             [](core::FieldState const& state) { return state.exists; }));
}

std::size_t ExpiringHash::size() const
{
    return wait_for<std::size_t>(*hash_, [&](auto reply) { hash_->size(std::move(reply)); });
}

void ExpiringHash::start_size(detail::Handler<std::size_t> handler) const
{
    hash_->size(reply_to<std::size_t>(hash_->context(), std::move(handler)));
}

/// On this thread, page by page.
void ExpiringHash::visit_all(Visitor const& visit) const
{
    std::optional<std::string> from;
    do {
        auto page =
            wait_for<core::HashPage>(*hash_, [&](auto reply) { hash_->page(from, std::move(reply)); });
        for (auto const& [field, value] : page.entries) {
            if (!visit(field, value)) return;
        }
        from = std::move(page.next);
    } while (from);
}

void ExpiringHash::start_for_each(Visitor const& visit, detail::Handler<void> handler) const
{
    hash_->for_each(visit, reply_to<void>(hash_->context(), std::move(handler)));
}

// ---- time to live ----

std::optional<Duration> ExpiringHash::remaining_ttl(std::string_view field) const
{
    return wait_for<core::FieldState>(*hash_,
                                      [&](auto reply) { hash_->state(std::string{field}, std::move(reply)); })
        .ttl;
}

void ExpiringHash::start_remaining_ttl(std::string const& field,
                                       detail::Handler<std::optional<Duration>> handler) const
{
    hash_->state(field, converted<core::FieldState>(
                            reply_to<std::optional<Duration>>(hash_->context(), std::move(handler)),
                            [](core::FieldState const& state) { return state.ttl; }));
}

bool ExpiringHash::expire(std::string_view field, Span ttl)
{
    return wait_for<bool>(
        *hash_, [&](auto reply) { hash_->expire(std::string{field}, Duration{ttl}, std::move(reply)); });
}

void ExpiringHash::start_expire(std::string const& field, Duration ttl, detail::Handler<bool> handler) const
{
    hash_->expire(field, ttl, reply_to<bool>(hash_->context(), std::move(handler)));
}

bool ExpiringHash::persist(std::string_view field)
{
    return wait_for<bool>(
        *hash_, [&](auto reply) { hash_->expire(std::string{field}, std::nullopt, std::move(reply)); });
}

void ExpiringHash::start_persist(std::string const& field, detail::Handler<bool> handler) const
{
    hash_->expire(field, std::nullopt, reply_to<bool>(hash_->context(), std::move(handler)));
}

// ---- removing ----

std::size_t ExpiringHash::remove(Fields const& fields)
{
    return wait_for<std::size_t>(*hash_, [&](auto reply) { hash_->remove(fields.texts, std::move(reply)); });
}

void ExpiringHash::start_remove(Fields const& fields, detail::Handler<std::size_t> handler) const
{
    hash_->remove(fields.texts, reply_to<std::size_t>(hash_->context(), std::move(handler)));
}

void ExpiringHash::clear()
{
    wait_for<Unit>(*hash_, [&](auto reply) { hash_->clear(std::move(reply)); });
}

void ExpiringHash::start_clear(detail::Handler<void> handler) const
{
    hash_->clear(reply_to<void>(hash_->context(), std::move(handler)));
}

void ExpiringHash::on_expired(Listener listener)
{
    wait_for<Unit>(*hash_, [&](auto reply) { hash_->on_expired(std::move(listener), std::move(reply)); });
}

void ExpiringHash::start_on_expired(Listener const& listener, detail::Handler<void> handler) const
{
    hash_->on_expired(listener, reply_to<void>(hash_->context(), std::move(handler)));
}

}  // namespace ration
