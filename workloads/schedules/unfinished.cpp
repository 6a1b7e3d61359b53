// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/common.hpp"
#include "workloads/schedules/schedule_call.hpp"

namespace tutti::workloads::schedules {
namespace {

constexpr std::size_t most_reported = 8;

std::string text_of(const Op& op) {
  if (op.kind == OpKind::compute) return fmt::format("calc {}", op.size);
  const std::string peer = op.peer == runtime::any_source ? "any rank" : std::to_string(op.peer);
  const std::string tag = op.tag == runtime::any_tag ? "any" : std::to_string(op.tag);
  return fmt::format("{} {}b {} {} tag {}", is_send(op.kind) ? "send" : "recv", op.size,
                     is_send(op.kind) ? "to" : "from", peer, tag);
}

class Unfinished {
 public:
  Unfinished(const Schedule& schedule, const Progress& progress)
      : schedule_(schedule), progress_(progress) {}

  std::vector<Error> take(const engines::Outcome& outcome) {
    for (std::size_t rank = 0; rank < progress_.ranks.size(); ++rank)
      if (!progress_.ranks[rank].has_ended) add_rank(rank);
    for (const auto& leftover : outcome.leftovers) add_leftover(leftover);
    if (count_ > most_reported)
      errors_.push_back(make_error(ErrorKind::run, schedule_.path,
                                   fmt::format("... and {} more", count_ - most_reported)));
    return std::move(errors_);
  }

 private:
  void add(std::uint32_t line, const std::function<std::string()>& message, std::string hint) {
    if (++count_ > most_reported) return;
    Error error = make_error(ErrorKind::run, schedule_.path, message(), std::move(hint));
    error.line = static_cast<int>(line);
    errors_.push_back(std::move(error));
  }

  void add_rank(std::size_t rank) {
    const Operations& operations = schedule_.ranks[rank];
    const Progress::Rank& at = progress_.ranks[rank];
    if (schedule_.is_program) return add_wait(rank, operations, at.at);
    const auto& ops = operations.ops;
    for (std::size_t i = 0; i < ops.size(); ++i)
      if (at.started[i] && !at.done[i])
        return add(
            ops[i].line,
            [&] {
              return fmt::format("deadlock: rank {}: {} waits for {}", rank, text_of(ops[i]),
                                 is_send(ops[i].kind) ? "its receive" : "its message");
            },
            is_send(ops[i].kind) ? "a recv of the other rank must match it"
                                 : "a send of the other rank must match it");
    for (std::size_t i = 0; i < ops.size(); ++i)
      if (!at.started[i])
        return add(
            ops[i].line,
            [&] { return fmt::format("rank {}: {} never starts", rank, text_of(ops[i])); },
            "what it requires is in a cycle of requires");
  }

  // A program waits for requests, each of which is the last one in its slot.
  void add_wait(std::size_t rank, const Operations& operations, std::uint32_t at) {
    const Op& wait = operations.ops[at];
    std::vector<std::string> lines;
    for (std::int64_t i = 0; i < wait.size; ++i) {
      const auto slot = operations.details[wait.details + static_cast<std::size_t>(i)];
      for (std::uint32_t j = at; j-- > 0;) {
        const Op& op = operations.ops[j];
        if (!is_message(op.kind) || low_of(operations.details[op.details + 1]) != slot) continue;
        lines.push_back(fmt::format("{} ({})", op.line, text_of(op)));
        break;
      }
      if (lines.size() == 3) break;
    }
    add(
        wait.line,
        [&] {
          return fmt::format("deadlock: rank {} waits for the request{} of line {}{}", rank,
                             lines.size() == 1 ? "" : "s", fmt::join(lines, ", "),
                             wait.size > std::ssize(lines) ? ", ..." : "");
        },
        "a send and a recv of the two ranks must match");
  }

  void add_leftover(const runtime::Leftover& leftover) {
    const auto& ops = schedule_.ranks[static_cast<std::size_t>(leftover.source)].ops;
    const auto sent = std::find_if(ops.rbegin(), ops.rend(), [&](const Op& op) {
      return is_send(op.kind) && op.peer == leftover.destination && op.tag == leftover.tag;
    });
    if (sent == ops.rend()) return;
    add(
        sent->line,
        [&] {
          return fmt::format("rank {} never receives the message of rank {}: {}",
                             leftover.destination, leftover.source, text_of(*sent));
        },
        "each send needs a recv of the other rank");
  }

  const Schedule& schedule_;
  const Progress& progress_;
  std::size_t count_ = 0;
  std::vector<Error> errors_;
};

}  // namespace

std::vector<Error> unfinished(const ScheduledAlgorithm& scheduled,
                              const engines::Outcome& outcome) {
  const Progress& progress = *scheduled.progress;
  if (!std::ranges::all_of(progress.ranks, &Progress::Rank::has_begun)) return {};
  return Unfinished(*scheduled.scheduled.schedule, progress).take(outcome);
}

}  // namespace tutti::workloads::schedules
