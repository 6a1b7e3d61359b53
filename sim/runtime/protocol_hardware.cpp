// SPDX-License-Identifier: BSD-3-Clause
// Collectives in the network's hardware: a rank's n-th call meets the other ranks' n-th calls.

#include "sim/base/common.hpp"
#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {

namespace {

using Kind = HardwareCall::Kind;

// Whose arrivals the result waits for.
bool waits_for_root(const HardwareCall& call) { return call.kind == Kind::bcast; }

// Who need not wait for the result.
bool goes_on_at_once(const HardwareCall& call, RankId rank) {
  return (call.kind == Kind::bcast && rank == call.root) ||
         (call.kind == Kind::reduce && rank != call.root);
}

}  // namespace

Seconds ProtocolCore::hardware_time(const HardwareCall& call) const {
  if (!timed_) return 0;
  const platforms::HardwareCollectives& hardware = *machine_.hardware;
  if (call.kind == Kind::barrier) return hardware.barrier_s;
  return hardware.latency_s + static_cast<double>(call.recv.bytes) / hardware.bandwidth_Bps;
}

Request ProtocolCore::join_hardware(RankId rank, const HardwareCall& call) {
  TUTTI_CHECK(machine_.hardware.has_value(), "a machine without hardware collectives");
  if (hardware_calls_.empty()) hardware_calls_.resize(ranks_.size());
  const std::uint32_t index = hardware_calls_[rank]++;
  HardwareMeeting& meeting = hardware_[index];
  meeting.joined += 1;
  meeting.latest_s = std::max(meeting.latest_s, ranks_[rank].clock_s);
  for (Observer* observer : observers_) observer->on_hardware_join(index, rank, call);

  const Request request = new_request(rank, call.root, 0, call.recv);
  RequestRecord& record = requests_[request.index];
  record.is_send = record.is_hardware = true;
  record.message = index;
  if (goes_on_at_once(call, rank))
    complete(request.index, ranks_[rank].clock_s);
  else if (meeting.is_over)
    complete(request.index, meeting.done_s);
  else
    meeting.waiting.push_back(request.index);

  const bool is_known = waits_for_root(call) ? rank == call.root : meeting.joined == size();
  if (is_known) {
    meeting.done_s =
        (waits_for_root(call) ? ranks_[rank].clock_s : meeting.latest_s) + hardware_time(call);
    transport_.at(meeting.done_s, {Event::Kind::hardware_done, index});
  }
  return request;
}

void ProtocolCore::hardware_done(std::uint32_t index) {
  HardwareMeeting& meeting = hardware_.at(index);
  meeting.is_over = true;
  for (const std::uint32_t request : std::exchange(meeting.waiting, {}))
    complete(request, meeting.done_s);
  if (meeting.left == size()) hardware_.erase(index);
}

void ProtocolCore::charge_hardware(const RequestRecord& request) {
  const Seconds begin_s = ranks_[request.owner].clock_s;
  if (timed_ && request.time_s > begin_s)
    pass(request.owner, Work::hardware, request.time_s - begin_s);
  const std::uint32_t index = request.message;
  for (Observer* observer : observers_)
    observer->on_hardware_result(index, request.owner, request.data);
  HardwareMeeting& meeting = hardware_.at(index);
  if (++meeting.left == size() && meeting.is_over) hardware_.erase(index);
}

}  // namespace tutti::runtime
