// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/darshan/darshan_log.hpp"

#include <doctest/doctest.h>

#include "tests/support/darshan_texts.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using namespace tutti::io_models;
using tests::darshan_header;
using tests::DarshanBlock;
using tests::log_of;
using tests::text_of;

namespace {

// "line: message" of each error; each has a hint.
std::vector<std::string> rejected(const std::string& text) {
  const auto log = parse_darshan_log(text, "a.txt");
  REQUIRE_FALSE(log);
  std::vector<std::string> errors;
  for (const Error& error : log.errors()) {
    CHECK(error.kind == ErrorKind::input);
    CHECK(error.place == "a.txt");
    CHECK_FALSE(error.hint.empty());
    errors.push_back(fmt::format("{}: {}", error.line, error.message));
  }
  return errors;
}

using Errors = std::vector<std::string>;

// Line 13 is the first line of a block's header, line 18 its first row.
std::string with_block(const std::string& row, int writes = 1) {
  return darshan_header(4) + tests::block_header({.rank = 1}, writes, 0) + row + "\n";
}

}  // namespace

TEST_CASE("modules of the header without rows are reported") {
  const std::string listed = darshan_header(4) +
                             "# POSIX module: 224 bytes (compressed), ver=4\n"
                             "# MPI-IO module: 196 bytes (compressed), ver=3\n"
                             "# DXT_POSIX module: 312 bytes (compressed), ver=1\n";
  const std::string posix = text_of({{"POSIX", 2, "POSIX_WRITES", "5"}});
  const std::string mpiio = text_of({{"MPIIO", 2, "MPIIO_INDEP_WRITES", "5"}});
  CHECK(log_of(listed + posix).missing_modules == std::vector<std::string>{"MPI-IO"});
  CHECK(log_of(listed + posix + mpiio).missing_modules.empty());
  CHECK(log_of(darshan_header(4) + posix).missing_modules.empty());
  // Only darshan-dxt-parser, whose header lists all modules.
  const auto traced =
      listed + tests::block_header({.rank = 1}, 1, 0) + " X_POSIX\t1\twrite\t0\t0\t10\t0.1\t0.2\n";
  CHECK(log_of(traced).missing_modules.empty());
}

TEST_CASE("counters of darshan-parser are read per file, layer and rank") {
  const DarshanLog log =
      log_of(darshan_header(4) + text_of({{"POSIX", 2, "POSIX_WRITES", "5"},
                                          {"POSIX", 2, "POSIX_BYTES_WRITTEN", "500"},
                                          {"POSIX", 2, "POSIX_MAX_BYTE_WRITTEN", "499"},
                                          {"POSIX", 2, "POSIX_MMAPS", "-1"},
                                          {"POSIX", 2, "POSIX_READS", "-1"},
                                          {"POSIX", 2, "POSIX_F_WRITE_TIME", "0.250000"},
                                          {"MPI-IO", -1, "MPIIO_COLL_WRITES", "8"},
                                          {"MPI-IO", -1, "MPIIO_HINTS", "4"},
                                          {"MPI-IO", -1, "MPIIO_ACCESS1_ACCESS", "64"},
                                          {"MPI-IO", -1, "MPIIO_ACCESS1_COUNT", "8"},
                                          {"MPI-IO", -1, "MPIIO_F_SLOWEST_RANK_TIME", "1.5"},
                                          {"MPIIO", 3, "MPIIO_INDEP_READS", "7", 2},
                                          {"HEATMAP", -1, "HEATMAP_F_BIN_WIDTH_SECONDS", "0.1"},
                                          {"LUSTRE", -1, "LUSTRE_STRIPE_SIZE", "1048576"},
                                          {"LUSTRE", -1, "LUSTRE_STRIPE_WIDTH", "4"},
                                          {"LUSTRE", -1, "LUSTRE_OST_ID_0", "12"}}));
  CHECK(log.version == "3.41");
  CHECK(log.procs == 4);
  CHECK(log.exe == "./app -x 1");
  CHECK(log.run_time_s == 2.5);
  REQUIRE(log.files.size() == 2);
  const DarshanFile& file = log.files[0];
  CHECK(file.name == "/scratch/f1");
  CHECK(file.mount == "/scratch");
  CHECK(file.type == "lustre");
  CHECK(file.stripe_bytes == 1048576);
  CHECK(file.stripes == 4);
  REQUIRE(file.counters.size() == 2);
  const DarshanCounters& posix = file.counters[0];
  CHECK(posix.layer == DarshanLayer::posix);
  CHECK(posix.rank == 2);
  CHECK(posix.writes.calls == 5);
  CHECK(posix.writes.bytes == 500);
  CHECK(posix.writes.last_byte == 499);
  CHECK(posix.writes.time_s == 0.25);
  CHECK(posix.reads.calls == -1);
  const DarshanCounters& mpiio = file.counters[1];
  CHECK(mpiio.rank == darshan_shared);
  CHECK(mpiio.writes.collective == 8);
  CHECK(mpiio.hints == 4);
  CHECK(mpiio.common[0].bytes == 64);
  CHECK(mpiio.common[0].count == 8);
  CHECK(mpiio.slowest_rank_time_s == 1.5);
  CHECK(log.files[1].counters[0].layer == DarshanLayer::mpiio);
  CHECK(log.files[1].counters[0].reads.calls == 7);
}

