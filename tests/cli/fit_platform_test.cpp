// SPDX-License-Identifier: BSD-3-Clause
// sim fit platform on synthetic input, and on real measurements if they are next to the checkout.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "platforms/reader.hpp"
#include "sim/base/quantile.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/reports/tables/result_file.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

// The path of a measurement; empty, with a message, if it is not available.
std::string measured(const std::string& name) {
  const auto path = std::filesystem::path(TUTTI_SOURCE_DIR) / "../shared/data/measured" / name;
  if (std::filesystem::exists(path)) return path.string();
  MESSAGE("skipped: missing " << path.string());
  return "";
}

// `words` are separated by blanks.
Ended sim(const std::string& words) {
  std::vector<std::string> arguments;
  for (auto& word : split(words, ' '))
    if (!word.empty()) arguments.push_back(std::move(word));
  return run_sim(arguments);
}

std::vector<studies::PairMeasurement> pairs_of(const std::string& file,
                                               const studies::OnlyRows& only = {}) {
  auto table = reports::read_result_file(file).value().table;
  return studies::pair_measurements(studies::rows_with(std::move(table), only).value())
      .value()
      .found;
}

}  // namespace

TEST_CASE("a torus has the number of nodes of its dimensions and the network of its class") {
  const TemporaryFolder folder;
  const auto times = folder.file("times.csv"), file = folder.file("again.xml");
  REQUIRE(sim("run allgather --platform fugaku --set torus/dimensions=2x2x2 --procs 8 --algorithm "
              "ring,bruck --message-size 8:1MiB:*16 --no-cost -o " +
              times)
              .exit_code == 0);
  const auto fit = sim("fit platform --collectives " + times +
                       " --class tofud --topology TORUS:4,4,4 -q -o " + file);
  CHECK(fit.exit_code == 0);
  const auto shown = sim("platform show " + file);
  CHECK(shown.out.find("folded torus of 4 x 4 x 4 on 2 x 2 x 2 x 2 x 2 x 2") != std::string::npos);
  CHECK(shown.out.find("each receives at most") != std::string::npos);
}

TEST_CASE("a fit to simulated ping-pong recovers the machine's times") {
  const TemporaryFolder folder;
  const auto times = folder.file("times.csv"), file = folder.file("again.xml");
  const std::string sizes = " --message-size 1:4MiB,12289 --no-cost ";
  REQUIRE(sim("run pingpong --platform crill" + sizes + "-o " + times).exit_code == 0);
  const auto fit = sim("fit platform " + times + " --like crill --nodes 4 -o " + file);
  CHECK(fit.exit_code == 0);
  CHECK(fit.out.find("eager_limit") != std::string::npos);
  CHECK(fit.err.find("the data do not determine latency, send_overhead") != std::string::npos);
  const auto check = sim("fit platform --check " + times + " --platform " + file);
  CHECK(check.exit_code == 0);
  CHECK(check.out.find("median error 0.0") != std::string::npos);
  CHECK(sim("platform check " + file).exit_code == 0);
}

TEST_CASE("collectives determine what ping-pong leaves open") {
  const TemporaryFolder folder;
  const auto messages = folder.file("messages.csv"), one = folder.file("one.csv"),
             other = folder.file("other.csv"), file = folder.file("again.xml"),
             report = folder.file("report.json");
  REQUIRE(sim("run pingpong --platform crill --message-size 1:4MiB,12KiB,12289 --no-cost -o " +
              messages)
              .exit_code == 0);
  for (const auto& [collective, times] : {std::pair("bcast", one), {"gather", other}})
    REQUIRE(sim(std::string("run ") + collective +
                " --platform crill --procs 16 --ppn 1 --algorithm all --message-size "
                "8,1KiB,8KiB,64KiB --no-cost -o " +
                times)
                .exit_code == 0);
  const auto fit = sim("fit platform " + messages + " --collectives " + one + " --collectives " +
                       other + " --like crill --nodes 16 -o " + file + " --report " + report);
  CHECK(fit.exit_code == 0);
  std::ifstream written(file);
  const std::string xml((std::istreambuf_iterator<char>(written)), {});
  CHECK(xml.find("From collectives, of " + one + ", " + other + ": latency, send_overhead") !=
        std::string::npos);
  // Crill's overheads are 0.4 us each; times between two processes are unchanged.
  const auto machine = platforms::load_machine(file).value();
  CHECK(std::abs(machine.inter.send_overhead(8) / 0.4e-6 - 1) < 0.1);
  CHECK(std::abs(machine.inter.recv_overhead(8) / 0.4e-6 - 1) < 0.1);
  CHECK(sim("fit platform --check " + messages + " --platform " + file)
            .out.find("median error 0.0") != std::string::npos);
  const auto rows = [](const std::string& name) {
    return reports::read_result_file(name).value().table.rows.size();
  };
  CHECK(rows(report) == rows(messages) + rows(one) + rows(other));
  CHECK(sim("plot " + report + " -o " + folder.file("residuals.svg")).exit_code == 0);
}

