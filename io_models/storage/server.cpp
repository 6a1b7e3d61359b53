// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/server.hpp"

#include <vector>

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

void remove(std::vector<Request>& requests, std::size_t index) {
  requests[index] = requests.back();
  requests.pop_back();
}

}  // namespace

Task storage_server(Rank& me, Storage& storage) {
  std::vector<Request> pending;  // receives, one a thread, and replies
  for (int thread = 0; thread < storage.spec().threads; ++thread)
    pending.push_back(next_request(me));
  for (int threads = storage.spec().threads; threads > 0;) {
    const Arrival arrival = co_await me.wait_any_message(pending);
    if (arrival.message == 0) {
      remove(pending, arrival.index);
      continue;
    }
    const StorageRequest request = storage.take(arrival.message);
    if (request.kind == Kind::stop) {
      remove(pending, arrival.index);
      --threads;
      continue;
    }
    me.sleep(storage.serve(request));
    pending.push_back(reply(me, request));
    pending[arrival.index] = next_request(me);
  }
  co_await me.wait_all(pending);
}

}  // namespace tutti::io_models
