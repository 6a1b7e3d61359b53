// SPDX-License-Identifier: BSD-3-Clause
// Executes the operations of a rank as soon as what they require is done.
//   calc   starts when its CPU is free, and occupies it
//   send   the same, for the overhead of an isend; it is done when the isend is
//   recv   is posted at once; from the arrival of its message on, it waits for its CPU and occupies
//          it for the overhead of a receive
// A CPU serves operations and arrived messages in the order in which they became ready; of those
// that became ready in the same picosecond, operations first, in the order of the file.
#include "workloads/schedules/schedule_program.hpp"

namespace tutti::workloads::schedules {
namespace {

using runtime::Rank;
using runtime::Request;
using runtime::Slice;
using runtime::Task;

constexpr Seconds never = std::numeric_limits<double>::infinity();

// Equal sums of durations, added in another order, must compare as equal.
double picoseconds(Seconds time_s) { return std::round(time_s * 1e12); }

// Operations that became ready: to be posted or started, or with a completed request.
struct Due {
  Seconds time_s = 0;
  std::uint32_t op = 0;
  Request request = {};

  bool operator>(const Due& other) const {
    return std::pair(picoseconds(time_s), op) > std::pair(picoseconds(other.time_s), other.op);
  }
};

class DueQueue {
 public:
  void add(const Due& due) {
    heap_.push_back(due);
    std::ranges::push_heap(heap_, std::greater<>());
  }
  Seconds first_s() const { return heap_.empty() ? never : heap_.front().time_s; }
  Due take() {
    std::ranges::pop_heap(heap_, std::greater<>());
    const Due first = heap_.back();
    heap_.pop_back();
    return first;
  }

 private:
  std::vector<Due> heap_;
};

struct Cpu {
  Seconds clock_s = 0;
  DueQueue ops;
  DueQueue arrived;  // messages

  Seconds ready_s() const { return std::min(arrived.first_s(), ops.first_s()); }
  bool serves_message() const {
    return picoseconds(arrived.first_s()) < picoseconds(ops.first_s());
  }
};

class DependencyRank {
 public:
  DependencyRank(Rank& me, const Scheduled& scheduled, Progress::Rank& progress)
      : me_(me),
        scheduled_(scheduled),
        operations_(scheduled.schedule->ranks[static_cast<std::size_t>(me.id())]),
        progress_(progress),
        begin_s_(me.now()),
        end_s_(begin_s_),
        cpus_(static_cast<std::size_t>(operations_.cpus)) {
    const auto& ops = operations_.ops;
    progress_.has_begun = true;
    progress_.has_ended = false;
    progress_.started.assign(ops.size(), false);
    progress_.done.assign(ops.size(), false);
    if (!operations_.followers.empty()) {
      missing_.resize(ops.size());
      ready_s_.resize(ops.size(), begin_s_);
    }
    for (Cpu& cpu : cpus_) cpu.clock_s = begin_s_;
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      if (ops[i].details == 0)
        add_ready(i, begin_s_);
      else
        missing_[i] = ops[i].details;
    }
  }

  // The next step. False if the rank has to wait first, or is over.
  bool advance() {
    while (!done_requests_.empty()) take_completion();
    Cpu& cpu = next_cpu();
    const Seconds cpu_s = due_s(cpu);
    deadline_s_ = std::min({ends_.first_s(), posts_.first_s(), cpu_s});
    if (deadline_s_ == never) return false;
    if (pending_ > 0 && deadline_s_ > runtime::after_ties(me_.date())) return false;
    if (ends_.first_s() <= deadline_s_)
      end_send(ends_.take());
    else if (posts_.first_s() <= deadline_s_)
      post(posts_.take());
    else if (cpu.serves_message())
      receive(cpu);
    else
      start(cpu);
    return true;
  }
  bool is_over() const { return pending_ == 0 && deadline_s_ == never; }
  // Requests make progress while a CPU is idle.
  runtime::Look wait() {
    me_.set_clock(std::ranges::min_element(cpus_, {}, &Cpu::clock_s)->clock_s);
    return me_.look(done_requests_, deadline_s_);
  }

  void end() {
    for (const Cpu& cpu : cpus_) end_s_ = std::max(end_s_, cpu.clock_s);
    me_.set_clock(end_s_);
    progress_.has_ended = done_ == operations_.ops.size();
  }

 private:
  Cpu& cpu_of(std::uint32_t op) { return cpus_[operations_.ops[op].cpu]; }
  Seconds ready_s(std::uint32_t op) const { return ready_s_.empty() ? begin_s_ : ready_s_[op]; }

  // When the CPU's next operation is decided. One CPU serves in the order of readiness; several
  // share the NIC, in the order in which operations start.
  Seconds due_s(const Cpu& cpu) const {
    const Seconds ready_s = cpu.ready_s();
    return cpus_.size() == 1 || ready_s == never ? ready_s : std::max(ready_s, cpu.clock_s);
  }
  Cpu& next_cpu() {
    return *std::ranges::min_element(cpus_, {}, [&](const Cpu& cpu) { return due_s(cpu); });
  }

