// SPDX-License-Identifier: BSD-3-Clause
// Reads the operations of one rank after the other.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/schedules/goal_line.hpp"
#include "workloads/schedules/schedule.hpp"

namespace tutti::workloads::schedules {

// Labels and the operations that they name: a hash table with open addressing.
class Labels {
 public:
  void clear();
  // False if there is one already.
  bool add(std::string_view label, std::uint32_t op);
  std::optional<std::uint32_t> find(std::string_view label) const;
  // Labels that resemble this one, for hints.
  std::vector<std::string> all(std::size_t most) const;

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::size_t offset = 0;
    std::uint32_t length = 0;  // 0: a free slot
    std::uint32_t op = 0;
  };
  std::size_t slot_of(std::string_view label, std::uint64_t hash) const;
  std::string_view text_of(const Slot& slot) const {
    return std::string_view(texts_).substr(slot.offset, slot.length);
  }
  void grow();

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
  std::string texts_;
};

class RankBuilder {
 public:
  void start(runtime::RankId rank, runtime::RankId procs, bool is_program);

  // These return false after an error, which the line has.

  // `word`: the first word of the line.
  bool read_operation(GoalLine& line, std::string_view word, std::uint32_t number);
  // What follows "// tutti " in a program.
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
