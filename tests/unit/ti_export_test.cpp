// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/ti_export.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "sim/replay/time_spool.hpp"
#include "tests/support/files.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/trace_builder.hpp"
#include "workloads/traces/ti_reader.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::TemporaryFolder;
using tests::TraceBuilder;
using workloads::traces::CollectiveOp;
using workloads::traces::Trace;

namespace {

struct Exported {
  std::vector<std::string> ranks;
  std::vector<std::string> notes;
};

Exported exported(const Trace& trace, const ReplayArgs& args = {}, double flops_per_s = 1e9) {
  const std::vector<double> speeds(trace.definitions.ranks.size(), flops_per_s);
  TimeSpool times(trace.definitions.ranks.size(), trace.first);
  replay(trace, args, &times);
  TiExport to(trace, times, speeds);
  Exported result;
  for (TraceRank rank = 0; rank < trace.definitions.ranks.size(); ++rank) {
    std::ostringstream text;
    to.write(rank, text);
    result.ranks.push_back(text.str());
  }
  result.notes = to.notes();
  return result;
}

ReplayArgs loggp(Hypothesis hypothesis = {}) {
  LogGP costs{.L_s = 2e-6, .o_s = 1e-6, .G_s_per_B = 1e-9};
  costs.collective_s.fill(20e-6);
  return {.hypothesis = std::move(hypothesis), .loggp = costs};
}

}  // namespace

TEST_CASE("computation, messages and requests become actions") {
  const TraceBuilder::Message to_1{.peer = 1, .bytes = 100, .tag = 5};
  const TraceBuilder::Message to_0{.peer = 0, .bytes = 0, .tag = 6};
  const TraceBuilder::Message from_0{.peer = 0, .bytes = 100, .tag = 5};
  const TraceBuilder::Message from_1{.peer = 1, .bytes = 0, .tag = 6};
  TraceBuilder builder(2);
  builder.enter(0, "main", 0);
  builder.region(0, "MPI_Comm_rank", 100, 200);  // transfers nothing: computation
  builder.irecv(0, 1000, 1100, 1);
  builder.isend(0, 1200, 1300, to_1, 2);
  builder.wait(0, "MPI_Waitall", 1300, 1900, {{1, &from_1}, {2}});
  builder.leave(0, "main", 2000);
  builder.irecv(1, 500, 600, 7);
  builder.send(1, 700, 800, to_0);
  builder.wait(1, "MPI_Wait", 900, 1500, {{7, &from_0}});
  builder.collective(1, "MPI_Barrier", 1600, 1700, {.comm = builder.communicator("self", {})});
  const auto to = exported(builder.trace(), {}, 2e9);
  CHECK(to.ranks[0] ==
        "0 init\n0 compute 2000\n0 irecv 1 6 1 6\n0 compute 200\n0 isend 1 5 100 6\n"
        "0 waitall 2\n0 compute 200\n0 finalize\n");
  CHECK(to.ranks[1] ==
        "1 init\n1 compute 1000\n1 irecv 0 5 100 6\n1 compute 200\n1 send 0 6 0 6\n"
        "1 compute 200\n1 wait 0 1 5\n1 compute 400\n1 finalize\n");
  CHECK(to.notes.empty());
}

TEST_CASE("calls that send and receive do not block in their send") {
  TraceBuilder builder(2);
  for (int rank = 0; rank < 2; ++rank) {
    const auto other = static_cast<std::uint32_t>(1 - rank);
    builder.call(
        rank, "MPI_Sendrecv", 100, 300,
        {{.time = 100, .bytes = 8, .request = 0, .id = other, .comm = 0, .kind = EventKind::send},
         {.time = 300, .bytes = 8, .request = 0, .id = other, .comm = 0, .kind = EventKind::recv}});
  }
  CHECK(exported(builder.trace()).ranks[0] ==
        "0 init\n0 compute 100\n0 isend 1 0 8 6\n0 irecv 1 0 8 6\n0 waitall 2\n0 finalize\n");
}

TEST_CASE("events that SMPI cannot replay are omitted, and counted") {
  TraceBuilder builder(4);
  const auto half = builder.communicator("half", {0, 1});
  for (int rank = 0; rank < 2; ++rank)
    builder.collective(rank, "MPI_Barrier", 100, 200, {.comm = half});
  builder.send(0, 300, 400, {.peer = 1});  // never received
  builder.irecv(1, 300, 400, 1);           // never complete
  for (int rank = 0; rank < 4; ++rank)
    builder.collective(rank, "MPI_Allgatherv", 500, 600,
                       {.op = CollectiveOp::allgatherv,
                        .sent = static_cast<std::uint64_t>(10 + 10 * rank),
                        .received = 100});
  builder.collective(2, "MPI_Barrier", 700, 800, {});
  const auto to = exported(builder.trace());
  CHECK(to.ranks[0] ==
        "0 init\n0 compute 100\n0 compute 300\n0 allgatherv 10 10 20 30 40 6 6\n0 finalize\n");
  CHECK(to.ranks[2] ==
        "2 init\n2 compute 500\n2 allgatherv 30 10 20 30 40 6 6\n2 compute 200\n2 finalize\n");
  REQUIRE(to.notes.size() == 3);
  CHECK(to.notes[0].find("1 collectives of only some of the ranks") != std::string::npos);
  CHECK(to.notes[1].find("1 calls of collectives that not all") != std::string::npos);
  CHECK(to.notes[2].find("1 messages without a send or receive") != std::string::npos);
}

