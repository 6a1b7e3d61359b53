// SPDX-License-Identifier: BSD-3-Clause
// Outputs of nccl-tests as jobs save them.
#include <doctest/doctest.h>

#include "sim/fit/collective_table.hpp"
#include "sim/jobs/bus_bandwidth.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/tables/columns.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/result_tables.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

// Two nodes of two GPUs, as nccl-tests 2.13 prints: without the name of the program.
constexpr std::string_view two_nodes =
    "# nThread 1 nGpus 1 minBytes 8 maxBytes 1048576 step: 1024(factor) warmup iters: 5 iters: 20 "
    "agg iters: 1 validation: 1 graph: 0\n"
    "#\n"
    "# Using devices\n"
    "#  Rank  0 Group  0 Pid 164220 on     node01 device  0 [0x1b] NVIDIA H100 80GB HBM3\n"
    "#  Rank  1 Group  0 Pid 164221 on     node01 device  1 [0x2c] NVIDIA H100 80GB HBM3\n"
    "#  Rank  2 Group  0 Pid 151007 on     node02 device  0 [0x1b] NVIDIA H100 80GB HBM3\n"
    "#  Rank  3 Group  0 Pid 151008 on     node02 device  1 [0x2c] NVIDIA H100 80GB HBM3\n"
    "#\n";
constexpr std::string_view nccl_heads =
    "#                                                              out-of-place                   "
    " "
    "   in-place          \n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time "
    " "
    " algbw   busbw #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us) "
    " "
    "(GB/s)  (GB/s)       \n";
constexpr std::string_view two_rows =
    "        1024           256     float     sum      -1    25.50    0.04    0.06      0    24.75 "
    " "
    "  0.04    0.06      0\n"
    "     1048576        262144     float     sum      -1    80.00   13.11   19.66      0    79.00 "
    " "
    " 13.27   19.91      0\n";
constexpr std::string_view nccl_end =
    "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 9.9225 \n#\n";

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const auto part : parts) text += part;
  return text;
}

Cell nccl_cell(const reports::ResultFile& file, std::size_t row, const std::string& column) {
  const auto at = reports::find_column(file.table, column);
  REQUIRE_MESSAGE(at, column);
  return file.table.rows.at(row).at(*at);
}
double nccl_number(const reports::ResultFile& file, std::size_t row, const std::string& column) {
  return std::get<double>(nccl_cell(file, row, column));
}
std::string hint_of(const std::string& text) {
  const auto file = reports::read_result_text(text, "test.csv");
  REQUIRE_FALSE(file);
  return file.error().hint;
}

}  // namespace

TEST_CASE("an output of nccl-tests 2.13 has the program in the command above it") {
  const auto file = results_of(joined({"+ srun ./build/all_reduce_perf -b 1K -e 1M -f 1024\n",
                                       two_nodes, nccl_heads, two_rows, nccl_end}));
  REQUIRE(file.table.rows.size() == 2);
  CHECK(nccl_cell(file, 0, "collective") == Cell{std::string("allreduce")});
  CHECK(nccl_cell(file, 0, "suite") == Cell{std::string("nccl-tests")});
  CHECK(nccl_cell(file, 0, "procs") == Cell{std::int64_t{4}});
  CHECK(nccl_cell(file, 0, "ppn") == Cell{std::int64_t{2}});
  CHECK(nccl_cell(file, 1, "message_bytes") == Cell{std::int64_t{1048576}});
  CHECK(nccl_cell(file, 1, "element_bytes") == Cell{std::int64_t{4}});
  CHECK(nccl_number(file, 1, "time_s") == exactly(80e-6));
  CHECK(nccl_number(file, 1, "in_place_time_s") == exactly(79e-6));
  CHECK(nccl_number(file, 1, "algbw_Bps") == exactly(13.11e9));
  CHECK(nccl_number(file, 1, "busbw_Bps") == exactly(19.66e9));
  CHECK(nccl_number(file, 1, "in_place_busbw_Bps") == exactly(19.91e9));
}

