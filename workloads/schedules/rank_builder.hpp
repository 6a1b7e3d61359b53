// SPDX-License-Identifier: BSD-3-Clause
// Reads the operations of one rank after the other.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/schedules/goal_line.hpp"
#include "workloads/schedules/schedule.hpp"

namespace tutti::workloads::schedules {

// The operations that labels name.
struct LabelHash : std::hash<std::string_view> {
  using is_transparent = void;  // finds views without a copy
};
using Labels = std::unordered_map<std::string, std::uint32_t, LabelHash, std::equal_to<>>;

class RankBuilder {
 public:
  void start(runtime::RankId rank, runtime::RankId procs, bool is_program);

  // These return false after an error, which the line has.

  // `word`: the first word of the line.
  bool read_operation(GoalLine& line, std::string_view word, std::uint32_t number);
  // Reads the text after "// tutti " in a program.
  bool read_annotation(GoalLine& line, std::uint32_t number);
  bool finish(GoalLine& line, Operations& into);

  // The line of the error of `finish`; 0: the current one.
  std::uint32_t error_line() const { return error_line_; }
  std::int64_t sends() const { return sends_; }
  int cpus() const { return cpus_; }
  bool has_nics() const { return has_nics_; }
  bool has_any_tag() const { return has_any_tag_; }

 private:
  // `after` must not start before `before` has ended, or has started.
  struct Dependency {
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    bool of_start = false;
    std::uint32_t line = 0;
  };

  bool read_action(GoalLine& line, std::string_view word);
  bool read_message(GoalLine& line, Op& op, bool sends);
  bool read_options(GoalLine& line, Op& op, bool of_message);
  bool read_dependency(GoalLine& line, std::string_view label, bool of_start);
  std::optional<std::uint32_t> labelled(GoalLine& line, std::string_view label);
  std::uint32_t add(const Op& op);

  bool annotate(GoalLine& line, std::string_view word);
  bool annotate_message(GoalLine& line, Op& op, OpKind kind);
  bool annotate_work(GoalLine& line, Op& op, std::string_view word);
  bool read_slice(GoalLine& line, std::int32_t& buffer, std::int64_t& offset);
  bool read_wait(GoalLine& line, OpKind kind);

  bool add_slots(GoalLine& line);
  bool check_program(GoalLine& line);
  bool fail_at(GoalLine& line, std::uint32_t number, std::string message, std::string hint);
  void connect(Operations& into) const;

  runtime::RankId rank_ = 0;
  runtime::RankId procs_ = 0;
  bool is_program_ = false;
  bool can_annotate_ = false;  // the line has an operation without an annotation
  std::uint32_t number_ = 0;   // of the line
  Labels labels_;
  std::vector<Op> ops_;
  std::vector<std::int64_t> details_;
  std::vector<Dependency> dependencies_;
  std::vector<std::uint32_t> done_by_;  // programs: the operation after which each one is done
  std::vector<std::uint32_t> slot_of_;  // programs: of pending requests
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t slots_ = 0;
  std::int64_t sends_ = 0;
  int cpus_ = 1;
  bool has_nics_ = false;
  bool has_any_tag_ = false;
  std::uint32_t error_line_ = 0;
};

}  // namespace tutti::workloads::schedules
