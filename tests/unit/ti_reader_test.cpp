// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/ti_reader.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <random>

#include "tests/support/files.hpp"
#include "workloads/traces/collective_bytes.hpp"

namespace {

using namespace tutti;
using namespace tutti::tests;
using namespace tutti::workloads::traces;

std::vector<Event> events_of(const Trace& trace, TraceRank rank) {
  std::vector<Event> events(10000);
  events.resize(trace.events.cursor(rank)->read(events));
  return events;
}

// The events of a kind.
std::vector<Event> only(const Trace& trace, TraceRank rank, EventKind kind) {
  auto events = events_of(trace, rank);
  std::erase_if(events, [&](const Event& each) { return each.kind != kind; });
  return events;
}

// The regions that the rank enters.
std::string calls(const Trace& trace, TraceRank rank) {
  std::string calls;
  for (const Event& each : only(trace, rank, EventKind::enter))
    calls += (calls.empty() ? "" : " ") + trace.definitions.regions[each.id].name;
  return calls;
}

// Reads a trace in one file.
Result<Trace> read(const TemporaryFolder& folder, const std::string& text) {
  return read_ti(folder.write("t.txt", text), {});
}

std::string rejection(const std::string& text) {
  const TemporaryFolder folder;
  const auto trace = read(folder, text);
  REQUIRE_FALSE(trace);
  CHECK(trace.error().kind == ErrorKind::input);
  return std::to_string(trace.error().line) + ": " + trace.error().message;
}

}  // namespace

TEST_CASE("messages and computation of a time-independent trace are read") {
  const TemporaryFolder folder;
  folder.write("a",
               "0 init\n0 compute 5e3\n0 irecv 1 7 5 0\n0 isend 1 7 5 0\n0 waitall 2\n"
               "0 send 1 8 0 2\n0 sleep 1e-6\n0 finalize\n");
  folder.write("b",
               "1 init\n\n1 irecv 0 7 5 0\n1 isend 0 7 5 0\n1 wait 1 0 7\n1 wait 0 1 7\n"
               "1 wait 0 1 7\n1 recv 0 8 0 2\n1 finalize\n");
  const auto trace = read_ti(folder.write("list.txt", "a\nb\n"), {});
  REQUIRE(trace);
  CHECK_FALSE(trace->has_times);
  CHECK(trace->definitions.ranks == std::vector<std::string>{"rank 0", "rank 1"});
  CHECK(calls(*trace, 0) == "main compute MPI_Irecv MPI_Isend MPI_Waitall MPI_Send sleep");
  CHECK(calls(*trace, 1) == "main MPI_Irecv MPI_Isend MPI_Wait MPI_Wait MPI_Recv");
  CHECK(events_of(*trace, 0).back().time == 6000);
  const auto sent = only(*trace, 0, EventKind::isend), got = only(*trace, 0, EventKind::irecv);
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].id == 1);
  CHECK(sent[0].tag == 7);
  CHECK(sent[0].bytes == 40);
  REQUIRE(got.size() == 1);
  CHECK(got[0].id == 1);
  CHECK(got[0].request == only(*trace, 0, EventKind::irecv_request)[0].request);
  CHECK(only(*trace, 1, EventKind::isend_complete).size() == 1);
  CHECK(trace->notes.size() == 1);  // one wait too many
}

TEST_CASE("a byte order mark before a trace or a list is ignored") {
  const TemporaryFolder folder;
  const std::string mark = "\xef\xbb\xbf";
  const auto path = folder.write("a", mark + "0 init\n0 compute 5e3\n0 finalize\n");
  CHECK(is_ti(path));
  const auto list = folder.write("list.txt", mark + "a\n");
  CHECK(is_ti(list));
  for (const auto& each : {path, list}) {
    const auto trace = read_ti(each, {});
    REQUIRE(trace);
    CHECK(calls(*trace, 0) == "main compute");
  }
}

