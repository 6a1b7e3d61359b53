// SPDX-License-Identifier: BSD-3-Clause
// Points of a study: their keys, omitted points, places of errors.
#include "sim/studies/study_points.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>

#include "sim/studies/workloads/program_options.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using namespace tutti::studies;
using options::OptionSpec;

namespace {

Result<std::vector<SweptPoint>> points_of(const std::string& text) {
  static std::vector<std::unique_ptr<studies::StudyFile>> kept;
  auto study = studies::read_study(text, "s.toml", study_options());
  REQUIRE_MESSAGE(study, text);
  kept.push_back(std::make_unique<studies::StudyFile>(*std::move(study)));
  const auto matrix = studies::StudyMatrix::of(*kept.back());
  REQUIRE(matrix);
  StudyPoints points(*kept.back());
  std::vector<SweptPoint> all;
  for (std::size_t i = 0; i < matrix->size(); ++i) {
    auto some = points.of(matrix->at(i));
    if (!some) return some.errors();
    for (auto& each : *some) all.push_back(std::move(each));
  }
  return all;
}

std::string key_of(const std::string& text) {
  const auto points = points_of(text);
  REQUIRE_MESSAGE(points, text);
  REQUIRE(points->size() == 1);
  return points->front().point.key;
}

const std::string bcast =
    "[base]\nworkload='bcast'\nplatform='crill'\nprocs=24\nppn=12\nmessage_size='64KiB'\n";
const std::string write =
    "[base]\nworkload='write'\nplatform='crill'\nprocs=16\nppn=4\nbytes_per_proc='64KiB'\n";

// The study without the option, the option, and a value that is not the default.
using Cases = std::vector<std::tuple<std::string, std::string, std::string>>;

Cases io_cases(const std::string& pieces, const std::string& ranks, const std::string& skew) {
  const std::string io = "[base]\nplatform='crill'\nprocs=4\nppn=2\nworkload='write'\n";
  const std::string reads = "[base]\nplatform='crill'\nprocs=4\nppn=2\nworkload='read'\n";
  const std::string eight =
      "[base]\nplatform='crill'\nprocs=8\nworkload='write'\nstorage='targets=2,bandwidth=1GBps'\n";
  const std::string log = TUTTI_SOURCE_DIR "/examples/io/ior-hard.darshan.txt";
  return {{io, "platform", ""},
          {io, "procs", ""},
          {io, "ppn", ""},
          {io, "map", "round-robin"},
          {io, "nodes", "crill-[3-4]"},
          {io, "allocation", "fragmented:0.5:1"},
          {io, "background", "all-to-all:1MBps"},
          {io, "engine", "ideal"},
          {io, "verify", "true"},
          {io, "contention", "off"},
          {io, "decomposition", "2d"},
          {io, "decomposition", "file:" + pieces},
          {io, "bytes_per_proc", "4KiB"},
          {io + "cols='1MiB'\n", "rows", "8"},
          {io + "rows=8\n", "cols", "64KiB"},
          {io + "decomposition='2d'\n", "grid", "4x1"},
          {io + "decomposition='tiles'\n", "tile", "8x1000"},
          {io + "decomposition='tiles'\ntile='10x1000'\n", "overlap", "-2x0"},
          {io, "array", "64x64"},
          {io + "array='64x64'\n", "element_size", "4"},
          {io + "array='64x64'\n", "distribution", "cyclic:3"},
          {io + "array='64x64'\n", "order", "fortran"},
          {reads + "array='64x64'\n", "ghost", "1"},
          {io + "array='64x64'\n", "chunk", "8x8"},
          {io, "ior", "-a MPIIO -c -t 1k -b 4k"},
          {eight, "darshan", log},
          {eight + "darshan='" + log + "'\n", "darshan_file", ""},
          {eight + "darshan='" + log + "'\n", "darshan_layer", "posix"},
          {io, "hints", "cb_nodes=3"},
          {io, "node_leaders", "1"},
          {io, "implementation", "vulcan"},
          {io, "partitioning", "static"},
          {io, "aggregators", "3"},
          {io, "aggregator_placement", "nodes"},
          {io, "aggregator_placement", "file:" + ranks},
          {io, "buffer_size", "1MiB"},
          {io + "partitioning='static'\n", "stripe_size", "1MiB"},
          {io, "align", "64KiB"},
          {io + "implementation='vulcan'\n", "setup", "off"},
          {io, "storage", "targets=2,bandwidth=1GBps"},
          {io + "noise='multiplicative:0.1'\n", "repetitions", "5"},
          {io, "skew", "uniform:1us"},
          {io, "skew", "file:" + skew},
          {io, "noise", "multiplicative:0.1:7"},
          {io, "model_only", "true"},
          {io, "extrapolate", "off"}};
}

}  // namespace

