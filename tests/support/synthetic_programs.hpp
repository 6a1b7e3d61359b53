// SPDX-License-Identifier: BSD-3-Clause
// Small MPI programs as lists of the calls of each rank; synthetic_traces.hpp executes them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/trace_writer.hpp"

namespace tutti::tests {

// The timing rule as input of --loggp.
constexpr const char* loggp_rule = R"([loggp]
L = "2us"
o = "1us"
G = "1ns"
call_gap = "500ns"
[collective]
default = "20us"
)";

enum class SyntheticProgram {
  lbcoll,  // foo takes longer on higher ranks; bar; allreduce
  lbp2p,   // groups of four: 1 and 3 compute twice as long as 0 and 2
  halo,    // as lbcoll, but with nonblocking messages to both ring neighbours
  xns,     // as lbcoll, but a message to all, most of them empty
  rooted,  // as lbcoll, but bcast from each rank in turn, reduce to 0, barrier
  shift,   // a message to the next rank, then bar, and an allreduce
  sweep    // sweeps over a rank grid from its four corners in turn, in blocks
};

struct SyntheticTrace {
  SyntheticProgram program = SyntheticProgram::lbcoll;
  std::uint32_t ranks = 4;
  int iterations = 100;
  bool is_balanced = false;        // foo takes the mean over ranks on every rank
  bool cut_empty = false;          // xns: without messages of 0 bytes
  std::uint64_t xns_bytes = 8;     // xns: of the others
  bool sizes_follow_load = false;  // lbp2p: a byte per us of foo
  // shift: order of the calls; with `early` receives wait after bar, with `late` sends do.
  enum class Shift { together, send_recv, recv_send, early, late } shift = Shift::together;
  std::uint64_t noise_seed = 0;     // not 0: each foo takes up to 200 us more
  int blocks = 4;                   // sweep: per sweep
  std::uint64_t sweep_bytes = 512;  // sweep: of each message
};

namespace detail {

namespace traces = workloads::traces;
using traces::CollectiveOp;
using traces::Ticks;

constexpr Ticks o = 1000, L = 2000, G = 1, C = 20000, gap = 500;
constexpr std::uint64_t message_bytes = 8;

inline TraceDefinitions synthetic_definitions(std::uint32_t ranks) {
  TraceDefinitions made;
  made.creator = "synth";
  for (const char* name :
       {"main", "foo", "bar", "MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Waitall",
        "MPI_Allreduce", "MPI_Barrier", "MPI_Bcast", "MPI_Reduce", "MPI_Init", "MPI_Finalize"})
    made.regions.push_back({name, std::string(name).starts_with("MPI_")});
  made.communicators = {{"MPI_COMM_WORLD", std::vector<TraceRank>(ranks)}};
  std::iota(made.communicators[0].members.begin(), made.communicators[0].members.end(), 0);
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    made.ranks.push_back("MPI Rank " + std::to_string(rank));
  return made;
}

enum Region : std::uint32_t {
  in_main,
  in_foo,
  in_bar,
  in_send,
  in_recv,
  in_isend,
  in_irecv,
  in_waitall,
  in_allreduce,
  in_barrier,
  in_bcast,
  in_reduce,
  in_sendrecv = 14  // of `shift` alone
};

struct Call {
  std::uint32_t region = 0;
  TraceRank peer = traces::none;  // or root
  TraceRank from = traces::none;  // sendrecv: the source
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;
  Ticks duration = 0;  // computing
};

// Collects the calls of each rank.
class CallLists {
 public:
  explicit CallLists(const SyntheticTrace& of) : of_(of), noise_(of.noise_seed), lists_(of.ranks) {
    for (int i = 0; i < of.iterations; ++i)
      for (rank_ = 0; rank_ < of.ranks; ++rank_) iteration(i);
  }
  std::vector<std::vector<Call>> take() { return std::move(lists_); }

 private:
  using P = SyntheticProgram;

  void add(const Call& call) { lists_[rank_].push_back(call); }
  void send_load(TraceRank to, std::uint32_t tag) {
    send(to, tag, of_.sizes_follow_load ? static_cast<std::uint64_t>(load_ / 1000) : message_bytes);
  }
  void send(TraceRank to, std::uint32_t tag, std::uint64_t bytes = message_bytes) {
    add({.region = in_send, .peer = to, .tag = tag, .bytes = bytes});
  }
  void recv(TraceRank from, std::uint32_t tag) {
    add({.region = in_recv, .peer = from, .tag = tag});
  }

  void iteration(int i) {
    if (of_.program == P::sweep) return sweeps();
    load_ = foo();
    add({.region = in_foo, .duration = load_});
    if (of_.program == P::shift) return shift();
    add({.region = in_bar, .duration = 300000});
    if (of_.program == P::lbcoll) add({.region = in_allreduce});
    if (of_.program == P::lbp2p) fours();
    if (of_.program == P::halo) ring();
    if (of_.program == P::xns) all_pairs();
    if (of_.program != P::rooted) return;
    add({.region = in_bcast, .peer = static_cast<std::uint32_t>(i) % of_.ranks});
    add({.region = in_reduce, .peer = 0});
    add({.region = in_barrier});
  }