TEST_CASE("--check simulates messages inside a node if the file contains some") {
  const TemporaryFolder folder;
  const auto times = folder.file("times.csv"), plain = folder.file("plain.csv");
  REQUIRE(
      sim("run pingpong --platform crill --path intra --message-size 1:1MiB --no-cost -o " + times)
          .exit_code == 0);
  const auto exact = [](const Ended& check) {
    return check.exit_code == 0 && check.out.find("median error 0.0 %") != std::string::npos &&
           check.out.find("message intra") != std::string::npos;
  };
  CHECK(exact(sim("fit platform --check " + times + " --platform crill")));
  std::ofstream csv(plain);  // without a path
  csv << "message_bytes,time_s\n";
  for (const auto& each : pairs_of(times)) csv << fmt::format("{},{}\n", each.bytes, each.time_s);
  csv.close();
  const auto alone = sim("fit platform " + times + " -o " + folder.file("x.xml"));
  CHECK(alone.exit_code == 2);
  CHECK(alone.err.find("no measurements between nodes") != std::string::npos);
  CHECK(exact(sim("fit platform --intra " + plain + " --check " + times + " --platform crill")));
}

TEST_CASE("--check simulates streams, and omits overheads and intervals") {
  const TemporaryFolder folder;
  const auto stream = folder.file("stream.csv");
  REQUIRE(sim("run pingpong --platform crill --pattern stream --window 16 --message-size 1:1MiB "
              "--no-cost -o " +
              stream)
              .exit_code == 0);
  const auto check = sim("fit platform --check " + stream + " --platform crill");
  CHECK(check.exit_code == 0);
  CHECK_MESSAGE(check.out.find("median error 0.0 %") != std::string::npos, check.err);
  CHECK(check.out.find("stream inter") != std::string::npos);
  const std::string osu_bw = "# OSU MPI Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n";
  CHECK(sim("fit platform --platform crill --check " +
            folder.write("osu_bw.txt", osu_bw + "1 2.86\n1024 1462.86\n"))
            .exit_code == 0);
  const auto none = sim("fit platform --platform crill --check " +
                        folder.write("o.csv", "message_bytes,o_send_s\n1,4e-7\n64,5e-7\n"));
  CHECK(none.exit_code == 2);
  CHECK(none.err.find("--check: nothing to compare: ") != std::string::npos);
  CHECK(none.err.find("o.csv: 2 times of overheads and intervals are not compared") !=
        std::string::npos);
}

TEST_CASE("a fit reports the error of its machine against measured streams") {
  const TemporaryFolder folder;
  const auto both = folder.file("both.csv"), report = folder.file("report.csv");
  REQUIRE(sim("run pingpong --platform crill --pattern pingpong,stream --message-size 1:1MiB "
              "--no-cost -o " +
              both)
              .exit_code == 0);
  const auto fit = sim("fit platform " + both + " --like crill --report " + report + " -o " +
                       folder.file("machine.xml"));
  CHECK_MESSAGE(fit.out.find("streams, simulated: 21 times; errors: median ") != std::string::npos,
                fit.out, fit.err);
  CHECK(reports::read_result_file(report).value().table.rows.size() == 42);
}

TEST_CASE("repetitions of an algorithm do not count as separate algorithms") {
  const TemporaryFolder folder;
  const auto calls = folder.write("calls.csv",
                                  "collective,algorithm,procs,message_bytes,time_s\n"
                                  "bcast,binomial,8,1024,1e-5\nbcast,binomial,8,1024,1.2e-5\n"
                                  "bcast,binomial,8,1024,9e-5\nbcast,basic_linear,8,1024,2e-5\n"
                                  "bcast,basic_linear,8,1024,3e-5\n");
  const auto check =
      sim("fit platform --platform crill --part ranking --format csv --check " + calls);
  CHECK_MESSAGE(check.out.find("\nbcast,1,1,") != std::string::npos, check.out);
}

