// SPDX-License-Identifier: BSD-3-Clause
// sim tune hints: the hints of MPI-IO for a job's accesses.
#include <doctest/doctest.h>

#include <map>

#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"
#include "tests/support/files.hpp"
#include "tests/support/tuned.hpp"

using namespace tutti::tests;

namespace {

using Words = std::vector<std::string>;

const std::string log_file = TUTTI_SOURCE_DIR "/examples/io/ior-hard.darshan.txt";

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Ended tune_hints(const Words& options) {
  return run_sim(with({"tune", "hints", "--platform", "crill", "-q"}, options));
}

Words times_of(const Words& options) {
  const Ended ended = tune_hints(with(options, {"--part", "times", "--format", "csv"}));
  CAPTURE(ended.err);
  REQUIRE(ended.exit_code == 0);
  return column(ended, "time_s");
}

std::map<std::string, std::map<std::string, std::string>> hints_of(const Words& options) {
  const Ended ended = tune_hints(with(options, {"--part", "hints", "--format", "csv"}));
  CAPTURE(ended.err);
  REQUIRE(ended.exit_code == 0);
  std::map<std::string, std::map<std::string, std::string>> hints;
  const auto names = column(ended, "hint");
  for (const char* name : {"before", "after", "set_back", "worst", "effect"})
    for (std::size_t i = 0; i < names.size(); ++i)
      hints[names[i]][name] = column(ended, name).at(i);
  return hints;
}

double run_time(const std::string& operation, const Words& options) {
  const Ended ended = run_sim(with(
      {"run", operation, "--platform", "crill", "-q", "--no-cost", "--format", "csv"}, options));
  CAPTURE(ended.err);
  REQUIRE(ended.exit_code == 0);
  return std::stod(column(ended, "time_s").at(0));
}

std::string rejected(const Words& options) {
  const Ended ended = tune_hints(options);
  CHECK(ended.exit_code == 2);
  return ended.err;
}

const Words logged{"--darshan", log_file, "--storage", "lustre-hdd"};
// 4 processes write 16 MiB each to slow disks.
const Words slow{"-n",
                 "4",
                 "--ppn",
                 "1",
                 "--bytes-per-proc",
                 "16MiB",
                 "--storage",
                 "targets=4,bandwidth=10MBps,network=100Gbps"};

}  // namespace

TEST_CASE("a file on all disks instead of one is written in a fraction of the time") {
  const Words one = with(slow, {"--hints", "striping_factor=1", "--hint", "striping_factor"});
  const Words times = times_of(one);
  REQUIRE(times.size() == 2);
  CHECK(std::stod(times[0]) == close_to(4 * 16 * 1.048576 / 10, 0.02));
  CHECK(std::stod(times[0]) / std::stod(times[1]) == close_to(4, 0.03));
  const auto hints = hints_of(one);
  REQUIRE(hints.size() == 1);
  const auto& factor = hints.at("striping_factor");
  CHECK(factor.at("before") == "1");
  CHECK(std::stod(factor.at("set_back")) == close_to(3, 0.05));
  CHECK(factor.at("effect") == "matters");
}

TEST_CASE("the hints that are written give the time after") {
  const TemporaryFolder folder;
  const std::string file = folder.file("hints.txt");
  const auto check = [&](const Words& job, const std::string& before) {
    const Words times = times_of(with(job, {"--hints", before, "-o", file}));
    CHECK(std::stod(times.at(1)) < 0.5 * std::stod(times.at(0)));
    CHECK(run_time("write", with(job, {"--hints", file})) ==
          close_to(std::stod(times.at(1)), 1e-6));
  };
  check(with(slow, {"--implementation", "romio"}), "striping_factor=1");
  CHECK(mentions(read_file(file), "# For ROMIO"));
  check(with(slow, {"--implementation", "romio_lustre"}), "striping_factor=1");
  check(with(slow, {"--implementation", "independent"}), "striping_factor=1");
  check(with(slow, {"--implementation", "vulcan"}), "fs_lustre_stripe_width=1");
  CHECK(mentions(read_file(file), "io = ompio\n"));
  check(with(logged, {"--implementation", "romio"}), "romio_cb_write=enable;cb_nodes=8");
}

TEST_CASE("hints of the other library count by their meaning, and are written under the own name") {
  const TemporaryFolder folder;
  const std::string file = folder.file("hints.txt");
  const Words job =
      with(logged, {"--implementation", "vulcan", "--hint", "io_ompio_num_aggregators=1,8"});
  for (const char* before : {"num_aggregators=8", "cb_nodes=8"}) {
    CAPTURE(before);
    const auto hints = hints_of(with(job, {"--hints", before}));
    CHECK(hints.at("io_ompio_num_aggregators").at("before") == "8");
    const Words times = times_of(with(job, {"--hints", before, "-o", file}));
    const Words written = with(logged, {"--implementation", "vulcan", "--hints", file});
    CHECK(run_time("write", written) == close_to(std::stod(times.at(1)), 1e-6));
    CHECK_FALSE(mentions(read_file(file), before));
  }
}

