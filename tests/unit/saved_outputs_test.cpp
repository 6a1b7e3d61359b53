// SPDX-License-Identifier: BSD-3-Clause
// Outputs of benchmarks as users save them: each file of the corpus is read as expected, and what
// launchers, schedulers and terminals add to an output does not change its reading.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/base/text_file.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/reports/tables/columns.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/result_tables.hpp"

using namespace tutti;
using namespace tutti::tests;
using reports::ResultFile;

namespace {

std::string corpus(const std::string& name) {
  return std::string(TUTTI_SOURCE_DIR) + "/tests/fuzz/corpus/saved_outputs/" + name;
}

Cell cell(const Table& table, std::size_t row, std::string_view column) {
  const auto at = reports::find_column(table, column);
  return at ? table.rows[row][*at] : Cell{};
}

std::string value_of(const Table& table, std::size_t row) {
  for (const char* column : {"time_s", "time_mean_s"})
    if (const auto time_s = number_of(cell(table, row, column)))
      return fmt::format("{:.6g} us", *time_s * 1e6);
  if (const auto rate = number_of(cell(table, row, "bandwidth_Bps")))
    return fmt::format("{:.6g} MB/s", *rate / 1e6);
  return "nothing";
}

std::string kind_of(const Table& table, std::size_t row) {
  std::string kind = to_text(cell(table, row, "collective")) + to_text(cell(table, row, "pattern"));
  for (const char* column : {"suite", "procs", "ppn", "pairs", "window", "gpu"})
    if (const auto value = to_text(cell(table, row, column)); !value.empty())
      kind += fmt::format(" {}={}", column, value);
  return kind;
}

// "bcast suite=osu: 4 rows, 4 B 5.1 us to 1048576 B 1520.4 us; ..." and how many lines were
// skipped.
std::string reading_of(const ResultFile& file) {
  const Table& table = file.table;
  std::string all;
  const auto point = [&table](std::size_t row) {
    return fmt::format("{} B {}", to_text(cell(table, row, "message_bytes")), value_of(table, row));
  };
  for (std::size_t first = 0, next = 0; first < table.rows.size(); first = next) {
    while (next < table.rows.size() && kind_of(table, next) == kind_of(table, first)) ++next;
    all += fmt::format("{}{}: {}, {} to {}", all.empty() ? "" : "; ", kind_of(table, first),
                       counted(next - first, "row"), point(first), point(next - 1));
  }
  for (const auto& failed : file.failed) all += "; failed: " + failed.substr(0, 24);
  for (const auto& remark : file.remarks) all += "; " + remark;
  return all;
}

// How a text is read: what the tables contain, or the first error.
std::string reading_of(const std::string& text, const std::string& name) {
  const auto file = reports::read_result_text(text, name);
  if (file) return reading_of(*file);
  return fmt::format("{}:{}: {}", file.error().line, file.error().column, file.error().message);
}

struct Saved {
  const char* name;
  const char* reading;
};

constexpr const char* latency = "pingpong: 5 rows, 0 B 1.61 us to 65536 B 16.2 us";
constexpr const char* latency_with_mean = latency;

constexpr Saved saved[] = {
    {"plain.txt", latency},
    {"full.txt", "allreduce suite=osu: 4 rows, 4 B 7.1 us to 1048576 B 1522.4 us"},
    {"slurm.txt",
     "bcast suite=osu: 4 rows, 4 B 5.1 us to 1048576 B 1520.4 us; skipped 8 lines outside of "
     "tables (the first is line 1)"},
    {"tagged.txt",
     "pingpong: 5 rows, 0 B 1.61 us to 65536 B 16.2 us; skipped 1 line outside of tables (the "
     "first is line 1)"},
    {"tagged_prrte.txt", latency},
    {"srun_label.txt", "bcast suite=osu: 4 rows, 4 B 5.1 us to 1048576 B 1520.4 us"},
    {"mpich_label.txt", "stream: 3 rows, 1 B 1.5 MB/s to 1048576 B 12100.5 MB/s"},
    {"timestamp.txt", latency},
    {"tagged_timestamp.txt", latency},
    {"xml.txt",
     "pingpong: 5 rows, 0 B 1.61 us to 65536 B 16.2 us; skipped 2 lines outside of tables (the "
     "first is line 1)"},
    {"container_log.txt",
     "pingpong: 5 rows, 0 B 1.61 us to 65536 B 16.2 us; skipped 1 line outside of tables (the "
     "first is line 1)"},
    {"crlf.txt", latency},
    {"bom_tabs.txt", latency},
    {"escapes.txt", latency},
    {"prompt.txt",
     "pingpong: 5 rows, 0 B 1.61 us to 65536 B 16.2 us; skipped 3 lines outside of tables (the "
     "first is line 1)"},
    {"library_warnings.txt",
     "pingpong: 5 rows, 0 B 1.61 us to 65536 B 16.2 us; skipped 6 lines outside of tables (the "
     "first is line 2)"},
    {"no_hash.txt", latency},
    {"fence.md",
     "pingpong: 5 rows, 0 B 1.61 us to 65536 B 16.2 us; skipped 3 lines outside of tables (the "
     "first is line 2)"},
    {"table.md",
     "pingpong: 5 rows, 0 B 1.61 us to 65536 B 16.2 us; skipped 1 line outside of tables (the "
     "first is line 11)"},
    {"quoted_mail.txt",
     "pingpong: 5 rows, 0 B 1.61 us to 65536 B 16.2 us; skipped 3 lines outside of tables (the "
     "first is line 1)"},
    {"several_tables.txt",
     "bcast suite=osu: 4 rows, 4 B 5.1 us to 1048576 B 1520.4 us; allreduce suite=osu: 4 rows, 4 B "
     "5.1 us to 1048576 B 1520.4 us; barrier suite=osu: 1 row,  B 12.5 us to  B 12.5 us"},
    {"concatenated.txt", "pingpong: 10 rows, 0 B 1.61 us to 65536 B 16.2 us"},
    {"repeated_rows.txt", "pingpong: 10 rows, 0 B 1.61 us to 65536 B 16.2 us"},
    {"imb_pingpong.txt", "pingpong procs=2: 5 rows, 0 B 1.61 us to 65536 B 16.2 us"},
    {"imb_collectives.txt",
     "bcast suite=imb procs=2: 5 rows, 0 B 0.3 us to 1048576 B 1520.5 us; bcast suite=imb procs=4: "
     "5 rows, 0 B 0.5 us to 1048576 B 3040.9 us; reduce_scatter suite=imb procs=4: 5 rows, 0 B 0.7 "
     "us to 4194304 B 4561.3 us; barrier suite=imb procs=4: 1 row,  B 2 us to  B 2 us; failed: "
     "4194304 out-of-mem.; nee"},
    {"imb_uniband.txt",
     "stream procs=2 pairs=1 window=64: 3 rows, 0 B 0.25 us to 4096 B 0.833333 us; uniband procs=4 "
     "pairs=2 window=64: 3 rows, 0 B 0 MB/s to 4096 B 9830.4 MB/s"},
    {"imb_biband.txt",
     "bidirectional procs=2 pairs=1 window=64: 3 rows, 0 B 0 MB/s to 4096 B 4915.2 MB/s"},
    {"imb_startup.txt",
     "pingpong procs=2: 5 rows, 0 B 1.61 us to 65536 B 16.2 us; skipped 3 lines outside of tables "
     "(the first is line 1)"},
    {"imb_multi.txt", "multi-pingpong pairs=4: 5 rows, 0 B 1.61 us to 65536 B 16.2 us"},
    {"mbw_mr_one_pair.txt",
     "stream pairs=1 window=64: 3 rows, 1 B 0.25 us to 1048576 B 86.9509 us"},
    {"mbw_mr.txt", "osu_mbw_mr pairs=8 window=64: 3 rows, 1 B 4 MB/s to 1048576 B 12059.4 MB/s"},
    {"multi_lat.txt", "osu_multi_lat: 5 rows, 0 B 1.61 us to 65536 B 16.2 us"},
    {"bibw.txt", "bidirectional: 3 rows, 1 B 1.5 MB/s to 1048576 B 22100.5 MB/s"},
    {"julia_osu_latency.csv",
     "pingpong: 5 rows, 0 B 1.61 us to 65536 B 16.2 us; the table in line 1 has no title and is "
     "read as osu_latency, by the name of the file"},
    {"julia_imb_allreduce.csv",
     "allreduce suite=julia: 4 rows, 4 B 5.61 us to 1048576 B 1672.44 us; the table in line 1 has "
     "no title and is read as allreduce, by the name of the file"},
    {"julia_log.txt",
     "allreduce suite=julia procs=16: 4 rows, 4 B 5.61 us to 1048576 B 1672.44 us"},
    {"imb_reduce.csv",
     "reduce suite=imb: 4 rows, 4 B 5.2 us to 1048576 B 1520.5 us; the table in line 1 has no "
     "title "
     "and is read as reduce, by the name of the file"},
    {"validated.txt", latency_with_mean},
    {"tail.txt", latency_with_mean},
    {"nonblocking.txt",
     "OSU MPI Non-blocking Allreduce Latency Test: 4 rows, 4 B nothing to 1048576 B nothing"},
    {"cuda.txt", "allreduce suite=osu gpu=yes: 4 rows, 4 B 5.1 us to 1048576 B 1520.4 us"},
    {"csv_in_log.txt",
     "bcast procs=16 ppn=4: 2 rows, 1024 B 12.5 us to 1024 B 35 us; skipped 7 lines outside of "
     "tables (the first is line 1)"},
    {"host_label.txt", latency},
    {"own_osu.txt", "bcast procs=16 ppn=8: 1 row, 1 B 2 us to 1 B 2 us"},
    {"untitled.txt", "untitled: 4 rows, 4 B 5.1 us to 1048576 B 1520.4 us"},
    {"error_cut_row.txt", "8:1: expected 5 values, found 17"},
    {"error_cut_after_size.txt", "8:1: expected 2 values, found 1"},
    {"error_no_newline.txt", "7:30: the last line has no newline: the file is truncated"},
    {"error_missing_column.txt", "6:1: expected 5 values, found 4"},
    {"error_nan.txt", "6:28: expected a time in us"},
    {"error_interleaved.txt",
     "6:1: size 0 again, in another order than before: the rows of two runs are interleaved"},
    {"error_two_ranks.txt",
     "6:0: two readings: the lines of '0' (line 5) and the lines of '1' (line 6) contain tables"},
    {"error_no_table.txt", "0:0: no table of results found"},
    {"error_bare_numbers.txt",
     "1:1: two readings of columns without heads: sizes with latencies in us (osu_latency), or "
     "with bandwidths in MB/s (osu_bw)"},
    {"error_two_titles.txt",
     "2:1: two titles above one table: '# OSU MPI Broadcast Latency Test v5.9' (line 1) and '# OSU "
     "MPI Allreduce Latency Test v7.4'"},
    {"error_two_formats.txt",
     "0:0: two readings: the file contains a table of OSU, Intel or Julia and NetPIPE's output"},
    {"error_no_rows.txt", "3:0: the table has no rows"},
    {"error_side_by_side.txt", "2:1: two readings: two columns of this line are message_bytes"},
    {"utf16.txt", "0:0: not a result file: it contains binary data"},
};

}  // namespace