TEST_CASE("one file may contain times inside and between nodes, also without copies") {
  const TemporaryFolder folder;
  const auto between = folder.file("between.csv"), inside = folder.file("inside.csv"),
             file = folder.file("machine.xml");
  const std::string run = "run pingpong --platform crill --message-size 1:1MiB --no-cost -o ";
  REQUIRE(sim(run + between).exit_code == 0);
  REQUIRE(sim(run + inside + " --path intra").exit_code == 0);
  for (const auto& files : {between + " " + inside, between + " --intra " + inside}) {
    CHECK(sim("fit platform " + files + " -o " + file).exit_code == 0);
    const auto check =
        sim("fit platform --check " + between + " --check " + inside + " --platform " + file);
    CHECK_MESSAGE(check.out.find("median error 0.0 %") != std::string::npos, check.err);
  }
  CHECK(sim("fit platform " + between + " --intra " + inside + " --cores 1 -o " + file).exit_code ==
        0);
  CHECK(platforms::load_machine(file).value().cores_per_host == 1);
}

TEST_CASE("NIC sharing is written to the platform file and compared") {
  const auto pingpong = measured("p2p_pingpong_calibration.csv"),
             shared = measured("contention_saturation.csv");
  if (pingpong.empty() || shared.empty()) return;
  const TemporaryFolder folder;
  const auto file = folder.file("machine.xml");
  for (const auto& [platform, duplex] :
       {std::pair("taurus", "SHARED"), {"plafrim", "SPLITDUPLEX"}}) {
    CAPTURE(std::string(platform));
    const std::string only = fmt::format(" --only platform={} ", platform);
    const auto fit =
        sim("fit platform " + pingpong + only + "--sharing " + shared + " --nodes 16 -o " + file);
    CHECK(fit.exit_code == 0);
    CHECK(fit.out.find("no limit up to") != std::string::npos);
    std::ifstream written(file);
    const std::string xml((std::istreambuf_iterator<char>(written)), {});
    CHECK(xml.find(fmt::format("sharing_policy=\"{}\"", duplex)) != std::string::npos);
    const auto check = sim("fit platform --check " + shared + only + "--platform " + file);
    CHECK(check.exit_code == 0);
    CHECK(check.out.find("sendrecv_same") != std::string::npos);
  }
}

TEST_CASE("times in microseconds under time_s, and swapped files, are reported") {
  const TemporaryFolder folder;
  const auto times = [&](const char* name, double factor) {
    std::string rows = "message_bytes,time_s\n";
    for (long size = 1; size <= 1 << 20; size *= 4)
      rows += fmt::format("{},{}\n", size, factor * (2.0 + static_cast<double>(size) / 5000));
    return folder.write(name, rows);
  };
  const auto us = times("us.csv", 1), slow = times("slow.csv", 1e-6),
             fast = times("fast.csv", 3e-7);
  const auto warnings = [&](const std::string& arguments) {
    const Ended fit =
        sim("fit platform " + arguments + " --nodes 4 --cores 4 -o " + folder.file("m.xml"));
    CHECK(fit.exit_code == 0);
    return fit.err;
  };
  CHECK(warnings(us).find("look like microseconds, not seconds: 2.00 s for 1 B") !=
        std::string::npos);
  CHECK(warnings(fast + " --intra " + slow).find("swapped?") != std::string::npos);
  const auto right = warnings(slow + " --intra " + fast);
  CHECK(right.find("swapped?") == std::string::npos);
  CHECK(right.find("microseconds") == std::string::npos);
}

