// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/ti_rank.hpp"

namespace tutti::workloads::traces {
namespace {

constexpr double ticks_per_s = 1e9;

}  // namespace

std::vector<TraceRegion> ti_regions() {
  std::vector<TraceRegion> regions;
  for (const char* name : {"main", "compute", "sleep"}) regions.push_back({name, false});
  for (const char* name : {"MPI_Send", "MPI_Isend", "MPI_Recv", "MPI_Irecv", "MPI_Sendrecv",
                           "MPI_Test", "MPI_Wait", "MPI_Waitall"})
    regions.push_back({name, true});
  for (const CollectiveOp op : ti_collectives) {
    std::string name(collective_op_names[static_cast<std::size_t>(op)]);
    name.front() = static_cast<char>(std::toupper(name.front()));
    regions.push_back({"MPI_" + name, true});
  }
  return regions;
}

bool TiRank::pass(TiRegion region, double seconds) {
  constexpr double most_s = 4e9;  // 2^62 ns
  if (!(now_s_ + seconds < most_s)) return false;
  add(EventKind::enter, region);
  now_s_ += seconds;
  add(EventKind::leave, region);
  return true;
}

void TiRank::send(const Message& message) {
  call(TiRegion::send, {transfer(EventKind::send, message)});
}

void TiRank::recv(const Message& message) {
  call(TiRegion::recv, {transfer(EventKind::recv, message)});
}

void TiRank::sendrecv(const Message& sent, const Message& received) {
  call(TiRegion::sendrecv, {transfer(EventKind::send, sent), transfer(EventKind::recv, received)});
}

void TiRank::isend(const Message& message) {
  const Key key{rank_, message.peer, message.tag};
  under_way_[++last_request_] = {key, false, message.bytes};
  ids_[key].push_back(last_request_);
  call(TiRegion::isend, {transfer(EventKind::isend, message, last_request_)});
}

void TiRank::irecv(const Message& message) {
  const Key key{message.peer, rank_, message.tag};
  under_way_[++last_request_] = {key, true, message.bytes};
  ids_[key].push_back(last_request_);
  Event posted = event(EventKind::irecv_request);
  posted.request = last_request_;
  call(TiRegion::irecv, {posted});
}

void TiRank::test(const Key& key) {
  constexpr double test_s = 1e-4;  // SMPI's smpi/test
  const auto ids = ids_.find(key);
  if (ids == ids_.end()) return;
  pass(TiRegion::sleep, test_s);
  Event tested = event(EventKind::request_test);
  tested.request = ids->second.front();
  call(TiRegion::test, {tested});
}

bool TiRank::wait(const Key& key) {
  const auto ids = ids_.find(key);
  if (ids == ids_.end()) return false;
  call(TiRegion::wait, {completed(under_way_.find(ids->second.front()))});
  return true;
}

void TiRank::wait_all() {
  if (under_way_.empty()) return;
  add(EventKind::enter, TiRegion::waitall);
  while (!under_way_.empty()) store_.append(completed(under_way_.begin()));
  add(EventKind::leave, TiRegion::waitall);
}

void TiRank::collective(const Collective& done) {
  Event end = event(EventKind::collective_end);
  end.id = done.root;
  end.comm = 0;
  end.op = done.op;
  end.bytes = done.received;
  end.sent_bytes = done.sent;
  end.tag = done.blocks;
  const auto number = std::ranges::find(ti_collectives, done.op) - ti_collectives.begin();
  const auto region =
      static_cast<std::uint32_t>(TiRegion::first_collective) + static_cast<std::uint32_t>(number);
  call(static_cast<TiRegion>(region), {event(EventKind::collective_begin), end});
}

void TiRank::finish() {
  wait_all();
  add(EventKind::leave, TiRegion::main);
}

Event TiRank::event(EventKind kind) const {
  Event made;
  made.time = std::llround(now_s_ * ticks_per_s);
  made.kind = kind;
  return made;
}

Event TiRank::transfer(EventKind kind, const Message& message, std::uint64_t request) const {
  Event made = event(kind);
  made.id = message.peer;
  made.comm = 0;
  made.tag = message.tag;
  made.bytes = message.bytes;
  made.request = request;
  return made;
}

Event TiRank::completion(std::uint64_t id, const Request& request) const {
  if (request.is_receive)
    return transfer(EventKind::irecv, {request.key.from, request.key.tag, request.bytes}, id);
  Event made = event(EventKind::isend_complete);
  made.request = id;
  return made;
}

Event TiRank::completed(std::map<std::uint64_t, Request>::iterator request) {
  const Event made = completion(request->first, request->second);
  auto& ids = ids_[request->second.key];
  std::erase(ids, request->first);
  if (ids.empty()) ids_.erase(request->second.key);
  under_way_.erase(request);
  return made;
}

void TiRank::add(EventKind kind, TiRegion region) {
  Event made = event(kind);
  made.id = static_cast<std::uint32_t>(region);
  store_.append(made);
}

void TiRank::call(TiRegion region, std::initializer_list<Event> inside) {
  add(EventKind::enter, region);
  for (const Event& event : inside) store_.append(event);
  add(EventKind::leave, region);
}

}  // namespace tutti::workloads::traces