TEST_CASE("stripes of a layout with several components are those of the last one") {
  const DarshanLog log = log_of(darshan_header(4, "3.41") +
                                text_of({{"LUSTRE", -1, "LUSTRE_COMP1_STRIPE_SIZE", "4096"},
                                         {"LUSTRE", -1, "LUSTRE_COMP1_STRIPE_COUNT", "1"},
                                         {"LUSTRE", -1, "LUSTRE_COMP1_POOL_NAME", ""},
                                         {"LUSTRE", -1, "LUSTRE_COMP2_STRIPE_SIZE", "8192"},
                                         {"LUSTRE", -1, "LUSTRE_COMP2_STRIPE_COUNT", "6"}}));
  CHECK(log.files[0].stripe_bytes == 8192);
  CHECK(log.files[0].stripes == 6);
}

TEST_CASE("blocks of darshan-dxt-parser are read in all its formats") {
  const std::string text =
      darshan_header(4) +
      text_of(DarshanBlock{.layer = "X_POSIX",
                           .rank = 3,
                           .calls = {{0, 100}, {100, 50}},
                           .lustre = "# DXT, Lustre stripe_size: 1048576, Lustre stripe_count: 2\n"
                                     "# DXT, Lustre OST obdidx: 12 3\n",
                           .after = "  [ 12]  [  3]"}) +
      text_of(DarshanBlock{.layer = "X_POSIX",
                           .rank = 0,
                           .calls = {{7, 9}},
                           .operation = "read",
                           .id = 2,
                           .lustre =
                               "# DXT, Lustre stripe components:\n#\t[Component 1] stripe_ext: "
                               "0 - EOF, stripe_size: 65536, stripe_count: 3, OSTs: 1 2 3\n"}) +
      text_of(DarshanBlock{.rank = 1, .calls = {{-1, 64}}}) +
      text_of(DarshanBlock{.rank = 0, .calls = {{0, 32}, {0, 33}}, .has_offsets = false});
  const DarshanLog log = log_of(text);
  REQUIRE(log.files.size() == 2);
  CHECK(log.files[0].stripe_bytes == 1048576);
  CHECK(log.files[0].stripes == 2);
  CHECK(log.files[1].stripe_bytes == 65536);
  CHECK(log.files[1].stripes == 3);
  const auto& traces = log.files[0].traces;
  REQUIRE(traces.size() == 3);
  CHECK(traces[0].layer == DarshanLayer::posix);
  CHECK(traces[0].rank == 3);
  REQUIRE(traces[0].writes.size() == 2);
  CHECK(traces[0].writes[1].offset == 100);
  CHECK(traces[0].writes[1].length == 50);
  CHECK(traces[0].writes[1].start_s == 0.501);
  CHECK(traces[0].writes[1].end_s == 0.5015);
  CHECK(traces[1].layer == DarshanLayer::mpiio);
  CHECK(traces[1].rank == 0);
  CHECK(traces[1].writes[1].offset == -1);
  CHECK(traces[1].writes[1].length == 33);
  CHECK(traces[2].rank == 1);
  CHECK(traces[2].writes[0].offset == -1);
  CHECK(log.files[1].traces[0].reads[0].offset == 7);
}

