// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/ti_export.hpp"

#include <ostream>

#include "sim/replay/event_reader.hpp"
#include "sim/replay/receive_order.hpp"
#include "workloads/traces/collective_bytes.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::CollectiveOp;
using workloads::traces::none;
using workloads::traces::Trace;

constexpr int byte_type = 6;  // MPI_BYTE in SMPI's numbering

// The block of a rank in a collective of all ranks.
std::uint64_t own_block(const Trace& trace, const Event& event) {
  return workloads::traces::bytes_per_rank(
      trace.definitions, event.op, trace.definitions.ranks.size(), event.sent_bytes, event.bytes);
}

}  // namespace

// Exports one rank.
class RankExport {
 public:
  RankExport(TiExport& all, TraceRank rank, std::ostream& to)
      : all_(all), rank_(rank), to_(to), ahead_(all.trace_, rank), collectives_(all.trace_, rank) {}

  void run() {
    line("init");
    visit_events(all_.trace_, rank_, [&](const Event& event) {
      const auto at = all_.times_.next(rank_);
      if (at.keep) now_ = at.time;
      take(event, at.keep);
    });
    wait();
    compute();
    line("finalize");
  }

 private:
  struct Request {
    TraceRank from = 0, to = 0;
    std::uint32_t tag = 0;
  };

  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    to_ << rank_ << ' ' << fmt::format(text, std::forward<Args>(args)...) << '\n';
  }

  // Computation until the current call, or until now outside calls.
  void compute() {
    const Ticks until = depth_ > 0 ? enter_ : now_;
    if (until > reported_)
      line("compute {}", static_cast<double>(until - reported_) * all_.flops_per_s_[rank_] /
                             all_.trace_.definitions.ticks_per_s);
    reported_ = std::max(reported_, until);
  }
  // An action of the call. The time of the call is not computation.
  template <class... Args>
  void action(fmt::format_string<Args...> text, Args&&... args) {
    compute();
    line(text, std::forward<Args>(args)...);
    transfers_ = true;
  }

  void take(const Event& event, bool keeps) {
    switch (event.kind) {
      case EventKind::enter:
        if (depth_ == 0 && !all_.trace_.definitions.regions[event.id].is_mpi) return;
        if (depth_++ > 0) return;
        enter_ = now_;
        transfers_ = false;
        exchanges_ = all_.trace_.definitions.regions[event.id].name.starts_with("MPI_Sendrecv");
        return;
      case EventKind::leave:
        return leave();
      case EventKind::send:
      case EventKind::isend:
        return send(event, keeps);
      case EventKind::irecv_request:
        return post(event, keeps);
      case EventKind::recv:
      case EventKind::irecv:
        return receive(event, keeps);
      case EventKind::isend_complete:
        return complete(event.request);
      case EventKind::request_cancelled:
        requests_.erase(event.request);
        return;
      case EventKind::collective_request:
        collectives_.take(event);
        return;
      case EventKind::collective_end:
      case EventKind::icollective_end:  // SMPI's replay has only blocking ones
        return collective(event, keeps);
      default:
        return;
    }
  }

  void leave() {
    if (depth_ == 0 || --depth_ > 0) return;
    depth_ = 1;  // waits are part of the call
    wait();
    depth_ = 0;
    if (transfers_) reported_ = std::max(reported_, now_);
  }

  // Whether the next message of the key has both a send and a receive. Counts the message.
  bool is_received(const MessageKey& key) {
    return is_whole(key, sent_[key]++, &MessageCount::received);
  }
  bool is_sent(const MessageKey& key) {
    return is_whole(key, received_[key]++, &MessageCount::sent);
  }
  bool is_whole(const MessageKey& key, std::uint64_t number, std::uint64_t MessageCount::*other) {
    const auto entry = all_.messages_.find(key);
    const bool is_whole = entry != all_.messages_.end() && number < entry->second.*other;
    all_.lost_messages_ += !is_whole;
    return is_whole;
  }

  void send(const Event& event, bool keeps) {
    if (!is_received(key_of(rank_, event)) || !keeps) return;
    const bool is_blocking = event.kind == EventKind::send && !exchanges_;
    const std::uint32_t tag = all_.tag(event.comm, event.tag);
    action("{} {} {} {} {}", is_blocking ? "send" : "isend", event.id, tag, event.bytes, byte_type);
    if (event.kind == EventKind::isend) requests_[event.request] = {rank_, event.id, tag};
    if (event.kind == EventKind::send && exchanges_) completed_.push_back({rank_, event.id, tag});
  }

  // A receive that never completes is omitted: SMPI would wait forever. For a receive of 0 bytes
  // SMPI probes for the size until the message is there; 1 byte avoids that.
  void post(const Event& event, bool keeps) {
    const auto got = ahead_.next();
    if (!got || !is_sent(got->key) || !keeps) return;
    const std::uint32_t tag = all_.tag(got->key.comm, got->key.tag);
    action("irecv {} {} {} {}", got->key.from, tag, std::max<std::uint64_t>(got->bytes, 1),
           byte_type);
    requests_[event.request] = {got->key.from, rank_, tag};
  }

  void receive(const Event& event, bool keeps) {
    if (event.kind == EventKind::irecv) return complete(event.request);
    if (!is_sent(key_of(rank_, event)) || !keeps) return;
    const std::uint32_t tag = all_.tag(event.comm, event.tag);
    action("{} {} {} {} {}", exchanges_ ? "irecv" : "recv", event.id, tag,
           std::max<std::uint64_t>(event.bytes, 1), byte_type);
    if (exchanges_) completed_.push_back({event.id, rank_, tag});
  }

  void complete(std::uint64_t request) {
    const auto entry = requests_.find(request);
    if (entry == requests_.end()) return;
    completed_.push_back(entry->second);
    requests_.erase(entry);
  }

  // Waits for the requests that complete in the call.
  void wait() {
    if (completed_.size() > 1 && requests_.empty()) {
      action("waitall {}", completed_.size());
    } else {
      for (const Request& request : completed_)
        action("wait {} {} {}", request.from, request.to, request.tag);
    }
    completed_.clear();
  }

  void collective(const Event& event, bool keeps) {
    const auto& members = all_.trace_.definitions.communicators[event.comm].members;
    const auto collective = collectives_.take(event);
    if (!collective) return;
    const std::uint64_t number = collective->number;
    if (members.size() < 2 || !keeps) return;
    if (!all_.is_world(event.comm)) {
      all_.other_collectives_ += members.front() == rank_;
      transfers_ = true;
      compute();
      return;
    }
    if (number >= all_.collectives_[event.comm]) {
      ++all_.broken_collectives_;
      return;
    }
    if (!workloads::traces::may_be_uneven(event.op))
      return write_collective(event, own_block(all_.trace_, event));
    const auto& blocks = all_.blocks_[event.comm].at(number);
    all_.even_collectives_ +=
        rank_ == 0 && blocks.lists.empty() &&
        (event.op == CollectiveOp::alltoallv || event.op == CollectiveOp::alltoallw);
    if (blocks.all.empty() && blocks.lists.empty())
      write_collective(event, blocks.first);
    else
      write_uneven(event, blocks);
  }

  // A v collective whose blocks differ.
  void write_uneven(const Event& event, const TiExport::Blocks& blocks) {
    const TraceRank root = event.id == none ? 0 : event.id;
    std::string counts;
    for (TraceRank rank = 0; rank < ranks(); ++rank) counts += fmt::format("{} ", blocks.of(rank));
    const std::uint64_t own = blocks.of(rank_);
    switch (event.op) {
      case CollectiveOp::gatherv:
        return action("gatherv {0} {1}{2} {3} {3}", own, counts, root, byte_type);
      case CollectiveOp::scatterv:
        return action("scatterv {0}{1} {2} {3} {3}", counts, own, root, byte_type);
      case CollectiveOp::allgatherv:
        return action("allgatherv {0} {1}{2} {2}", own, counts, byte_type);
      case CollectiveOp::reduce_scatter:
        return action("reducescatter {}0 {}", counts, byte_type);
      default:
        return action("alltoallv {}{}{} {}", peer_counts(blocks, true), peer_counts(blocks, false),
                      byte_type, byte_type);
    }
  }

  // The buffer size and the counts of what the rank sends to, or receives from, each rank.
  std::string peer_counts(const TiExport::Blocks& blocks, bool sends) const {
    std::uint64_t sum = 0;
    std::string counts;
    for (TraceRank peer = 0; peer < ranks(); ++peer) {
      const TraceRank from = sends ? rank_ : peer, to = sends ? peer : rank_;
      const std::uint64_t bytes =
          blocks.lists.empty() ? blocks.of(from)
                               : all_.trace_.definitions.blocks[blocks.lists[from] - 1].bytes[to];
      sum += bytes;
      counts += fmt::format("{} ", bytes);
    }
    return fmt::format("{} {}", sum, counts);
  }

  TraceRank ranks() const { return static_cast<TraceRank>(all_.trace_.definitions.ranks.size()); }

  // A collective of all ranks with equal blocks of `bytes`.
  void write_collective(const Event& event, std::uint64_t bytes) {
    const TraceRank root = event.id == none ? 0 : event.id;
    const auto name = workloads::traces::collective_op_names[static_cast<std::size_t>(event.op)];
    switch (event.op) {
      case CollectiveOp::bcast:
        return action("bcast {} {} {}", bytes, root, byte_type);
      case CollectiveOp::reduce:
        return action("reduce {} 0 {} {}", bytes, root, byte_type);
      case CollectiveOp::gather:
      case CollectiveOp::gatherv:
      case CollectiveOp::scatter:
      case CollectiveOp::scatterv:
        return action("{0} {1} {1} {2} {3} {3}", without_v(name), bytes, root, byte_type);
      case CollectiveOp::allgather:
      case CollectiveOp::allgatherv:
      case CollectiveOp::alltoall:
      case CollectiveOp::alltoallv:
      case CollectiveOp::alltoallw:
        return action("{0} {1} {1} {2} {2}", without_v(name), bytes, byte_type);
      case CollectiveOp::allreduce:
      case CollectiveOp::scan:
      case CollectiveOp::exscan:
        return action("{} {} 0 {}", name, bytes, byte_type);
      case CollectiveOp::reduce_scatter:
      case CollectiveOp::reduce_scatter_block:
        return action("reducescatter {} 0 {}",
                      fmt::join(std::vector(all_.trace_.definitions.ranks.size(), bytes), " "),
                      byte_type);
      default:
        return action("barrier");
    }
  }
  // "gather" for "gatherv", "alltoall" for "alltoallw".
  static std::string_view without_v(std::string_view name) {
    return name.substr(0, name.find_last_not_of("vw") + 1);
  }

  TiExport& all_;
  TraceRank rank_;
  std::ostream& to_;
  ReceivesAhead ahead_;
  Ticks now_ = 0;
  Ticks reported_ = 0;  // everything up to this time is written
  Ticks enter_ = 0;     // of the call
  std::uint32_t depth_ = 0;
  bool transfers_ = false;  // the call transfers data
  bool exchanges_ = false;  // the call sends and receives at the same time
  std::unordered_map<std::uint64_t, Request> requests_;
  std::vector<Request> completed_;
  ByMessageKey<std::uint64_t> sent_, received_;
  CollectiveCount collectives_;
};

