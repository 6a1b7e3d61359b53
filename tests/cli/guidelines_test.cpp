// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines check, sim list mockups, and mock-ups as algorithms of sim run.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "sim/base/quantile.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/guideline_checks.hpp"
#include "tests/support/rejected.hpp"
#include "tests/support/study_runs.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

TEST_CASE("times of the default and of the mock-up equal those of sim run") {
  const auto report = check_json(small_check({"--guideline", "GL5,GL9", "--format", "json"}));
  CHECK(report["schema"] == "sim.guidelines.check/2");
  CHECK(report["points"].size() == 2 * 4);
  const auto time_of = [](const std::string& collective, const std::string& algorithm) {
    const auto run =
        Json::parse(out_of({"run", collective, "--platform", "jupiter", "--procs", "32", "--ppn",
                            "1", "--message-size", "2KiB", "--algorithm", algorithm, "--engine",
                            "flow", "--format", "json"}));
    return run["points"][0]["time_s"].get<double>();
  };
  for (const auto& point : report["points"]) {
    if (point["message_bytes"] != 2048) continue;
    const std::string collective = point["collective"];
    CHECK(point["default_time_s"] == exactly(time_of(collective, "auto")));
    CHECK(point["time_s"] == exactly(time_of(collective, point["mockup"])));
  }
}

TEST_CASE("a violation above the threshold gives exit code 1") {
  const Args one = small_check({"--guideline", "GL5", "--selection", "allreduce=basic_linear"});
  const Ended found = run_sim(one);
  CHECK(found.exit_code == 1);
  CHECK(found.out.find("GL5") != std::string::npos);
  CHECK(found.err.find("worth replacing") != std::string::npos);
  Args never = one;
  never.insert(never.end(), {"--replaceable-from", "100%"});
  CHECK(run_sim(never).exit_code == 0);
}

TEST_CASE("calls without data do not violate a guideline, and two runs are not significant") {
  const Args gather{"guidelines",   "check", "--platform",   "jupiter", "--procs",        "2",
                    "--ppn",        "1",     "--collective", "gather",  "--message-size", "0",
                    "--repetitions"};
  Args plain(gather.begin(), gather.end() - 1);
  CHECK(run_sim(plain).exit_code == 0);
  Args noisy = gather;
  noisy.insert(noisy.end(), {"2", "--noise", "multiplicative:5%", "--runs", "3"});
  CHECK(run_sim(noisy).err.find("--runs 3: the rank-sum test needs at least 4 runs") !=
        std::string::npos);
  noisy.back() = "4";
  CHECK(run_sim(noisy).err.find("needs at least 4 runs") == std::string::npos);
}

TEST_CASE("a report fits 80 columns") {
  TemporaryFolder folder;
  const auto pages = {
      run_sim(small_check()).out,
      out_of({"guidelines", "tune", "--platform", "jupiter", "--procs", "32", "--ppn", "1",
              "--message-size", "64:64KiB:*32", "-q", "-o", folder.path()})};
  for (const auto& page : pages)
    for (std::size_t at = 0; at < page.size();) {
      const auto end = page.find('\n', at);
      CHECK_MESSAGE(end - at <= 80, page.substr(at, end - at));
      at = end + 1;
    }
}

TEST_CASE("with noise the report has runs, medians and a significance test") {
  const auto report =
      check_json(small_check({"--guideline", "GL9", "--noise", "multiplicative:5%:1", "--runs", "5",
                              "--repetitions", "3", "--format", "json"}));
  for (const auto& point : report["points"]) {
    CHECK(point["p"].is_number());
    CHECK(point["repetitions"] == 3);
    CHECK(point["default_repetitions"] == 3);
    CHECK(point["relative_latency_min"] <= point["relative_latency"]);
    CHECK(point["relative_latency"] <= point["relative_latency_max"]);
  }
  const auto same =
      check_json(small_check({"--guideline", "GL9", "--noise", "multiplicative:0.05:1", "--runs",
                              "5", "--repetitions", "3", "--format", "json"}));
  CHECK(same["points"] == report["points"]);
}