TEST_CASE("an output of nccl-tests 2.17 with noise of NCCL, launchers and other runs") {
  const auto file = results_of(joined(
      {"slurmstepd: info: Setting affinity\n\n",
       "# nccl-tests version 2.17.2 nccl-headers=22703 nccl-library=22703\n",
       "# Collective test starting: all_gather_perf\n", two_nodes,
       "node01:164220:164220 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.1<0>\n",
       "NCCL version 2.27.3+cuda12.4\n", nccl_heads,
       "        4096           256     float    none      -1    30.00    0.14    0.10      "
       "0    31.00    0.13    0.10    N/A\n",
       "node02:151007:151007 [0] NCCL INFO Channel 00/0 : 2[0] -> 3[1] via P2P/IPC\n",
       "        8192           512     float    none      -1    32.00    0.26    0.19      "
       "0    33.00    0.25    0.19    N/A\n",
       nccl_end, "# Collective test concluded: all_gather_perf\n",
       "# Collective test starting: sendrecv_perf\n",
       "# nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 1 iters: 5\n",
       "#  Rank  0 Group  0 Pid   9 on node01 device  0 [0000:1b:00] NVIDIA H100\n",
       "#  Rank  1 Group  0 Pid   9 on node01 device  1 [0000:2c:00] NVIDIA H100\n", nccl_heads,
       "           8             2     half     sum      -1    12.00    0.00    0.00      0  "
       "  12.50    0.00    0.00    N/A\n",
       nccl_end}));
  REQUIRE(file.table.rows.size() == 3);
  CHECK(nccl_cell(file, 0, "collective") == Cell{std::string("allgather")});
  CHECK(nccl_cell(file, 0, "mpi") == Cell{std::string("NCCL 2.27.3")});
  CHECK(nccl_cell(file, 1, "message_bytes") == Cell{std::int64_t{2048}});
  CHECK(nccl_cell(file, 2, "collective") == Cell{std::string("sendrecv")});
  CHECK(nccl_cell(file, 2, "procs") == Cell{std::int64_t{2}});
  CHECK(nccl_cell(file, 2, "ppn") == Cell{std::int64_t{2}});
  CHECK(nccl_cell(file, 2, "element_bytes") == Cell{std::int64_t{2}});
  REQUIRE(file.remarks.size() == 1);
  CHECK(file.remarks.front() == "skipped 4 lines outside of tables (the first is line 1)");
}

TEST_CASE("rows of nccl-tests become measured collectives: the block of a rank for allgather") {
  const auto file =
      results_of(joined({"# Collective test starting: all_gather_perf\n", two_nodes, nccl_heads,
                         "        4096           256     float    none      -1    30.00    0.14    "
                         "0.10      0    31.00    0.13    0.10    N/A\n"}));
  const auto rows = studies::measured_collectives(file.table);
  REQUIRE(rows);
  REQUIRE(rows->found.size() == 1);
  const auto& row = rows->found.front();
  CHECK(row.collective == "allgather");
  CHECK(row.message_bytes == 1024);
  CHECK(row.procs == 4);
  CHECK(row.ppn == 2);
  CHECK(row.algorithm == "auto:nccl");
  CHECK(row.time_s == exactly(30e-6));
}

TEST_CASE("wrong elements are failed measurements") {
  const auto file = results_of(
      joined({"# Collective test starting: all_reduce_perf\n", two_nodes, nccl_heads, two_rows,
              "     2097152        524288     float     sum      -1    99.00   13.11   19.66     "
              "12    79.00 "
              "  13.27   19.91      0\n"}));
  CHECK(file.table.rows.size() == 2);
  CHECK(file.failed == std::vector<std::string>{"line 15: wrong elements"});
}

TEST_CASE("invalid outputs of nccl-tests are rejected with place and hint") {
  const auto run = joined({"# Collective test starting: all_reduce_perf\n", two_nodes});
  const auto cut =
      run + joined({nccl_heads, "        1024           256     float     sum      -1\n"});
  CHECK(rejection_of(cut) == "13:9: expected 13 values, found 5");
  CHECK(hint_of(cut) == "the job may have ended while it printed this row; remove the line");
  CHECK(rejection_of(joined({two_nodes, nccl_heads, two_rows})) ==
        "12:9: the operation is unknown: no line names the program");
  CHECK(hint_of(joined({two_nodes, nccl_heads, two_rows})) ==
        "name the file after the program, for example all_reduce_perf.txt");
  CHECK(rejection_of(run + joined({nccl_heads})) == "11:0: the table has no rows");
  CHECK(rejection_of(run) == "2:0: no table of nccl-tests");
  CHECK(rejection_of(run + joined({two_rows})) == "10:9: row without a line of heads above it");
  CHECK(
      rejection_of(run + joined({nccl_heads,
                                 "        1024           256     float     sum      -1    x5.50    "
                                 "0.04    0.06      0    24.75    0.04    0.06      0\n"})) ==
      "13:57: expected a time in us");
}