TEST_CASE("an invalid platform name is reported at its option") {
  const TemporaryFolder folder;
  const auto times = folder.file("times.csv"), file = folder.file("new.xml");
  REQUIRE(
      sim("run pingpong --platform crill --message-size 1:1MiB --no-cost -o " + times).exit_code ==
      0);
  for (const std::string name : {"", " ", "a\x01z", "a\nz", "a\xffz", "a\xc2\x85z"}) {
    CAPTURE(name);
    const Ended fit = run_sim({"fit", "platform", times, "-o", file, "--name", name});
    CHECK(fit.exit_code == 2);
    CHECK_MESSAGE(fit.err.starts_with("sim: error: --name: "), fit.err);
    CHECK_FALSE(std::filesystem::exists(file));
  }
  const std::string odd = folder.file("a\x01z.xml");
  const Ended made = run_sim({"platform", "new", "flat", "--nodes", "2", "-o", odd});
  CHECK(made.exit_code == 2);
  CHECK_MESSAGE(made.err.starts_with("sim: error: -o: invalid machine name 'a\\x01z'"), made.err);
  CHECK_FALSE(std::filesystem::exists(odd));
  const Ended quoted = run_sim({"fit", "platform", times, "-o", file, "--name", "it's \"x\" <&"});
  CHECK_MESSAGE(quoted.exit_code == 0, quoted.err);
  CHECK(sim("platform show " + file).exit_code == 0);
}

TEST_CASE("characters of file names that XML does not support are escaped") {
  const TemporaryFolder folder;
  const auto times = folder.file("a\x01<b>\xff--c.csv"), file = folder.file("made.xml");
  REQUIRE(run_sim({"run", "pingpong", "--platform", "crill", "--message-size", "1:1MiB:*4",
                   "--no-cost", "--format", "csv", "-o", times})
              .exit_code == 0);
  const Ended fit = run_sim({"fit", "platform", times, "-o", file});
  REQUIRE_MESSAGE(fit.exit_code == 0, fit.err);
  const auto xml = read_file(file);
  CHECK(xml.find("a\\x01&lt;b>\\xff") != std::string::npos);
  CHECK(xml.find('\x01') == std::string::npos);
  CHECK(xml.find('\xff') == std::string::npos);
  CHECK(run_sim({"platform", "check", file}).exit_code == 0);
}

TEST_CASE("input that cannot be fitted is reported") {
  const TemporaryFolder folder;
  const auto file = folder.file("x.csv");
  std::ofstream(file) << "message_bytes,time_s\n1,1e-6\n2,1e-6\n";
  const auto few = sim("fit platform " + file + " -o " + folder.file("y.xml"));
  CHECK(few.exit_code == 2);
  CHECK(few.err.find("too few for a fit") != std::string::npos);
  CHECK(sim("fit platform -o " + folder.file("y.xml")).exit_code == 2);
  const auto idle = sim("fit platform " + file + " -o - --format csv");
  CHECK(idle.exit_code == 2);
  CHECK(idle.err.find("--format: has no effect: standard output has the platform") !=
        std::string::npos);
  CHECK(sim("fit platform " + file).err.find("--output: is required") != std::string::npos);
  CHECK(sim("fit platform " + file + " --only mpi=x -o -").err.find("unknown column 'mpi'") !=
        std::string::npos);
  CHECK(sim("fit platform --check " + file).err.find("--platform: is required") !=
        std::string::npos);
}

TEST_CASE("a fit to every second size of real ping-pong predicts the other sizes within 10%") {
  const auto file = measured("p2p_pingpong_calibration.csv");
  if (file.empty()) return;
  for (const char* platform :
       {"taurus", "stampede", "stampede_b", "miriel", "plafrim", "sirocco", "taurus_loopback"}) {
    CAPTURE(std::string(platform));
    const auto all = pairs_of(file, {{"platform", platform}});
    for (const std::size_t first : {0, 1}) {
      std::vector<studies::PairMeasurement> fitted, others;
      for (std::size_t i = 0; i < all.size(); ++i)
        (i % 2 == first ? fitted : others).push_back(all[i]);
      const auto fit = studies::fit_protocol(fitted).value();
      std::vector<double> errors;
      for (const auto& each : others)
        errors.push_back(std::abs(fit.one_way_s(each.bytes) / each.time_s - 1));
      CHECK(median_of(errors) <= 0.1);
    }
  }
}