TEST_CASE("requests without a wait complete at the end, as in SMPI") {
  const TemporaryFolder folder;
  const auto trace = read(folder, "0 isend 1 1 8\n0 test 0 1 1\n1 irecv 0 1 8\n");
  REQUIRE(trace);
  CHECK(calls(*trace, 0) == "main MPI_Isend sleep MPI_Test MPI_Waitall");
  CHECK(calls(*trace, 1) == "main MPI_Irecv MPI_Waitall");
}

TEST_CASE("collectives of a time-independent trace have the sizes of their types") {
  const TemporaryFolder folder;
  // As SMPI 3.32 writes them, on rank 0 of four.
  const std::string text =
      "0 init\n0 bcast 8 1 0 \n0 reduce 8 1000 1 0 \n0 allreduce 8 0 5 \n0 gather 2 2 1 0 0\n"
      "0 scatter 2 3 1 0 0\n0 allgather 2 2 0 0\n0 alltoall 1 1 0 0\n0 gatherv 1 0 0 0 0 1 2 2\n"
      "0 scatterv 0 0 0 0 1 1 2 2\n0 allgatherv 1 1 2 3 4 2 2\n"
      "0 alltoallv 10 1 2 3 4 4 1 1 1 1 2 2\n0 reducescatter 1 2 1 2 0 0\n0 scan 3 0 0 \n"
      "0 exscan 3 0 0 \n0 barrier\n0 finalize\n1 init\n2 init\n3 init\n";
  const auto trace = read(folder, text);
  REQUIRE(trace);
  CHECK(calls(*trace, 0) ==
        "main MPI_Bcast MPI_Reduce compute MPI_Allreduce MPI_Gather MPI_Scatter MPI_Allgather "
        "MPI_Alltoall MPI_Gatherv MPI_Scatterv MPI_Allgatherv MPI_Alltoallv MPI_Reduce_scatter "
        "MPI_Scan MPI_Exscan MPI_Barrier");
  const auto ends = only(*trace, 0, EventKind::collective_end);
  const std::vector<std::uint64_t> bytes = {64, 64, 32, 16, 24, 16, 8, 1, 1, 1, 3, 8, 24, 24, 0};
  REQUIRE(ends.size() == bytes.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    CAPTURE(i);
    CHECK(bytes_per_rank(trace->definitions, ends[i].op, 4, ends[i].sent_bytes, ends[i].bytes) ==
          bytes[i]);
  }
  CHECK(ends[0].id == 1);
  CHECK(ends[2].id == workloads::traces::none);
}

TEST_CASE("each rank computes at the speed of its core") {
  const TemporaryFolder folder;
  const auto path = folder.write("t.txt", "0 init\n0 compute 5e3\n1 compute 5e3\n");
  const auto trace =
      read_ti(path, {.core_speeds = [](std::size_t ranks) -> Result<std::vector<double>> {
                CHECK(ranks == 2);
                return std::vector<double>{1e9, 2.5e8};
              }});
  REQUIRE(trace);
  CHECK(events_of(*trace, 0).back().time == 5000);
  CHECK(events_of(*trace, 1).back().time == 20000);
}

TEST_CASE("v collectives keep their counts, in bytes") {
  const TemporaryFolder folder;
  const auto trace = read(folder,
                          "0 alltoallv 9 1 0 2 9 0 0 0 1 0\n0 scatterv 1 2 3 1 0 4 4\n"
                          "0 reducescatter 5 6 7 0 0\n0 alltoallv 9 1 0 2 9 0 0 0 1 0\n"
                          "0 gatherv 0 0 4 5 0 0 0\n0 allgatherv 2 2 2 2 0 2 4\n"
                          "0 allgatherv 2 2 2 2 0 0 0 2 4\n1 init\n2 init\n");
  REQUIRE(trace);
  const auto ends = only(*trace, 0, EventKind::collective_end);
  REQUIRE(ends.size() == 7);
  const auto blocks = [&](std::size_t i) { return *trace->definitions.blocks_of(ends[i]); };
  CHECK(blocks(0).bytes == std::vector<std::uint64_t>{4, 0, 8});
  CHECK(blocks(0).element_bytes == 4);
  CHECK(blocks(1).bytes == std::vector<std::uint64_t>{8, 16, 24});
  CHECK(blocks(2).bytes == std::vector<std::uint64_t>{40, 48, 56});
  CHECK(ends[3].tag == ends[0].tag);  // equal lists are stored once
  CHECK(trace->definitions.blocks.size() == 3);
  // The root's own block is empty.
  CHECK(trace->definitions.blocks_of(ends[4]) == nullptr);
  CHECK(bytes_per_rank(trace->definitions, ends[4].op, 3, ends[4].sent_bytes, ends[4].bytes) == 0);
  // Displacements without types, and after types.
  CHECK(ends[5].sent_bytes == 2);
  CHECK(ends[6].sent_bytes == 16);
}