  void add_ready(std::uint32_t op, Seconds time_s) {
    DueQueue& queue = operations_.ops[op].kind == OpKind::receive ? posts_ : cpu_of(op).ops;
    queue.add({time_s, op});
  }

  void release(std::uint32_t op, bool of_start, Seconds time_s) {
    if (operations_.followers.empty()) return;
    for (std::uint32_t i = operations_.first[op]; i < operations_.first[op + 1]; ++i) {
      const std::uint32_t follower = operations_.followers[i];
      if ((follower & 1) != std::uint32_t{of_start}) continue;
      const std::uint32_t next = follower >> 1;
      ready_s_[next] = std::max(ready_s_[next], time_s);
      if (--missing_[next] == 0) add_ready(next, ready_s_[next]);
    }
  }
  void has_started(std::uint32_t op, Seconds time_s) {
    progress_.started[op] = true;
    release(op, true, time_s);
  }
  void is_done(std::uint32_t op, Seconds time_s) {
    progress_.done[op] = true;
    ++done_;
    release(op, false, time_s);
  }

  // Requests are found by the offset of their data.
  Slice data_of(std::uint32_t op) const {
    return {op, scheduled_.scaled(operations_.ops[op].size), unnamed_buffer};
  }
  void watch(Request request) {
    me_.watch(request, done_requests_);
    ++pending_;
  }
  void take_completion() {
    const runtime::DoneRequest request = done_requests_.back();
    done_requests_.pop_back();
    --pending_;
    const auto op = static_cast<std::uint32_t>(request.offset);
    // A message may have arrived before its receive was posted.
    const Due due{std::max(request.time_s, ready_s(op)), op, request.request};
    (operations_.ops[op].kind == OpKind::receive ? cpu_of(op).arrived : ends_).add(due);
  }

  // Sends need no CPU at their end. All that one CPU does before has been done.
  void end_send(const Due& due) {
    Cpu& cpu = cpu_of(due.op);
    me_.set_clock(cpu.clock_s);
    me_.finish_watched(due.request);
    if (cpus_.size() == 1) cpu.clock_s = std::max(cpu.clock_s, me_.now());
    end_s_ = std::max(end_s_, due.time_s);
    is_done(due.op, due.time_s);
  }

  void post(const Due& due) {
    const Op& op = operations_.ops[due.op];
    me_.set_clock(due.time_s);
    watch(me_.irecv({.from = op.peer, .tag = op.tag, .data = data_of(due.op)}));
    has_started(due.op, due.time_s);
  }

  void start(Cpu& cpu) {
    const Due due = cpu.ops.take();
    const Op& op = operations_.ops[due.op];
    const Seconds start_s = std::max(due.time_s, cpu.clock_s);
    me_.set_clock(start_s);
    if (op.kind == OpKind::compute) {
      me_.compute(static_cast<double>(op.size) * 1e-9);
      cpu.clock_s = me_.now();
      has_started(due.op, start_s);
      return is_done(due.op, cpu.clock_s);
    }
    const Request sent = me_.isend({.to = op.peer, .tag = op.tag, .data = data_of(due.op)});
    cpu.clock_s = me_.now();
    has_started(due.op, start_s);
    if (me_.is_done(sent))
      end_send({cpu.clock_s, due.op, sent});
    else
      watch(sent);
  }

  void receive(Cpu& cpu) {
    const Due message = cpu.arrived.take();
    me_.set_clock(std::max(cpu.clock_s, ready_s(message.op)));
    me_.finish_watched(message.request);
    cpu.clock_s = me_.now();
    is_done(message.op, cpu.clock_s);
  }

  Rank& me_;
  const Scheduled& scheduled_;
  const Operations& operations_;
  Progress::Rank& progress_;
  Seconds begin_s_;
  Seconds end_s_;  // of sends
  std::vector<Cpu> cpus_;
  DueQueue posts_;  // receives
  DueQueue ends_;   // sends
  runtime::DoneRequests done_requests_;
  std::size_t pending_ = 0;             // watched requests that are not in a queue
  std::vector<std::uint32_t> missing_;  // by operation: those that it requires and are not done
  std::vector<Seconds> ready_s_;        // by operation: the latest end of what it requires
  std::size_t done_ = 0;
  Seconds deadline_s_ = never;
};

Task run_rank(Rank& me, std::shared_ptr<const Scheduled> scheduled,
              std::shared_ptr<Progress> progress) {
  DependencyRank rank(me, *scheduled, progress->ranks[static_cast<std::size_t>(me.id())]);
  while (true) {
    if (rank.advance()) continue;
    if (rank.is_over()) break;
    co_await rank.wait();
  }
  rank.end();
}

}  // namespace

Task run_dependencies(Rank& me, std::shared_ptr<const Scheduled> scheduled,
                      std::shared_ptr<Progress> progress) {
  return run_rank(me, std::move(scheduled), std::move(progress));
}

}  // namespace tutti::workloads::schedules
