// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/darshan/darshan_calls.hpp"

#include <doctest/doctest.h>

#include "tests/support/darshan_texts.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using namespace tutti::io_models;
using tests::darshan_header;
using tests::DarshanBlock;
using tests::DarshanRow;
using tests::log_of;
using tests::text_of;

namespace {

DarshanCalls calls_in(const std::string& text, const DarshanChoice& choice = {}) {
  auto calls = calls_of(log_of(text), choice);
  REQUIRE_MESSAGE(calls, (calls ? "" : calls.error().message));
  return *std::move(calls);
}

std::string rejected(const std::string& text, const DarshanChoice& choice) {
  const auto calls = calls_of(log_of(text), choice);
  REQUIRE_FALSE(calls);
  CHECK(calls.error().place == "a.txt");
  CHECK_FALSE(calls.error().hint.empty());
  return calls.error().message;
}

bool notes(const DarshanCalls& calls, const std::string& part) {
  return std::ranges::any_of(calls.notes,
                             [&](const auto& note) { return tests::mentions(note, part); });
}

// "rank:begin-end" of each piece, and a blank line between calls: "0:0-10 1:10-20 | 0:20-30".
std::string pieces_of(const DarshanCalls& calls) {
  std::string text;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    if (k > 0) text += " |";
    for (const auto& each : calls.call(k))
      text += fmt::format("{}{}:{}-{}", text.empty() ? "" : " ", each.rank, each.extent.begin,
                          each.extent.end);
  }
  return text;
}

const DarshanRow four_collective{"MPI-IO", -1, "MPIIO_COLL_WRITES", "4"};

}  // namespace

TEST_CASE("collective calls are matched by their index") {
  const std::string blocks = text_of(DarshanBlock{.rank = 1, .calls = {{10, 10}, {30, 10}}}) +
                             text_of(DarshanBlock{.rank = 0, .calls = {{0, 10}, {20, 0}}});
  const auto calls =
      calls_in(darshan_header(3) +
               text_of({four_collective, {"MPI-IO", -1, "MPIIO_BYTES_WRITTEN", "30"}}) + blocks);
  CHECK(calls.procs == 3);
  CHECK(calls.collective);
  CHECK(calls.writes);
  CHECK_FALSE(calls.approximate);
  CHECK(calls.layer == DarshanLayer::mpiio);
  CHECK(calls.file == "/scratch/f1");
  CHECK(pieces_of(calls) == "0:0-10 1:10-20 | 1:30-40");
  CHECK(calls.bytes() == 30);
  CHECK(notes(calls, "1 rank with fewer calls"));
}

TEST_CASE("independent calls are those that the counters count as such") {
  const auto calls =
      calls_in(darshan_header(2) + text_of({{"MPI-IO", -1, "MPIIO_INDEP_READS", "3"}}) +
                   text_of(DarshanBlock{.rank = 0, .calls = {{0, 5}}, .operation = "read"}) +
                   text_of(DarshanBlock{.rank = 1, .calls = {{0, 5}, {5, 5}}, .operation = "read"}),
               {.writes = false});
  CHECK_FALSE(calls.collective);
  CHECK_FALSE(calls.writes);
  CHECK_FALSE(calls.approximate);
  CHECK(calls.notes.empty());
  CHECK(pieces_of(calls) == "0:0-5 1:0-5 | 1:5-10");
}

TEST_CASE("what DXT does not record makes calls approximate, with a note") {
  const std::string blocks = text_of(DarshanBlock{.rank = 0, .calls = {{0, 10}}}) +
                             text_of(DarshanBlock{.rank = 1, .calls = {{5, 10}}});
  const auto noted = [&](std::vector<DarshanRow> rows, const std::string& note) {
    const auto calls = calls_in(darshan_header(2) + text_of(rows) + blocks);
    CHECK(calls.approximate);
    CHECK_MESSAGE(notes(calls, note), note);
    return calls.collective;
  };
  CHECK(noted({four_collective}, "ranks write the same bytes in 1 of 1 call"));
  CHECK(noted({four_collective, {"MPI-IO", -1, "MPIIO_VIEWS", "2"}}, "file views (2 calls)"));
  CHECK(noted({four_collective, {"MPI-IO", -1, "MPIIO_INDEP_WRITES", "1"}},
              "collective (4) and which independent (1)"));
  CHECK_FALSE(noted({{"MPI-IO", -1, "MPIIO_NB_WRITES", "2"}}, "nonblocking"));
  CHECK(noted({four_collective, {"MPI-IO", -1, "MPIIO_BYTES_WRITTEN", "25"}},
              "DXT recorded 20 B of 25 B"));
  CHECK(noted({{"POSIX", -1, "POSIX_OPENS", "2"}}, "assumed to be collective"));
}

TEST_CASE("calls without counters are independent if ranks have different numbers of them") {
  const auto calls = calls_in(darshan_header(2) + text_of(DarshanBlock{.calls = {{0, 10}}}));
  CHECK_FALSE(calls.collective);
  CHECK(notes(calls, "assumed to be independent"));
}

