// SPDX-License-Identifier: BSD-3-Clause
// Reads the text of Darshan logs (log format 3.x): the output of darshan-parser (counters), of
// darshan-dxt-parser (each read and write, "DXT"), or both in one file. Unknown modules and
// counters are ignored.
#pragma once

#include "io_models/access.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

enum class DarshanLayer : std::uint8_t { posix, mpiio, stdio };
// The name of Darshan's module: "POSIX", "MPI-IO", "STDIO".
std::string_view name_of(DarshanLayer layer);

inline constexpr RankId darshan_shared = -1;

// The counters of a file at one layer: those of a rank, or the sums over all ranks. A counter that
// the log does not contain, or that Darshan could not monitor, is -1.
struct DarshanCounters {
  struct Operation {
    Bytes bytes = -1;
    Bytes last_byte = -1;          // highest offset accessed; POSIX and STDIO
    std::int64_t calls = -1;       // independent calls at the layer MPI-IO
    std::int64_t collective = -1;  // the rest only at the layer MPI-IO
    std::int64_t split = -1;       // split collective
    std::int64_t nonblocking = -1;
    std::int64_t consecutive = -1;  // POSIX: began where the rank's previous call ended
    Seconds time_s = -1;            // summed over the ranks
  };
  struct CommonSize {
    Bytes bytes = -1;
    std::int64_t count = -1;  // of reads and writes
  };

  DarshanLayer layer = DarshanLayer::posix;
  RankId rank = darshan_shared;
  Operation reads;
  Operation writes;
  std::int64_t opens = -1;  // independent opens at the layer MPI-IO
  std::int64_t collective_opens = -1;
  std::int64_t hints = -1;  // number of calls with an MPI_Info; the log omits the hints themselves
  std::int64_t views = -1;  // calls of MPI_File_set_view
  std::array<CommonSize, 4> common;
  std::int64_t slowest_rank = -1;
  Seconds meta_time_s = -1;
  Seconds slowest_rank_time_s = -1;
};

// A read or write that DXT has recorded. At the layer MPI-IO, `length` counts the bytes of the call
// and `offset` is the first one; the pieces of a file view with gaps are not recorded.
struct DarshanSegment {
  Bytes offset = -1;  // -1: not recorded (older versions, and MPI-IO of Open MPI)
  Bytes length = 0;
  Seconds start_s = 0;
  Seconds end_s = 0;
};

// The calls of one rank at one layer (never stdio), in the order of its segment numbers.
struct DarshanTrace {
  DarshanLayer layer = DarshanLayer::posix;
  RankId rank = 0;
  std::vector<DarshanSegment> reads;
  std::vector<DarshanSegment> writes;
};

struct DarshanFile {
  std::uint64_t id = 0;
  std::string name;
  std::string mount;
  std::string type;  // of the file system: "lustre"
  // Of a Lustre file. If its layout has several components, those of the last one.
  std::optional<Bytes> stripe_bytes;
  std::optional<std::int64_t> stripes;
  std::vector<DarshanCounters> counters;  // by layer, then rank
  std::vector<DarshanTrace> traces;       // by layer, then rank
};

struct DarshanLog {
  std::string source;   // path of the text
  std::string version;  // of the log format: "3.41"; empty if not given
  std::string exe;
  int procs = 0;
  std::optional<Seconds> run_time_s;
  std::vector<DarshanFile> files;  // by name
  // POSIX, MPI-IO, STDIO, LUSTRE: in the header, but without rows in the text of darshan-parser.
  std::vector<std::string> missing_modules;
};

// Reads a file line by line, which is registered as an input of the command. Without an error, the
// log has at least one file.
Result<DarshanLog> read_darshan_log(const std::string& path);
// Reads a log from a text in memory; `file` is used only in messages.
Result<DarshanLog> parse_darshan_log(std::string_view text, const std::string& file);

}  // namespace tutti::io_models
