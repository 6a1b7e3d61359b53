// SPDX-License-Identifier: BSD-3-Clause
// Result files of all supported formats, and the errors of invalid ones.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/reports/tables/columns.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/result_tables.hpp"

using namespace tutti;
using namespace tutti::tests;
using reports::ResultFile;

namespace {

Cell cell(const ResultFile& file, std::size_t row, const std::string& column) {
  const auto at = reports::find_column(file.table, column);
  REQUIRE_MESSAGE(at, column);
  return file.table.rows.at(row).at(*at);
}

double number(const ResultFile& file, std::size_t row, const std::string& column) {
  const auto value = reports::number_of(column, cell(file, row, column));
  REQUIRE_MESSAGE(value, column);
  return *value;
}

std::string text(const ResultFile& file, std::size_t row, const std::string& column) {
  return std::get<std::string>(cell(file, row, column));
}

}  // namespace

TEST_CASE("a CSV report is read with its rows and the values in its comments") {
  const auto file = results_of(
      "# Tutti 0.1.0 (abc), SimGrid 3.32\n"
      "# sim run bcast --platform crill\n"
      "# platform crill (catalog), hash 00ff: 16 nodes x 48 cores, mpi/eager_limit = 48KiB\n"
      "# failed: bcast chain: not enough memory\n"
      "algorithm,procs,time_s,commutative,note\n"
      "chain,576,1.5e-06,true,\"a \"\"b\"\", c\nd\"\n"
      "knomial,16,,false,\n");
  REQUIRE(file.table.rows.size() == 2);
  CHECK(text(file, 0, "algorithm") == "chain");
  CHECK(cell(file, 0, "procs") == Cell{std::int64_t{576}});
  CHECK(cell(file, 0, "time_s") == Cell{1.5e-6});
  CHECK(cell(file, 0, "commutative") == Cell{true});
  CHECK(text(file, 0, "note") == "a \"b\", c\nd");
  CHECK(cell(file, 1, "time_s") == Cell{});
  CHECK(text(file, 1, "platform") == "crill");
  CHECK(text(file, 1, "platform_hash") == "00ff");
  CHECK(number(file, 1, "mpi/eager_limit") == 48 * 1024);
  CHECK(file.failed == std::vector<std::string>{"bcast chain: not enough memory"});
  CHECK(file.provenance.size() == 3);
}

TEST_CASE("byte-order marks, CRLF and blank lines in a CSV are accepted") {
  const auto file = results_of(
      "\xef\xbb\xbf"
      "a,b\r\n1,2\r\n\r\n3,4");
  REQUIRE(file.table.rows.size() == 2);
  CHECK(file.table.columns == std::vector<std::string>{"a", "b"});
  CHECK(number(file, 1, "b") == 4);
}

TEST_CASE("an invalid CSV is rejected with line and column") {
  CHECK(rejection_of("") == "0:0: the file is empty");
  CHECK(rejection_of(" \n\n") == "0:0: the file is empty");
  CHECK(rejection_of(std::string("PNG\0a,", 6)) ==
        "0:0: not a result file: it contains binary data");
  CHECK(rejection_of("# Tutti 0.1.0\na,time_s\n1,1.5") ==
        "3:6: the last line has no newline: the file is truncated");
  CHECK(rejection_of("a,b\n") == "0:0: the file contains no results");
  CHECK(rejection_of("a\n1\n") == "1:1: expected at least two columns");
  CHECK(reports::read_result_text("a;b\n1;2\n", "x.csv").error().hint ==
        "columns must be separated by commas, not semicolons; convert with `tr ';' ,`");
  CHECK(rejection_of("a,b,a\n") == "1:5: duplicate column 'a'");
  CHECK(rejection_of("a,,b\n") == "1:3: a column has no name");
  CHECK(rejection_of("a,b\n1,2\n1,2,3\n") == "3:5: expected 2 fields, found 3");
  CHECK(rejection_of("a,b\n1,2\n12") == "3:1: expected 2 fields, found 1");
  CHECK(rejection_of("a,b\n1,\"2\n") == "2:3: unterminated quoted field");
  CHECK(rejection_of("a,b\n\"1\"x,2\n") == "2:4: text after the closing quote of a field");
  for (const char* report : {"| Size | Max |\n", "# Size (B)  Max (us)\n1  2\n"})
    CHECK(rejection_of(report) == "0:0: text and Markdown reports cannot be read");
}

