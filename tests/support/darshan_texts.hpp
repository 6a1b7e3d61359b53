// SPDX-License-Identifier: BSD-3-Clause
// Texts of Darshan logs: the output of darshan-parser and darshan-dxt-parser.
#pragma once

#include <doctest/doctest.h>

#include "io_models/darshan/darshan_log.hpp"
#include "sim/base/common.hpp"

namespace tutti::tests {

// The log of a valid text, which is named a.txt in messages.
inline io_models::DarshanLog log_of(const std::string& text) {
  auto log = io_models::parse_darshan_log(text, "a.txt");
  REQUIRE_MESSAGE(log, (log ? "" : log.error().message));
  return *std::move(log);
}

inline std::string darshan_header(int procs, std::string_view version = "3.41") {
  return fmt::format(
      "# darshan log version: {}\n# compression method: ZLIB\n# exe: ./app -x 1\n# uid: 1000\n"
      "# jobid: 7\n# start_time: 1700000000\n# nprocs: {}\n# run time: 2.5\n"
      "# metadata: lib_ver = 3.4.1\n\n# mount entry:\t/scratch\tlustre\n",
      version, procs);
}

// A row of darshan-parser, for the file /scratch/f<id>.
struct DarshanRow {
  std::string_view module;
  int rank = -1;
  std::string_view counter = {};
  std::string value = {};
  int id = 1;
};
inline std::string text_of(const std::vector<DarshanRow>& rows) {
  std::string text = "\n#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\n";
  for (const DarshanRow& row : rows)
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t/scratch/f{}\t/scratch\tlustre\n", row.module,
                        row.rank, row.id, row.counter, row.value, row.id);
  return text;
}

// A block of darshan-dxt-parser with calls of one operation.
struct DarshanBlock {
  std::string_view layer = "X_MPIIO";
  int rank = 0;
  struct Call {
    std::int64_t offset = 0;
    std::int64_t length = 0;
  };
  std::vector<Call> calls = {};
  std::string_view operation = "write";
  int id = 1;
  bool has_offsets = true;
  std::string_view lustre = {};  // lines about stripes
  std::string_view after = {};   // at the end of each row: "  [  3]"
};
inline std::string block_header(const DarshanBlock& block, std::size_t writes, std::size_t reads) {
  return fmt::format(
      "\n# DXT, file_id: {}, file_name: /scratch/f{}\n# DXT, rank: {}, hostname: n1\n"
      "# DXT, write_count: {}, read_count: {}\n# DXT, mnt_pt: /scratch, fs_type: lustre\n{}"
      "# Module    Rank  Wt/Rd  Segment{}       Length    Start(s)      End(s){}\n",
      block.id, block.id, block.rank, writes, reads, block.lustre,
      block.has_offsets ? "          Offset" : "", block.after.empty() ? "" : "  [OST]");
}
inline std::string text_of(const DarshanBlock& block) {
  const bool writes = block.operation == "write";
  const std::size_t count = block.calls.size();
  std::string text = block_header(block, writes ? count : 0, writes ? 0 : count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& call = block.calls[i];
    const double start = 0.5 + 0.001 * static_cast<double>(i);
    text += fmt::format("{:>8}{:>8}{:>7}{:>9}", block.layer, block.rank, block.operation, i);
    if (block.has_offsets) text += fmt::format("{:>16}", call.offset);
    text += fmt::format("{:>16}{:>12.4f}{:>12.4f}{}\n", call.length, start, start + 0.0005,
                        block.after);
  }
  return text;
}

}  // namespace tutti::tests
