// SPDX-License-Identifier: BSD-3-Clause
// Records what the ranks of a job do as a schedule (a program), and writes it as GOAL text.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/observer.hpp"
#include "workloads/schedules/schedule.hpp"

namespace tutti::workloads::schedules {

class ScheduleRecorder : public runtime::Observer {
 public:
  explicit ScheduleRecorder(int procs);

  void on_request(runtime::RankId rank, const runtime::RequestedMessage& requested) override;
  void on_wait(runtime::RankId rank, std::span<const runtime::Request> requests,
               bool of_all) override;
  void on_compute(runtime::RankId rank, Seconds duration_s) override;
  void on_allocate(runtime::RankId rank, Bytes bytes) override;
  void on_local_work(runtime::RankId rank, Seconds duration_s) override;
  void on_copy(runtime::RankId rank, runtime::Slice into, runtime::Slice from) override;
  void on_copy(runtime::RankId rank, const runtime::Strided& into,
               const runtime::Strided& from) override;
  void on_clear(runtime::RankId rank, runtime::Slice into) override;
  void on_combine(runtime::RankId rank, runtime::Slice into, runtime::Slice from,
                  runtime::Operand from_is) override;
  void on_hardware_join(std::uint32_t index, runtime::RankId rank,
                        const runtime::HardwareCall& call) override;

  // Whether a collective in hardware was called, which a schedule cannot express.
  bool has_hardware() const { return has_hardware_; }

  // Writes the schedule as GOAL text, compressed if the name ends in .gz: operations for all tools,
  // annotations for this program. `head`: comments about the origin, a line each. Operations refer
  // to messages by labels. An error of kind io if the file cannot be written.
  std::optional<Error> write(const std::string& path, const std::optional<ScheduledCall>& call,
                             const std::vector<std::string>& head) const;

 private:
  struct Recorded {
    std::vector<Op> ops;  // Op::line: local work: nanoseconds for other tools, saturated
    std::vector<std::int64_t> details;
    Seconds work_s = 0;  // of the next local work
  };

  Recorded& of(runtime::RankId rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  void add_work(runtime::RankId rank, OpKind kind, Bytes bytes,
                std::initializer_list<std::int64_t> details);

  std::vector<Recorded> ranks_;
  // The operation of each pending request, by its number in the core.
  std::unordered_map<std::uint32_t, std::uint32_t> pending_;
  bool has_hardware_ = false;
};

}  // namespace tutti::workloads::schedules
