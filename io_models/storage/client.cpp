// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/client.hpp"

namespace tutti::io_models {

using runtime::Group;
using runtime::Rank;
using runtime::RankId;
using runtime::Request;
using runtime::Task;
using Kind = StorageRequest::Kind;

namespace {

// Of requests without data and of acknowledgements: they cost overheads and latency.
constexpr Bytes control_bytes = 0;

Request ask(Rank& me, Storage& storage, const StorageRequest& request) {
  const Bytes bytes = request.kind == Kind::write ? request.piece.bytes : control_bytes;
  const Request sent = me.isend({.to = storage.server_of(request.piece.target),
                                 .tag = Storage::request_tag,
                                 .data = {.bytes = bytes, .buffer = Storage::buffer}});
  storage.announce(me.last_message(), request);
  return sent;
}

std::vector<Request> start(Rank& me, Storage& storage, Kind kind, std::span<const Extent> extents) {
  std::vector<Request> requests;
  if (!storage.exists()) return requests;
  for (const TargetPiece& piece : cut_into_pieces(storage.spec(), extents)) {
    const std::int32_t tag = storage.new_reply_tag(me.id());
    const Bytes bytes = kind == Kind::read ? piece.bytes : control_bytes;
    requests.push_back(me.irecv({.from = storage.server_of(piece.target),
                                 .tag = tag,
                                 .data = {.bytes = bytes, .buffer = Storage::buffer}}));
    requests.push_back(
        ask(me, storage, {.kind = kind, .client = me.id(), .reply_tag = tag, .piece = piece}));
  }
  return requests;
}

// One message to each thread of each server.
Task stop_servers(Rank& me, Storage& storage) {
  std::vector<Request> sent;
  for (int target = 0; target < storage.spec().targets; ++target)
    for (int thread = 0; thread < storage.spec().threads; ++thread)
      sent.push_back(ask(me, storage, {.client = me.id(), .piece = {.target = target}}));
  co_await me.wait_all(sent);
}

}  // namespace

std::vector<Request> start_write(Rank& me, Storage& storage, std::span<const Extent> extents) {
  return start(me, storage, Kind::write, extents);
}

std::vector<Request> start_read(Rank& me, Storage& storage, std::span<const Extent> extents) {
  return start(me, storage, Kind::read, extents);
}

Task write_extents(Rank& me, Storage& storage, std::span<const Extent> extents) {
  const std::vector<Request> requests = start_write(me, storage, extents);
  co_await me.wait_all(requests);
}

Task read_extents(Rank& me, Storage& storage, std::span<const Extent> extents) {
  const std::vector<Request> requests = start_read(me, storage, extents);
  co_await me.wait_all(requests);
}

// A binomial tree gathers that all are done.
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

}  // namespace tutti::io_models