TEST_CASE("line breaks of Windows and sums of darshan-parser --all are ignored") {
  std::string text = darshan_header(2) + text_of({{"POSIX", 0, "POSIX_WRITES", "5"}}) +
                     "total_POSIX_WRITES: 5\n1\t/scratch/f1\t1\t0.1\t0.1\n";
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
    text.insert(at, "\r");
  CHECK(log_of(text).files[0].counters[0].writes.calls == 5);
}

TEST_CASE("a text without a usable header is rejected") {
  CHECK(rejected("") == Errors{"1: the file is empty"});
  CHECK(rejected("\n\n") == Errors{"2: the file is empty"});
  CHECK(rejected("# something\n") == Errors{"1: the header with '# nprocs:' is missing"});
  CHECK(rejected("rank,offset\n1,2\n") ==
        Errors{"1: the header with '# nprocs:' is missing before the first row"});
  CHECK(rejected(text_of(DarshanBlock{.calls = {{0, 1}}})) ==
        Errors{"2: the header with '# nprocs:' is missing before the first row"});
  CHECK(rejected("# nprocs: 0\n").front() == "1: nprocs must be from 1 to 16777216");
  CHECK(rejected("# nprocs: x\n").front() == "1: nprocs: 'x' is not a whole number");
  CHECK(rejected("# darshan log version: 2.06\n# nprocs: 4\n") ==
        Errors{"1: unsupported version '2.06' of the log format: expected 3.x"});
  CHECK(rejected(darshan_header(4)) == Errors{"11: the log contains no files"});
}

TEST_CASE("binary and compressed logs are rejected with the command that converts them") {
  for (const std::string& magic :
       {std::string("\x37\x35\x64\0\0\0\0\0", 8), std::string("\0\0\0\0\0\x64\x35\x37", 8)}) {
    const auto log = parse_darshan_log(std::string("3.41\0\0\0\0", 8) + magic, "a.darshan");
    REQUIRE_FALSE(log);
    CHECK(log.error().message == "this is a binary Darshan log, not its text");
    CHECK(tests::mentions(log.error().hint, "darshan-dxt-parser LOG"));
  }
  const auto message = [](const std::string& text) {
    return parse_darshan_log(text, "a").error().message;
  };
  CHECK(message("\x1f\x8b\x08") == "the file is compressed (gzip)");
  CHECK(message("BZh91AY") == "the file is compressed (bzip2)");
  CHECK(message(std::string("a\0b", 3)) == "this is a binary file, not the text of a Darshan log");
}

TEST_CASE("invalid rows of counters are rejected one by one") {
  const std::string text = darshan_header(4) +
                           text_of({{"POSIX", 4, "POSIX_WRITES", "5"},
                                    {"POSIX", -2, "POSIX_WRITES", "5"},
                                    {"POSIX", 0, "POSIX_WRITES", "-5"},
                                    {"POSIX", 1, "POSIX_WRITES", "1152921504606846977"},
                                    {"POSIX", 2, "POSIX_WRITES", "99999999999999999999"},
                                    {"POSIX", 3, "POSIX_WRITES", "1.5"},
                                    {"POSIX", 3, "POSIX_F_READ_TIME", "nan"},
                                    {"POSIX", 3, "POSIX_F_WRITE_TIME", "-0.5"}}) +
                           "POSIX\t0\t1\tPOSIX_READS\t5\t/scratch/f1\t/scratch\n"
                           "POSIX 0 1 POSIX_READS 5 /scratch/f1 /scratch lustre\n"
                           "POSIX\tx\t1\tPOSIX_READS\t5\t/scratch/f1\t/scratch\tlustre\n"
                           "POSIX\t0\tid\tPOSIX_READS\t5\t/scratch/f1\t/scratch\tlustre\n";
  CHECK(rejected(text) == Errors{"14: rank 4 is out of range: the job has ranks 0 to 3",
                                 "15: rank -2 is out of range: the job has ranks 0 to 3",
                                 "16: POSIX_WRITES -5 is negative",
                                 "17: POSIX_WRITES 1152921504606846977 exceeds 2^60",
                                 "18: POSIX_WRITES 99999999999999999999 exceeds 2^60",
                                 "19: POSIX_WRITES: '1.5' is not a whole number",
                                 "20: POSIX_F_READ_TIME: 'nan' is not a finite number",
                                 "21: POSIX_F_WRITE_TIME -0.5 is negative",
                                 "22: a row of counters has 7 columns instead of 8",
                                 "23: a row of counters has 1 column instead of 8",
                                 "24: rank: 'x' is not a whole number",
                                 "25: record id: 'id' is not a whole number"});
}

