// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/server.hpp"

#include "sim/base/common.hpp"

namespace tutti::io_models {

using runtime::Arrival;
using runtime::Rank;
using runtime::Request;
using runtime::Task;
using Kind = StorageRequest::Kind;

namespace {

constexpr Bytes room = Bytes{1} << 62;  // for whatever a client writes

Request next_request(Rank& me) {
  return me.irecv({.from = runtime::any_source,
                   .tag = Storage::request_tag,
                   .data = {.bytes = room, .buffer = Storage::buffer}});
}

Request reply(Rank& me, const StorageRequest& request) {
  const Bytes bytes = request.kind == Kind::read ? request.piece.bytes : 0;
  return me.isend({.to = request.client,
                   .tag = request.reply_tag,
                   .data = {.bytes = bytes, .buffer = Storage::buffer}});
}

}  // namespace

// What a server waits for: its receives, and replies that are under way. Each wait looks at all
// that it is for, so that only some of the replies are among them: thousands may wait behind those.
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
    me.sleep(storage.serve(request));
    pending.add_reply(reply(me, request));
    pending.replace(arrival.index, next_request(me));
  }
  co_await pending.wait(me);
}

}  // namespace tutti::io_models