TEST_CASE("a point has one key, for any way of requesting it") {
  CHECK(key_of(bcast) == key_of("[matrix]\nmessage_size=65536\nppn='12'\n[base]\nprocs=24\n"
                                "platform='crill'\nworkload='bcast'\n"));
  CHECK(key_of(bcast + "algorithm='chain'\n") == key_of(bcast + "algorithm='chain'\nfanout=4\n"));
  CHECK(key_of(bcast + "\"mpi/eager_limit\"='4KiB'\n") ==
        key_of(bcast + "\"mpi/eager_limit\"='4KiB'\n"));
}

namespace {

Cases program_cases(const std::string& map) {
  const std::string any = "[base]\nplatform='crill'\nprocs=4\nppn=2\nworkload='trace'\n";
  const std::string xns = any + "program='xns'\n";
  return {{xns, "platform", ""},
          {xns, "procs", ""},
          {xns, "ppn", ""},
          {xns, "program", ""},
          {xns, "map", "round-robin"},
          {xns, "background", "all-to-all:1MBps"},
          {xns, "map", "file:" + map},
          {xns, "nodes", "crill-[3-4]"},
          {xns, "allocation", "fragmented:0.5:1"},
          {xns, "engine", "simgrid"},
          {xns, "selection", "auto:ompi-3.1"},
          {xns, "contention", "off"},
          {xns, "iterations", "2"},
          {xns, "message_size", "1KiB"},
          {xns, "sends", "synchronous"},
          {any + "program='sweep3d'\n", "blocks", "3"},
          {xns, "empty", "0.5"},
          {xns, "cut_empty", "true"},
          {xns, "load", "2ms"},
          {xns, "imbalance", "0.2"},
          {xns, "balanced", "true"},
          {xns, "load_noise", "0.2"},
          {xns + "load_noise=0.2\n", "seed", "2"}};
}

}  // namespace