TEST_CASE("each saved output is read as expected, or its error names what is wrong") {
  std::set<std::string> known;
  for (const auto& [name, reading] : saved) {
    CAPTURE(std::string(name));
    known.insert(name);
    CHECK(reading_of(read_text_file(corpus(name)).value(), name) == reading);
  }
  for (const auto& name : files_in(corpus(""))) CHECK_MESSAGE(known.contains(name), name);
}

namespace {

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines, const std::string& before, const std::string& end) {
  std::string text;
  for (const auto& line : lines) text += before + line + end;
  return text;
}

// What surrounds and labels an output.
struct Noise {
  const char* label;
  const char* end;
  const char* above;
  const char* below;
  const char* within;  // a line between the rows
};
constexpr Noise noises[] = {
    {"[1,0]<stdout>:", "\n", "", "", "[1,0]<stderr>:UCX  WARN  network device not found"},
    {"[prterun-b7-99@1,0]<stdout>: ", "\n", "", "", ""},
    {"Sat Nov 28 12:00:00 2026<stdout>:", "\n", "", "", ""},
    {"Sat Nov 28 12:00:00 2026[1,0]<stdout>:", "\n", "", "", ""},
    {"0: ", "\n", "srun: job 7 queued\n", "srun: Job step aborted\n", ""},
    {"  0: ", "\r\n", "", "", ""},
    {"[0] ", "\n", "[0] MPI startup(): libfabric provider: mlx\n", "", ""},
    {"2026-11-28T12:00:00.5Z ", "\n", "", "", ""},
    {"[2026-11-28 12:00:00] ", "\n", "", "", ""},
    {"Nov 28 12:00:00 ", "\n", "", "", ""},
    {"node-17: ", "\n", "", "", ""},
    {"nid001234 0: ", "\n", "", "", ""},
    {"> ", "\n", "On Monday, I wrote:\n", "-- \nJane\n", ""},
    {"    ", "\n", "```\n", "```\n", ""},
    {"\t", " \t\n", "$ ./run.sh\n", "$ \n", ""},
    {"\x1b[0m", "\x1b[K\n", "\x1b]0;title\a\n", "", ""},
    {"10%\r100%\r", "\n", "", "", ""},
    {"", "\r\n", "{\"level\": \"info\", \"text\": \"start\"}\n", "", ""},
    {"", "\n", "[a1:123] warning\n[a2:124] warning\n", "real 3.41\nuser 0.02\nsys 0.01\n", ""},
    {"", "\n", "JobID: 5\nDate: 2026-11-28, 12:00:00\n", "0.02user 0.01system 0:03.41elapsed\n",
     "[a1:2] 3 more processes have sent help message help-mpi.txt / none"},
    {"", "\n", "4 nodes, 32 tasks\n", "Exit code: 0\n0\n3 of 4 tests passed\n", "Warning, slow"},
};