TEST_CASE("up to twenty invalid rows of a CSV are reported") {
  std::string text = "a,b\n";
  for (int i = 0; i < 100; ++i) text += "1\n";
  const auto file = reports::read_result_text(text, "x.csv");
  REQUIRE_FALSE(file);
  CHECK(file.errors().size() == 20);
  CHECK(file.errors()[19].line == 21);
}

TEST_CASE("fields that are not valid numbers are read as text") {
  const auto file = results_of("a,b\nnan,-\n1e999,0x10\n1_000,12KiB\n");
  for (std::size_t row = 0; row < 3; ++row)
    for (const char* column : {"a", "b"}) CHECK(cell(file, row, column).index() == 4);
}

TEST_CASE("JSON and JSONL reports are read into the same table") {
  const char* head =
      R"({"schema":"sim.result/1","tutti":{"version":"0.1","commit":"c","simgrid_version":"3.32",)"
      R"("command":"sim run"},"platform":{"name":"crill","file":"crill","hash":"ff",)"
      R"("overrides":{"mpi/eager_limit":"1KiB"}},"failed":["one"])";
  const char* point = R"({"procs":4,"time_s":1e-6,"root":null,"critical_path":{"steps":[]}})";
  for (const std::string& report : {std::string(head) + ",\"points\":[" + point + "]}",
                                    std::string(head) + "}\n" + point + "\n"}) {
    const auto file = results_of(report);
    REQUIRE(file.table.rows.size() == 1);
    CHECK(cell(file, 0, "procs") == Cell{std::int64_t{4}});
    CHECK(cell(file, 0, "root") == Cell{});
    CHECK(std::get<std::string>(cell(file, 0, "platform")) == "crill");
    CHECK(number(file, 0, "mpi/eager_limit") == 1024);
    CHECK_FALSE(reports::find_column(file.table, "critical_path"));
    CHECK(file.failed.size() == 1);
  }
  const auto plain = results_of(R"([{"a":1,"b":2},{"b":3,"c":18446744073709551615}])");
  CHECK(plain.table.columns == std::vector<std::string>{"a", "b", "c"});
  CHECK(cell(plain, 1, "a") == Cell{});
  CHECK(number(plain, 1, "c") == exactly(18446744073709551615.0));
}