TEST_CASE("every option that affects a result affects the key") {
  tests::TemporaryFolder folder;
  const auto map = folder.write("map.csv", "rank,node\n0,0\n1,1\n2,0\n3,1\n");
  const auto nodes = folder.write("nodes", "crill-3\ncrill-4\n");
  const auto pieces = folder.write("pieces.csv", "rank,offset,length\n0,0,4096\n1,4096,4096\n");
  const auto ranks = folder.write("ranks.txt", "1\n3\n");
  const auto skew = folder.write("skew.csv", "rank,seconds\n0,1e-5\n1,0\n2,0\n3,0\n");
  const auto counts = folder.write("counts.csv", "rank,bytes\n0,8192\n1,4096\n2,1\n3,0\n");
  const std::string profile =
      "# pgtune profile\nMPI_Bcast\n4\n1\n1 bcast_as_allgatherv\n1\n1 2097152 1\n";
  folder.write("bcast.prf", profile);
  const std::string any = "[base]\nplatform='crill'\nprocs=4\n";
  const std::string gatherv = any + "ppn=1\nworkload='gatherv'\nmessage_size=4096\n";
  const std::string small = any + "ppn=2\nworkload='bcast'\nmessage_size='1MiB'\n";
  const Cases collective{
      {small, "platform", ""},
      {small, "procs", ""},
      {small, "ppn", ""},
      {small, "message_size", ""},
      {small, "map", "round-robin"},
      {small, "background", "all-to-all:1MBps"},
      {small, "map", "file:" + map},
      {small, "map", "random:1"},
      {small, "nodes", "crill-[3-4]"},
      {small, "nodes", "@" + nodes},
      {small, "allocation", "fragmented:0.5:1"},
      {small, "extrapolate", "off"},
      {small, "symmetry", "off"},
      {small, "model_only", "true"},
      {small, "engine", "ideal"},
      {small + "engine='flow'\n", "contention", "off"},
      {small, "starts", "9"},
      {small, "exact_start", "true"},
      {small, "verify", "true"},
      {small, "algorithm", "chain"},
      {small + "algorithm='chain'\n", "segment_size", "8KiB"},
      {small + "algorithm='chain'\n", "fanout", "2"},
      {gatherv + "algorithm='linear'\n", "counts", "linear"},
      {any + "ppn=1\nworkload='gatherv'\nalgorithm='linear'\n", "counts", "file:" + counts},
      {any + "workload='alltoall'\nmessage_size=4096\nalgorithm='linear_sync'\n", "max_requests",
       "2"},
      {any + "workload='reduce'\nmessage_size=4096\nalgorithm='linear'\n", "non_commutative",
       "true"},
      {small, "profile", folder.path()},
      {small + "profile='" + folder.path() + "'\n", "message_buffer", "1KiB"},
      {small + "profile='" + folder.path() + "'\n", "int_buffer", "8"},
      {small, "root", "1"},
      {small, "element_bytes", "8"},
      {small, "benchmark", "pico"},
      {small + "noise='multiplicative:0.1'\n", "repetitions", "5"},
      {small, "skew", "uniform:1us"},
      {small, "skew", "file:" + skew},
      {small, "noise", "multiplicative:0.1:7"}};
  const auto of_io = io_cases(pieces, ranks, skew);
  const auto check = [](const auto& cases, std::span<const OptionSpec> specs) {
    std::set<std::string> seen;
    for (const auto& [study, key, value] : cases) {
      CAPTURE(key);
      CAPTURE(value);
      seen.insert(key);
      if (value.empty()) continue;  // covered by other points of this test
      const bool is_flag = value == "true";
      const std::string quote = is_flag ? "" : "'";
      std::string with = study;
      with += key + "=" + quote + value + quote + "\n";
      const auto before = points_of(study), after = points_of(with);
      REQUIRE(after);
      if (before && before->size() == after->size())
        CHECK(before->front().point.key != after->front().point.key);
    }
    for (const OptionSpec& spec : specs) {
      std::string key(spec.name().substr(2));
      std::ranges::replace(key, '-', '_');
      const bool shapes =
          spec.shapes_result && key != "set" && key != "force" && key != "oversubscribe";
      if (shapes) CHECK_MESSAGE(seen.contains(key), "no case for " << key);
    }
  };
  check(collective, collective_workload.options());
  check(of_io, io_workload.options());
  check(program_cases(map), program_workload.options());
}

TEST_CASE("a study may request intervals, which all points have if they are known") {
  const std::string lumi =
      "[base]\nworkload='bcast'\nplatform='lumi'\nprocs=4\nppn=1\nmessage_size=1024\n";
  CHECK(key_of(lumi) == key_of(lumi + "confidence=true\n"));
  const auto points = points_of(lumi + "confidence=true\n");
  const auto row = points->front().point.simulate();
  REQUIRE(row);
  CHECK(number_of(cell_in(*row, "confidence_low_s")).value_or(0) > 0);

  // That of machines that are not fitted, where nothing was measured.
  const std::string jupiter =
      "[base]\nworkload='bcast'\nplatform='jupiter'\nprocs=4\nppn=1\nmessage_size=1024\n";
  const auto unmeasured = points_of(jupiter + "confidence=true\n")->front().point.simulate();
  REQUIRE(unmeasured);
  const double time_s = number_of(cell_in(*unmeasured, "time_s")).value();
  CHECK(number_of(cell_in(*unmeasured, "confidence_low_s")) == time_s / 3);
  CHECK(number_of(cell_in(*unmeasured, "confidence_high_s")) == time_s * 3);
  CHECK(!number_of(cell_in(*points_of(jupiter)->front().point.simulate(), "confidence_low_s")));
}

