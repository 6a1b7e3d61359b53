// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/storage.hpp"

#include <iterator>

namespace tutti::io_models {
namespace {

// Collects pieces, merging those that are contiguous with the target's last piece.
class PieceList {
 public:
  explicit PieceList(int targets) : last_(static_cast<std::size_t>(targets), none) {}

  void add(const TargetPiece& piece) {
    std::size_t& last = last_[static_cast<std::size_t>(piece.target)];
    if (last != none && pieces_[last].offset + pieces_[last].bytes == piece.offset) {
      pieces_[last].bytes += piece.bytes;
      return;
    }
    last = pieces_.size();
    pieces_.push_back(piece);
  }
  std::vector<TargetPiece> take() { return std::move(pieces_); }

 private:
  static constexpr std::size_t none = -1;
  std::vector<TargetPiece> pieces_;
  std::vector<std::size_t> last_;  // by target
};

// An extent of one file, whose first target and objects begin at these places.
void cut(const StorageSpec& spec, const Extent& extent, const TargetPiece& origin,
         PieceList& pieces) {
  const Bytes stripe = spec.stripe_bytes;
  const std::int64_t first = extent.begin / stripe;
  const std::int64_t last = (extent.end - 1) / stripe;
  const int targets = spec.file_targets();
  const std::int64_t end = std::min(last + 1, first + targets);
  for (std::int64_t i = first; i < end; ++i) {  // first stripe of the extent on a target
    const std::int64_t last_here = last - (last - i) % targets;
    const Bytes from = i / targets * stripe + (i == first ? extent.begin % stripe : 0);
    const Bytes cut_off = last_here == last ? stripe - 1 - (extent.end - 1) % stripe : 0;
    const Bytes to = (last_here / targets + 1) * stripe - cut_off;
    const auto target = static_cast<int>((origin.target + i % targets) % spec.targets);
    pieces.add({target, origin.offset + from, to - from});
  }
}

void cut_at_files(const StorageSpec& spec, Extent extent, PieceList& pieces) {
  if (spec.file_bytes == 0) return cut(spec, extent, {}, pieces);
  while (!extent.empty()) {
    const std::int64_t file = extent.begin / spec.file_bytes;
    const Bytes begin = file * spec.file_bytes;
    const Bytes end = std::min(extent.end, begin + spec.file_bytes);
    // Objects of different files must not overlap on a target.
    const std::int64_t stripes = file * spec.file_targets();  // of earlier files
    const auto first = static_cast<int>((stripes + stripes / spec.targets) % spec.targets);
    cut(spec, {extent.begin - begin, end - begin}, {first, begin, 0}, pieces);
    extent.begin = end;
  }
}

// A unit with fewer stripes than there are targets has at most one stripe on a target; a larger one
// has at least one.
std::int64_t lock_unit(const StorageSpec& spec, int target, Bytes offset) {
  if (spec.lock_bytes <= spec.stripe_bytes) return offset / spec.lock_bytes;
  const std::int64_t stripe = offset / spec.stripe_bytes;
  const std::int64_t stripes = spec.lock_bytes / spec.stripe_bytes;  // per unit
  if (stripes < spec.file_targets()) return stripe;
  return (stripe * spec.file_targets() + target) / stripes;
}

}  // namespace

std::vector<TargetPiece> cut_into_pieces(const StorageSpec& spec, std::span<const Extent> extents) {
  PieceList pieces(spec.used_targets());
  for (const Extent& extent : extents)
    if (!extent.empty()) cut_at_files(spec, extent, pieces);
  return pieces.take();
}

LockUnits lock_units(const StorageSpec& spec, const TargetPiece& piece) {
  return {lock_unit(spec, piece.target, piece.offset),
          lock_unit(spec, piece.target, piece.offset + piece.bytes - 1)};
}

int LockTable::take(runtime::RankId holder, LockUnits units) {
  auto at = ranges_.upper_bound(units.first);
  if (at != ranges_.begin() && std::prev(at)->second.last >= units.first) --at;
  int called_back = 0;
  while (at != ranges_.end() && at->first <= units.last) {
    const auto [first, range] = *at;
    called_back += range.holder != holder;
    at = ranges_.erase(at);
    if (first < units.first) ranges_[first] = {units.first - 1, range.holder};
    if (range.last > units.last) ranges_[units.last + 1] = range;
  }
  join(ranges_.insert_or_assign(units.first, Range{units.last, holder}).first);
  return called_back;
}

// Merges a range with the owner's adjacent ranges.
void LockTable::join(Ranges::iterator range) {
  const auto touches = [](Ranges::iterator low, Ranges::iterator high) {
    return low->second.holder == high->second.holder && low->second.last + 1 == high->first;
  };
  const auto next = std::next(range);
  if (next != ranges_.end() && touches(range, next)) {
    range->second.last = next->second.last;
    ranges_.erase(next);
  }
  if (range == ranges_.begin()) return;
  const auto previous = std::prev(range);
  if (!touches(previous, range)) return;
  previous->second.last = range->second.last;
  ranges_.erase(range);
}

using runtime::RankId;

Storage::Storage(const StorageSpec& spec, RankId first_server)
    : spec_(spec),
      first_server_(first_server),
      use_(static_cast<std::size_t>(spec.used_targets())) {
  if (spec.exists()) disks_.assign(use_.size(), TargetDisk(spec));
  if (spec.lock_penalty_s > 0) locks_.resize(use_.size());
}

platforms::ServersSpec Storage::servers() const {
  return {.count =
              static_cast<platforms::HostId>(spec_.server_count() + (spec_.has_metadata() ? 1 : 0)),
          .bandwidth_Bps = spec_.network_Bps,
          .latency_s = spec_.network_latency_s};
}

std::vector<platforms::HostId> Storage::rank_servers() const {
  std::vector<platforms::HostId> servers;
  for (int target = 0; target < spec_.used_targets(); ++target)
    servers.push_back(static_cast<platforms::HostId>(target % spec_.server_count()));
  if (spec_.has_metadata()) servers.push_back(static_cast<platforms::HostId>(spec_.server_count()));
  return servers;
}

std::int32_t Storage::new_reply_tag(RankId client) {
  constexpr std::int32_t tags = 1 << 28;
  return first_reply_tag + replies_[client]++ % tags;
}

void Storage::announce(std::int64_t message, const StorageRequest& request) {
  const bool is_new = under_way_.try_emplace(message, request).second;
  TUTTI_CHECK(is_new, "duplicate storage request");
}

StorageRequest Storage::take(std::int64_t message) {
  const auto found = under_way_.extract(message);
  TUTTI_CHECK(!found.empty(), "a server received a message without a request");
  return found.mapped();
}

Seconds Storage::serve(const StorageRequest& request, Seconds now_s) {
  if (request.kind == StorageRequest::Kind::open) {
    ++opens_;
    return spec_.metadata_s;
  }
  const auto target = static_cast<std::size_t>(request.piece.target);
  const Bytes bytes = request.piece.bytes;
  const bool is_write = request.kind == StorageRequest::Kind::write;
  TargetUse& use = use_[target];
  ++(is_write ? use.writes : use.reads);
  (is_write ? use.written : use.read) += bytes;
  Seconds locks_s = 0;
  if (is_write && !locks_.empty()) {
    const int called_back = locks_[target].take(request.client, lock_units(spec_, request.piece));
    use.locks_called_back += called_back;
    locks_s = called_back * spec_.lock_penalty_s;
  }
  const Seconds duration_s =
      is_write ? disks_[target].write(now_s, bytes, locks_s)
               : disks_[target].read(now_s, request.client, request.piece.offset, bytes);
  use.busy_s += duration_s;
  return duration_s;
}

using runtime::Group;
using runtime::Rank;
using runtime::Request;
using runtime::Task;
using Kind = StorageRequest::Kind;

namespace {

// Size of requests without data and of acknowledgements, which cost only overheads and latency.
constexpr Bytes control_bytes = 0;

Request send_request(Rank& me, Storage& storage, const StorageRequest& request) {
  const Bytes bytes = request.kind == Kind::write ? request.piece.bytes : control_bytes;
  const Request sent = me.isend({.to = storage.server_of(request.piece.target),
                                 .tag = Storage::request_tag,
                                 .data = {.bytes = bytes, .buffer = Storage::buffer}});
  storage.announce(me.last_message(), request);
  return sent;
}

// Sends one stop message per thread of each target and of the metadata server.
Task stop_servers(Rank& me, Storage& storage) {
  std::vector<Request> sent;
  for (int target = 0; target < storage.spec().ranks(); ++target)
    for (int thread = 0; thread < storage.spec().threads; ++thread)
      sent.push_back(send_request(me, storage, {.client = me.id(), .piece = {.target = target}}));
  co_await me.wait_all(sent);
}

}  // namespace

std::vector<Request> start_access(Rank& me, Storage& storage, std::span<const Extent> extents,
                                  bool writes) {
  std::vector<Request> requests;
  if (!storage.exists()) return requests;
  for (const TargetPiece& piece : cut_into_pieces(storage.spec(), extents)) {
    const std::int32_t tag = storage.new_reply_tag(me.id());
    const Bytes bytes = writes ? control_bytes : piece.bytes;
    requests.push_back(me.irecv({.from = storage.server_of(piece.target),
                                 .tag = tag,
                                 .data = {.bytes = bytes, .buffer = Storage::buffer}}));
    requests.push_back(send_request(me, storage,
                                    {.kind = writes ? Kind::write : Kind::read,
                                     .client = me.id(),
                                     .reply_tag = tag,
                                     .piece = piece}));
  }
  return requests;
}

Task access_extents(Rank& me, Storage& storage, std::span<const Extent> extents, bool writes) {
  const std::vector<Request> requests = start_access(me, storage, extents, writes);
  co_await me.wait_all(requests);
}

Task open_file(Rank& me, Storage& storage) {
  if (!storage.spec().has_metadata()) co_return;
  const int server = storage.spec().used_targets();
  const std::int32_t tag = storage.new_reply_tag(me.id());
  const Request reply = me.irecv({.from = storage.server_of(server),
                                  .tag = tag,
                                  .data = {.bytes = control_bytes, .buffer = Storage::buffer}});
  const Request sent = send_request(
      me, storage,
      {.kind = Kind::open, .client = me.id(), .reply_tag = tag, .piece = {.target = server}});
  co_await me.wait_all(std::array{reply, sent});
}

// A binomial tree collects the completion of all clients.
Task close_storage(Rank& me, Storage& storage, Group clients, RankId member) {
  if (!storage.exists()) co_return;
  for (RankId bit = 1; bit < clients.size(); bit *= 2) {
    if ((member & bit) != 0) {
      co_await me.send({.to = clients[member - bit], .tag = Storage::close_tag});
      co_return;
    }
    if (member + bit < clients.size())
      co_await me.recv({.from = clients[member + bit], .tag = Storage::close_tag});
  }
  co_await stop_servers(me, storage);
}

using runtime::Arrival;

namespace {

constexpr Bytes any_request_bytes = Bytes{1} << 62;  // more than any client writes

Request next_request(Rank& me) {
  return me.irecv({.from = runtime::any_source,
                   .tag = Storage::request_tag,
                   .data = {.bytes = any_request_bytes, .buffer = Storage::buffer}});
}

Request reply(Rank& me, const StorageRequest& request) {
  const Bytes bytes = request.kind == Kind::read ? request.piece.bytes : 0;
  return me.isend({.to = request.client,
                   .tag = request.reply_tag,
                   .data = {.bytes = bytes, .buffer = Storage::buffer}});
}

}  // namespace

// The requests that a server waits for: its receives and the replies in progress. Each wait visits
// all its requests, so only some replies are included; thousands may be queued behind them.
class ServerRequests {
 public:
  explicit ServerRequests(int threads) : limit_(static_cast<std::size_t>(threads) + 64) {}

