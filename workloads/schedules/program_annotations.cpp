// SPDX-License-Identifier: BSD-3-Clause
// The comments of a program, and whether its order satisfies its dependencies.
#include "sim/base/text.hpp"
#include "workloads/schedules/rank_builder.hpp"

namespace tutti::workloads::schedules {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t largest_buffer = unnamed_buffer - 1;

struct WorkWord {
  std::string_view word;
  OpKind kind;
  int slices;
};
constexpr WorkWord work_words[] = {{"copy", OpKind::copy, 2},
                                   {"copies", OpKind::copies, 2},
                                   {"clear", OpKind::clear, 1},
                                   {"combine", OpKind::combine, 2},
                                   {"allocate", OpKind::allocate, 0}};

}  // namespace

// A pending message without an annotation: its data have no name.
bool RankBuilder::add_slots(GoalLine& line) {
  if (free_slots_.empty()) {
    if (slots_ == none) return line.fail("too many pending requests", "wait for some of them");
    free_slots_.push_back(slots_++);
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  slot_of_.back() = slot;
  ops_.back().details = static_cast<std::uint32_t>(details_.size());
  details_.push_back(0);
  details_.push_back(packed(unnamed_buffer, slot));
  return true;
}

bool RankBuilder::read_annotation(GoalLine& line, std::uint32_t number) {
  number_ = number;
  if (details_.size() > none - 16)
    return line.fail("a rank has too many annotations", "divide the job");
  const std::string_view word = line.word();
  if (word == "wait" || word == "wait_all")
    return read_wait(line, word == "wait" ? OpKind::wait : OpKind::wait_all);
  if (!std::exchange(can_annotate_, false))
    return line.fail(fmt::format("{} does not follow an operation", in_quotes(word)),
                     "it is in the line after its operation");
  if (!annotate(line, word)) return false;
  if (!line.at_end())
    return line.fail(fmt::format("unexpected {}", in_quotes(line.next_token())),
                     "end the line here");
  return true;
}

bool RankBuilder::annotate(GoalLine& line, std::string_view word) {
  Op& op = ops_.back();
  if (op.kind == OpKind::receive) {
    if (word == "irecv") return annotate_message(line, op, OpKind::receive);
  } else if (op.kind == OpKind::send) {
    if (word == "isend") return annotate_message(line, op, OpKind::send);
    if (word == "send") return annotate_message(line, op, OpKind::blocking_send);
    if (word == "issend") return annotate_message(line, op, OpKind::synchronous_send);
  } else {
    return annotate_work(line, op, word);
  }
  return line.fail(fmt::format("unknown annotation {}", in_quotes(word)),
                   op.kind == OpKind::receive ? "expected irecv BUFFER:OFFSET"
                                              : "expected isend, send or issend BUFFER:OFFSET");
}

bool RankBuilder::annotate_message(GoalLine& line, Op& op, OpKind kind) {
  op.kind = kind;
  std::int32_t buffer = 0;
  std::int64_t offset = 0;
  if (!read_slice(line, buffer, offset)) return false;
  details_[op.details] = offset;
  details_[op.details + 1] = packed(buffer, low_of(details_[op.details + 1]));
  return true;
}

bool RankBuilder::annotate_work(GoalLine& line, Op& op, std::string_view word) {
  op.details = static_cast<std::uint32_t>(details_.size());
  if (word == "compute") {
    double duration_s = 0;
    if (!line.real(duration_s) || duration_s < 0 || duration_s > longest_ns * 1e-9)
      return line.fail("invalid duration", "expected compute SECONDS, up to 10^9");
    details_.push_back(std::bit_cast<std::int64_t>(duration_s));
    op.tag = 1;  // exact, instead of whole nanoseconds
    return true;
  }
  const auto* known = std::ranges::find(work_words, word, &WorkWord::word);
  if (known == std::end(work_words))
    return line.fail(fmt::format("unknown annotation {}", in_quotes(word)),
                     "expected copy, copies, clear, combine, allocate or compute");
  op.kind = known->kind;
  std::int32_t into = 0;
  std::int32_t from = 0;
  std::int64_t into_offset = 0;
  std::int64_t from_offset = 0;
  if (known->slices > 0 && !read_slice(line, into, into_offset)) return false;
  if (known->slices > 1 && !read_slice(line, from, from_offset)) return false;
  if (!line.integer(op.size, 0, most_bytes))
    return line.fail("invalid number of bytes", fmt::format("expected {} ... BYTES", word));
  if (known->slices > 0) {
    details_.push_back(into_offset);
    details_.push_back(packed(into, static_cast<std::uint32_t>(from)));
  }
  if (known->slices > 1) details_.push_back(from_offset);
  if (op.kind == OpKind::copies) {
    std::int64_t numbers[3] = {};
    for (std::int64_t& number : numbers)
      if (!line.integer(number, &number == numbers ? 0 : -most_bytes,
                        &number == numbers ? most_slices : most_bytes))
        return line.fail("invalid strided copy",
                         "expected copies INTO FROM BYTES COUNT STRIDE_INTO STRIDE_FROM");
    if (op.size > 0 && numbers[0] > most_bytes / op.size)
      return line.fail("the copy exceeds 2^61 B", "use fewer slices");
    details_.insert(details_.end(), numbers, std::end(numbers));
  }
  if (op.kind == OpKind::combine) {
    const std::string_view side = line.word();
    if (side != "left" && side != "right")
      return line.fail("the side of the operand is missing",
                       "expected combine INTO FROM BYTES left|right");
    if (side == "left") op.kind = OpKind::combine_left;
  }
  return true;
}

// BUFFER:OFFSET
bool RankBuilder::read_slice(GoalLine& line, std::int32_t& buffer, std::int64_t& offset) {
  std::int64_t number = 0;
  if (!line.integer(number, 0, largest_buffer) || !line.takes(":") ||
      !line.integer(offset, 0, most_bytes))
    return line.fail("invalid location", "expected BUFFER:OFFSET, such as 0:1024");
  buffer = static_cast<std::int32_t>(number);
  return true;
}

bool RankBuilder::read_wait(GoalLine& line, OpKind kind) {
  can_annotate_ = false;
  const auto from = details_.size();
  const auto index = static_cast<std::uint32_t>(ops_.size());
  while (!line.at_end()) {
    const auto op = labelled(line, line.word());
    if (!op) return false;
    if (!is_message(ops_[*op].kind))
      return line.fail(fmt::format("line {} is not a message", ops_[*op].line),
                       "calc ends by itself");
    const std::uint32_t slot = std::exchange(slot_of_[*op], none);
    if (slot == none)
      return line.fail(fmt::format("the request of line {} is waited for twice", ops_[*op].line),
                       "remove the label from one of the waits");
    done_by_[*op] = index;
    details_.push_back(slot);
  }
  if (details_.size() == from)
    return line.fail("the wait names no request", "expected // tutti wait LABEL ...");
  for (auto at = from; at < details_.size(); ++at)
    free_slots_.push_back(static_cast<std::uint32_t>(details_[at]));
  add({.size = static_cast<std::int64_t>(details_.size() - from),
       .line = number_,
       .details = static_cast<std::uint32_t>(from),
       .kind = kind});
  return true;
}

bool RankBuilder::check_program(GoalLine& line) {
  for (std::uint32_t i = 0; i < ops_.size(); ++i)
    if (done_by_[i] == none)
      return fail_at(line, ops_[i].line, "the request is never waited for",
                     "add a label and a line // tutti wait LABEL");
  for (const Dependency& dependency : dependencies_) {
    const std::uint32_t earliest =
        dependency.of_start ? dependency.before : done_by_[dependency.before];
    if (earliest < dependency.after) continue;
    return fail_at(
        line, dependency.line,
        fmt::format("in the order of the program, line {} starts before line {} has {}",
                    ops_[dependency.after].line, ops_[dependency.before].line,
                    dependency.of_start ? "started" : "ended"),
        "change the order or the waits; without the line // tutti schedule 1, requires decides");
  }
  return true;
}

}  // namespace tutti::workloads::schedules