  Ticks foo() {
    const Ticks least = 1000000;
    const Ticks noise = of_.noise_seed == 0 ? 0 : static_cast<Ticks>(noise_() % 200001);
    if (of_.program == P::lbp2p)
      return noise + (of_.is_balanced ? 1500000 : least * (1 + rank_ % 2));
    const Ticks step = 100000;
    return noise + least + (of_.is_balanced ? step * (of_.ranks - 1) / 2 : step * rank_);
  }

  void fours() {
    const TraceRank base = rank_ - rank_ % 4;
    switch (rank_ % 4) {
      case 0:
        send_load(base + 2, 1), recv(base + 1, 2);
        break;
      case 1:
        send_load(base + 3, 1), send_load(base, 2);
        break;
      case 2:
        recv(base, 1), recv(base + 3, 2);
        break;
      default:
        recv(base + 1, 1), send_load(base + 2, 2);
    }
  }

  // The last rank does not send, the first one does not receive.
  void shift() {
    using S = SyntheticTrace::Shift;
    const S how = of_.shift;
    const bool sends = rank_ + 1 < of_.ranks, receives = rank_ > 0;
    if (how == S::together)
      add({.region = in_sendrecv,
           .peer = sends ? rank_ + 1 : traces::none,
           .from = receives ? rank_ - 1 : traces::none,
           .tag = 1,
           .bytes = 1000});
    if (sends && (how == S::send_recv || how == S::early)) send(rank_ + 1, 1, 1000);
    if (how == S::late && sends)
      add({.region = in_isend, .peer = rank_ + 1, .tag = 1, .bytes = 1000});
    if (how == S::early && receives) add({.region = in_irecv, .peer = rank_ - 1, .tag = 1});
    if (receives && how != S::together && how != S::early) recv(rank_ - 1, 1);
    if (sends && how == S::recv_send) send(rank_ + 1, 1, 1000);
    add({.region = in_bar, .duration = 300000});
    if ((how == S::early && receives) || (how == S::late && sends)) add({.region = in_waitall});
    add({.region = in_allreduce});
  }

  void ring() {
    const TraceRank right = (rank_ + 1) % of_.ranks, left = (rank_ + of_.ranks - 1) % of_.ranks;
    add({.region = in_irecv, .peer = left, .tag = 1});
    add({.region = in_irecv, .peer = right, .tag = 2});
    add({.region = in_isend, .peer = right, .tag = 1, .bytes = message_bytes});
    add({.region = in_isend, .peer = left, .tag = 2, .bytes = message_bytes});
    add({.region = in_waitall});
  }

  void all_pairs() {
    const std::uint32_t ranks = of_.ranks;
    for (std::uint32_t away = 1; away < ranks; ++away) {
      const bool is_near = away <= 2 || away + 2 >= ranks;
      if (!is_near && of_.cut_empty) continue;
      send((rank_ + away) % ranks, 3, is_near ? of_.xns_bytes : 0);
      recv((rank_ + ranks - away) % ranks, 3);
    }
  }

  void sweeps() {
    int width = 1;
    while (static_cast<std::uint32_t>((width + 1) * (width + 1)) <= of_.ranks) ++width;
    while (of_.ranks % static_cast<std::uint32_t>(width) != 0) --width;
    const int height = static_cast<int>(of_.ranks) / width;
    const int x = static_cast<int>(rank_) % width, y = static_cast<int>(rank_) / width;
    const auto is_there = [&](int i, int j) { return i >= 0 && i < width && j >= 0 && j < height; };
    const auto at = [&](int i, int j) { return static_cast<TraceRank>(j * width + i); };
    for (const auto& [dx, dy] : {std::pair{1, 1}, {-1, 1}, {1, -1}, {-1, -1}})
      for (int block = 0; block < of_.blocks; ++block) {
        if (is_there(x - dx, y)) recv(at(x - dx, y), 1);
        if (is_there(x, y - dy)) recv(at(x, y - dy), 2);
        add({.region = in_foo, .duration = foo() / 10});
        if (is_there(x + dx, y)) send(at(x + dx, y), 1, of_.sweep_bytes);
        if (is_there(x, y + dy)) send(at(x, y + dy), 2, of_.sweep_bytes);
      }
    add({.region = in_allreduce});
  }

  const SyntheticTrace& of_;
  std::mt19937_64 noise_;
  TraceRank rank_ = 0;
  Ticks load_ = 0;
  std::vector<std::vector<Call>> lists_;
};

}  // namespace detail
}  // namespace tutti::tests