TEST_CASE("missing offsets are those of POSIX calls of the same lengths, or estimated") {
  const auto mpiio = [](int rank, std::int64_t last) {
    return text_of(
        DarshanBlock{.rank = rank, .calls = {{-1, 10}, {-1, last}}, .has_offsets = false});
  };
  const auto posix = [](int rank, std::int64_t begin) {
    return text_of(
        DarshanBlock{.layer = "X_POSIX", .rank = rank, .calls = {{begin, 10}, {begin + 50, 20}}});
  };
  const std::string start =
      darshan_header(2) + text_of({{"MPI-IO", -1, "MPIIO_INDEP_WRITES", "4"}});
  const auto exact = calls_in(start + posix(0, 100) + posix(1, 0) + mpiio(0, 20) + mpiio(1, 20));
  CHECK_FALSE(exact.approximate);
  CHECK(pieces_of(exact) == "0:100-110 1:0-10 | 0:150-170 1:50-70");
  const auto estimated =
      calls_in(start + posix(0, 100) + posix(1, 0) + mpiio(0, 20) + mpiio(1, 21));
  CHECK(estimated.approximate);
  CHECK(pieces_of(estimated) == "0:0-10 1:30-40 | 0:10-30 1:40-61");
  CHECK(notes(estimated, "a contiguous block per rank"));
  const auto collective =
      calls_in(darshan_header(2) + text_of({four_collective}) + mpiio(0, 20) + mpiio(1, 21));
  CHECK(collective.approximate);
  CHECK(pieces_of(collective) == "0:0-10 1:10-20 | 0:20-40 1:40-61");
  CHECK(notes(collective, "call by call, ranks in turn"));
}

TEST_CASE("POSIX calls are used without those of MPI-IO, and are then the MPI library's") {
  const std::string block =
      text_of(DarshanBlock{.layer = "X_POSIX", .rank = 1, .calls = {{0, 10}, {10, 10}}});
  const auto own = calls_in(darshan_header(2) + block);
  CHECK(own.layer == DarshanLayer::posix);
  CHECK_FALSE(own.collective);
  CHECK_FALSE(own.approximate);
  CHECK(pieces_of(own) == "1:0-10 | 1:10-20");
  const auto library =
      calls_in(darshan_header(2) +
               text_of({four_collective, {"MPI-IO", -1, "MPIIO_BYTES_WRITTEN", "20"}}) + block);
  CHECK(library.layer == DarshanLayer::posix);
  CHECK_FALSE(library.collective);
  CHECK(library.approximate);
  CHECK(notes(library, "aggregators"));
}

TEST_CASE("without DXT, calls are estimated from counters that are sums over the ranks") {
  const auto calls =
      calls_in(darshan_header(2) + text_of({four_collective,
                                            {"MPI-IO", -1, "MPIIO_BYTES_WRITTEN", "40"},
                                            {"MPI-IO", -1, "MPIIO_ACCESS1_ACCESS", "10"},
                                            {"MPI-IO", -1, "MPIIO_ACCESS1_COUNT", "4"},
                                            {"POSIX", -1, "POSIX_WRITES", "1"},
                                            {"POSIX", -1, "POSIX_MAX_BYTE_WRITTEN", "99"}}));
  CHECK(calls.collective);
  CHECK(calls.approximate);
  CHECK(pieces_of(calls) == "0:0-10 1:10-20 | 0:20-30 1:30-40");
  CHECK(notes(calls, "40 B in calls of 10 B"));
  CHECK(notes(calls, "sums over all ranks"));
  CHECK(notes(calls, "up to 100 B"));
}

TEST_CASE("bytes that the common size does not divide are in shorter calls") {
  const auto calls =
      calls_in(darshan_header(3) + text_of({{"MPI-IO", -1, "MPIIO_COLL_WRITES", "5"},
                                            {"MPI-IO", -1, "MPIIO_BYTES_WRITTEN", "43"},
                                            {"MPI-IO", -1, "MPIIO_ACCESS1_ACCESS", "3"},
                                            {"MPI-IO", -1, "MPIIO_ACCESS1_COUNT", "1"},
                                            {"MPI-IO", -1, "MPIIO_ACCESS2_ACCESS", "10"},
                                            {"MPI-IO", -1, "MPIIO_ACCESS2_COUNT", "4"}}));
  CHECK(pieces_of(calls) == "0:0-10 1:10-20 2:20-30 | 0:30-40 1:40-43");
  CHECK(notes(calls, "several sizes"));
}

TEST_CASE("counters of POSIX show whether each rank's calls are consecutive") {
  const auto pieces = [](const std::string& consecutive) {
    std::vector<DarshanRow> rows;
    for (int rank = 0; rank < 2; ++rank) {
      rows.push_back({"POSIX", rank, "POSIX_WRITES", "3"});
      rows.push_back({"POSIX", rank, "POSIX_BYTES_WRITTEN", rank == 0 ? "30" : "20"});
      rows.push_back({"POSIX", rank, "POSIX_CONSEC_WRITES", consecutive});
      rows.push_back({"POSIX", rank, "POSIX_ACCESS1_ACCESS", "10"});
      rows.push_back({"POSIX", rank, "POSIX_ACCESS1_COUNT", "3"});
    }
    return pieces_of(calls_in(darshan_header(2) + text_of(rows)));
  };
  CHECK(pieces("2") == "0:0-10 1:30-40 | 0:10-20 1:40-50 | 0:20-30");
  CHECK(pieces("1") == pieces("2"));  // half of the calls after the first one
  CHECK(pieces("0") == "0:0-10 1:10-20 | 0:20-30 1:30-40 | 0:40-50");
}