  std::span<const Request> all() const { return pending_; }
  void add_receive(Request receive) { pending_.push_back(receive); }
  void add_reply(Request reply) {
    (pending_.size() < limit_ ? pending_ : behind_).push_back(reply);
  }
  void replace(std::size_t index, Request receive) { pending_[index] = receive; }
  void remove(std::size_t index) {
    std::vector<Request>& from = behind_.empty() ? pending_ : behind_;
    pending_[index] = from.back();
    from.pop_back();
  }
  Task wait(Rank& me) {
    co_await me.wait_all(pending_);
    co_await me.wait_all(behind_);
  }

 private:
  std::size_t limit_;
  std::vector<Request> pending_;
  std::vector<Request> behind_;
};

Task storage_server(Rank& me, Storage& storage) {
  ServerRequests pending(storage.spec().threads);
  for (int thread = 0; thread < storage.spec().threads; ++thread)
    pending.add_receive(next_request(me));
  for (int threads = storage.spec().threads; threads > 0;) {
    const Arrival arrival = co_await me.wait_any_message(pending.all());
    if (arrival.message == 0) {
      pending.remove(arrival.index);
      continue;
    }
    const StorageRequest request = storage.take(arrival.message);
    if (request.kind == Kind::stop) {
      pending.remove(arrival.index);
      --threads;
      continue;
    }
    me.sleep(storage.serve(request, me.now()));
    pending.add_reply(reply(me, request));
    pending.replace(arrival.index, next_request(me));
  }
  co_await pending.wait(me);
}

}  // namespace tutti::io_models
