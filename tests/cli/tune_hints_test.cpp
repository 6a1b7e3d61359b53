// SPDX-License-Identifier: BSD-3-Clause
// sim tune hints: the hints of MPI-IO for a job's accesses.
#include <doctest/doctest.h>

#include <fstream>
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

// Without the line breaks of the head.
std::string joined_lines(std::string text) {
  for (auto at = text.find("\n#   "); at != text.npos; at = text.find("\n#   ", at))
    text.replace(at, 5, " ");
  return text;
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
  CHECK(names({"--budget", "8", "--method", "model"}) ==
        Words{"cb_buffer_size", "cb_nodes", "ind_wr_buffer_size", "romio_cb_write",
              "romio_ds_write", "striping_factor", "striping_unit"});
  CHECK(names({"--budget", "8", "--method", "model", "--implementation", "dynamic_gen2"}) ==
        Words{"fcoll", "fs_lustre_stripe_size", "fs_lustre_stripe_width", "io_ompio_bytes_per_agg",
              "io_ompio_num_aggregators"});
  CHECK(names({"--implementation", "independent"}) ==
        Words{"ind_wr_buffer_size", "romio_ds_write", "striping_factor", "striping_unit"});
}

TEST_CASE("the component that a hint names is the library") {
  const Ended ended = tune_hints(with(logged, {"--hints", "fcoll=two_phase", "--hint", "fcoll"}));
  REQUIRE(ended.exit_code == 0);
  CHECK(mentions(joined_lines(ended.out), "8 processes on 1 node, two_phase"));
  const Ended other = run_sim(with({"run", "write", "--platform", "crill", "--implementation",
                                    "generic", "--hints", "fcoll=two_phase"},
                                   logged));
  CHECK(mentions(other.err, "fcoll two_phase (with --implementation generic)"));
}

TEST_CASE("of the hints of two libraries, those of the simulated one count") {
  const std::string both = "fcoll=two_phase;romio_cb_write=disable";
  const auto run = [&](const std::string& library) {
    return run_sim(with({"run", "write", "--platform", "crill", "--implementation", library,
                         "--hints", both, "--format", "csv"},
                        logged));
  };
  const Ended open_mpi = run("vulcan");
  CHECK(column(open_mpi, "implementation").at(0) == "two_phase");
  CHECK(mentions(open_mpi.err, "romio_cb_write disable (with --implementation vulcan)"));
  CHECK_FALSE(mentions(open_mpi.err, "fcoll"));
  const Ended romio = run("romio");
  CHECK(column(romio, "implementation").at(0) == "data_sieving");
  CHECK(mentions(romio.err, "fcoll two_phase (with --implementation romio)"));
  CHECK_FALSE(mentions(romio.err, "romio_cb_write"));
  const TemporaryFolder folder;
  const std::string file = folder.file("mca.conf");
  const auto hints = hints_of(with(logged, {"--hints", both, "--hint", "fcoll", "-o", file}));
  CHECK(hints.at("fcoll").at("before") == "two_phase");
  CHECK(std::stod(hints.at("fcoll").at("worst")) != 0);
  CHECK(hints_of(with(logged, {"--hints", "fcoll=two_phase;fcoll=dynamic_gen2", "--hint", "fcoll"}))
            .at("fcoll")
            .at("before") == "dynamic_gen2");
  CHECK(mentions(read_file(file), "fcoll = "));
  CHECK_FALSE(mentions(read_file(file), "romio"));
}

TEST_CASE("hints files without a hint, and with two values of one, are warned of") {
  const TemporaryFolder folder;
  const auto warning = [&](const std::string& text) {
    const std::string file = folder.file("h.txt");
    std::ofstream(file) << text;
    const Ended ended = run_sim(
        with({"run", "write", "--platform", "crill", "--implementation", "romio", "--hints", file},
             logged));
    REQUIRE(ended.exit_code == 0);
    return ended.err;
  };
  CHECK(mentions(warning("# For ROMIO\n"), "h.txt: no hint in the file"));
  CHECK(mentions(warning("cb_nodes 8\ncb_nodes 2\n"), "h.txt:2: cb_nodes (2 after cb_nodes=8)"));
  CHECK(mentions(warning("cb_node 8\n"), "h.txt:1: cb_node (unknown, did you mean 'cb_nodes'?)"));
}