TEST_CASE("without common sizes, calls have the mean size") {
  const auto calls =
      calls_in(darshan_header(2) + text_of({{"STDIO", 1, "STDIO_WRITES", "3"},
                                            {"STDIO", 1, "STDIO_BYTES_WRITTEN", "25"}}));
  CHECK(calls.layer == DarshanLayer::stdio);
  CHECK(pieces_of(calls) == "1:0-9 | 1:9-18 | 1:18-25");
}

TEST_CASE("the file is chosen by its name, or it is the one with the most bytes") {
  const std::string text =
      darshan_header(2) + text_of({{"POSIX", 0, "POSIX_BYTES_WRITTEN", "10", 1},
                                   {"POSIX", 0, "POSIX_BYTES_WRITTEN", "30", 2},
                                   {"POSIX", 0, "POSIX_BYTES_READ", "50", 1},
                                   {"POSIX", 0, "POSIX_OPENS", "1", 3}});
  const auto largest = calls_in(text);
  CHECK(largest.file == "/scratch/f2");
  CHECK(notes(largest, "of 2 files that the job has written"));
  CHECK(calls_in(text, {.writes = false}).file == "/scratch/f1");
  CHECK(calls_in(text, {.file = "f1"}).file == "/scratch/f1");
  CHECK(calls_in(text, {.file = "/scratch/f1"}).file == "/scratch/f1");
  CHECK(rejected(text, {.file = "/scratch/g1"}) == "the log contains no file '/scratch/g1'");
  CHECK(rejected(text, {.file = "f3"}) == "file '/scratch/f3' was not written");
  CHECK(rejected(text, {.file = "f2", .writes = false}) == "file '/scratch/f2' was not read");
  CHECK(rejected(text, {.file = "f2", .layer = DarshanLayer::mpiio}) ==
        "file '/scratch/f2' was not written at the layer MPI-IO");
}

TEST_CASE("logs without the operation, and with too many bytes or calls, are rejected") {
  const auto with = [](std::vector<DarshanRow> rows) { return darshan_header(2) + text_of(rows); };
  const std::string most = "1152921504606846976";
  CHECK(rejected(with({{"POSIX", 0, "POSIX_OPENS", "1"}}), {}) == "no file of the log was written");
  std::vector<DarshanRow> rows;
  for (int rank = 0; rank < 2; ++rank) rows.push_back({"POSIX", rank, "POSIX_BYTES_WRITTEN", most});
  CHECK(rejected(with(rows), {}) == "more than 2^60 B of file '/scratch/f1' were written");
  CHECK(rejected(with({{"POSIX", 0, "POSIX_BYTES_WRITTEN", most},
                       {"POSIX", 0, "POSIX_ACCESS1_ACCESS", "1"},
                       {"POSIX", 0, "POSIX_ACCESS1_COUNT", "9"}}),
                 {}) == "file '/scratch/f1' was accessed in more than 33554432 calls of 1 B");
}

TEST_CASE("the example log has 16 collective calls of 8 processes") {
  const auto log = read_darshan_log(TUTTI_SOURCE_DIR "/examples/io/ior-hard.darshan.txt");
  REQUIRE(log);
  CHECK(log->procs == 8);
  REQUIRE(log->files.size() == 1);
  CHECK(log->files[0].stripe_bytes == 1048576);
  CHECK(log->files[0].stripes == 4);
  const auto calls = calls_of(*log, {});
  REQUIRE(calls);
  CHECK(calls->collective);
  CHECK_FALSE(calls->approximate);
  CHECK(calls->notes.empty());
  REQUIRE(calls->size() == 16);
  for (std::int64_t k = 0; k < 16; ++k) {
    const auto call = calls->call(k);
    REQUIRE(call.size() == 8);
    for (RankId rank = 0; rank < 8; ++rank) {
      const Bytes begin = (8 * k + rank) * 47008;
      CHECK(call[rank] == DarshanCalls::Piece{rank, {begin, begin + 47008}});
    }
  }
  // The same bytes reach the file through the aggregators, ranks 0 and 4.
  const auto below = calls_of(*log, {.layer = DarshanLayer::posix});
  REQUIRE(below);
  CHECK(below->approximate);
  CHECK(below->bytes() == calls->bytes());
  // Without DXT, the estimate is the same here.
  DarshanLog counters = *log;
  counters.files[0].traces.clear();
  const auto estimated = calls_of(counters, {});
  REQUIRE(estimated);
  CHECK(estimated->approximate);
  CHECK(pieces_of(*estimated) == pieces_of(*calls));
}
