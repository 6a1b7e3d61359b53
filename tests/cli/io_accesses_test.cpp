// SPDX-License-Identifier: BSD-3-Clause
// The accesses of sim run write and sim run read: arrays, IOR, Darshan logs, independent I/O.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"
#include "tests/support/files.hpp"

using namespace tutti::tests;

namespace {

const std::string storage = "targets=4,bandwidth=500MBps,stripe=64KiB,request=100us";
const std::string log_file = TUTTI_SOURCE_DIR "/examples/io/ior-hard.darshan.txt";

Ended io(const std::string& operation, std::vector<std::string> options) {
  options.insert(options.begin(), {"run", operation, "--platform", "crill", "-q", "--no-cost"});
  return run_sim(options);
}

Ended as_csv(std::vector<std::string> options, const std::string& operation = "write") {
  options.insert(options.end(), {"--format", "csv"});
  Ended ended = io(operation, std::move(options));
  CAPTURE(ended.err);
  REQUIRE(ended.exit_code == 0);
  return ended;
}

double number(const Ended& ended, const std::string& name, std::size_t row = 0) {
  return std::stod(column(ended, name).at(row));
}

std::string rejected(std::vector<std::string> options, const std::string& operation = "write") {
  const Ended ended = io(operation, std::move(options));
  CHECK(ended.exit_code == 2);
  return ended.err;
}

}  // namespace

TEST_CASE("a 2-D array of bytes takes as long as the same 2-D blocks") {
  const std::vector<std::string> job{"--procs", "16", "--storage", storage, "--aggregators", "4"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), job.begin(), job.end());
    return as_csv(std::move(more));
  };
  const Ended array = with({"--array", "1000x2048", "--element-size", "1"});
  const Ended blocks = with({"--decomposition", "2d", "--rows", "1000", "--cols", "2048"});
  CHECK(number(array, "time_s") == number(blocks, "time_s"));
  CHECK(column(array, "messages") == column(blocks, "messages"));
}

TEST_CASE("reads of ghost cells read more bytes than blocks") {
  const std::vector<std::string> array{"--procs", "8", "--array", "64x64x64"};
  auto ghosts = array;
  ghosts.insert(ghosts.end(), {"--ghost", "1"});
  CHECK(number(as_csv(array, "read"), "file_bytes") == 64 * 64 * 64 * 8);
  CHECK(number(as_csv(ghosts, "read"), "file_bytes") == 8 * 33 * 33 * 33 * 8);
  CHECK(mentions(rejected(ghosts), "--ghost: ghost cells belong to other processes"));
}

TEST_CASE("invalid arrays are rejected with the option and a hint") {
  const auto array = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"--procs", "12"});
    return rejected(std::move(more));
  };
  CHECK(mentions(array({"--decomposition", "array"}), "--array: is required"));
  CHECK(mentions(array({"--array", "4xa"}), "--array: invalid number 'a'"));
  CHECK(mentions(array({"--array", "0x4"}), "--array: invalid number '0'"));
  CHECK(mentions(array({"--array", "8x8", "--grid", "3x3"}), "3x3 are 9 processes, not 12"));
  CHECK(mentions(array({"--array", "8x8", "--grid", "12"}), "1 dimensions, but the array has 2"));
  CHECK(mentions(array({"--array", "8x8", "--distribution", "block,block,block"}),
                 "3 values, but the array has 2 dimensions"));
  CHECK(mentions(array({"--array", "8x8", "--distribution", "blok"}), "unknown distribution"));
  CHECK(
      mentions(array({"--array", "8x8", "--distribution", "none"}), "no dimension is distributed"));
  CHECK(mentions(array({"--array", "8x8", "--distribution", "none,even", "--grid", "2x6"}),
                 "dimension 1 is not distributed"));
  CHECK(mentions(array({"--array", "8x8", "--chunk", "9x1"}), "9 elements exceed the 8"));
  CHECK(mentions(array({"--array", "8x8", "--order", "row"}), "unknown order"));
  CHECK(mentions(array({"--order", "c"}), "applies to arrays only"));
  CHECK(mentions(array({"--array", "9999x9999", "--chunk", "1x1"}), "more than 1000000 chunks"));
  CHECK(mentions(array({"--array", "4x4x4", "--grid", "250000x250000x250000"}),
                 "are more than 2147483647 processes"));
  CHECK(mentions(array({"--array", "1000000000000x10000000"}), "larger than"));
}