TiExport::TiExport(const Trace& trace, workloads::traces::NewTimes& times,
                   std::vector<double> flops_per_s)
    : trace_(trace),
      times_(times),
      flops_per_s_(std::move(flops_per_s)),
      messages_(scan(trace, {}).messages),
      world_(trace.definitions.world()),
      collectives_(trace.definitions.communicators.size(), UINT64_MAX),
      blocks_(trace.definitions.communicators.size()) {
  for (const auto& communicator : trace.definitions.communicators)
    is_world_.push_back(trace.definitions.is_world(communicator));
  const std::size_t ranks = trace.definitions.ranks.size();
  for (TraceRank rank = 0; rank < ranks; ++rank) {
    std::vector<std::uint64_t> counts(collectives_.size());
    CollectiveCount count(trace, rank);
    visit_events(trace, rank, [&](const Event& event) {
      const auto collective = count.take(event);
      if (!collective || event.kind == EventKind::collective_request) return;
      nonblocking_collectives_ += event.kind == EventKind::icollective_end;
      ++counts[event.comm];
      if (is_world_[event.comm] && workloads::traces::may_be_uneven(event.op))
        take_blocks(rank, event, blocks_[event.comm][collective->number]);
    });
    for (std::size_t comm = 0; comm < counts.size(); ++comm)
      collectives_[comm] = std::min(collectives_[comm], counts[comm]);
  }
}

