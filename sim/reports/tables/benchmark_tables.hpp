// SPDX-License-Identifier: BSD-3-Clause
// Titles and column heads that benchmarks print above their tables: OSU micro-benchmarks 3 to 7,
// the Intel MPI Benchmarks, MPIBenchmarks.jl, and `--format osu` of `sim`.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// The measured operation of a table; applies to the rows below it, up to the next title.
struct Heading {
  std::string benchmark = {};   // "osu_allreduce", "IMB Bcast"; empty: there is no title
  std::string suite = {};       // "osu", "imb", "julia" or "unknown"; empty: `sim`
  std::string collective = {};  // either this or `pattern`
  std::string pattern = {};     // as `sim run pingpong` names it, or the name of the benchmark
  std::string algorithm = {};
  std::string path = {};
  bool on_device = false;
  std::optional<std::int64_t> procs = {};
  std::optional<std::int64_t> ppn = {};
  std::optional<std::int64_t> pairs = {};
  std::optional<std::int64_t> window = {};
  std::optional<std::int64_t> waiting_procs = {};  // of the job, which do not take part
  // Intel's Reduce_scatter since 2019: the size is the block of a rank, not the whole vector.
  bool size_is_block = false;
};

// The heading of a title such as "# OSU MPI Allreduce Latency Test v7.4", "# Benchmarking Bcast",
// "Running benchmark IMB Reduce with type UInt8 on 4 MPI ranks", or "MPI_Bcast, 16 processes, ..."
// of `--format osu`, with or without '#'.
std::optional<Heading> title_of(std::string_view line);
// Adds what the other lines above a table contain: "[ pairs: 8 ] [ window size: 64 ]",
// "# #processes = 16", "# ( 4 groups of 2 processes each running simultaneous )", "# ( 62
// additional processes waiting in MPI_Barrier )". False for any other line.
bool complete_heading(std::string_view line, Heading& heading);
// The heading of a table without a title, from the name of its file: "osu_allreduce_64.txt".
std::optional<Heading> heading_of_file(const std::string& path);

// A column of numbers, of which some are converted.
struct TableColumn {
  enum class Kind : std::uint8_t { size, time, rate, count, group, validation, ignored, other };
  std::string name;  // in the table of results; empty: ignored
  Kind kind = Kind::other;
  double factor = 1;      // to SI units
  std::string unit = {};  // as printed: "us", "MB/s"
};

struct TableHead {
  std::vector<TableColumn> columns;
  char separator = ' ';    // of the rows: ' ' is any blanks, or ',', ';', '|'
  std::string twice = {};  // head of a column that occurs twice: two tables side by side
};

// The columns of a line of heads such as "# Size  Avg Latency(us)", "#bytes #repetitions t[usec]",
// "size (bytes),time (seconds)" or "| Size | Latency (us) |". Unset for other lines.
std::optional<TableHead> head_of(std::string_view line);

std::vector<std::string_view> cells_of(std::string_view row, char separator);

}  // namespace tutti::reports