TEST_CASE("the number of repetitions is estimated: many for small messages, K for large ones") {
  const Args noisy = small_check({"--guideline", "GL11", "--noise", "multiplicative:60%:1",
                                  "--runs", "3", "--nrep-min", "4", "--format", "json"});
  const auto points = check_json(noisy)["points"];
  REQUIRE(points.size() == 4);
  CHECK(points[0]["default_repetitions"] > 4);
  CHECK(points[0]["default_repetitions"] > points[1]["default_repetitions"]);
  CHECK(points[2]["default_repetitions"] == 4);
  CHECK(points[3]["default_repetitions"] == 4);
  Args most = noisy;
  most.insert(most.end(), {"--nrep-max", "6"});
  const auto report = check_json(most);
  CHECK(report["points"][0]["default_repetitions"] <= 6);
  CHECK(report["about"].dump().find("did not settle in 6 calls (--nrep-max)") != std::string::npos);
  Args rough = noisy;
  rough.insert(rough.end(), {"--nrep-rse", "20%"});
  CHECK(check_json(rough)["points"][0]["default_repetitions"] <
        points[0]["default_repetitions"].get<int>());
}

TEST_CASE("negligible noise keeps the times, unless a barrier makes ranks start apart") {
  const Args one{"guidelines", "check",    "--platform", "jupiter",        "--procs",
                 "32",         "--ppn",    "1",          "--guideline",    "GL11",
                 "-q",         "--format", "json",       "--message-size", "1"};
  const auto points_with = [&](const Args& more) {
    Args args = one;
    args.insert(args.end(), more.begin(), more.end());
    return check_json(args)["points"][0];
  };
  const double without = points_with({})["default_time_s"];
  const auto window = points_with({"--noise", "multiplicative:1e-9"});
  CHECK(window["default_time_s"].get<double>() == close_to(without, 1e-6));
  CHECK_FALSE(window["violated"].get<bool>());
  const auto barrier = points_with({"--noise", "multiplicative:1e-9", "--sync", "barrier"});
  CHECK(barrier["default_time_s"].get<double>() > 1.3 * without);
  CHECK(barrier["violated"].get<bool>());
}

TEST_CASE("without noise each call is simulated once, and the report mentions it") {
  CHECK(out_of(small_check({"--guideline", "GL11"}))
            .find("each call is simulated once: without noise") != std::string::npos);
  const auto report = check_json(small_check({"--guideline", "GL11", "--format", "json"}));
  for (const auto& point : report["points"]) CHECK(point["repetitions"] == 1);
}

namespace {

struct ReproLine {
  std::string test;
  int nrep = 0;
  long count = 0;
  double runtime_s = 0;
  int mpirun = 0;
  int procs = 0;
};

// Reads like R's read.table(header = TRUE): comments, one line of names, white space between
// columns.
std::vector<ReproLine> read_repro(const std::string& text,
                                  std::map<std::string, std::string>& head) {
  std::istringstream lines(text);
  std::vector<ReproLine> read;
  bool has_names = false;
  for (std::string line; std::getline(lines, line);) {
    if (const auto equals = line.find('='); line.starts_with("#@") && equals != line.npos)
      head[line.substr(2, equals - 2)] = line.substr(equals + 1);
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    if (!has_names) {
      std::string names, word;
      while (words >> word) names += word + ' ';
      CHECK(names == "test nrep count runtime_sec mpirun nprocs ");
      has_names = true;
      continue;
    }
    ReproLine each;
    words >> each.test >> each.nrep >> each.count >> each.runtime_s >> each.mpirun >> each.procs;
    CHECK_FALSE(words.fail());
    CHECK((words >> std::ws).eof());
    read.push_back(each);
  }
  return read;
}

}  // namespace

TEST_CASE("repro contains every repetition of every run, with the medians of the report") {
  const Args noisy = small_check({"--guideline", "GL11,GL12", "--noise", "multiplicative:60%:1",
                                  "--runs", "3", "--nrep-min", "4"});
  Args repro = noisy, json = noisy;
  repro.insert(repro.end(), {"--format", "repro"});
  json.insert(json.end(), {"--format", "json"});
  const Ended ended = run_sim(repro);
  std::map<std::string, std::string> head;
  const auto lines = read_repro(ended.out, head);
  CHECK(head["datatype"] == "MPI_CHAR");
  CHECK(head["nprocs"] == "32");
  CHECK(head["nmpiruns"] == "3");
  std::map<std::pair<std::string, long>, std::vector<std::vector<double>>> times_s;
  for (const auto& line : lines) {
    auto& runs = times_s[{line.test, line.count}];
    CHECK(line.mpirun <= static_cast<int>(runs.size()));
    runs.resize(static_cast<std::size_t>(line.mpirun) + 1);
    CHECK(line.nrep == static_cast<int>(runs.back().size()));
    runs.back().push_back(line.runtime_s);
    CHECK(line.procs == 32);
  }
  const auto check = [&](const std::string& test, const Json& point, const std::string& prefix) {
    CAPTURE(test);
    const auto& runs = times_s.at({test, point["message_bytes"].get<long>()});
    CHECK(runs.size() == 3);
    std::vector<double> medians_s;
    for (const auto& run : runs) {
      CHECK(run.size() == point[prefix + "repetitions"].get<std::size_t>());
      medians_s.push_back(tutti::median_of(run));
    }
    CHECK(tutti::median_of(medians_s) == close_to(point[prefix + "time_s"].get<double>(), 1e-5));
  };
  const auto points = check_json(json)["points"];
  CHECK(times_s.size() == 3 * 4);
  for (const auto& point : points) {
    check("MPI_Gather", point, "default_");
    check(point["mockup"], point, "");
  }
}

