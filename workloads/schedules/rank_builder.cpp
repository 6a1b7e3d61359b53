// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/schedules/rank_builder.hpp"

#include "sim/base/text.hpp"

namespace tutti::workloads::schedules {
namespace {

constexpr std::size_t most_ops = std::size_t{1} << 31;
constexpr std::uint32_t not_yet = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t largest_number = 255;  // of CPUs and NICs

}  // namespace

void RankBuilder::start(runtime::RankId rank, runtime::RankId procs, bool is_program) {
  rank_ = rank;
  procs_ = procs;
  is_program_ = is_program;
  labels_ = {};
  ops_.clear();
  details_.clear();
  dependencies_.clear();
  done_by_.clear();
  slot_of_.clear();
  free_slots_.clear();
  slots_ = 0;
  sends_ = 0;
  cpus_ = 1;
  has_nics_ = has_any_tag_ = can_annotate_ = false;
  error_line_ = 0;
}

std::uint32_t RankBuilder::add(const Op& op) {
  ops_.push_back(op);
  if (is_program_) {
    const auto index = static_cast<std::uint32_t>(ops_.size() - 1);
    done_by_.push_back(is_message(op.kind) ? not_yet : index);
    slot_of_.push_back(not_yet);
  }
  return static_cast<std::uint32_t>(ops_.size() - 1);
}

bool RankBuilder::read_operation(GoalLine& line, std::string_view word, std::uint32_t number) {
  number_ = number;
  can_annotate_ = false;
  if (line.takes(":")) {
    for (const std::string_view reserved : {"send", "recv", "calc", "requires", "irequires"})
      if (word == reserved) {
        line.back_to(word);
        return line.fail(fmt::format("{} is not a label", in_quotes(word)),
                         "choose a label other than a word of GOAL");
      }
    if (!labels_.try_emplace(std::string(word), static_cast<std::uint32_t>(ops_.size())).second) {
      line.back_to(word);
      return line.fail(fmt::format("the label {} occurs twice in rank {}", word, rank_),
                       "each operation of a rank has a label of its own");
    }
    return read_action(line, line.word());
  }
  if (word == "send" || word == "recv" || word == "calc") return read_action(line, word);
  const std::string_view relation = line.word();
  if (relation == "requires" || relation == "irequires")
    return read_dependency(line, word, relation == "irequires");
  return read_action(line, word);
}

bool RankBuilder::read_action(GoalLine& line, std::string_view word) {
  if (ops_.size() == most_ops)
    return line.fail("a rank has more than 2^31 operations", "divide the job");
  Op op{.line = number_};
  if (word == "send" || word == "recv") {
    if (!read_message(line, op, word == "send")) return false;
  } else if (word == "calc") {
    if (!line.integer(op.size, 0, longest_ns))
      return line.fail("invalid duration", "expected calc N with N in nanoseconds, up to 10^18");
    if (!read_options(line, op, false)) return false;
  } else if (word == "coll") {
    return line.fail("collective operations are not supported",
                     "write the messages of the collective");
  } else {
    line.back_to(word);
    return line.fail(fmt::format("unknown operation {}", in_quotes(word)),
                     did_you_mean(std::string(word), {"send", "recv", "calc"},
                                  "expected send, recv, calc or LABEL requires LABEL"));
  }
  add(op);
  can_annotate_ = is_program_;
  if (is_program_ && is_message(op.kind)) return add_slots(line);
  return true;
}

bool RankBuilder::read_message(GoalLine& line, Op& op, bool sends) {
  op.kind = sends ? OpKind::send : OpKind::receive;
  const std::string_view form =
      sends ? "expected send Nb to RANK [tag T]" : "expected recv Nb from RANK [tag T]";
  if (!line.integer(op.size, 0, most_bytes) || !line.takes("b"))
    return line.fail("invalid size", std::string(form));
  if (line.word() != (sends ? "to" : "from"))
    return line.fail(sends ? "missing \"to\"" : "missing \"from\"", std::string(form));
  std::int64_t peer = 0;
  if (!line.integer(peer, sends ? 0 : runtime::any_source, procs_ - 1))
    return line.fail("invalid rank", fmt::format("with num_ranks {}, ranks are 0..{}{}", procs_,
                                                 procs_ - 1, sends ? "" : ", or -1 for any"));
  op.peer = static_cast<runtime::RankId>(peer);
  sends_ += sends;
  return read_options(line, op, true);
}

// [tag T] [cpu C] [nic K]
bool RankBuilder::read_options(GoalLine& line, Op& op, bool of_message) {
  std::int64_t value = 0;
  if (of_message && line.takes("tag")) {
    const std::int64_t least = op.kind == OpKind::receive ? runtime::any_tag : 0;
    if (!line.integer(value, least, std::numeric_limits<std::int32_t>::max()))
      return line.fail("invalid tag",
                       "expected a number in 0..2147483647; a recv may have -1: any");
    op.tag = static_cast<std::int32_t>(value);
    has_any_tag_ |= value == runtime::any_tag;
  }
  if (line.takes("cpu")) {
    if (!line.integer(value, 0, largest_number))
      return line.fail("invalid CPU", "expected a number in 0..255");
    op.cpu = static_cast<std::uint8_t>(value);
    cpus_ = std::max(cpus_, static_cast<int>(value) + 1);
    if (is_program_ && value > 0)
      return line.fail("a program has one CPU", "remove the line `// tutti schedule 1` and waits");
  }
  if (of_message && line.takes("nic")) {
    if (!line.integer(value, 0, largest_number))
      return line.fail("invalid NIC", "expected a number in 0..255");
    has_nics_ |= value > 0;
  }
  return true;
}

std::optional<std::uint32_t> RankBuilder::labelled(GoalLine& line, std::string_view label) {
  if (const auto named = labels_.find(label); named != labels_.end()) return named->second;
  constexpr std::size_t most_compared = 1000;
  std::vector<std::string> names;
  for (const auto& [name, operation] : labels_)
    if (names.size() < most_compared) names.push_back(name);
  line.back_to(label);
  line.fail(label.empty() ? std::string("missing label")
                          : fmt::format("rank {} has no label {} before this line", rank_, label),
            did_you_mean(std::string(label), names, "labels are defined before they are used"));
  return std::nullopt;
}

bool RankBuilder::read_dependency(GoalLine& line, std::string_view label, bool of_start) {
  const auto after = labelled(line, label);
  if (!after) return false;
  const auto before = labelled(line, line.word());
  if (!before) return false;
  if (*after == *before) return line.fail("an operation requires itself", "remove the line");
  dependencies_.push_back({*before, *after, of_start, number_});
  return true;
}

bool RankBuilder::fail_at(GoalLine& line, std::uint32_t number, std::string message,
                          std::string hint) {
  error_line_ = number;
  line.start({});
  return line.fail(std::move(message), std::move(hint));
}

// Followers in compressed rows, each in the order of the file.
void RankBuilder::connect(Operations& into) const {
  std::vector<std::uint32_t>& first = into.first;
  first.assign(into.ops.size() + 1, 0);
  for (const Dependency& dependency : dependencies_) {
    ++first[dependency.before];
    ++into.ops[dependency.after].details;
  }
  std::exclusive_scan(first.begin(), first.end(), first.begin(), std::uint32_t{0});
  into.followers.resize(dependencies_.size());
  for (const Dependency& dependency : dependencies_)
    into.followers[first[dependency.before]++] =
        dependency.after << 1 | std::uint32_t{dependency.of_start};
  // Each entry is now the end of its row, which is the beginning of the next one.
  std::shift_right(first.begin(), first.end(), 1);
  first.front() = 0;
}

bool RankBuilder::finish(GoalLine& line, Operations& into) {
  if (dependencies_.size() >= most_ops)
    return line.fail("a rank has more than 2^31 dependencies", "divide the job");
  if (is_program_ && !check_program(line)) return false;
  into.ops.assign(ops_.begin(), ops_.end());
  into.cpus = cpus_;
  if (is_program_) {
    into.details.assign(details_.begin(), details_.end());
    into.slots = slots_;
  } else if (!dependencies_.empty()) {
    connect(into);
  }
  return true;
}

}  // namespace tutti::workloads::schedules