TEST_CASE("contents of files are part of the key, and so are names that the output contains") {
  tests::TemporaryFolder folder;
  const auto text = [&](const std::string& ranks) {
    const auto file = folder.write("map.csv", "rank,node\n" + ranks);
    return "[base]\nplatform='crill'\nprocs=2\nworkload='bcast'\nmessage_size=1\nmap='file:" +
           file + "'\n";
  };
  const std::string first = key_of(text("0,0\n1,1\n"));
  CHECK(first != key_of(text("0,0\n1,2\n")));
  CHECK(first == key_of(text("0,0\n1,1\n")));
  const auto counts = [&](const std::string& bytes) {
    const auto file = folder.write("counts.csv", "rank,bytes\n" + bytes);
    return "[base]\nplatform='crill'\nprocs=2\nworkload='gatherv'\ncounts='file:" + file + "'\n";
  };
  CHECK(key_of(counts("0,1\n1,2\n")) != key_of(counts("0,2\n1,1\n")));
  const auto profile = [&](const std::string& ranges) {
    folder.write("bcast.prf",
                 "# pgtune profile\nMPI_Bcast\n2\n1\n1 bcast_as_allgatherv\n1\n" + ranges + " 1\n");
    return "[base]\nplatform='crill'\nprocs=2\nworkload='bcast'\nmessage_size=1\nprofile='" +
           folder.path() + "'\n";
  };
  CHECK(key_of(profile("1 1")) != key_of(profile("2 2")));
  CHECK(key_of(profile("1 1")) != key_of(profile("1 2")));
}