TEST_CASE("datatypes of Fortran and C++ have their sizes in SMPI") {
  const TemporaryFolder folder;
  const auto bytes = [&](int type) {
    return only(*read(folder, fmt::format("0 send 1 5 10 {}\n1 init\n", type)), 0,
                EventKind::send)[0]
        .bytes;
  };
  CHECK(bytes(14) == 160);  // long double
  CHECK(bytes(38) == 40);   // MPI_REAL
  CHECK(bytes(41) == 160);  // MPI_REAL16
  CHECK(bytes(50) == 320);  // MPI_LONG_DOUBLE_INT
  CHECK(bytes(55) == 0);    // MPI_UB
  CHECK(bytes(59) == 80);   // MPI_COUNT
}

TEST_CASE("counts without a type use the type of init") {
  const TemporaryFolder folder;
  const auto bytes = [&](const std::string& text) {
    return only(*read(folder, text), 0, EventKind::send)[0].bytes;
  };
  CHECK(bytes("0 init\n0 send 1 5 10\n1 init\n") == 10);
  CHECK(bytes("0 init 1\n0 send 1 5 10\n1 init\n") == 80);
  CHECK(bytes("0 send 1 5 10\n1 init\n") == 10);
}

TEST_CASE("errors in a time-independent trace are reported with their line") {
  CHECK(rejection("0 init\n0 sned 1 2 3\n") == "2: unknown action 'sned'; did you mean 'send'?");
  CHECK(rejection("0 init\n0 ibcast 8 1\n").find("non-blocking") != std::string::npos);
  CHECK(rejection("0 send 1 5\n1 init\n") == "1: send: missing number of elements");
  CHECK(rejection("0 send 2 5 8\n1 init\n") == "1: invalid value '2': expected rank from 0 to 1");
  CHECK(rejection("0 send 1 5 -8\n1 init\n") ==
        "1: invalid value '-8': expected number of elements");
  CHECK(rejection("0 send 1 5 8 99\n1 init\n") ==
        "1: invalid value '99': expected number of a datatype");
  CHECK(rejection("0 send 1 5 1e300\n1 init\n") == "1: the message is larger than 2^50 bytes");
  CHECK(rejection("0 irecv -333 -444 5 12\n1 init\n").find("MPI_ANY_SOURCE") != std::string::npos);
  CHECK(rejection("0 waitAny 2\n").find("SMPI writes it, but cannot replay it") !=
        std::string::npos);
  CHECK(rejection("0 bcast 8 1 0 9\n1 init\n") ==
        "1: bcast: 4 arguments, but at most 3 for 2 ranks");
  CHECK(rejection("0 gatherv 1 2 2 2 2 0 6 6\n1 init\n") ==
        "1: gatherv: 8 arguments, but at most 6 for 2 ranks");
  CHECK(rejection("0 alltoallv 1 1 0 1 1\n1 init\n") ==
        "1: alltoallv: missing number of elements for each of 2 ranks");
  CHECK(rejection("0 scatterv 1 -1 1\n1 init\n") ==
        "1: invalid value '-1': expected number of elements for each of 2 ranks");
  CHECK(rejection("0 reducescatter 1 1 0 77\n1 init\n") ==
        "1: invalid value '77': expected number of a datatype");
  CHECK(rejection("0 bcast 8 2\n1 init\n") == "1: invalid value '2': expected rank from 0 to 1");
  CHECK(rejection("0 compute nan\n") == "1: invalid value 'nan': expected number of flops");
  CHECK(rejection("0 compute 1e300\n") == "1: the rank computes for more than a century");
  CHECK(rejection("0 init\nnonsense\n") == "2: invalid action: expected a rank and an action");
  CHECK(rejection("4000000000 init\n") == "1: invalid action: expected a rank and an action");
  CHECK(rejection("0 gatherv 1 2\n1 init\n").find("missing") != std::string::npos);
  CHECK(rejection("0 init\n900000 init\n") == "0: rank 1 has no actions, but rank 900000 has some");
  CHECK(rejection("\n\n").find("the file is empty") != std::string::npos);
}