TEST_CASE("invalid rows of segments are rejected") {
  const auto error_of = [](const std::string& row) { return rejected(with_block(row)); };
  const std::string first = "18: ";
  CHECK(error_of(" X_MPIIO 1 write 0 0 5 0.1") ==
        Errors{first + "a row of a segment has 7 columns instead of 8"});
  CHECK(error_of(" X_MPIIO 1 write 0 0 5 0.1 0.2 9") ==
        Errors{first + "a row of a segment has 9 columns instead of 8"});
  CHECK(error_of(" X_MPIIO 4 write 0 0 5 0.1 0.2") ==
        Errors{first + "rank 4 is out of range: the job has ranks 0 to 3"});
  CHECK(error_of(" X_MPIIO -1 write 0 0 5 0.1 0.2") ==
        Errors{first + "rank -1 is out of range: the job has ranks 0 to 3"});
  CHECK(error_of(" X_MPIIO 2 write 0 0 5 0.1 0.2") ==
        Errors{first + "a row of rank 2 in the block of rank 1"});
  CHECK(error_of(" X_MPIIO 1 append 0 0 5 0.1 0.2") ==
        Errors{first + "invalid operation 'append': expected write or read"});
  CHECK(error_of(" X_MPIIO 1 write 1 0 5 0.1 0.2") ==
        Errors{first + "segment 1 follows instead of segment 0"});
  CHECK(error_of(" X_MPIIO 1 write 0 -2 5 0.1 0.2") == Errors{first + "offset -2 is negative"});
  CHECK(error_of(" X_MPIIO 1 write 0 0 -5 0.1 0.2") == Errors{first + "length -5 is negative"});
  CHECK(error_of(" X_MPIIO 1 write 0 1152921504606846976 1 0.1 0.2") ==
        Errors{first + "the segment ends beyond 2^60 B"});
  CHECK(error_of(" X_MPIIO 1 write 0 0 5 0.3 0.2") ==
        Errors{first + "the segment ends at 0.2 s, before its start at 0.3 s"});
  CHECK(error_of(" X_MPIIO 1 write 0 0 5 0.3 inf") ==
        Errors{first + "end: 'inf' is not a finite number"});
}

TEST_CASE("truncated, repeated and orphaned blocks are rejected") {
  const std::string row = " X_MPIIO 1 write 0 0 5 0.1 0.2";
  CHECK(rejected(with_block(row, 2)) ==
        Errors{"13: the block announces 2 writes and 0 reads, but contains 1 write and 0 reads"});
  CHECK(rejected(with_block(row + "\n X_POSIX 1 write 1 5 5 0.1 0.2", 2)) ==
        Errors{"19: rows of X_POSIX and X_MPIIO in one block"});
  CHECK(rejected(darshan_header(4) + row + "\n" + row + "\n") ==
        Errors{"12: a row of a segment before the header of its block ('# DXT, file_id: ...')"});
  const std::string block = text_of(DarshanBlock{.rank = 1, .calls = {{0, 5}}});
  CHECK(rejected(darshan_header(4) + block + block) ==
        Errors{"25: a second X_MPIIO block of rank 1 for file '/scratch/f1'"});
  CHECK(rejected(darshan_header(4) + "# DXT, file_id: 1, file_name: /f\n# DXT, rank: 1, x: y\n" +
                 row) ==
        Errors{"14: the block's header is incomplete: it needs file_id, rank and write_count"});
  CHECK(rejected(darshan_header(4) + "# DXT, file_id: 1, file_name: /f\n") ==
        Errors{"12: the block's header is incomplete: it needs file_id, rank and write_count"});
  CHECK(rejected(darshan_header(4) + "# DXT, file_id: 1\n") ==
        Errors{"12: the block of a file has no file_name"});
  // A number that is far too large reserves no memory.
  CHECK(rejected(with_block(row, 2000000000)).size() == 1);
}