// The reading without the number of skipped lines.
std::string tables_in(const std::string& text) {
  auto reading = reading_of(text, "noise");
  return reading.substr(0, reading.find("; skipped"));
}

}  // namespace

TEST_CASE("noise around and between the lines of a table does not change its reading") {
  int tried = 0;
  for (const auto& [name, reading] : saved) {
    const std::string file = name;
    const bool is_plain = std::string(reading).find("skipped") == std::string::npos &&
                          std::string(reading).find("no title") == std::string::npos &&
                          !file.starts_with("error") && !file.starts_with("utf16") &&
                          !file.starts_with("bom") && !file.starts_with("own");
    const auto text = read_text_file(corpus(file)).value();
    const bool is_labeled = text.find("<stdout>") != std::string::npos ||
                            text.starts_with("[0] ") || text.starts_with(" 0: ") ||
                            text.starts_with("a1: ") || file == "escapes.txt";
    if (!is_plain || is_labeled) continue;
    const auto expected = tables_in(text);
    for (const auto& noise : noises) {
      CAPTURE(file);
      CAPTURE(std::string(noise.label));
      CAPTURE(std::string(noise.above));
      const Lines lines = tests::split(text.substr(0, text.size() - 1), '\n');
      std::string inner = joined(lines, noise.label, noise.end);
      if (noise.within[0] != '\0')
        inner = joined({lines.begin(), lines.end() - 1}, noise.label, noise.end) + noise.within +
                noise.end + noise.label + lines.back() + noise.end;
      CHECK(tables_in(noise.above + inner + noise.below) == expected);
      ++tried;
    }
  }
  CHECK(tried > 300);
}