TEST_CASE("IOR's transfers are calls, and its number of tasks the number of processes") {
  const Ended ended = as_csv({"--ior", "-a MPIIO -c -w -t 64k -b 256k -s 2 -N 8", "--storage",
                              storage, "--aggregators", "2"});
  CHECK(column(ended, "calls") == std::vector<std::string>{"8"});
  CHECK(column(ended, "procs") == std::vector<std::string>{"8"});
  CHECK(number(ended, "file_bytes") == 8 * 8 * 65'536);
  CHECK(column(ended, "implementation") == std::vector<std::string>{"generic"});
}

TEST_CASE("calls without collective ones are independent unless an implementation is given") {
  const std::string ior = "-w -t 64k -b 256k";
  const Ended independent = as_csv({"--ior", ior, "-n", "4", "--storage", storage});
  CHECK(column(independent, "implementation") == std::vector<std::string>{"independent"});
  CHECK(column(independent, "partitioning") == std::vector<std::string>{""});
  const Ended collective =
      as_csv({"--ior", ior, "-n", "4", "--storage", storage, "--implementation", "romio"});
  CHECK(column(collective, "implementation") == std::vector<std::string>{"romio"});
  CHECK(mentions(rejected({"--ior", ior, "-n", "4"}), "takes no time"));
}

TEST_CASE("two options that describe the accesses are rejected by their names") {
  const std::vector<std::string> ior{"--ior", "-w -t 1m -b 1m", "-n", "4"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), ior.begin(), ior.end());
    return rejected(std::move(more));
  };
  CHECK(mentions(with({"--decomposition", "1d"}),
                 "--ior: describes the accesses, as --decomposition does"));
  CHECK(mentions(with({"--darshan", TUTTI_SOURCE_DIR "/examples/io/ior-hard.darshan.txt"}),
                 "--ior: describes the accesses, as --darshan does"));
}

TEST_CASE("an independent write takes what its requests take, one after the other") {
  // One process, one target: each transfer of 64 KiB is a rendezvous message, served at 500 MB/s.
  const auto time = [](const char* ior) {
    return number(as_csv({"-n", "1", "--ior", ior, "--storage",
                          "targets=1,bandwidth=500MBps,stripe=64KiB,request=1ms"}),
                  "time_s");
  };
  const double one = time("-w -t 64k -b 64k");
  CHECK(time("-w -t 64k -b 640k") == close_to(10 * one, 1e-9));
  CHECK(one > 0.001 + 65'536 / 5e8);
}

TEST_CASE("a sample of calls estimates the time of all of them") {
  const auto run = [](const char* how) {
    return as_csv({"--ior", "-a MPIIO -c -w -t 100k -b 100k -s 3000 -N 16", "--storage", storage,
                   "--extrapolate", how, "--implementation", "generic,two_phase", "--setup", "off",
                   "--aggregators", "2"});
  };
  const Ended all = run("off");
  CHECK(column(all, "extrapolation") == std::vector<std::string>{"none", "none"});
  CHECK(column(run("auto"), "extrapolation") == std::vector<std::string>{"none", "none"});
  const Ended large = as_csv({"--ior", "-a MPIIO -c -w -t 100k -b 100k -s 3000000 -N 16",
                              "--storage", storage, "--aggregators", "2"});
  CHECK(column(large, "extrapolation") == std::vector<std::string>{"sampled"});
  const double error = number(large, "sampling_error");
  CHECK(std::abs(number(large, "time_s") / number(all, "time_s") / 1000 - 1) < 2 * error);
}

TEST_CASE("a file per process has as many files as processes, each on its own stripes") {
  const auto seconds = [](const std::string& stripes) {
    const Ended ended = as_csv({"--ior", "-w -F -t 1m -b 10m", "-n", "4", "--ppn", "1", "--storage",
                                "targets=4,bandwidth=50MBps,stripe=1MiB" + stripes});
    CHECK(number(ended, "file_bytes") == 4 * 10 * (1 << 20));
    return number(ended, "time_s");
  };
  // Each file on a target of its own takes as long as all files on all targets.
  CHECK(seconds(",stripe_count=1") == close_to(4 * 10 * 1.048576 / 200, 0.1));
  CHECK(seconds("") == close_to(seconds(",stripe_count=1"), 0.1));
  CHECK(mentions(rejected({"--ior", "-w -F", "-n", "4", "--implementation", "romio"}),
                 "with -F each process has its own"));
}

TEST_CASE("IOR's operations must fit the command") {
  CHECK(mentions(rejected({"--ior", "-r", "-n", "4"}), "-r only reads"));
  CHECK(mentions(rejected({"--ior", "-w -N 4", "-n", "8"}), "differs from IOR's -N 4"));
  CHECK(mentions(rejected({"--ior", "-w"}), "--procs: is required"));
  CHECK(mentions(rejected({"--ior", "-w", "-n", "4", "--decomposition", "2d"}),
                 "as --decomposition does"));
  CHECK(mentions(rejected({"--decomposition", "ior", "-n", "4"}), "needs the command line of IOR"));
}

TEST_CASE("the calls of a Darshan log are simulated and compared with the log") {
  const Ended ended = io("write", {"--darshan", log_file, "--storage", storage});
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 0);
  CHECK(mentions(ended.out, "8 processes"));
  CHECK(mentions(ended.out, "measured in the log"));
  const Ended table = as_csv({"--darshan", log_file, "--storage", storage});
  CHECK(number(table, "file_bytes") == 16 * 8 * 47'008);
  CHECK(number(table, "logged_s") > 0);
  CHECK(column(table, "calls") == std::vector<std::string>{"16"});
  CHECK(mentions(rejected({"--darshan", log_file, "-n", "9"}), "the log is of 8 processes"));
  CHECK(mentions(rejected({"--darshan", log_file}, "read"), "no file of the log was read"));
}

TEST_CASE("patches of adaptive meshes are the same for the same seed") {
  const auto time = [](const char* patches) {
    return number(as_csv({"-n", "16", "--decomposition", patches, "--storage", storage}), "time_s");
  };
  CHECK(time("patches:4:4KiB:256KiB") == time("patches:4:4KiB:256KiB:1"));
  CHECK(time("patches:4:4KiB:256KiB") != time("patches:4:4KiB:256KiB:2"));
  CHECK(mentions(rejected({"-n", "4", "--decomposition", "patches:4:8KiB:4KiB"}), "must ascend"));
  CHECK(mentions(rejected({"-n", "4", "--decomposition", "patches:0:1:2"}), "expected 1 to"));
}

TEST_CASE("data sieving accesses gaps together with the pieces around them") {
  const auto run = [](const char* implementation) {
    return as_csv(
        {"-n", "4", "--array", "64x64", "--storage", storage, "--implementation", implementation});
  };
  const double pieces = number(run("independent"), "time_s");
  const double buffers = number(run("data_sieving"), "time_s");
  CHECK(buffers < pieces / 5);  // 32 requests of a process become a read and a write
  const Ended small = as_csv({"-n", "4", "--array", "64x64", "--storage", storage, "--hints",
                              "romio_cb_write=disable;ind_wr_buffer_size=256"});
  CHECK(number(small, "buffer_bytes") == 256);
  CHECK(number(small, "time_s") > 5 * buffers);
}

TEST_CASE("leaders of nodes send fewer messages to other nodes") {
  const auto run = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"-n", "64", "--ppn", "16", "--array", "64x64x64", "--aggregators",
                               "4", "--aggregator-placement", "nodes"});
    return as_csv(std::move(more));
  };
  CHECK(number(run({"--node-leaders", "1"}), "messages") < number(run({}), "messages") / 4);
  CHECK(column(run({"--node-leaders", "1,2"}), "node_leaders") ==
        std::vector<std::string>{"1", "2"});
}

