// SPDX-License-Identifier: BSD-3-Clause
// Records what the ranks of a simulated program do as the events of a trace, as Score-P would.
#pragma once

#include "algorithms/selection/selection.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"
#include "workloads/traces/event_spool.hpp"

namespace tutti::workloads::applications {

// The regions of all programs.
enum class Region : std::uint8_t {
  main,
  foo,
  bar,
  inner,
  source,
  sweep,
  flux_err,
  genbc,
  solve,
  ewdgather1,
  ewdscatter2,
  allreduce,
  barrier,
  bcast,
  reduce,
  irecv,
  isend,
  issend,
  recv,
  send,
  ssend,
  waitall
};
inline constexpr std::array<std::string_view, 22> region_names = {
    "main",        "foo",       "bar",        "inner",      "source",      "sweep",
    "flux_err",    "genbc",     "solve",      "ewdgather1", "ewdscatter2", "MPI_Allreduce",
    "MPI_Barrier", "MPI_Bcast", "MPI_Reduce", "MPI_Irecv",  "MPI_Isend",   "MPI_Issend",
    "MPI_Recv",    "MPI_Send",  "MPI_Ssend",  "MPI_Waitall"};

// The events of all ranks of a run. Times are in nanoseconds.
class Recording {
 public:
  explicit Recording(int ranks);

  void add(runtime::RankId rank, const traces::Event& event) {
    events_.append(static_cast<traces::TraceRank>(rank), event);
  }
  // The number of the region in the trace; only regions that are entered are defined.
  std::uint32_t number_of(Region region);

  std::uint64_t messages = 0;  // sent
  std::uint64_t empty_messages = 0;
  std::uint64_t events() const { return events_.count(); }
  // The trace, after the run. Its creator is "Tutti", and collectives count bytes as Score-P does.
  traces::Trace take();

 private:
  traces::TraceDefinitions definitions_;
  traces::EventSpool events_;
  std::array<std::uint32_t, region_names.size()> numbers_;
};

// Properties of the run that the calls of all ranks share.
struct CallRules {
  Seconds gap_s = 0;            // of the caller, before it enters a region
  bool is_synchronous = false;  // MPI_Ssend instead of MPI_Send
  // Chooses the algorithms of collectives; null: Open MPI 4.1's rules.
  std::shared_ptr<const algorithms::selection::Selection> selection = {};
};

// A rank that executes MPI calls and records them.
class TracedRank {
 public:
  struct Message {
    runtime::RankId peer = 0;
    std::uint32_t tag = 0;
    Bytes bytes = 0;
  };
  struct Collective {
    std::string_view name;  // "allreduce", "bcast", "reduce", "barrier"
    Bytes bytes = 0;        // of the vector
    runtime::RankId root = 0;
  };

  // All must outlive the object.
  TracedRank(runtime::Rank& me, const CallRules& rules, Recording& recording)
      : me_(me), rules_(rules), recording_(recording) {}
  TracedRank(const TracedRank&) = delete;
  TracedRank& operator=(const TracedRank&) = delete;

  runtime::RankId id() const { return me_.id(); }
  runtime::RankId size() const { return me_.size(); }

  void enter(Region region);  // after the caller's gap, if there is a caller
  void leave(Region region);
  void compute(Seconds time_s) { me_.compute(time_s); }
  // A region that only computes.
  void run(Region region, Seconds time_s);

  runtime::Task send(Message message);
  runtime::Task recv(Message message);
  // Throws std::runtime_error if the selected algorithm does not support the call.
  runtime::Task call(Collective call);
  // Nonblocking messages, completed together by waitall.
  void isend(Message message);
  void irecv(Message message);
  runtime::Task waitall();

 private:
  struct Pending {
    runtime::Request request;
    Message message;
    std::uint64_t number = 0;
    bool is_send = false;
  };
  traces::Ticks now() const { return std::llround(me_.now() * 1e9); }
  void record(traces::Event event);
  void record_send(traces::EventKind kind, const Message& message, std::uint64_t request = 0);
  runtime::Task run_collective(const Collective& call);

  runtime::Rank& me_;
  const CallRules& rules_;
  Recording& recording_;
  std::vector<Pending> pending_;
  std::uint64_t requests_ = 0;
  bool is_in_main_ = false;
};

}  // namespace tutti::workloads::applications