TEST_CASE("a saved output that is cut anywhere is read up to a row, or is an error") {
  for (const char* name : {"full.txt", "imb_pingpong.txt", "julia_log.txt", "table.md"}) {
    const auto text = read_text_file(corpus(name)).value();
    const auto whole = reports::read_result_text(text, "whole").value();
    for (std::size_t size = 0; size < text.size(); ++size) {
      const auto part = reports::read_result_text(text.substr(0, size), "part");
      if (!part) continue;
      CAPTURE(std::string(name));
      CAPTURE(text.substr(0, size));
      REQUIRE(part->table.rows.size() <= whole.table.rows.size());
      for (std::size_t row = 0; row < part->table.rows.size(); ++row)
        CHECK(part->table.rows[row] == whole.table.rows[row]);
    }
  }
}

TEST_CASE("measured outputs of a real cluster are read") {
  const auto folder = std::filesystem::path(TUTTI_SOURCE_DIR) /
                      "../shared/data/measured/hpc-tests/alaska/ib-gcc9-openmpi4-ucx";
  if (!std::filesystem::exists(folder)) {
    MESSAGE("skipped: no such data");
    return;
  }
  int read = 0;
  for (const auto& name : files_in(folder)) {
    if (name == "Sysinfo.txt") continue;
    CAPTURE(name);
    const auto file = reports::read_result_file(folder / name);
    CHECK_MESSAGE(file, (file ? "" : file.error().message));
    if (file) CHECK(file->table.rows.size() >= 15);
    ++read;
  }
  CHECK(read > 40);
}