TEST_CASE("marenostrum5 has a median error of at most 15% against its fitted data") {
  const auto file = measured("marenostrum5_subset.csv");
  if (file.empty()) return;
  const TemporaryFolder folder;
  const auto errors = folder.file("errors.csv"), again = folder.file("mn5.xml");
  const auto check = [&](const std::string& platform) {
    REQUIRE(sim("fit platform --benchmark pico --check " + file + " --platform " + platform +
                " -o " + errors)
                .exit_code == 0);
    const auto table = reports::read_result_file(errors).value().table;
    const auto column = std::ranges::find(table.columns, "relative_error") - table.columns.begin();
    std::vector<double> sizes;
    for (const auto& row : table.rows) sizes.push_back(std::abs(*number_of(row[column])));
    CHECK(sizes.size() == 16);
    return median_of(sizes);
  };
  CHECK(check("marenostrum5") <= 0.15);
  REQUIRE(sim("fit platform --benchmark pico --collectives " + file +
              " --nodes 32 --like marenostrum5 -o " + again)
              .exit_code == 0);
  CHECK(check(again) <= 0.15);
}

TEST_CASE("a fit to collectives lists priors, and predicts each collective without its data") {
  const TemporaryFolder folder;
  const auto one = folder.file("one.csv"), other = folder.file("other.csv");
  for (const auto& [collective, times] : {std::pair("bcast", one), {"allgather", other}})
    REQUIRE(sim(std::string("run ") + collective +
                " --platform lumi --procs 8 --ppn 1 --algorithm all --message-size 64:1MiB:*16 "
                "--engine flow --no-cost -o " +
                times)
                .exit_code == 0);
  const auto fit = sim("fit platform --collectives " + one + " --collectives " + other +
                       " --class slingshot11 --nodes 8 -o " + folder.file("x.xml") + " --report " +
                       folder.file("r.json"));
  CHECK_MESSAGE(fit.exit_code == 0, fit.err);
  CHECK_MESSAGE(fit.out.find("each collective predicted by a fit without it") != std::string::npos,
                fit.out);
  CHECK(fit.out.find("slingshot11") != std::string::npos);
  CHECK(fit.out.find("\nrendezvous   ") != std::string::npos);
  const auto drawn = sim("plot " + folder.file("r.json") + " -o " + folder.file("r.vg"));
  CHECK_MESSAGE(drawn.exit_code == 0, drawn.err);
  CHECK(read_file(folder.file("r.vg")).find("\"binomial\"") != std::string::npos);
  CHECK(fit.err.find("the data add little to the priors of ") != std::string::npos);
  const auto xml = read_file(folder.file("x.xml"));
  CHECK(xml.find("Priors, to which the data add little: ") != std::string::npos);
  CHECK(xml.find("mpi/combine_bandwidth") != std::string::npos);
  CHECK(sim("platform check " + folder.file("x.xml")).exit_code == 0);
  const auto alone = sim("fit platform --collectives " + one + " --like lumi --nodes 8 -o " +
                         folder.file("y.xml"));
  CHECK_MESSAGE(
      alone.out.find("every 5th row predicted by a fit without these rows") != std::string::npos,
      alone.out, alone.err);
}

TEST_CASE("collectives that cannot be fitted are errors with a place and a hint") {
  const TemporaryFolder folder;
  const std::string head = "collective,algorithm,procs,message_bytes,time_s\n";
  std::string rows;
  for (int i = 0; i < 8; ++i) rows += fmt::format("bcast,binomial,8,{},1e-5\n", 64 << i);
  const auto fit = [&](const std::string& file, const std::string& options) {
    return sim("fit platform --collectives " + file + " --nodes 8 -o " + folder.file("x.xml ") +
               options)
        .err;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  };
  const auto good = folder.write("good.csv", head + rows);
  has(fit(good, "--class infiniband-hdr10"), "--class: unknown hardware class 'infiniband-hdr10'");
  has(fit(good, "--class infiniband-hdr10"), "did you mean 'infiniband-hdr100'?");
  has(fit(good, "--jobs 0"), "--jobs");
  const auto odd = fit(folder.write("odd.csv", head + rows + "bcast,binomial,8,64,10\n"), "");
  has(odd, "odd.csv:10: error: bcast binomial of 8 processes, 64 B, 10.0 s contradicts 10.0 us in");
  has(odd, "times must be in seconds");
  const auto few = fit(folder.write("few.csv", head + "bcast,binomial,8,64,1e-5\n"), "");
  has(few, "few.csv: 1 time of collectives: too few for a fit");
  has(few, "provide at least eight");
  const auto unknown = fit(folder.write("bine.csv", head + "bcast,bine_tree,8,64,1e-5\n"), "");
  has(unknown, "no times of collectives: Tutti does not support bcast 'bine_tree'");
  const auto pairs = folder.write("pairs.csv", "message_bytes,time_s\n1,1e-6\n1024,2e-6\n");
  has(sim("fit platform " + pairs + " --class tcp -o " + folder.file("x.xml")).err,
      "--class: has no effect without times of collectives");
}

