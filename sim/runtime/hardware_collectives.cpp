// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/hardware_collectives.hpp"

namespace tutti::runtime {

namespace {

using Kind = HardwareCall::Kind;

// Whether the result waits only for the root.
bool waits_for_root(const HardwareCall& call) { return call.kind == Kind::bcast; }

// Whether the rank need not wait for the result.
bool continues_at_once(const HardwareCall& call, RankId rank) {
  return (call.kind == Kind::bcast && rank == call.root) ||
         (call.kind == Kind::reduce && rank != call.root);
}

}  // namespace

Seconds HardwareCollectives::duration(const HardwareCall& call) const {
  if (!job_.timed) return 0;
  const platforms::HardwareCollectives& hardware = *job_.machine.hardware;
  if (call.kind == Kind::barrier) return hardware.barrier_s;
  return hardware.latency_s + static_cast<double>(call.recv.bytes) / hardware.bandwidth_Bps;
}

Request HardwareCollectives::join(RankId rank, const HardwareCall& call) {
  job_.require_time();
  TUTTI_CHECK(job_.machine.hardware.has_value(), "the machine has no hardware collectives");
  if (calls_.empty()) calls_.resize(job_.ranks.size());
  const std::uint32_t number = calls_[rank]++;
  const Seconds called_s = job_.ranks[rank].clock_s;
  Collective& collective = collectives_[number];
  collective.joined += 1;
  collective.latest_s = std::max(collective.latest_s, called_s);
  for (Observer* observer : job_.observers) observer->on_hardware_join(number, rank, call);

  const Request request = waits_.add(rank, call.root, 0, call.recv);
  RequestRecord& record = job_.requests[request.index];
  record.is_send = record.is_hardware = true;
  record.message = number;
  if (continues_at_once(call, rank))
    waits_.complete(request.index, called_s);
  else if (collective.is_over)
    waits_.complete(request.index, collective.done_s);
  else
    collective.waiting.push_back(request.index);

  const bool is_known = waits_for_root(call) ? rank == call.root : collective.joined == job_.size();
  if (is_known) {
    collective.done_s = (waits_for_root(call) ? called_s : collective.latest_s) + duration(call);
    job_.transport.at(collective.done_s, {Event::Kind::hardware_done, number});
  }
  return request;
}

void HardwareCollectives::finish(std::uint32_t number) {
  Collective& collective = collectives_.at(number);
  collective.is_over = true;
  for (const std::uint32_t request : std::exchange(collective.waiting, {}))
    waits_.complete(request, collective.done_s);
  if (collective.left == job_.size()) collectives_.erase(number);
}

void HardwareCollectives::charge(const RequestRecord& request) {
  const Seconds begin_s = job_.ranks[request.owner].clock_s;
  if (job_.timed && request.time_s > begin_s)
    local_work_.pass(request.owner, Work::hardware, request.time_s - begin_s);
  const std::uint32_t number = request.message;
  for (Observer* observer : job_.observers)
    observer->on_hardware_result(number, request.owner, request.data);
  Collective& collective = collectives_.at(number);
  if (++collective.left == job_.size() && collective.is_over) collectives_.erase(number);
}

}  // namespace tutti::runtime
