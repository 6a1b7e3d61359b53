// SPDX-License-Identifier: BSD-3-Clause
// sim run write and sim run read as a user calls them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"

using namespace tutti::tests;

namespace {

Ended io(const std::string& operation, std::vector<std::string> options) {
  options.insert(options.begin(), {"run", operation, "--platform", "crill"});
  return run_sim(options);
}

// A small job with additional options.
std::vector<std::string> small_job(const std::vector<std::string>& more) {
  std::vector<std::string> options{"--procs",          "16",    "--ppn",     "4",
                                   "--bytes-per-proc", "1MiB",  "--no-cost", "-q",
                                   "--buffer-size",    "256KiB"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

void check_rejected(const std::vector<std::string>& more, const std::string& message) {
  const Ended ended = io("write", small_job(more));
  CAPTURE(message);
  CHECK(ended.exit_code == 2);
  CHECK(mentions(ended.err, message));
}

}  // namespace

TEST_CASE("the command of the documentation prints the simulation with the model") {
  const Ended ended =
      io("write", {"--procs", "576", "--decomposition", "2d", "--bytes-per-proc", "64MiB",
                   "--partitioning", "even", "--aggregators", "64", "--buffer-size", "32MiB"});
  CHECK(ended.exit_code == 0);
  CHECK(mentions(ended.out, "Collective write on crill: 576 processes on 12 nodes"));
  CHECK(mentions(ended.out, "n_s 16, n_as 3, n_r 18, n_ar 24"));
  CHECK(mentions(ended.out, "busiest NIC: node crill-"));
}

TEST_CASE("numbers of aggregators that a job cannot have are skipped with a count") {
  auto options = small_job({"--aggregators", "4,16,64", "--format", "csv"});
  options[1] = "4,16,32";
  std::erase(options, "-q");
  const Ended ended = io("write", options);
  CHECK(ended.exit_code == 0);
  CHECK(column(ended, "procs") == std::vector<std::string>{"4", "16", "16", "32", "32"});
  CHECK(column(ended, "aggregators") == std::vector<std::string>{"4", "4", "16", "4", "16"});
  CHECK(mentions(ended.err, "4 combinations cannot run and are skipped: --aggregators: 16 "));
}

TEST_CASE("more processes per node take longer, and the report names the NIC and link") {
  const auto job = [](const char* ppn) {
    const Ended ended = run_sim(
        {"run",           "write", "--platform",       "grisou", "--procs",         "48",
         "--ppn",         ppn,     "--bytes-per-proc", "4MiB",   "--decomposition", "2d",
         "--grid",        "6x8",   "--partitioning",   "static", "--aggregators",   "12",
         "--buffer-size", "1MiB",  "--no-cost",        "-q",     "--format",        "json"});
    REQUIRE(ended.exit_code == 0);
    return nlohmann::json::parse(ended.out)["points"][0];
  };
  const auto apart = job("1");
  const auto together = job("16");
  const auto time_s = [](const auto& point) { return point["time_s"].template get<double>(); };
  CHECK(time_s(together) > 4 * time_s(apart));
  for (const auto& point : {apart, together}) {
    CHECK(point["busiest_node"] == "grisou-0");
    const double in = point["busiest_node_in_bytes"];
    const double out = point["busiest_node_out_bytes"];
    CHECK(point["busiest_link"].get<std::string>().starts_with("grisou_link_0_"));
    CHECK(point["busiest_link_bytes"].get<double>() == std::max(in, out));
    CHECK(point["busiest_link_busy_s"].get<double>() < time_s(point));
  }
  CHECK(apart["sending_nodes"] == 10.0);
  CHECK(apart["receiving_nodes"] == 12.0);
  CHECK(together["sending_nodes"] == 1.0);
  CHECK(together["receiving_nodes"] == 1.875);
}

TEST_CASE("the report names a single process that feeds all aggregators") {
  // Static block rows: the 8 MiB of a cycle are half of the data of one process.
  const Ended ended =
      io("write", {"--procs", "16", "--ppn", "1", "--bytes-per-proc", "16MiB", "--partitioning",
                   "static", "--aggregators", "8", "--buffer-size", "1MiB", "--no-cost", "-q"});
  CHECK(ended.exit_code == 0);
  CHECK(mentions(ended.out, "average per cycle: 1 nodes send to other nodes, 7.5 nodes receive"));
}

TEST_CASE("every implementation writes and reads, with and without storage") {
  for (const char* operation : {"write", "read"})
    for (const char* storage : {"none", "targets=2,bandwidth=500MBps,stripe=128KiB"}) {
      const Ended ended =
          io(operation, small_job({"--implementation", "all", "--format", "json", "--decomposition",
                                   "1d,2d", "--aggregators", "4", "--storage", storage}));
      REQUIRE(ended.exit_code == 0);
      const auto points = nlohmann::json::parse(ended.out)["points"];
      // Two decompositions; romio_lustre only writes, and independent accesses need a storage.
      const bool writes = operation == std::string("write");
      const bool has_storage = storage != std::string("none");
      CHECK(points.size() == 2u * (5 + (writes ? 1 : 0) + (has_storage ? 2 : 0)));
      for (const auto& point : points) {
        CHECK(point["operation"] == operation);
        CHECK(point["time_s"].get<double>() > 0);
        CHECK(point["storage_s"].is_null() == (storage == std::string("none")));
      }
    }
}

TEST_CASE("vulcan and dynamic_gen2 read by groups of ranks") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/traffic.csv";
  for (const char* name : {"vulcan", "dynamic_gen2"}) {
    const Ended ended = io("read", {"--procs",
                                    "4",
                                    "--ppn",
                                    "1",
                                    "--rows",
                                    "400",
                                    "--cols",
                                    "100",
                                    "--implementation",
                                    name,
                                    "--aggregators",
                                    "2",
                                    "--buffer-size",
                                    "15000",
                                    "--setup",
                                    "off",
                                    "--traffic",
                                    file,
                                    "--format",
                                    "csv",
                                    "--engine",
                                    "simgrid",
                                    "-q"});
    REQUIRE(ended.exit_code == 0);
    CHECK(column(ended, "partitioning")[0] == "groups");
    CHECK(column(ended, "cycles")[0] == "2");
    CHECK(column(ended, "stripe_bytes")[0].empty());
    // The first rank of a group has an empty message in the second cycle.
    const auto lines = data_lines(read_file(file));
    CHECK(lines.size() == 5);
    CHECK(lines[1] == fmt::format("{},1d,4,400,100,2,15000,0,0,2,10000", name));
    CHECK(lines[4] == fmt::format("{},1d,4,400,100,2,15000,2,3,2,10000", name));
  }
  const auto read = [&](const std::vector<std::string>& more) {
    auto options = small_job({"--implementation", "vulcan", "--format", "csv"});
    options.insert(options.end(), more.begin(), more.end());
    return io("read", options);
  };
  // The model has even domains of a whole buffer, and no 2-D groups.
  CHECK(column(read({"--aggregators", "4"}), "n_r")[0] == "16");
  CHECK(column(read({"--aggregators", "3"}), "n_r")[0].empty());
  CHECK(column(read({"--aggregators", "4", "--decomposition", "2d"}), "n_r")[0].empty());
  CHECK(mentions(read({"--aggregator-placement", "first"}).err, "--aggregator-placement: vulcan"));
}

TEST_CASE("romio has one aggregator per node by default") {
  const Ended ended =
      io("write",
         small_job({"--implementation", "romio,two_phase", "--format", "csv", "--setup", "off"}));
  REQUIRE(ended.exit_code == 0);
  CHECK(column(ended, "aggregators") == std::vector<std::string>{"4", "2"});
  CHECK(column(ended, "aggregator_placement") == std::vector<std::string>{"nodes", "spread"});
}

TEST_CASE("--partitioning accepts the partitioning that an implementation uses anyway") {
  CHECK(
      io("write", small_job({"--implementation", "vulcan", "--partitioning", "even"})).exit_code ==
      0);
  CHECK(io("write", small_job({"--implementation", "dynamic_gen2", "--partitioning", "static"}))
            .exit_code == 0);
}

TEST_CASE("omitted cycles do not change the result") {
  const auto times = [](const char* extrapolate) {
    return column(io("write", small_job({"--decomposition", "2d", "--aggregators", "1,2,4",
                                         "--implementation", "generic,vulcan,two_phase", "--engine",
                                         "flow", "--format", "csv", "--extrapolate", extrapolate})),
                  "time_s");
  };
  const auto some = times("auto");
  const auto all = times("off");
  REQUIRE(some.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(std::abs(std::stod(some[i]) - std::stod(all[i])) <= 1e-9 * std::stod(all[i]));
}

TEST_CASE("storage with a memory is simulated in full, and a metadata server is exact") {
  const std::string disks = "targets=2,bandwidth=500MBps,stripe=128KiB,request=1ms";
  const auto run = [&](const char* operation, const std::string& more, const char* extrapolate,
                       const char* what) {
    return column(io(operation, small_job({"--aggregators", "2", "--implementation", "vulcan",
                                           "--storage", disks + more, "--engine", "flow",
                                           "--format", "csv", "--extrapolate", extrapolate})),
                  what);
  };
  for (const char* more : {",cache=1MiB,cache_bandwidth=2GBps", ",burst=2MiB", ",metadata=1ms"}) {
    CAPTURE(more);
    CHECK(run("write", more, "auto", "time_s") == run("write", more, "off", "time_s"));
    CHECK(run("write", more, "auto", "extrapolation")[0] == "none");
    CHECK(run("write", more, "auto", "time_s") != run("write", "", "auto", "time_s"));
    CHECK(run("write", more, "auto", "model_total_s")[0].empty());
  }
  CHECK(run("read", ",read_ahead=4MiB", "auto", "time_s") ==
        run("read", ",read_ahead=4MiB", "off", "time_s"));
  const auto seconds = [&](const std::string& more) {
    return std::stod(run("write", more, "auto", "time_s")[0]);
  };
  CHECK(seconds(",cache=1GiB") < seconds(",cache=1MiB"));
  CHECK(seconds(",cache=1MiB") < seconds(""));
  CHECK(seconds(",metadata=1ms") > seconds(""));
}

TEST_CASE("--traffic has the columns of the measurement of the real library") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/traffic.csv";
  const Ended ended =
      io("write", {"--procs",       "4",   "--ppn",           "1",     "--rows",           "720",
                   "--cols",        "720", "--decomposition", "2d",    "--implementation", "vulcan",
                   "--aggregators", "2",   "--buffer-size",   "32768", "--engine",         "ideal",
                   "--traffic",     file});
  REQUIRE(ended.exit_code == 0);
  const auto lines = data_lines(read_file(file));
  CHECK(lines[0] == "lib,decomp,procs,rows,cols,aggregators,buffer_bytes,src,dst,msgs,sum_bytes");
  CHECK(lines[1] == "vulcan,2d,4,720,720,2,32768,0,0,16,129600");
}

TEST_CASE("impossible values are rejected with the option's name") {
  check_rejected({"--aggregators", "17"}, "--aggregators: 17 aggregators exceed the 16");
  check_rejected({"--decomposition", "2d", "--grid", "3x5"},
                 "--grid: 3x5 are 15 processes, not 16");
  check_rejected({"--decomposition", "3d"}, "--decomposition: unknown name '3d'");
  check_rejected({"--stripe-size", "0"}, "--stripe-size");
  check_rejected({"--stripe-size", "1MiB"}, "--stripe-size: applies to static domains only");
  check_rejected({"--partitioning", "static", "--align", "1MiB"},
                 "--align: applies to even domains");
  check_rejected({"--implementation", "vulcan", "--partitioning", "static"},
                 "--partitioning: applies to generic only");
  check_rejected({"--setup", "on"}, "--setup: generic has no set-up");
  check_rejected({"--grid", "4x4"}, "--grid: applies to 2-D blocks, tiles and arrays only");
  check_rejected({"--implementation", "vulcn"}, "vulcan");
  check_rejected({"--storage", "targets=0"}, "--storage");
  check_rejected({"--decomposition", "1d,tiles"}, "--tile: is required");
  check_rejected({"--decomposition", "tiles", "--tile", "10x10"},
                 "--bytes-per-proc: applies to 1d and 2d only");
  check_rejected({"--decomposition", "file:"}, "--decomposition: no file given");
  check_rejected({"--aggregator-placement", "file:"}, "--aggregator-placement: no file given");
  check_rejected({"--implementation", "romio", "--stripe-size", "1MiB"},
                 "remove the option, or use");
  check_rejected({"--decomposition", "1d,tiles", "--tile", "10x10", "--overlap", "1x1"},
                 "tiles that overlap cannot be written");
  check_rejected({"--rows", "10"}, "--rows: is given without its counterpart");
  check_rejected({"--aggregator-placement", "grups"}, "groups");
  check_rejected({"--partitioning", "even,static", "--traffic", "t.csv"},
                 "--traffic: has no column for --partitioning");
}

TEST_CASE("an aggregator receives at the rate of its process, for any grid shape") {
  for (const std::string grid : {"1x160", "4x40", "16x10", "160x1"}) {
    CAPTURE(grid);
    const Ended ended = run_sim({"run", "write", "--platform", "opuntia", "--procs", "160", "--ppn",
                                 "20", "--aggregators", "1", "--bytes-per-proc", "16MiB",
                                 "--decomposition", "2d", "--grid", grid, "--format", "csv"});
    const auto number = [&](const char* name) { return std::stod(column(ended, name).at(0)); };
    const double from_others =
        number("file_bytes") - number("own_bytes") - number("intra_node_bytes");
    const double rate_Bps = from_others / number("time_s");
    CHECK(rate_Bps <= 284.9e6 * 1.000001);
    CHECK(rate_Bps >= 0.8 * 284.9e6);
  }
}

TEST_CASE("jobs that would not finish are rejected with the option that helps") {
  const auto huge = [](const std::vector<std::string>& more) {
    std::vector<std::string> options{"run",           "write",  "--platform",       "opuntia-250k",
                                     "--procs",       "250000", "--bytes-per-proc", "1GiB",
                                     "--aggregators", "512"};
    options.insert(options.end(), more.begin(), more.end());
    return run_sim(options);
  };
  const Ended setup = huge({"--implementation", "romio"});
  CHECK(setup.exit_code == 2);
  CHECK(mentions(setup.err,
                 "--setup: romio begins with all-to-all exchanges among all 250000 processes"));
  const Ended all = huge({"--extrapolate", "off", "--buffer-size", "4KiB"});
  CHECK(all.exit_code == 2);
  CHECK(mentions(all.err, "--extrapolate: all 128000000 cycles"));
}

TEST_CASE("file pieces that overlap in a write are reported with their lines") {
  const TemporaryFolder folder;
  const auto pieces = folder.write("p.csv", "rank,offset,length\n0,0,100\n1,50,100\n");
  const Ended written =
      io("write", {"--procs", "2", "--decomposition", "file:" + pieces, "--aggregators", "1"});
  CHECK(written.exit_code == 2);
  CHECK(mentions(written.err, "p.csv:3: error: the pieces of lines 2 and 3 overlap"));
  CHECK(io("read", {"--procs", "2", "--decomposition", "file:" + pieces, "--aggregators", "1"})
            .exit_code == 0);
  const auto bad = folder.write("bad.csv", "rank,offset,length\n5,0,100\n");
  CHECK(mentions(io("read", {"--procs", "2", "--decomposition", "file:" + bad}).err,
                 "rank 5 is out of range"));
}

TEST_CASE("an output that is also an input is rejected, and the input remains") {
  const TemporaryFolder folder;
  const std::string text = "rank,offset,length\n0,0,100\n1,100,100\n";
  const auto pieces = folder.write("p.csv", text);
  for (const char* option : {"-o", "--traffic"}) {
    const Ended ended =
        io("write", {"--procs", "2", "--decomposition", "file:" + pieces, option, pieces});
    CHECK(ended.exit_code == 2);
    CHECK(mentions(ended.err, option + (": '" + pieces + "' is an input, too (--decomposition)")));
    CHECK(read_file(pieces) == text);
  }
}

TEST_CASE("the aggregator file has one rank per line") {
  const TemporaryFolder folder;
  const auto reported = [&](const std::string& text) {
    const auto file = folder.write("a.txt", text);
    return io("write", small_job({"--aggregator-placement", "file:" + file}));
  };
  CHECK(reported("\xef\xbb\xbf# the first ones\n0  # node 0\r\n\n 4\n").exit_code == 0);
  for (const auto& [text, message] :
       {std::pair("0\n1 2\n", "a.txt:2: error: invalid rank '1 2'"),
        std::pair("3\n0\n3\n", "a.txt:3: error: rank 3 is listed twice"),
        std::pair("# 1\n", "a.txt: no rank in the file")}) {
    const Ended ended = reported(text);
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(mentions(ended.err, message), ended.err);
  }
}

TEST_CASE("jobs with hours of piecewise processing are rejected with the number of pieces") {
  const TemporaryFolder folder;
  const auto rejected = [](std::vector<std::string> job, const std::string& message) {
    job.insert(job.begin(), {"--procs", "8"});
    const Ended ended = io("write", job);
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(mentions(ended.err, message), ended.err);
  };
  rejected({"--partitioning", "static", "--stripe-size", "1", "--buffer-size", "1GiB",
            "--bytes-per-proc", "1GiB"},
           "--stripe-size: the file has 8589934592 units of 1 B, 1073741824 per buffer; the limit "
           "is 100000");
  const auto far = folder.write("far.csv", "rank,offset,length\n0,0,1\n1,1PiB,1\n");
  const auto holes = folder.write("holes.csv", "rank,offset,length\n0,0,256PiB\n1,257PiB,256PiB\n");
  rejected({"--decomposition", "file:" + far, "--implementation", "dynamic_gen2"},
           "--stripe-size: the file has 17179869184 units of 64 KiB, all of which dynamic_gen2 "
           "visits here; the limit is 100000000");
  rejected({"--decomposition", "file:" + holes},
           "--buffer-size: data with holes or overlaps take up to ");
  rejected({"--decomposition", "file:" + far, "--buffer-size", "64", "--aggregators", "1",
            "--extrapolate", "off"},
           "--extrapolate: all 17592186044417 cycles with ");
  const std::string many = "1:100000:+1";
  rejected({"--bytes-per-proc", many, "--buffer-size", many, "--aggregators", "1,2,4"},
           "the lists and ranges make 3e+10 points, more than 100000");
}

TEST_CASE("two bytes far apart are written in two cycles") {
  const TemporaryFolder folder;
  const auto far = folder.write("far.csv", "rank,offset,length\n0,0,1\n1,512PiB,1\n");
  for (const char* implementation : {"generic", "vulcan"}) {
    const Ended ended = io("write", {"--procs", "2", "--ppn", "1", "--decomposition", "file:" + far,
                                     "--implementation", implementation, "--aggregators", "2"});
    CHECK_MESSAGE(ended.exit_code == 0, ended.err);
  }
}

TEST_CASE("Open MPI's components sieve data of small pieces: a write reads the gaps first") {
  const TemporaryFolder folder;
  // Two pieces of 100 B, the second at this offset, with 10 us per byte of a target.
  const auto storage_us = [&](const std::string& implementation, int offset) {
    const auto pieces =
        folder.write("p.csv", fmt::format("rank,offset,length\n0,0,100\n0,{},100\n", offset));
    const Ended ended =
        io("write", {"--procs", "1", "--decomposition", "file:" + pieces, "--implementation",
                     implementation, "--aggregators", "1", "--setup", "off", "--storage",
                     "targets=1,bandwidth=100kBps", "--format", "csv", "--provenance", "none"});
    REQUIRE(ended.exit_code == 0);
    return 1e6 * std::stod(column(ended, "storage_s").at(0));
  };
  // The remainder is the latency of requests: some 10 us.
  CHECK(storage_us("generic", 200) == close_to(2000, 0.02));
  for (const std::string implementation : {"vulcan", "dynamic_gen2"}) {
    CHECK(storage_us(implementation, 200) == close_to(300 * 10 + 300 * 10, 0.02));
    CHECK(storage_us(implementation, 10'000) == close_to(2000, 0.02));  // too far apart
  }
}

TEST_CASE("with automatic collective buffering, romio exchanges data only if accesses interleave") {
  const TemporaryFolder folder;
  const auto apart =
      folder.write("apart.csv", "rank,offset,length\n0,0,100\n0,200,100\n1,300,100\n1,500,100\n");
  const auto implementation = [&](const std::string& decomposition) {
    const Ended ended =
        io("write", {"--procs", "4", "--decomposition", decomposition, "--implementation", "romio",
                     "--hints", "romio_cb_write=automatic", "--storage",
                     "targets=1,bandwidth=1GBps", "--format", "csv"});
    REQUIRE(ended.exit_code == 0);
    return column(ended, "implementation").at(0);
  };
  CHECK(implementation("1d") == "independent");
  CHECK(implementation("2d") == "romio");
  CHECK(implementation("file:" + apart) == "data_sieving");
}