TEST_CASE("a picture has a bar per point with noise, and none without") {
  TemporaryFolder folder;
  const auto plot = [&](const std::string& name, const Args& more) {
    Args args = small_check({"--plot", folder.file(name), "-o", folder.file("report.txt")});
    args.insert(args.end(), more.begin(), more.end());
    const Ended ended = run_sim(args);
    CHECK(ended.exit_code < 2);
  };
  plot("one.vg", {"--guideline", "GL11,GL12", "--noise", "multiplicative:5%", "--runs", "3"});
  const auto noisy = read_file(folder.file("one.vg"));
  CHECK(noisy.find("\"low\":") != std::string::npos);
  CHECK(noisy.find("\"GL11 allgather\"") != std::string::npos);
  plot("plain.vg", {"--guideline", "GL11,GL12"});
  CHECK(read_file(folder.file("plain.vg")).find("\"low\":") == std::string::npos);
  plot("many.vg", {"--guideline", "GL11,GL9"});
  CHECK(read_file(folder.file("many-gather.vg")).find("MPI_Gather") != std::string::npos);
  CHECK(read_file(folder.file("many-bcast.vg")).find("MPI_Bcast") != std::string::npos);
  plot("drawn.svg", {"--guideline", "GL11", "--noise", "multiplicative:50%"});
  CHECK(read_file(folder.file("drawn.svg")).find("</svg>") != std::string::npos);
}

TEST_CASE("reports of two seeds are compared point by point, with any number of repetitions") {
  TemporaryFolder folder;
  for (const std::string seed : {"1", "2"})
    CHECK(run_sim(small_check({"--guideline", "GL11", "--noise", "multiplicative:60%:" + seed, "-o",
                               folder.file(seed + ".json")}))
              .exit_code < 2);
  const auto compared = out_of({"compare", folder.file("1.json"), folder.file("2.json")});
  CHECK(compared.find("B/A") != std::string::npos);
}