TEST_CASE("the stripes of the log and the hints of the job are those before") {
  const auto hints = hints_of(with(logged, {"--hints", "cb_nodes=2"}));
  CHECK(hints.at("cb_nodes").at("before") == "2");
  CHECK(hints.at("striping_factor").at("before") == "4");
  const std::string before =
      "romio_cb_write=automatic;cb_nodes=2;striping_factor=4;striping_unit=1048576";
  CHECK(std::stod(times_of(with(logged, {"--hints", "cb_nodes=2"}))[0]) ==
        close_to(run_time("write", with(logged, {"--implementation", "romio", "--hints", before})),
                 1e-6));
}

TEST_CASE("hints that do not matter are reported and not written") {
  const TemporaryFolder folder;
  const std::string file = folder.file("hints.txt");
  // All buffers are larger than the 16 MiB of an aggregator.
  const Ended ended =
      tune_hints(with(slow, {"--hints", "striping_factor=1;cb_nodes=4", "--hint", "striping_factor",
                             "--hint", "cb_buffer_size=64MiB,128MiB", "-o", file}));
  REQUIRE(ended.exit_code == 0);
  CHECK(mentions(ended.out, "do not matter (at most 1.0 %) and keep their values:"));
  CHECK(mentions(read_file(file), "cb_nodes 4\nstriping_factor 4\n"));
  CHECK_FALSE(mentions(read_file(file), "cb_buffer_size"));
}

TEST_CASE("every library has its own hints") {
  const auto names = [](const Words& more) {
    Words found;
    for (const auto& [name, columns] : hints_of(with(logged, more))) found.push_back(name);
    return found;
  };
  CHECK(names({"--budget", "8", "--method", "model"}) == Words{"cb_buffer_size", "cb_nodes",
                                                               "romio_cb_write", "romio_ds_write",
                                                               "striping_factor", "striping_unit"});
  CHECK(names({"--budget", "8", "--method", "model", "--implementation", "dynamic_gen2"}) ==
        Words{"fcoll", "fs_lustre_stripe_size", "fs_lustre_stripe_width", "io_ompio_bytes_per_agg",
              "io_ompio_num_aggregators"});
  CHECK(names({"--implementation", "independent"}) ==
        Words{"romio_ds_write", "striping_factor", "striping_unit"});
}

TEST_CASE("invalid hints are rejected with what is expected") {
  CHECK(mentions(rejected(with(logged, {"--hint", "cb_node=1"})),
                 "--hint: unknown hint 'cb_node'\nhelp: did you mean 'cb_nodes'?"));
  CHECK(mentions(rejected(with(logged, {"--hint", "cb_nodes=0"})), "cb_nodes: invalid value '0'"));
  CHECK(mentions(rejected(with(logged, {"--hint", "cb_nodes=64"})),
                 "cb_nodes: 64 aggregators exceed the 8 processes"));
  CHECK(mentions(rejected(with(logged, {"--hint", "fcoll"})),
                 "--hint: fcoll does not change a write by romio"));
  CHECK(mentions(rejected(with(logged, {"--aggregators", "2"})),
                 "--aggregators: is what the search varies"));
  CHECK(mentions(rejected({"--darshan", log_file}), "--storage: is required"));
  CHECK(mentions(rejected(with(logged, {"--ppn", "1,2"})), "the options describe 2 jobs"));
  CHECK(mentions(rejected(with(logged, {"--hint", "striping_factor=1,64"})),
                 "striping_factor: stripe_count=64 exceeds targets=16"));
}

TEST_CASE("a job that only reads is tuned for reads") {
  const Words options{"--ior",     "-a MPIIO -c -r -t 1m -b 4m", "-n", "4",
                      "--storage", "targets=4,bandwidth=100MBps"};
  CHECK(hints_of(options).contains("romio_cb_read"));
  const Ended ended = tune_hints(with({"write"}, options));
  CHECK(ended.exit_code == 2);
  CHECK(mentions(ended.err, "-r only reads"));
}

TEST_CASE("studies tune hints, too") {
  const TemporaryFolder folder;
  const std::string study =
      "[base]\nworkload = \"write\"\nplatform = \"crill\"\nprocs = 4\nppn = 1\n"
      "bytes_per_proc = \"16MiB\"\nstorage = \"targets=4,bandwidth=10MBps\"\n"
      "hints = \"cb_nodes=4\"\n"
      "[[parameter]]\nname = \"striping_factor\"\nvalues = [1, 4]\n"
      "[[parameter]]\nname = \"romio_cb_write\"\nvalues = [\"default\", \"disable\"]\n"
      "[search]\nmethod = \"brute-force\"\n";
  const auto ended = tune(folder, study, {"--part", "searches", "--format", "csv"});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  const auto rows = rows_of(ended, folder);
  CHECK(tutti::number_of(rows.at(0).at("gain")).value() == close_to(0.75, 0.02));
}