TEST_CASE("rows without information are reported with the line of the first") {
  const TemporaryFolder folder;
  const auto fit = [&](const std::string& rows) {
    const auto file = folder.write("m.csv", "message_bytes,time_s,status\n" + rows);
    return sim("fit platform " + file + " -o " + folder.file("m.xml"));
  };
  const std::string good = "1,1e-6,\n1024,1.5e-6,\n4096,2e-6,\n65536,9e-6,\n1048576,1e-4,\n";
  CHECK(fit(good).err.find("skipped") == std::string::npos);
  const auto reported = fit(good + "2,nan,\n,1e-6,\n4,,\n8,1e-6,failed\n");
  CHECK(reported.exit_code == 0);
  CHECK_MESSAGE(
      reported.err.find("m.csv:7: 3 of 8 rows are skipped: 'nan' is not a number (1 row), missing "
                        "size (1 row), missing time (1 row)") != std::string::npos,
      reported.err);
  CHECK(reported.err.find("m.csv: 1 point failed and is skipped") != std::string::npos);
  const auto none = fit("2,nan,\n");
  CHECK(none.exit_code == 2);
  CHECK(
      none.err.find("m.csv:2: error: no times of messages between two processes: 'nan' is not a") !=
      std::string::npos);
  for (const char* time : {"-1e-6", "0", "1e294", "1e-300"}) {
    CAPTURE(time);
    const auto rejected = fit(good + "16," + time + ",\n");
    CHECK(rejected.exit_code == 2);
    CHECK(rejected.err.find("m.csv:7: error: ") != std::string::npos);
  }
  const auto calls = folder.write("c.csv",
                                  "collective,procs,message_bytes,time_s\nbcast,4,1024,1e-5\n"
                                  "bcast,4,2048,oops\nbcast,4,4096,-1\n");
  CHECK(sim("fit platform --check " + calls + " --platform crill")
            .err.find("c.csv:3: 2 of 3 rows are skipped: invalid time 'oops' of a collective") !=
        std::string::npos);
  CHECK(sim("fit platform --check " +
            folder.write("one.csv",
                         "collective,procs,message_bytes,time_s\nbcast,4,1024,1e-5\n"
                         "barrier,1,0,1e-6\n") +
            " --platform crill")
            .err.find("one.csv:3: 1 of 2 rows is skipped: one process sends nothing") !=
        std::string::npos);
}

TEST_CASE("benchmarks other than one-way messages are omitted and reported") {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "osu.txt",
      "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n1 1.0\n1024 1.5\n8192 3\n"
      "262144 40\n1048576 150\n# OSU MPI Multi Latency Test v7.4\n# Size  Latency (us)\n1 99\n");
  const auto fit = sim("fit platform " + file + " -o " + folder.file("m.xml"));
  CHECK(fit.exit_code == 0);
  CHECK_MESSAGE(fit.err.find("osu.txt:10: 1 of 6 rows is skipped: latencies of several pairs at "
                             "once (osu_multi_lat)") != std::string::npos,
                fit.err);
  const auto mock_up = folder.write("repro.txt",
                                    "#@operation=MPI_SUM\n#@nprocs=4\ntest nrep msize runtime_sec\n"
                                    "GL_Scatter_as_Bcast 0 8 9e-6\n");
  for (const auto& words :
       {mock_up + " -o " + folder.file("m.xml"), "--platform crill --check " + mock_up}) {
    const auto rejected = sim("fit platform " + words);
    CHECK(rejected.exit_code == 2);
    CHECK_MESSAGE(rejected.err.find("'GL_Scatter_as_Bcast' is neither") != std::string::npos,
                  rejected.err);
  }
}

TEST_CASE("an invalid benchmark time is reported with file and line") {
  const TemporaryFolder folder;
  const auto file = folder.write("osu.txt",
                                 "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n"
                                 "1 1.0\n2 1e300\n");
  const auto rejected = sim("fit platform " + file + " -o " + folder.file("m.xml"));
  CHECK(rejected.exit_code == 2);
  CHECK_MESSAGE(rejected.err.find("osu.txt:4: error: ") != std::string::npos, rejected.err);
}