namespace {

const studies::MissingValues of_64{.procs = 64, .ppn = 32};

Result<studies::ReadRows<studies::MeasuredCollective>> collectives_in(
    const std::string& name, const studies::MissingValues& missing) {
  const auto file = reports::read_result_text(read_text_file(corpus(name)).value(), name).value();
  return studies::measured_collectives(file.table, studies::UnknownAlgorithms::are_kept, missing);
}

}  // namespace

TEST_CASE("what a file of collectives does not contain comes from options") {
  const auto full = collectives_in("full.txt", of_64).value();
  REQUIRE(full.found.size() == 4);
  const auto& row = full.found.front();
  CHECK(row.procs == 64);
  CHECK(row.ppn == 32);
  CHECK(row.algorithm == "auto");
  CHECK(row.element_bytes == 4);
  REQUIRE(row.harness != nullptr);
  CHECK(row.harness->name == "osu");
  CHECK(row.time_s == exactly(5.1e-6));  // OSU's mean, not the maximum
  CHECK(full.warnings.empty());
  auto named = of_64;
  named.algorithm = "ring";
  named.harness = workloads::find_harness("imb");
  const auto ring = collectives_in("full.txt", named).value().found.front();
  CHECK(ring.algorithm == "ring");
  CHECK(ring.time_s == exactly(7.1e-6));  // the slowest rank
  named.algorithm = "auto:ompi-4.1";
  CHECK(collectives_in("full.txt", named).value().found.front().algorithm == "auto:ompi-4.1");
  named.algorithm = "rign";
  CHECK(collectives_in("full.txt", named).error().message == "unknown allreduce algorithm 'rign'");
}

TEST_CASE("missing values of collectives are errors or warnings, and superfluous ones warnings") {
  const auto none = collectives_in("full.txt", {});
  REQUIRE_FALSE(none);
  CHECK(none.error().message == "missing number of processes");
  CHECK(none.error().hint == "the benchmark does not print it: add --procs N --ppn N");
  const auto without_ppn = collectives_in("full.txt", {.procs = 64}).value();
  CHECK(without_ppn.found.front().ppn == 1);
  REQUIRE(without_ppn.warnings.size() == 1);
  CHECK(without_ppn.warnings[0] ==
        "the number of processes per node is unknown, 1 is assumed: add --ppn N");
  const auto imb = collectives_in("imb_collectives.txt", of_64).value();
  CHECK(imb.found.front().procs == 2);
  CHECK(imb.omitted.why() == "a call of 0 bytes sends nothing");
  CHECK(imb.omitted.count == 3);
  REQUIRE(imb.warnings.size() == 1);
  CHECK(imb.warnings[0] == "--procs has no effect: the file contains the numbers of processes");
  CHECK(collectives_in("cuda.txt", of_64).error().message.find("measured on accelerators") !=
        std::string::npos);
}

TEST_CASE("tables of another kind are rejected with their kind") {
  const auto pairs_in = [](const std::string& name) {
    const auto file = reports::read_result_text(read_text_file(corpus(name)).value(), name).value();
    const auto pairs = studies::pair_measurements(file.table);
    return pairs ? std::to_string(pairs->found.size()) : pairs.error().message;
  };
  const std::string no_messages = "no times of messages between two processes: ";
  CHECK(pairs_in("mbw_mr.txt") == "3");
  CHECK(pairs_in("multi_lat.txt") ==
        no_messages + "latencies of several pairs at once (osu_multi_lat)");
  CHECK(pairs_in("bibw.txt") == "3");
  CHECK(pairs_in("full.txt") ==
        no_messages + "the file contains times of the collective allreduce");
  CHECK(pairs_in("untitled.txt").find("without a title") != std::string::npos);
  // Of two pairs, without the empty message; processes wait while one pair is measured.
  CHECK(pairs_in("imb_uniband.txt") == "2");
  CHECK(pairs_in("mbw_mr_one_pair.txt") == "3");
  CHECK(collectives_in("plain.txt", of_64).error().message ==
        "no times of collectives: the file contains latencies of single messages (ping-pong)");
}