TEST_CASE("invalid JSON is rejected with line and column") {
  CHECK(rejection_of("{\"points\": [1]}") == "0:0: a point must be an object");
  CHECK(rejection_of("{\"points\": 3}") == "0:0: not a report of `sim`: no array 'points'");
  CHECK(rejection_of("{\"schema\": 3}") == "0:0: not a report of `sim`: no array 'points'");
  CHECK(rejection_of("{\"points\": [\n{\"a\": tru}]}").starts_with("2:10: syntax error"));
  CHECK(rejection_of("{\"a\":1}\n{\"a\":}\n").starts_with("2:6: syntax error"));
  CHECK(rejection_of("{\"points\": [{\"a\": \"\xff\"}]}").starts_with("1:"));
  CHECK(rejection_of("{\"points\": [\n{\"a\": 1e999}]}") == "2:7: number '1e999' is out of range");
  CHECK(rejection_of("{\"a\":1}\n{\"a\":-1e999}\n") == "2:6: number '-1e999' is out of range");
  CHECK(rejection_of(std::string(100'000, '[')).starts_with("1:"));
}

TEST_CASE("the output of the OSU benchmarks is read, with and without -f") {
  const auto brief = results_of(
      "\n# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n"
      "1                       1.23\n1048576              2031.50\n");
  REQUIRE(brief.table.rows.size() == 2);
  CHECK(text(brief, 0, "collective") == "bcast");
  CHECK(number(brief, 1, "message_bytes") == 1048576);
  CHECK(number(brief, 1, "time_mean_s") == exactly(2031.5e-6));
  CHECK_FALSE(reports::find_column(brief.table, "time_s"));

  const auto full = results_of(
      "# OSU MPI All-to-All Personalized Exchange Latency Test v7.2\n# Datatype: MPI_CHAR.\n"
      "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
      "8                       3.00              2.00              4.50        1000\n");
  CHECK(text(full, 0, "collective") == "alltoall");
  CHECK(number(full, 0, "time_s") == exactly(4.5e-6));
  CHECK(number(full, 0, "time_min_s") == exactly(2e-6));
  CHECK(number(full, 0, "time_mean_s") == exactly(3e-6));

  const auto barrier =
      results_of("# OSU MPI Barrier Latency Test v5.9\n# Avg Latency(us)\n             12.50\n");
  CHECK(text(barrier, 0, "collective") == "barrier");
  CHECK(number(barrier, 0, "time_mean_s") == exactly(12.5e-6));
}

TEST_CASE("--format osu is read with its collective, algorithm and number of processes") {
  const auto file = results_of(
      "# Tutti 0.1.0 (c), SimGrid 3.32\n"
      "# MPI_Bcast, 576 processes, 48 per node, root 0, algorithm auto\n"
      "# Size       Avg Latency(us)\n1                       6.16\n"
      "# MPI_Bcast, 16 processes, 8 per node, root 0, algorithm chain, segment 8 KiB\n"
      "# Size       Avg Latency(us)\n1                       2.00\n");
  CHECK(number(file, 0, "procs") == 576);
  CHECK(text(file, 0, "requested_algorithm") == "auto");
  CHECK(number(file, 1, "procs") == 16);
  CHECK(text(file, 1, "collective") == "bcast");
}

TEST_CASE("invalid OSU output is rejected with line and column") {
  const std::string head = "# OSU MPI Broadcast Latency Test\n";
  const std::string columns = "# Size       Avg Latency(us)\n";
  CHECK(rejection_of(head + "1 2\n") == "2:1: row without a header above it");
  CHECK(rejection_of(head + columns + "1 2 3\n") == "3:1: expected 2 values, found 3");
  CHECK(rejection_of(head + columns + "1  x\n") == "3:4: expected a time in us");
  CHECK(rejection_of(head + columns + "1  -2\n") == "3:4: expected a time in us");
  CHECK(rejection_of(head + columns + "1.5  2\n") == "3:1: expected a number of bytes");
  CHECK(rejection_of(head + columns) == "2:0: the table has no rows");
}

TEST_CASE("blocks of the Intel MPI Benchmarks are read") {
  const auto file = results_of(
      "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n\n"
      "#---------------------------------------------------\n# Benchmarking PingPong\n"
      "# #processes = 2\n#---------------------------------------------------\n"
      "       #bytes #repetitions      t[usec]   Mbytes/sec\n            0         1000"
      "         0.90         0.00\n\n"
      "#----------------------------------------------------------------\n# Benchmarking Bcast\n"
      "# #processes = 16\n# ( 16 additional processes waiting in MPI_Barrier)\n"
      "#----------------------------------------------------------------\n"
      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
      "            0         1000         0.05         0.06         0.05\n"
      "         1024         1000         2.00         4.00         3.00\n"
      "      4194304 out-of-mem.; needed X=  0.1 GB\n\n"
      "#---------------------------------------------------\n# Benchmarking Barrier\n"
      "# #processes = 4\n#---------------------------------------------------\n"
      " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
      "         1000         1.00         2.00         1.50\n\n\n"
      "# All processes entering MPI_Finalize\n");
  REQUIRE(file.table.rows.size() == 4);
  CHECK(text(file, 0, "pattern") == "pingpong");
  CHECK(number(file, 0, "time_s") == exactly(0.9e-6));
  CHECK(text(file, 2, "collective") == "bcast");
  CHECK(number(file, 2, "procs") == 16);
  CHECK(number(file, 2, "message_bytes") == 1024);
  CHECK(number(file, 2, "time_s") == exactly(4e-6));
  CHECK(number(file, 2, "time_mean_s") == exactly(3e-6));
  CHECK(text(file, 3, "collective") == "barrier");
  CHECK(number(file, 3, "procs") == 4);
  CHECK(file.failed.size() == 1);
}

TEST_CASE("OSU's tests between two processes are read") {
  const auto latency = results_of(
      "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n0    1.50\n8    1.75\n");
  CHECK(text(latency, 1, "pattern") == "pingpong");
  CHECK(number(latency, 1, "message_bytes") == 8);
  CHECK(number(latency, 1, "time_s") == exactly(1.75e-6));
  const auto stream = results_of(
      "# OSU MPI Bandwidth Test v7.3\n# Size      Bandwidth (MB/s)\n1024      2048.00\n");
  CHECK(text(stream, 0, "pattern") == "stream");
  CHECK(number(stream, 0, "bandwidth_Bps") == exactly(2048e6));
}

TEST_CASE("OSU's other tests are neither ping-pong nor streams nor collectives") {
  for (const std::string title :
       {"OSU MPI Non-blocking Bcast Latency Test", "OSU MPI Neighborhood Allgather Latency Test",
        "OSU MPI Multi-threaded Latency Test", "OSU MPI_Get Latency Test",
        "OSU MPI_Put Bandwidth Test", "OSU MPI_Accumulate latency Test",
        "OSU OpenSHMEM Put Test"}) {
    CAPTURE(title);
    const auto file = results_of("# " + title + " v7.4\n# Size      Latency (us)\n8    1.75\n");
    CHECK(text(file, 0, "pattern") == title);
  }
  const auto cuda =
      results_of("# OSU MPI-CUDA Latency Test v7.4\n# Size   Latency (us)\n8  1.75\n");
  CHECK(text(cuda, 0, "pattern") == "pingpong");
  const auto bcast =
      results_of("# OSU MPI-CUDA Broadcast Latency Test v7.4\n# Size   Avg Latency(us)\n8  1.75\n");
  CHECK(text(bcast, 0, "collective") == "bcast");
}

TEST_CASE("what `sim run pingpong --format osu` prints is read") {
  const auto own = results_of(
      "# Tutti 0.1.0 (abc), SimGrid 3.32\n# sim run pingpong --platform crill\n"
      "# pingpong: half of the round-trip time of a message, a-0 -> a-1, latency 800 ns\n"
      "# Size            Latency (us)\n1                         1.60\n"
      "# stream: 16 messages per window and one reply; time per message, inside node a-0, latency\n"
      "# Size        Bandwidth (MB/s)\n1024                   1083.68\n");
  CHECK(text(own, 0, "pattern") == "pingpong");
  CHECK(text(own, 0, "path") == "inter");
  CHECK(number(own, 0, "time_s") == exactly(1.6e-6));
  CHECK(text(own, 1, "pattern") == "stream");
  CHECK(text(own, 1, "path") == "intra");
  CHECK(number(own, 1, "window") == 16);
  CHECK(number(own, 1, "bandwidth_Bps") == exactly(1083.68e6));
}

TEST_CASE("NetPIPE's screen output and file are read") {
  const auto screen = results_of(
      "0: node1\n1: node2\nNow starting the main loop\n"
      "  0:       1 bytes   7000 times -->      1.25 Mbps in       6.10 usec\n"
      "  1:    4096 bytes    500 times -->   2048.00 Mbps in      15.26 usec\n");
  REQUIRE(screen.table.rows.size() == 2);
  CHECK(number(screen, 1, "message_bytes") == 4096);
  CHECK(number(screen, 1, "time_s") == exactly(15.26e-6));
  const auto file = results_of("       1 1.250000   0.00000610\n    4096 2048.0   0.00001526\n");
  CHECK(text(file, 1, "pattern") == "pingpong");
  CHECK(number(file, 1, "time_s") == exactly(15.26e-6));
  CHECK(rejection_of("1 1.25 0.0000061\n4096 2048 0.0015\n").find("inconsistent columns") !=
        std::string::npos);
}

TEST_CASE("Netgauge's round trips are read as overheads and intervals") {
  const auto file = results_of(
      "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
      "1 10 4.0 22.0 41.0 2.0 0.25 0.5 -nan -nan -nan\n");
  CHECK(number(file, 0, "rtt_s") == exactly(4e-6));
  CHECK(number(file, 0, "interval_s") == exactly(2e-6));
  CHECK(number(file, 0, "o_send_s") == exactly(0.25e-6));
  CHECK(number(file, 0, "o_recv_s") == exactly(0.5e-6));
}

TEST_CASE("ReproMPI's repetitions are rows") {
  const std::string head =
      "#MPI calls:\n#@operation=MPI_BOR\n#@datatype_extent_bytes=4\n#@nprocs=16\n";
  const auto file = results_of(head +
                               "     test   nrep   count   runtime_sec\n"
                               "MPI_Bcast      0      25  0.0000123400\n"
                               "# Execution time: 1s\n");
  CHECK(text(file, 0, "collective") == "bcast");
  CHECK(number(file, 0, "procs") == 16);
  CHECK(number(file, 0, "message_bytes") == 100);
  CHECK(number(file, 0, "time_s") == exactly(12.34e-6));
  CHECK(rejection_of(head + "test total_nrep mean_sec\nMPI_Bcast 3 0.1\n")
            .find("expected the header of ReproMPI's rows") != std::string::npos);
}

TEST_CASE("ReproMPI's ping-pong times are halved; its other tests keep their names") {
  const auto file = results_of(
      "#@operation=MPI_SUM\n#@nprocs=2\ntest nrep msize runtime_sec\n"
      "Send_Recv 0 8 4.2e-6\nIsend_Irecv 0 8 3e-6\nGL_Allgather_as_Allreduce 0 8 9e-6\n");
  CHECK(text(file, 0, "pattern") == "pingpong");
  CHECK(number(file, 0, "time_s") == exactly(2.1e-6));
  CHECK(text(file, 1, "pattern") == "Isend_Irecv");
  CHECK(number(file, 1, "time_s") == exactly(3e-6));
  CHECK(text(file, 2, "pattern") == "GL_Allgather_as_Allreduce");
}

TEST_CASE("rows have line numbers, and sizes that overflow are rejected") {
  CHECK(results_of("# c\n\na,b\n1,\"2\n\"\n\n3,4\n").table.lines == std::vector<int>{4, 7});
  CHECK(results_of("{\"a\":1}\n\n{\"a\":2}\n").table.lines == std::vector<int>{1, 3});
  CHECK(rejection_of("#@reproMPI\n#@datatype_extent_bytes=8\ntest nrep count runtime_sec\n"
                     "MPI_Bcast 0 9000000000000000000 1e-6\n")
            .starts_with("4:13: expected a number of bytes"));
}

TEST_CASE("no input crashes a reader") {
  std::string all = "# OSU MPI Broadcast Latency Test\n# Benchmarking Bcast\n{}[]\",\n#bytes t_max";
  all += std::string("\0\xff\xc3", 3);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t n = 1; i + n <= all.size(); n += 3)
      CHECK((reports::read_result_text(all.substr(i, n), "x") || true));
}

TEST_CASE("columns and values have readable labels") {
  CHECK(reports::label_of("message_bytes", std::int64_t{65536}) == "64 KiB");
  CHECK(reports::label_of("procs", std::int64_t{576}) == "576 processes");
  CHECK(reports::label_of("procs", std::int64_t{1}) == "1 process");
  CHECK(reports::label_of("segment_bytes", std::int64_t{8192}) == "segment size 8 KiB");
  CHECK(reports::label_of("mpi/eager_limit", std::string("48KiB")) == "mpi/eager_limit 48KiB");
  CHECK(reports::value_text("time_s", 1.5e-6) == "1.50 us");
  CHECK(reports::cell_less("mpi/eager_limit", std::string("4KiB"), std::string("12KiB")));
  CHECK(reports::cell_less("n", 1.5, std::int64_t{2}));
  CHECK(reports::role_of("time_s") == reports::Role::result);
  CHECK(reports::role_of("wall_s") == reports::Role::cost);
  CHECK(reports::role_of("shuffle_s") == reports::Role::result);
  CHECK(reports::role_of("aggregators") == reports::Role::chosen);
  CHECK(reports::role_of("link/bandwidth") == reports::Role::parameter);
}

TEST_CASE("a sparse file with too many cells is rejected") {
  std::string text = "{\"points\": [{";
  for (int i = 0; i < 4000; ++i) text += fmt::format("{}\"c{}\": 1", i == 0 ? "" : ", ", i);
  text += "}";
  for (int i = 0; i < 20'000; ++i) text += ", {}";
  const auto read = reports::read_result_text(text + "]}", "sparse.json");
  REQUIRE_FALSE(bool(read));
  CHECK(read.error().message == "16001 rows of 4000 columns exceed 64000000 cells");
}
