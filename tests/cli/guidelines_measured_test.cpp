// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines check --measured: ReproMPI files of a real library.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

constexpr const char* head =
    "#MPI calls:\n#@operation=MPI_BOR\n#@datatype=MPI_INT\n#@datatype_extent_bytes=4\n"
    "#@root_proc=0\n#@nprocs=16\n#@runtime_type=local_max\n";

// One mpirun with `count` repetitions of a test around a time; no two are equal.
std::string rows(const std::string& test, int count, double time_us, int run, int repetitions) {
  std::string text;
  for (int i = 0; i < repetitions; ++i)
    text += fmt::format("{:>50} {:>10} {:>12} {:>14.10f}\n", test, i, count,
                        1e-6 * (time_us + 0.01 * run + 0.001 * (i * 7 % 5)));
  return text;
}

std::string written(const TemporaryFolder& folder, const std::string& name,
                    const std::string& text) {
  const auto path = folder.file(name);
  std::ofstream(path) << head << "test nrep count runtime_sec\n" << text;
  return path;
}

Args check(const std::string& files, const Args& more = {}) {
  Args args{"guidelines", "check", "--measured", files, "-q"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

Json points_of(const Args& args) { return Json::parse(run_sim(args).out)["points"]; }

}  // namespace

TEST_CASE("a mock-up that is faster in five runs violates its guideline") {
  const TemporaryFolder folder;
  std::string files;
  for (int run = 0; run < 5; ++run)
    files += (run > 0 ? "," : "") + written(folder, fmt::format("run{}.txt", run),
                                            rows("MPI_Gather", 256, 50, run, 9) +
                                                rows("gather_as_allgather", 256, 30, run, 9) +
                                                rows("MPI_Gather", 1024, 80, run, 9) +
                                                rows("gather_as_allgather", 1024, 90, run, 9));
  const auto points = points_of(check(files, {"--format", "json"}));
  REQUIRE(points.size() == 2);
  CHECK(points[0]["message_bytes"] == 1024);
  CHECK(points[0]["violated"] == true);
  CHECK(points[0]["replaceable"] == true);
  CHECK(points[0]["p"].get<double>() == close_to(1.0 / 252, 1e-9));
  CHECK(points[0]["relative_latency"].get<double>() == close_to(0.6, 0.01));
  CHECK(points[1]["message_bytes"] == 4096);
  CHECK(points[1]["violated"] == false);
  const auto profiles = folder.file("profiles");
  CHECK(run_sim(check(files, {"--profiles", ""})).exit_code == 2);
  std::filesystem::create_directory(profiles);
  CHECK(run_sim(check(files, {"--profiles", profiles})).exit_code == 1);
  CHECK(run_sim(check(files, {"--profiles", profiles})).exit_code == 2);  // has profiles now
  std::ifstream profile(profiles + "/gather_16.prf");
  const std::string text{std::istreambuf_iterator<char>(profile), {}};
  CHECK(text.find("MPI_Gather") != std::string::npos);
  CHECK(text.find("1024 1024") != std::string::npos);
  CHECK(text.find("4096") == std::string::npos);
  CHECK(run_sim(check(files, {"--profiles", folder.file("missing")})).exit_code == 1);
  CHECK(std::filesystem::exists(folder.file("missing/gather_16.prf")));
}

TEST_CASE("the repetitions of a single run are tested") {
  const TemporaryFolder folder;
  const auto file =
      written(folder, "run.txt",
              rows("MPI_Gather", 256, 50, 0, 200) + rows("gather_as_allgather", 256, 49.9, 0, 200));
  const auto points = points_of(check(file, {"--format", "json"}));
  REQUIRE(points.size() == 1);
  CHECK(points[0]["p"].get<double>() < 1e-9);
  CHECK(points[0]["replaceable"] == false);
}

TEST_CASE("the last line of a PGMPITuneLib run names its mock-ups") {
  const TemporaryFolder folder;
  const auto plain = written(folder, "default.txt", rows("MPI_Gather", 256, 50, 0, 9));
  const auto tuned = written(
      folder, "mockup.txt",
      rows("MPI_Gather", 256, 30, 0, 9) + "#@pgmpi alg MPI_Gather 1024 gather_as_allgather\n");
  const auto points = points_of(check(plain + "," + tuned, {"--format", "json"}));
  REQUIRE(points.size() == 1);
  CHECK(points[0]["mockup"] == "gather_as_allgather");
  CHECK(points[0]["violated"] == true);
}

TEST_CASE("simulated results printed in ReproMPI format give the same verdicts when read back") {
  const TemporaryFolder folder;
  const Args job{"guidelines",
                 "check",
                 "--platform",
                 "jupiter",
                 "--procs",
                 "16",
                 "--ppn",
                 "1",
                 "--guideline",
                 "GL5,GL9",
                 "--message-size",
                 "64,2KiB,64KiB",
                 "--noise",
                 "multiplicative:5%",
                 "--repetitions",
                 "9",
                 "-q"};
  const auto with = [](Args args, const Args& more) {
    args.insert(args.end(), more.begin(), more.end());
    return args;
  };
  const auto file = folder.file("repro.txt");
  const auto simulated = points_of(with(job, {"--format", "json"}));
  run_sim(with(job, {"--format", "repro", "-o", file}));
  const auto measured = points_of(check(file, {"--format", "json"}));
  REQUIRE(simulated.size() > 3);
  REQUIRE(measured.size() == simulated.size());
  for (const auto& each : simulated) {
    const auto same = std::ranges::find_if(measured, [&](const Json& other) {
      return other["mockup"] == each["mockup"] && other["message_bytes"] == each["message_bytes"];
    });
    REQUIRE(same != measured.end());
    CHECK((*same)["violated"] == each["violated"]);
    CHECK((*same)["p"].get<double>() == close_to(each["p"].get<double>(), 1e-6));
    CHECK((*same)["relative_latency"].get<double>() ==
          close_to(each["relative_latency"].get<double>(), 1e-3));
  }
}

TEST_CASE("invalid requests about measured times are rejected") {
  const TemporaryFolder folder;
  const auto fails = [](const Args& args, const std::string& message) {
    const auto ended = run_sim(args);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 2);
    CHECK(ended.err.find(message) != std::string::npos);
  };
  const auto file = written(folder, "a.txt", rows("MPI_Gather", 256, 50, 0, 9));
  fails(check(file, {"--platform", "crill"}), "has no effect with --measured");
  fails(check(file, {"--noise", "multiplicative:5%"}), "has no effect with --measured");
  fails(check(file), "nothing to compare: gather of 1 KiB, 16 processes: no mock-up was measured");
  fails(check(folder.file("none.txt")), "cannot open");
  fails({"guidelines", "check", "--platform", "crill", "--procs", "4", "--profiles", "x"},
        "has no effect without --measured");
  const auto other = written(folder, "b.txt", rows("MPI_Bcast_x", 256, 50, 0, 9));
  fails(check(other), "contains no times of collectives and their mock-ups");
}