TEST_CASE("a repeated output of darshan-parser and logs of two jobs are rejected") {
  const std::string counters = text_of({{"POSIX", 0, "POSIX_WRITES", "5"},  //
                                        {"POSIX", 0, "POSIX_READS", "5"}});
  CHECK(rejected(darshan_header(4) + counters + counters) ==
        Errors{"18: POSIX_WRITES of file '/scratch/f1' is listed twice for rank 0"});
  CHECK(rejected(darshan_header(4) + counters + darshan_header(8)) ==
        Errors{"22: nprocs is 8 here and 4 above: these are logs of two jobs"});
  CHECK(rejected(darshan_header(4) + counters + "# jobid: 8\n") ==
        Errors{"16: jobid is 8 here and 7 above: these are logs of two jobs"});
}

TEST_CASE("at most 20 errors are reported") {
  std::string text = darshan_header(4);
  for (int i = 0; i < 30; ++i) text += "POSIX\n";
  CHECK(rejected(text).size() == ErrorList::most);
}

TEST_CASE("a text that ends anywhere is read or rejected") {
  const std::string text =
      darshan_header(4) + text_of({{"POSIX", 0, "POSIX_WRITES", "5"}}) +
      text_of(DarshanBlock{.rank = 1, .calls = {{0, 5}, {5, 5}}, .after = "  [ 12]"});
  int readable = 0;
  for (std::size_t end = 0; end <= text.size(); ++end) {
    const auto log = parse_darshan_log(text.substr(0, end), "a.txt");
    if (!log) continue;
    ++readable;
    // Only complete blocks are read.
    for (const DarshanTrace& trace : log->files[0].traces) CHECK(trace.writes.size() == 2);
  }
  CHECK(readable > 10);
}

TEST_CASE("files are read like texts") {
  const tests::TemporaryFolder folder;
  const std::string text =
      darshan_header(4) + text_of(DarshanBlock{.rank = 1, .calls = {{0, 5}, {5, 5}}});
  const auto log = read_darshan_log(folder.write("a.txt", "\xef\xbb\xbf" + text));
  REQUIRE(log);
  CHECK(log->files[0].traces[0].writes.size() == 2);
  // Without the last line break.
  const auto same = read_darshan_log(folder.write("b.txt", text.substr(0, text.size() - 1)));
  REQUIRE(same);
  CHECK(same->files[0].traces[0].writes[1].offset == 5);
  const auto message = [&](const std::string& path) {
    const auto failed = read_darshan_log(path);
    REQUIRE_FALSE(failed);
    return failed.error().message;
  };
  CHECK(message(folder.file("none")) == "cannot open the file: No such file or directory");
  CHECK(message(folder.path()) == "cannot read the file: Is a directory");
  CHECK(message(folder.write("c.txt", std::string(3000000, 'x'))) ==
        "the line is longer than 64 KiB");
  CHECK(message(folder.write("d.txt", "\x1f\x8b")) == "the file is compressed (gzip)");
  CHECK(message(folder.write("e.txt", "")) == "the file is empty");
}

TEST_CASE("a segment takes 32 bytes") { CHECK(sizeof(DarshanSegment) == 32); }

TEST_CASE("a log of 200,000 segments over several chunks of the file is read completely") {
  const tests::TemporaryFolder folder(tests::folder_in_memory());
  constexpr int procs = 40, calls = 5000;
  std::string text = darshan_header(procs);
  for (int rank = procs - 1; rank >= 0; --rank) {
    DarshanBlock block{.rank = rank};
    for (std::int64_t i = 0; i < calls; ++i) block.calls.push_back({(i * procs + rank) * 100, 100});
    text += text_of(block);
  }
  const auto log = read_darshan_log(folder.write("a.txt", text));
  REQUIRE(log);
  REQUIRE(log->files[0].traces.size() == procs);
  Bytes sum = 0;
  for (int rank = 0; rank < procs; ++rank) {
    const DarshanTrace& trace = log->files[0].traces[rank];
    CHECK(trace.rank == rank);
    REQUIRE(trace.writes.size() == calls);
    CHECK(trace.writes.capacity() == calls);
    for (const DarshanSegment& each : trace.writes) sum += each.offset;
  }
  constexpr Bytes count = Bytes{procs} * calls;
  CHECK(sum == 100 * (count * (count - 1) / 2));
}