TEST_CASE("each process opens the file on the metadata server, or only the aggregators do") {
  const auto time = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"-n", "64", "--ppn", "8", "--bytes-per-proc", "64KiB",
                               "--aggregators", "2", "--implementation", "romio", "--storage",
                               "targets=4,bandwidth=1GBps,metadata=10ms"});
    return number(as_csv(std::move(more)), "time_s");
  };
  CHECK(time({}) > 0.64);
  CHECK(time({}) < 0.66);
  CHECK(time({"--hints", "romio_no_indep_rw=true"}) < 0.04);
  CHECK(time({"--skew", "uniform:1s"}) > 0.01);  // late ranks open after others have written
}

TEST_CASE("hints represent options and are written for the libraries") {
  const TemporaryFolder folder;
  const std::string written = folder.file("hints.txt");
  const Ended ended =
      as_csv({"-n", "16", "--hints", "cb_nodes=2;cb_buffer_size=65536;striping_unit=131072",
              "--storage", "targets=4,bandwidth=1GBps", "--implementation", "romio",
              "--bytes-per-proc", "1MiB", "--write-hints", written});
  CHECK(column(ended, "aggregators") == std::vector<std::string>{"2"});
  CHECK(column(ended, "buffer_bytes") == std::vector<std::string>{"65536"});
  CHECK(mentions(column(ended, "storage").at(0), "stripe=128KiB"));
  CHECK(mentions(read_file(written), "cb_nodes 2\n"));
  CHECK(mentions(rejected({"-n", "4", "--hints", "cb_nodes=none"}), "cb_nodes: invalid value"));
}

TEST_CASE("repetitions find the caches of servers as the calls before have left them") {
  const Ended ended =
      as_csv({"-n", "2", "--ppn", "1", "--implementation", "independent", "--bytes-per-proc",
              "1MiB", "--repetitions", "3", "--storage", "targets=1,bandwidth=10MBps,cache=2MiB"});
  CHECK(number(ended, "repetition_min_s") < 0.01);
  CHECK(number(ended, "repetition_max_s") > 0.2);  // 2 MiB drain first
}

TEST_CASE("independent points are simulated once for all numbers of aggregators and buffers") {
  const Ended ended =
      as_csv({"-n", "8", "--storage", storage, "--implementation", "romio,independent",
              "--aggregators", "2,4", "--buffer-size", "1MiB,2MiB", "--bytes-per-proc", "1MiB"});
  CHECK(column(ended, "implementation").size() == 5);
}
