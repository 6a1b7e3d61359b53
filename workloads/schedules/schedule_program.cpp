// SPDX-License-Identifier: BSD-3-Clause
// Executes the operations of a rank in the order of the file.
#include "workloads/schedules/schedule_program.hpp"

namespace tutti::workloads::schedules {
namespace {

using runtime::Operand;
using runtime::Rank;
using runtime::Request;
using runtime::Slice;
using runtime::Strided;
using runtime::Task;

class ProgramRank {
 public:
  ProgramRank(Rank& me, const Scheduled& scheduled)
      : me_(me),
        scheduled_(scheduled),
        operations_(scheduled.schedule->ranks[static_cast<std::size_t>(me.id())]),
        requests_(operations_.slots) {}

  const std::vector<Op>& ops() const { return operations_.ops; }

  // All but waits.
  void start(const Op& op) {
    if (is_message(op.kind)) return start_message(op);
    work(op);
  }
  // The requests of a wait.
  const std::vector<Request>& awaited(const Op& wait) {
    awaited_.clear();
    for (std::int64_t i = 0; i < wait.size; ++i)
      awaited_.push_back(requests_[static_cast<std::size_t>(detail(wait, i))]);
    return awaited_;
  }

 private:
  std::int64_t detail(const Op& op, std::int64_t i) const {
    return operations_.details[op.details + static_cast<std::size_t>(i)];
  }
  Bytes scaled(Bytes bytes) const { return scheduled_.scaled(bytes); }

  void start_message(const Op& op) {
    const std::int64_t packed = detail(op, 1);
    const Slice data{scaled(detail(op, 0)), scaled(op.size), buffer_of(packed)};
    Request& request = requests_[low_of(packed)];
    switch (op.kind) {
      case OpKind::send:
        request = me_.isend({.to = op.peer, .tag = op.tag, .data = data});
        break;
      case OpKind::blocking_send:
        request = me_.begin_send({.to = op.peer, .tag = op.tag, .data = data});
        break;
      case OpKind::synchronous_send:
        request = me_.issend({.to = op.peer, .tag = op.tag, .data = data});
        break;
      default:
        request = me_.irecv({.from = op.peer, .tag = op.tag, .data = data});
    }
  }

  Slice result_of(const Op& op) const {
    return {scaled(detail(op, 0)), scaled(op.size), buffer_of(detail(op, 1))};
  }
  Slice operand_of(const Op& op) const {
    return {scaled(detail(op, 2)), scaled(op.size),
            static_cast<std::int32_t>(low_of(detail(op, 1)))};
  }

  void work(const Op& op) {
    switch (op.kind) {
      case OpKind::copy:
        return me_.copy(result_of(op), operand_of(op));
      case OpKind::copies:
        return me_.copy(Strided{result_of(op), scaled(detail(op, 4)), detail(op, 3)},
                        Strided{operand_of(op), scaled(detail(op, 5)), detail(op, 3)});
      case OpKind::clear:
        return me_.clear(result_of(op));
      case OpKind::combine:
        return me_.combine(result_of(op), operand_of(op), Operand::right);
      case OpKind::combine_left:
        return me_.combine(result_of(op), operand_of(op), Operand::left);
      case OpKind::allocate:
        return me_.allocate(scaled(op.size));
      default:
        me_.compute(op.tag != 0 ? std::bit_cast<double>(detail(op, 0))
                                : static_cast<double>(op.size) * 1e-9);
    }
  }

  Rank& me_;
  const Scheduled& scheduled_;
  const Operations& operations_;
  std::vector<Request> requests_;  // by slot
  std::vector<Request> awaited_;
};

// Dependencies between a rank's operations are those of the file's order.
Task run_in_order(Rank& me, std::shared_ptr<const Scheduled> scheduled,
                  std::shared_ptr<Progress> progress) {
  ProgramRank rank(me, *scheduled);
  const std::vector<Op>& ops = rank.ops();
  Progress::Rank& mine = progress->ranks[static_cast<std::size_t>(me.id())];
  mine.has_begun = true;
  mine.has_ended = false;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (!is_wait(ops[i].kind)) {
      rank.start(ops[i]);
      continue;
    }
    mine.at = i;
    const std::vector<Request>& awaited = rank.awaited(ops[i]);
    if (ops[i].kind == OpKind::wait_all)
      co_await me.wait_all(awaited);
    else if (awaited.size() == 1)
      co_await me.wait(awaited[0]);
    else
      co_await me.wait_in_order(awaited);
  }
  mine.has_ended = true;
}

}  // namespace

Task run_schedule(Rank& me, std::shared_ptr<const Scheduled> scheduled,
                  std::shared_ptr<Progress> progress) {
  return scheduled->schedule->is_program
             ? run_in_order(me, std::move(scheduled), std::move(progress))
             : run_dependencies(me, std::move(scheduled), std::move(progress));
}

namespace {

// Calls `visit` with every number of bytes of an operation.
template <class Visit>
void for_each_size(const Operations& operations, const Op& op, Visit visit) {
  if (op.kind == OpKind::compute || is_wait(op.kind)) return;
  visit(op.size);
  if (op.kind == OpKind::allocate || operations.details.empty()) return;
  const std::int64_t* numbers = operations.details.data() + op.details;
  visit(numbers[0]);
  if (is_message(op.kind) || op.kind == OpKind::clear) return;
  visit(numbers[2]);
  if (op.kind != OpKind::copies) return;
  visit(numbers[3] * op.size);
  visit(numbers[4]);
  visit(numbers[5]);
}

}  // namespace

std::optional<Error> check_scale(const Scheduled& scheduled, Bytes element_bytes) {
  const Schedule& schedule = *scheduled.schedule;
  if (scheduled.factor == scheduled.divisor) return std::nullopt;
  Bytes common = scheduled.divisor;  // divides all sizes
  Bytes largest = 0;
  for (const Operations& operations : schedule.ranks)
    for (const Op& op : operations.ops)
      for_each_size(operations, op, [&](Bytes bytes) {
        common = std::gcd(common, bytes);
        largest = std::max(largest, std::abs(bytes));
      });
  const auto wrong = [&](std::string message, std::string hint) {
    return usage_error("--message-size", std::move(message), std::move(hint));
  };
  // A message of `unit` elements makes all sizes whole elements.
  const Bytes unit = scheduled.divisor / common;
  if (scheduled.factor % (unit * element_bytes) != 0)
    return wrong(fmt::format("the sizes of {} do not become whole elements of {} B", schedule.path,
                             element_bytes),
                 fmt::format("use a multiple of {} B", unit * element_bytes));
  if (__int128{largest} * scheduled.factor / scheduled.divisor > most_bytes)
    return wrong(fmt::format("the sizes of {} become larger than 2^61 B", schedule.path),
                 "use a smaller size");
  return std::nullopt;
}

}  // namespace tutti::workloads::schedules