TEST_CASE("a searched hint without an effect is warned of") {
  const auto warnings = [](const Words& before) {
    const Ended ended = run_sim(with(
        with({"tune", "hints", "--platform", "crill", "--hint", "cb_nodes=1,2"}, logged), before));
    REQUIRE(ended.exit_code == 0);
    return ended.err;
  };
  for (const char* value : {"disable", "false"})
    CHECK(mentions(warnings({"--hints", std::string("romio_cb_write=") + value}),
                   "--hint cb_nodes: has no effect with romio_cb_write=disable"));
  // The accesses do not interleave.
  CHECK(mentions(warnings({}), "--hint cb_nodes: has no effect with romio_cb_write=automatic"));
  CHECK(warnings({"--implementation", "romio"}).empty());
}

TEST_CASE("the time before does not depend on what is searched") {
  for (const Words& library : {Words{}, Words{"--implementation", "romio"}}) {
    const Words job = with(logged, library);
    const std::string before = times_of(with(job, {"--hint", "romio_cb_write"})).at(0);
    CHECK(times_of(with(job, {"--hint", "striping_factor"})).at(0) == before);
    CHECK(hints_of(with(job, {"--hint", "romio_cb_write"})).at("romio_cb_write").at("before") ==
          (library.empty() ? "automatic" : "enable"));
  }
}

TEST_CASE("switches have one spelling") {
  const auto values = [](const Words& options) {
    const Ended ended =
        tune_hints(with(with(logged, options), {"--part", "values", "--format", "csv"}));
    REQUIRE(ended.exit_code == 0);
    return ended.out;
  };
  const std::string sieving =
      values({"--hints", "romio_cb_write=false;romio_ds_write=false", "--hint", "romio_ds_write"});
  CHECK(mentions(sieving, "disable"));
  CHECK_FALSE(mentions(sieving, "false"));
  const std::string given = values({"--hint", "romio_cb_write=disable,false,true"});
  CHECK(mentions(given, "enable"));
  CHECK_FALSE(mentions(given, "false"));
  const auto opens =
      hints_of({"-n", "4", "--storage", "lustre-hdd,metadata=1ms", "--hints",
                "romio_cb_write=enable;romio_no_indep_rw=enable", "--hint", "romio_no_indep_rw"});
  CHECK(opens.at("romio_no_indep_rw").at("before") == "true");
}

TEST_CASE("the buffers of data sieving are searched like other hints") {
  const Words rows{
      "-n",        "4",         "--decomposition",        "2d",     "--bytes-per-proc",
      "64KiB",     "--hints",   "romio_cb_write=disable", "--hint", "ind_wr_buffer_size=4KiB",
      "--storage", "lustre-hdd"};
  const auto buffer = hints_of(rows).at("ind_wr_buffer_size");
  CHECK(buffer.at("before") == "default");
  CHECK(std::stod(buffer.at("worst")) > 0.5);
  CHECK(buffer.at("effect") == "keep");
  // A read has a buffer of its own.
  CHECK(mentions(rejected(with({"read"}, rows)), "ind_wr_buffer_size does not change a read"));
}

TEST_CASE("the hints before include those of IOR's -U, which the job no longer has after") {
  const TemporaryFolder folder;
  const std::string used = folder.file("used.txt");
  std::ofstream(used) << "IOR_HINT__MPI__striping_factor = 1\n";
  const std::string file = folder.file("best.txt");
  const Words options{"-n",        "4",
                      "--ppn",     "1",
                      "--storage", "targets=4,bandwidth=100MBps",
                      "--ior",     "-a MPIIO -c -w -t 4m -b 4m -U " + used,
                      "--hint",    "striping_factor"};
  CHECK(hints_of(options).at("striping_factor").at("before") == "1");
  const Ended ended = tune_hints(with(options, {"-o", file}));
  REQUIRE(ended.exit_code == 0);
  CHECK(mentions(joined_lines(ended.out), "the hints before include those of IOR's -U " + used));
  CHECK_FALSE(mentions(joined_lines(ended.out), "-b 4m -U"));
  CHECK(mentions(read_file(file), "striping_factor 4\n"));
}