TEST_CASE("the table of NCCL's times of HLC-Lab/pico and of nccl-tests' rows is read as it is") {
  const auto file = results_of(
      "system,nodes,gpus_per_node,nprocs,collective,algorithm,size_bytes,time_s,library\n"
      "a,4,4,16,allreduce,nccl_ring,1048576,0.00013,\"NCCL with MPI\"\n"
      "a,4,4,16,allreduce,hier_bw_mpi,1048576,0.00012,\"NCCL with MPI\"\n"
      "b,1,8,8,alltoall,default,1048576,0.00005,NCCL\n");
  const auto rows =
      studies::measured_collectives(file.table, studies::UnknownAlgorithms::are_omitted);
  REQUIRE(rows);
  REQUIRE(rows->found.size() == 2);
  CHECK(rows->found[0].algorithm == "auto:nccl:NCCL_ALGO=Ring");
  CHECK(rows->found[0].ppn == 4);
  CHECK(rows->found[0].message_bytes == 1048576);
  CHECK(rows->found[1].algorithm == "auto:nccl");
  CHECK(rows->found[1].message_bytes == 131072);
  CHECK(rows->omitted.count == 1);
}

TEST_CASE("bus bandwidths are those of nccl-tests' PERFORMANCE.md") {
  CHECK(*jobs::bus_bandwidth("allreduce", 8, 1000, 1e-6) == exactly(1.75e9));
  CHECK(*jobs::bus_bandwidth("allgather", 8, 1000, 1e-6) == exactly(7e9));  // the block of a rank
  CHECK(*jobs::bus_bandwidth("reduce_scatter", 8, 8000, 1e-6) == exactly(7e9));
  CHECK(*jobs::bus_bandwidth("alltoall", 8, 1000, 1e-6) == exactly(7e9));
  CHECK(*jobs::bus_bandwidth("bcast", 8, 1000, 1e-6) == exactly(1e9));
  CHECK_FALSE(jobs::bus_bandwidth("barrier", 8, 0, 1e-6));
  CHECK_FALSE(jobs::bus_bandwidth("allreduce", 8, 1000, {}));
}

TEST_CASE("records are written as nccl-tests prints them, and read back") {
  reports::Report report;
  for (const Bytes bytes : {1024, 1048576}) {
    auto& record = report.records.emplace_back();
    record.collective = "allgather";
    record.requested_algorithm = "auto:nccl";
    record.procs = 4;
    record.nodes = record.ppn = 2;
    record.message_bytes = bytes;
    record.element_bytes = 4;
    record.time_s = 1e-9 * static_cast<double>(bytes) + 20e-6;
  }
  const auto page = reports::render(report, reports::Format::nccl_tests);
  CHECK(page.find("# Collective test starting: all_gather_perf\n") != page.npos);
  CHECK(
      page.find("\n        4096           256     float    none      -1    21.02    0.19    0.15  "
                "  N/A    21.02    0.19    0.15    N/A\n") != page.npos);
  CHECK(
      page.find("\n     4194304        262144     float    none      -1   1068.6    3.93    2.94  "
                "  N/A   1068.6    3.93    2.94    N/A\n") != page.npos);
  const auto file = results_of(page);
  const auto rows = studies::measured_collectives(file.table);
  REQUIRE(rows);
  REQUIRE(rows->found.size() == 2);
  CHECK(rows->found[1].collective == "allgather");
  CHECK(rows->found[1].message_bytes == 1048576);
  CHECK(rows->found[1].procs == 4);
  CHECK(rows->found[1].ppn == 2);
  CHECK(rows->found[1].time_s == exactly(1068.6e-6));
}