TEST_CASE("Ctrl-C prints the finished points and marks the report as partial") {
  const TemporaryFolder folder(folder_in_memory());
  const auto report = folder.file("part.txt");
  // Hundreds of calls take minutes.
  const pid_t child = start_sim({"guidelines", "check", "--platform", "jupiter", "--procs", "256",
                                 "--ppn", "16", "--noise", "multiplicative:5%", "-j", "1", "-q",
                                 "--part", "scatter", "-o", report});
  await_handler(child, SIGINT);
  for (int i = 0; i < 2; ++i) {
    ::kill(child, SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(read_file(report).find("calls were not run because the check was stopped") !=
        std::string::npos);
}

TEST_CASE("mock-ups are listed separately from algorithms, and never take part in a comparison") {
  const auto list = Json::parse(out_of({"list", "mockups", "--format", "json"}));
  CHECK(list["mockups"].size() == 48);
  CHECK(out_of({"list", "algorithms"}).find("_as_") == std::string::npos);
  const auto all = out_of({"run", "bcast", "--platform", "jupiter", "--procs", "8", "--algorithm",
                           "all", "--message-size", "1KiB", "--format", "csv"});
  CHECK(all.find("_as_") == std::string::npos);
}

TEST_CASE("profiles replace the rules' choice if memory suffices, and reports mention it") {
  TemporaryFolder folder;
  folder.write("bcast.prf",
               "# pgtune profile\nMPI_Bcast\n8\n1\n1 bcast_as_allgatherv\n1\n1024 1024 1\n");
  const auto records = [&](const Args& more) {
    Args args{"run",
              "bcast",
              "--platform",
              "jupiter",
              "--procs",
              "8",
              "--message-size",
              "1KiB,2KiB",
              "--algorithm",
              "auto,bcast_as_allgatherv,knomial",
              "--profile",
              folder.path(),
              "--format",
              "json"};
    args.insert(args.end(), more.begin(), more.end());
    return Json::parse(out_of(args))["points"];
  };
  const auto replaced = records({});
  REQUIRE(replaced.size() == 6);
  CHECK(replaced[0]["algorithm"] == "bcast_as_allgatherv");
  CHECK(replaced[0]["decided_by"] == "profile");
  CHECK(replaced[0]["requested_algorithm"] == "auto");
  CHECK(replaced[0]["time_s"] == replaced[2]["time_s"]);
  CHECK(replaced[1]["decided_by"] == "ompi-4.1");
  CHECK(replaced[4]["algorithm"] == "knomial");
  const auto left = records({"--int-buffer", "63"});
  CHECK(left[0]["decided_by"] == "ompi-4.1 (no buffer for bcast_as_allgatherv)");
  CHECK(left[0]["time_s"] == left[4]["time_s"]);
}

TEST_CASE("tune writes profiles that leave no violation, and run applies them") {
  TemporaryFolder folder;
  const auto made = folder.path() + "/profiles";
  Args args{"guidelines",
            "tune",
            "--platform",
            "jupiter",
            "--procs",
            "32",
            "--ppn",
            "1",
            "--collective",
            "allreduce,scatter",
            "--message-size",
            "64:64KiB:*32",
            "-q",
            "-o",
            made,
            "--format",
            "json",
            "--selection",
            "allreduce=basic_linear"};
  const auto report = Json::parse(out_of(args));
  CHECK(report["schema"] == "sim.guidelines.tune/2");
  bool has_allreduce = false;
  for (const auto& point : report["points"]) {
    CHECK(point["parameters_time_s"].is_number());
    if (point["mockup"].is_null()) {
      CHECK(point["time_s"] == point["default_time_s"]);
      continue;
    }
    CHECK(point["relative_latency"] <= 0.9 + 1e-9);
    has_allreduce |= point["collective"] == "allreduce";
  }
  REQUIRE(has_allreduce);
  CHECK(read_file(made + "/allreduce_32.prf").starts_with("# pgtune profile\n"));
  const auto run =
      Json::parse(out_of({"run", "allreduce", "--platform", "jupiter", "--procs", "32", "--ppn",
                          "1", "--message-size", "64KiB", "--profile", made, "--format", "json"}));
  CHECK(run["points"][0]["decided_by"] == "profile");
  CHECK(rejected(args).find("already contains profiles") != std::string::npos);
}

TEST_CASE("calls with too many messages are listed as skipped, and the others are compared") {
  const Ended found =
      run_sim({"guidelines", "check", "--platform", "juqueen", "--procs", "8192", "--ppn", "16",
               "--collective", "alltoall,scatter", "--message-size", "1KiB", "-q"});
  CHECK((found.exit_code == 0 || found.exit_code == 1));
  for (const auto* part : {"alltoall default is skipped from 1 KiB on: all of its mock-ups",
                           "alltoall alltoall_as_alltoallv is skipped", "MPI_Scatter"})
    CHECK_MESSAGE(found.out.find(part) != std::string::npos, part);
}

TEST_CASE("the parameters used in the comparison are options") {
  const auto tune = [](const Args& more) {
    Args args{"guidelines", "tune",     "--platform",   "crill", "--procs",        "16",
              "--ppn",      "1",        "--collective", "bcast", "--message-size", "1MiB",
              "-q",         "--format", "json"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  };
  const auto parameters = [&](const Args& more) {
    TemporaryFolder folder;
    Args args = tune(more);
    args.insert(args.end(), {"-o", folder.path()});
    return Json::parse(out_of(args))["points"][0];
  };
  const auto whole = parameters({"--segment-size", "0", "--fanout", "2"});
  const auto cut = parameters({"--segment-size", "0,4KiB", "--fanout", "2"});
  CHECK(std::string(cut["parameters"]).find("segments 4 KiB") != std::string::npos);
  CHECK(std::string(whole["parameters"]).find("segments") == std::string::npos);
  CHECK(cut["parameters_time_s"] < whole["parameters_time_s"]);
  const auto noise = parameters({"--segment-size", "4KiB", "--noise", "multiplicative:0.05:1",
                                 "--runs", "3", "--repetitions", "2"});
  CHECK(noise["parameters_time_s"] > 0);
  CHECK(rejected(tune({"-o", "nowhere", "--segment-size", "1x"})).find("--segment-size") !=
        std::string::npos);
  CHECK(rejected(tune({"-o", "nowhere", "--fanout", "0"})).find("--fanout") != std::string::npos);
}

TEST_CASE("invalid options are rejected with a hint") {
  const auto has = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(rejected(small_check({"--guideline", "GL23"})), "--guideline");
  has(rejected(small_check({"--collective", "barrier"})), "--collective");
  has(rejected(small_check({"--collective", "bcast", "--guideline", "GL1"})), "--guideline");
  has(rejected(small_check({"--collective", "bcast", "--part", "scan"})), "scan is not checked");
  has(rejected(small_check({"--collective", "allgather", "--selection", "allgather=two_proc"})),
      "leave nothing to compare");
  has(rejected(small_check({"--runs", "3"})), "no effect without --noise");
  has(rejected(small_check({"--sync", "barrier"})), "no effect without --noise");
  const auto noisy = [](Args more) {
    more.insert(more.begin(), {"--noise", "multiplicative:5%"});
    return rejected(small_check(more));
  };
  has(noisy({"--repetitions", "3", "--nrep-min", "3"}), "--repetitions sets a fixed number");
  has(noisy({"--repetitions", "0"}), "--repetitions");
  has(noisy({"--nrep-rse", "0"}), "must be above 0");
  has(noisy({"--nrep-rse", "nan"}), "invalid percentage 'nan'");
  has(noisy({"--nrep-batches", "5"}), "expected two numbers of calls");
  has(noisy({"--nrep-batches", "0,5"}), "expected two numbers of calls");
  has(noisy({"--nrep-batches", "5,5000"}), "expected two numbers of calls");
  has(noisy({"--nrep-max", "4"}), "must be at least 5 calls");
  has(noisy({"--sync", "windw"}), "did you mean 'window'?");
  has(rejected(small_check({"--noise", "multiplicative:5%%"})), "--noise");
  has(rejected(small_check({"--format", "reprp"})), "did you mean 'repro'?");
  has(rejected(small_check({"--format", "repro", "--part", "points"})), "has no tables");
  has(rejected(small_check({"--plot", "x.bmp"})), "unknown picture extension of 'x.bmp'");
  has(rejected(small_check({"--selection", "bcast=binomal"})), "did you mean 'binomial'?");
  has(rejected(small_check({"--selection", "hardware"})), "has no hardware collectives");
  has(rejected(small_check({"--selection", "auto:ompi-3.2"})), "unknown decision rules");
  has(rejected(small_check({"--selection", "auto:rules=nowhere"})), "nowhere");
  const TemporaryFolder folder;
  for (const char* collective : {"bcast", "gather"}) {
    const auto rules = folder.write("rules", std::string("1\n") +
                                                 (collective == std::string("bcast") ? "7" : "0") +
                                                 "\n1\n8\n1\n0 99 0 0\n");
    has(rejected({"guidelines", "check", "--platform", "jupiter", "--procs", "8", "--ppn", "1",
                  "--collective", collective, "--message-size", "64", "--selection",
                  "auto:rules=" + rules}),
        "has no algorithm number 99");
  }
  const Args run{"run", "bcast", "--platform", "jupiter", "--procs", "8"};
  const auto with = [&](Args more) {
    more.insert(more.begin(), run.begin(), run.end());
    return rejected(more);
  };
  has(with({"--int-buffer", "1"}), "has no effect without --profile");
  has(with({"--profile", "nowhere"}), "cannot read nowhere");
  has(with({"--profile", ".", "--algorithm", "chain"}),
      "has no effect without an algorithm chosen by rules");
  has(rejected({"guidelines", "check", "--platform", "jupiter"}), "--procs");
  has(rejected({"run", "allgather", "--platform", "jupiter", "--procs", "4", "--algorithm",
                "allgather_as_gather_bcst"}),
      "did you mean 'allgather_as_gather_bcast'?");
}

TEST_CASE("reductions with fewer elements than processes are compared as they run: linear") {
  for (const std::string element_bytes : {"1", "16"}) {
    CAPTURE(element_bytes);
    const auto report = check_json({"guidelines",     "check",       "--platform",
                                    "jupiter",        "--procs",     "32",
                                    "--ppn",          "1",           "--collective",
                                    "allreduce",      "--guideline", "GL5",
                                    "--message-size", "256",         "--element-bytes",
                                    element_bytes,    "--selection", "allreduce=rabenseifner",
                                    "--format",       "json",        "-q"});
    const auto run = Json::parse(
        out_of({"run", "allreduce", "--platform", "jupiter", "--procs", "32", "--ppn", "1",
                "--message-size", "256", "--algorithm", "rabenseifner", "--element-bytes",
                element_bytes, "--engine", "flow", "--format", "json"}));
    CHECK((run["points"][0]["runs_as"] == "basic_linear") == (element_bytes == "16"));
    CHECK(report["points"][0]["default_time_s"] ==
          exactly(run["points"][0]["time_s"].get<double>()));
  }
}