TEST_CASE("stripes are searched as the file system allows") {
  const auto has_stripes = [](const std::string& storage, const std::string& library) {
    const Ended ended =
        tune_hints({"-n", "4", "--storage", storage, "--implementation", library, "--budget", "5",
                    "--method", "model", "--part", "hints", "--format", "csv"});
    REQUIRE(ended.exit_code == 0);
    return mentions(ended.out, "strip");
  };
  CHECK(has_stripes("lustre-hdd", "vulcan"));
  CHECK_FALSE(has_stripes("beegfs", "vulcan"));
  CHECK(has_stripes("targets=4,bandwidth=1GBps", "vulcan"));
  CHECK(mentions(rejected(with(logged, {"--hint", "striping_unit=100KiB"})),
                 "striping_unit: Lustre rejects a stripe of 100KiB"));
  const Ended unknown =
      tune_hints(with(slow, {"--implementation", "vulcan", "--hint", "fs_lustre_stripe_width"}));
  CHECK(mentions(joined_lines(unknown.out),
                 "the file system of this storage is not known: "
                 "fs_lustre_stripe_width has an effect on Lustre only"));
  // ROMIO's driver for Lustre states the file system.
  const Words on_lustre = with(slow, {"--implementation", "romio_lustre", "--hint"});
  CHECK(mentions(rejected(with(on_lustre, {"striping_unit=100KiB"})),
                 "striping_unit: Lustre rejects a stripe of 100KiB"));
  CHECK_FALSE(mentions(tune_hints(with(on_lustre, {"striping_factor"})).out, "is not known"));
}

TEST_CASE("errors and help name this command and its libraries") {
  CHECK(mentions(rejected(with({"read"}, logged)), "use `sim tune hints write`"));
  const Ended help = run_sim({"tune", "hints", "--help"});
  CHECK_FALSE(mentions(help.out, "generic (default)"));
  CHECK_FALSE(mentions(help.out, "data_sieving; all"));
  CHECK(mentions(help.out, "romio (default)"));
}

TEST_CASE("a search ends if no other value can be simulated") {
  const Ended ended =
      tune_hints({"write", "-n", "8", "--ppn", "4", "--bytes-per-proc", "64MiB", "--storage",
                  "targets=4,bandwidth=1GBps,stripe=1MiB", "--implementation", "romio", "--hint",
                  "cb_buffer_size=16", "--part", "hints", "--format", "csv"});
  CHECK(ended.exit_code == 1);
  CHECK(mentions(ended.err, "16777216 cycles"));
  CHECK(mentions(ended.out, "\ncb_buffer_size,default,default,false,,,0.01,unknown\n"));
}

TEST_CASE("invalid hints are rejected with what is expected") {
  CHECK(mentions(rejected(with(logged, {"--hint", "cb_node=1"})),
                 "--hint: unknown hint 'cb_node'\nhelp: did you mean 'cb_nodes'?"));
  CHECK(mentions(rejected(with(logged, {"--hint", "cb_nodes=0"})), "cb_nodes: invalid value '0'"));
  CHECK(mentions(rejected(with(logged, {"--implementation", "romio", "--hint", "cb_nodes=64"})),
                 "cb_nodes: 64 aggregators exceed the 8 processes"));
  CHECK(mentions(rejected(with(logged, {"--hint", "fcoll"})),
                 "--hint: fcoll does not change a write by romio"));
  CHECK(mentions(rejected(with(logged, {"--hints", "fcoll=individual"})),
                 "--hints: fcoll: 'individual' is not simulated\n"
                 "help: expected one of: vulcan dynamic_gen2 two_phase"));
  CHECK(mentions(rejected(with(logged, {"--implementation", "romio", "--hints",
                                        "cb_config_list=*:2", "--hint", "cb_config_list=*:1"})),
                 "--hints: cb_config_list: '*:2' is not simulated"));
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