void TiExport::take_blocks(TraceRank rank, const Event& event, Blocks& blocks) const {
  const std::size_t ranks = trace_.definitions.ranks.size();
  const std::uint64_t own = own_block(trace_, event);
  if (rank == 0) blocks.first = own;
  if (own != blocks.first && blocks.all.empty()) blocks.all.assign(ranks, blocks.first);
  if (!blocks.all.empty()) blocks.all[rank] = own;
  if (event.op != CollectiveOp::alltoallv || trace_.definitions.blocks_of(event) == nullptr) return;
  blocks.lists.resize(ranks, event.tag);
  blocks.lists[rank] = event.tag;
}

void TiExport::write(TraceRank rank, std::ostream& to) { RankExport(*this, rank, to).run(); }

std::uint32_t TiExport::tag(std::uint32_t comm, std::uint32_t tag) {
  constexpr std::uint32_t first = 1 << 24;
  if (comm == world_ && tag < first) return tag;
  const auto next = static_cast<std::uint32_t>(first + tags_.size());
  return tags_.try_emplace({comm, tag}, next).first->second;
}

std::vector<std::string> TiExport::notes() const {
  std::vector<std::string> notes;
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count > 0) notes.push_back(fmt::format("time-independent trace: {} {}", count, what));
  };
  add(other_collectives_,
      "collectives of only some of the ranks are omitted: SMPI replays all on MPI_COMM_WORLD");
  add(even_collectives_, "collectives have blocks of equal size: a trace has only their sum");
  add(broken_collectives_, "calls of collectives that not all ranks call are omitted");
  add(nonblocking_collectives_,
      "calls of nonblocking collectives block where they complete: SMPI replays no others");
  add(lost_messages_, "messages without a send or receive are omitted");
  return notes;
}

}  // namespace tutti::studies::replay