TEST_CASE("counts of v collectives stay those of the trace that is read") {
  const TemporaryFolder folder;
  const std::vector<std::string> text = {
      "0 init\n0 gatherv 3 3 0 5 1 6 6\n0 scatterv 7 0 2 7 1 6 6\n0 allgatherv 3 3 0 5 6 6\n"
      "0 reducescatter 4 0 6 0 6\n0 alltoallv 6 1 2 3 7 1 0 6 6 6\n0 finalize\n",
      "1 init\n1 gatherv 0 3 0 5 1 6 6\n1 scatterv 7 0 2 0 1 6 6\n1 allgatherv 0 3 0 5 6 6\n"
      "1 reducescatter 4 0 6 0 6\n1 alltoallv 0 0 0 0 2 2 0 0 6 6\n1 finalize\n",
      "2 init\n2 gatherv 5 3 0 5 1 6 6\n2 scatterv 7 0 2 2 1 6 6\n2 allgatherv 5 3 0 5 6 6\n"
      "2 reducescatter 4 0 6 0 6\n2 alltoallv 6 6 0 0 3 3 0 0 6 6\n2 finalize\n"};
  const auto trace = workloads::traces::read_ti(folder.write("t", text[0] + text[1] + text[2]), {});
  REQUIRE(trace);
  const auto to = exported(*trace, loggp());
  CHECK(to.ranks == text);
  CHECK(to.notes.empty());
}

TEST_CASE("alltoallv of OTF2 traces, which have only sums, has blocks of its mean size") {
  TraceBuilder builder(2);
  for (int rank = 0; rank < 2; ++rank)
    builder.collective(rank, "MPI_Alltoallv", 0, 100,
                       {.op = CollectiveOp::alltoallv,
                        .sent = static_cast<std::uint64_t>(20 + 20 * rank),
                        .received = 30});
  const auto to = exported(builder.trace());
  CHECK(to.ranks[0] == "0 init\n0 alltoallv 20 10 10 30 10 20 6 6\n0 finalize\n");
  CHECK(to.ranks[1] == "1 init\n1 alltoallv 40 20 20 30 10 20 6 6\n1 finalize\n");
  REQUIRE(to.notes.size() == 1);
  CHECK(to.notes[0].find("1 collectives have blocks of equal size") != std::string::npos);
}

TEST_CASE("tags of different communicators do not collide") {
  TraceBuilder builder(2);
  const auto twin = builder.communicator("twin", {0, 1});
  builder.send(0, 100, 200, {.peer = 1, .tag = 3});
  builder.send(0, 300, 400, {.peer = 1, .tag = 3, .comm = twin});
  builder.recv(1, 100, 500, {.peer = 0, .tag = 3, .comm = twin});
  builder.recv(1, 600, 700, {.peer = 0, .tag = 3});
  const auto to = exported(builder.trace());
  CHECK(to.ranks[0] ==
        "0 init\n0 compute 100\n0 send 1 3 8 6\n0 compute 100\n0 send 1 16777216 8 6\n"
        "0 finalize\n");
  CHECK(to.ranks[1].find("1 recv 0 16777216 8 6\n1 compute 100\n1 recv 0 3 8 6\n") !=
        std::string::npos);
}

TEST_CASE("an exported and imported trace ends at the same time, with the same model") {
  using P = tests::SyntheticProgram;
  for (const P program : {P::lbcoll, P::lbp2p, P::halo, P::xns, P::rooted, P::sweep}) {
    CAPTURE(static_cast<int>(program));
    const Trace whole = tests::trace_in_memory({.program = program, .ranks = 8, .iterations = 10});
    const Hypothesis balance{.balances = {{.region = "foo"}}};
    for (const auto& hypothesis : {Hypothesis{}, balance}) {
      const TemporaryFolder folder;
      const auto to = exported(whole, loggp(hypothesis));
      CHECK(to.notes.empty());
      std::string list;
      for (std::size_t rank = 0; rank < to.ranks.size(); ++rank)
        list += folder.write("rank-" + std::to_string(rank), to.ranks[rank]) + '\n';
      const auto back = workloads::traces::read_ti(folder.write("list.txt", list), {});
      REQUIRE(back);
      const Ticks late =
          replay(*back, loggp()).end_after - replay(whole, loggp(hypothesis)).end_after;
      CHECK(late >= 0);
      CHECK(late <= (program == P::xns ? 100 : 0));  // receives of 0 bytes count as 1, of 1 ns
      CHECK(replay(*back, loggp()).notes.empty());
    }
  }
}