TEST_CASE("the lines of ranks may be mixed in one file") {
  const TemporaryFolder folder;
  const auto trace = read(folder,
                          "0 init\n1 init\n0 send 1 5 8 6\n\n# of the other\n"
                          "1 recv 0 5 8 6\n1 barrier\n0 barrier\n1 finalize");
  REQUIRE(trace);
  CHECK(calls(*trace, 0) == "main MPI_Send MPI_Barrier");
  CHECK(calls(*trace, 1) == "main MPI_Recv MPI_Barrier");
  CHECK(rejection("0 init\n1 init\n0 barrier\n1 barier\n").starts_with("4: unknown action"));
}

TEST_CASE("a list names existing files, one per rank") {
  const TemporaryFolder folder;
  folder.write("a", "0 init\n");
  folder.write("b", "1 init\n");
  const auto reported = [&](const std::string& list) {
    return read_ti(folder.write("list.txt", list), {}).error().message;
  };
  CHECK(reported("a\nc\n") == "the file of rank 1 cannot be read");
  REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  CHECK(reported("a\npipe\n") == "the file of rank 1 cannot be read");
  CHECK(reported("a\na\n") == "action of rank 0 in the file of rank 1");
  CHECK(reported("b\na\n") == "action of rank 1 in the file of rank 0");
  CHECK(read_ti(folder.write("list.txt", "a\nb\n"), {}));
  CHECK(read_ti(folder.write("list.txt", folder.file("a") + "\n" + folder.file("b")), {}));
}

TEST_CASE("text is distinguished from archives") {
  const TemporaryFolder folder;
  CHECK(is_ti(folder.write("t", "0 init\n")));
  CHECK_FALSE(is_ti(folder.write("t", "\3BOTF2")));
  CHECK_FALSE(is_ti(folder.write("t", "")));
  CHECK_FALSE(is_ti(folder.path()));
  CHECK_FALSE(is_ti(folder.file("none")));
}

TEST_CASE("any change of a trace's text is an error or a consistent trace") {
  const std::string whole =
      "0 init\n0 compute 5e3\n0 irecv 1 7 5 0\n0 isend 1 7 5 0\n0 waitall 2\n0 bcast 8 1 0\n"
      "0 gatherv 1 2 2 0 2 2\n1 init\n1 irecv 0 7 5 0\n1 isend 0 7 5 0\n1 wait 1 0 7\n"
      "1 waitall 1\n1 bcast 8 1 0\n1 alltoallv 4 1 1 4 1 1 2 2\n";
  std::mt19937_64 random(3);
  const TemporaryFolder folder;
  for (int i = 0; i < 3000; ++i) {
    std::string changed = whole;
    for (int j = i % 4; j >= 0; --j)
      changed[random() % changed.size()] = "0123456789 \n-.eabt\t"[random() % 19];
    const auto trace = read(folder, changed);
    if (!trace) continue;
    for (TraceRank rank = 0; rank < trace->definitions.ranks.size() && rank < 10; ++rank)
      for (const Event& each : events_of(*trace, rank))
        REQUIRE((each.kind == EventKind::enter || each.kind == EventKind::leave ||
                 each.id == workloads::traces::none || each.id < trace->definitions.ranks.size()));
  }
}