TEST_CASE("platform, override and sizes differ in their keys") {
  std::set<std::string> keys;
  for (const std::string& more :
       {bcast, bcast + "\"mpi/eager_limit\"='1KiB'\n", bcast + "\"mpi/eager_limit\"='2KiB'\n",
        bcast + "\"link/bandwidth\"='1GBps'\n"})
    keys.insert(key_of(more));
  for (const char* more : {"procs=12", "ppn=6", "platform='opuntia'", "message_size=1"}) {
    std::string text = "[base]\nworkload='bcast'\n";
    std::map<std::string, std::string> values{
        {"procs", "24"}, {"ppn", "12"}, {"platform", "'crill'"}, {"message_size", "'64KiB'"}};
    const std::string word = more;
    values[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    for (const auto& [key, value] : values) text += key + "=" + value + "\n";
    keys.insert(key_of(text));
  }
  CHECK(keys.size() == 8);
}

TEST_CASE("all gives a point per algorithm, a comparison one, and no size gives many") {
  const auto all = points_of(bcast + "algorithm='all'\n");
  REQUIRE(all);
  CHECK(all->size() > 8);
  const auto best = points_of(bcast + "algorithm='auto:best'\n");
  REQUIRE(best);
  CHECK(best->size() == 1);
  const auto sizes =
      points_of("[base]\nworkload='bcast'\nplatform='crill'\nprocs=4\nalgorithm='chain'\n");
  REQUIRE(sizes);
  CHECK(sizes->size() == 21);
}

TEST_CASE("an exclude omits points that match one value of every key that it names") {
  const auto points = points_of(
      "[base]\nworkload='bcast'\nplatform='crill'\n[matrix]\nprocs=[2,4]\n"
      "algorithm=['chain','auto']\nmessage_size=['1KiB','64KiB']\n"
      "[[exclude]]\nprocs=4\nalgorithm=['chain','linear']\n[[exclude]]\nmessage_size=65536\n"
      "algorithm='auto'\n");
  REQUIRE(points);
  CHECK(points->size() == 4);
  // An algorithm chosen by "auto" was not named.
  const auto chosen = points_of(bcast + "algorithm='auto'\n[[exclude]]\nalgorithm='binomial'\n");
  REQUIRE(chosen);
  REQUIRE(chosen->size() == 1);
}

TEST_CASE("errors of the readers are at the place of the value in the study") {
  struct Bad {
    std::string text;
    int line;
    std::string part;
  };
  const Bad all[] = {
      {"[base]\nworkload='bcst'\nplatform='crill'\nprocs=2\n", 2, "unknown collective 'bcst'"},
      {"[base]\nworkload='bcast'\nplatform='crill'\nprocs='x'\n", 4, "procs: "},
      {"[base]\nworkload='bcast'\nplatform='crill'\nprocs=2\nalgorithm='rng'\n", 5, "algorithm: "},
      {"[base]\nworkload='bcast'\nplatform='crill'\n", 2, "procs: is required"},
      {"[base]\nworkload='bcast'\nplatform='crill'\nprocs=2\naggregators=1\n", 5,
       "'bcast' has no option 'aggregators'"},
      {"[base]\nworkload='write'\nplatform='crill'\nprocs=2\nalgorithm='ring'\n", 5,
       "'write' has no option 'algorithm'"},
      {"[base]\nworkload='write'\nplatform='crill'\nprocs=2\nconfidence=true\n", 5,
       "'write' has no option 'confidence'"},
      {"[base]\nworkload='bcast'\nplatform='nowhere'\nprocs=2\n", 3, ""},
      {"[base]\nworkload='bcast'\nplatform='crill'\nprocs=2\n\"mpi/eager_limt\"=4\n", 5, ""}};
  for (const Bad& bad : all) {
    CAPTURE(bad.text);
    const auto points = points_of(bad.text);
    REQUIRE(!points);
    const Error& error = points.error();
    CAPTURE(error.message);
    CHECK(error.place == "s.toml");
    CHECK(error.line == bad.line);
    CHECK(error.message.find(bad.part) != std::string::npos);
  }
}

TEST_CASE("points that cannot run are counted, with the place of the value") {
  const auto study = studies::read_study(
      "[base]\nworkload='bcast'\nplatform='crill'\nmessage_size=1\n[matrix]\nprocs=[2,\n 100000]\n",
      "s.toml", study_options());
  REQUIRE(study);
  const auto matrix = studies::StudyMatrix::of(*study);
  REQUIRE(matrix);
  StudyPoints points(*study);
  CHECK(points.of(matrix->at(0)).value().size() == 1);
  CHECK(points.of(matrix->at(1)).value().empty());
  const auto& skipped = points.skipped();
  CHECK(skipped.count == 1);
  REQUIRE(skipped.reasons.size() == 1);
  CHECK(skipped.reasons[0].place == "s.toml");
  CHECK(skipped.reasons[0].line == 7);
  CHECK(skipped.reasons[0].message.starts_with("procs: "));
}

TEST_CASE("a point names the command that simulates it separately") {
  const auto points = points_of(bcast + "algorithm='all'\n\"mpi/eager_limit\"='4KiB'\n");
  REQUIRE(points);
  const Row& row = points->front().point.parameters;
  const auto command = std::ranges::find(row, "command", &NamedCell::name);
  REQUIRE(command != row.end());
  CHECK(std::get<std::string>(command->value) ==
        "sim run bcast --platform crill --set mpi/eager_limit=4096 --procs 24 --ppn 12 "
        "--algorithm basic_linear --message-size 65536");
}

TEST_CASE("the Darshan log of a study is read once") {
  const tests::TemporaryFolder folder;
  const auto log = folder.file("log.txt");
  std::filesystem::copy_file(TUTTI_SOURCE_DIR "/examples/io/ior-hard.darshan.txt", log);
  const auto study = studies::read_study(
      "[base]\nworkload='write'\nplatform='crill'\nstorage='lustre-hdd'\ndarshan='" + log +
          "'\n[matrix]\nimplementation=['romio', 'vulcan']\n",
      "s.toml", study_options());
  REQUIRE(study);
  const auto matrix = studies::StudyMatrix::of(*study);
  REQUIRE(matrix);
  StudyPoints points(*study);
  REQUIRE(points.of(matrix->at(0)));
  std::filesystem::remove(log);
  CHECK(points.of(matrix->at(1)));
}
