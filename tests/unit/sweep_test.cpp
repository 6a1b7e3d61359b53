// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/sweep.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "tests/support/test_machine.hpp"

using namespace tutti;
using studies::make_points;
using studies::Sweep;

namespace {

Sweep sweep_of(std::vector<std::string> algorithms) {
  Sweep sweep;
  sweep.collective = "bcast";
  sweep.algorithms = std::move(algorithms);
  sweep.procs = {8};
  sweep.message_bytes = {1024, 2048};
  return sweep;
}

std::vector<std::string> names(const std::vector<jobs::Point>& points) {
  std::vector<std::string> all;
  for (const auto& point : points)
    all.push_back(fmt::format("{} {} {} {} {}", point.call.algorithm->name, point.placement.procs,
                              point.call.args.fanout, point.call.args.segment_bytes,
                              point.call.args.message_bytes));
  return all;
}

const platforms::Machine& machine() {
  static const platforms::Machine made = tests::test_machine(1024);
  return made;
}

}  // namespace

TEST_CASE("the message size varies fastest and the algorithm slowest") {
  Sweep sweep = sweep_of({"chain", "binomial"});
  sweep.procs = {4, 8};
  sweep.segment_bytes = {0, 512};
  const auto points = make_points(sweep, machine());
  REQUIRE(points);
  CHECK(names(points->all) ==
        std::vector<std::string>{
            "chain 4 4 0 1024", "chain 4 4 0 2048", "chain 4 4 512 1024", "chain 4 4 512 2048",
            "chain 8 4 0 1024", "chain 8 4 0 2048", "chain 8 4 512 1024", "chain 8 4 512 2048",
            "binomial 4 0 0 1024", "binomial 4 0 0 2048", "binomial 4 0 512 1024",
            "binomial 4 0 512 2048", "binomial 8 0 0 1024", "binomial 8 0 0 2048",
            "binomial 8 0 512 1024", "binomial 8 0 512 2048"});
}

TEST_CASE("equal points are simulated once") {
  Sweep sweep = sweep_of({"basic_linear", "binomial", "binomial"});
  sweep.fanouts = {2, 3, 4};
  sweep.message_bytes = {1024, 1024};
  const auto points = make_points(sweep, machine());
  REQUIRE(points);
  CHECK(names(points->all) ==
        std::vector<std::string>{"basic_linear 8 0 0 1024", "binomial 8 0 0 1024"});
}

TEST_CASE("parameters without effect on an algorithm are 0, and defaults are Open MPI's") {
  const struct {
    const char* algorithm;
    const char* point;
  } cases[] = {{"basic_linear", "basic_linear 8 0 0 1024"},
               {"chain", "chain 8 4 256 1024"},
               {"knomial", "knomial 8 4 256 1024"},
               {"binomial", "binomial 8 0 256 1024"},
               {"scatter_allgather", "scatter_allgather 8 0 0 1024"}};
  for (const auto& [algorithm, point] : cases) {
    Sweep sweep = sweep_of({algorithm});
    sweep.message_bytes = {1024};
    sweep.segment_bytes = {256};
    const auto points = make_points(sweep, machine());
    REQUIRE(points);
    CHECK(names(points->all) == std::vector<std::string>{point});
  }
}

TEST_CASE("auto follows the rules of Open MPI and records it") {
  // ompi-4.1: 8 processes, 1 KiB: binomial, unsegmented. ompi-3.1: split binary in 1 KiB segments.
  Sweep sweep = sweep_of({"auto", "auto:ompi-3.1"});
  sweep.message_bytes = {65536};
  const auto points = make_points(sweep, machine());
  REQUIRE(points);
  REQUIRE(points->all.size() == 2);
  CHECK(points->all[0].requested_algorithm == "auto");
  CHECK(points->all[0].call.args.segment_bytes == 0);
  CHECK(points->all[1].requested_algorithm == "auto:ompi-3.1");
  CHECK(points->all[1].call.algorithm->name == "split_binary_tree");
  CHECK(points->all[1].call.args.segment_bytes == 1024);
}

TEST_CASE("impossible combinations are rejected with the option's name") {
  const struct {
    const char* what;
    void (*spoil)(Sweep&);
    const char* place;
    const char* part;
  } cases[] = {
      {"root", [](Sweep& s) { s.roots = {8}; }, "--root", "0..7"},
      {"algorithm", [](Sweep& s) { s.algorithms = {"binomail"}; }, "--algorithm", "binomial"},
      {"rules", [](Sweep& s) { s.algorithms = {"auto:ompi-9"}; }, "--algorithm", "ompi-9"},
      {"no rules", [](Sweep& s) { s.algorithms = {"auto:rules"}; }, "--algorithm",
       "ompi-4.1, ompi-3.1, ompi-5.0, ompi-6, mpich-4.0, mpich-main, "
       "nccl-2.28, nccl-2.27, nccl-2.23, nccl-2.20, rules=FILE, best"},
      {"nearly rules", [](Sweep& s) { s.algorithms = {"auto:rule=x"}; }, "--algorithm",
       "ompi-4.1, ompi-3.1, ompi-5.0, ompi-6, mpich-4.0, mpich-main, "
       "nccl-2.28, nccl-2.27, nccl-2.23, nccl-2.20, rules=FILE, best"},
      {"rules without a file", [](Sweep& s) { s.algorithms = {"auto:rules="}; }, "--algorithm",
       "auto:rules=FILE"},
      {"nearly best", [](Sweep& s) { s.algorithms = {"auto:best:x"}; }, "--algorithm", "best"},
      {"radix", [](Sweep& s) { s.algorithms = {"knomial"}, s.fanouts = {1}; }, "--fanout", "2"},
      {"elements", [](Sweep& s) { s.element_bytes = 3; }, "--message-size", "--element-bytes"},
      {"auto with segments", [](Sweep& s) { s.algorithms = {"auto"}, s.segment_bytes = {1}; },
       "--segment-size", "no effect"},
      {"auto with fan-out", [](Sweep& s) { s.algorithms = {"auto"}, s.fanouts = {2}; }, "--fanout",
       "no effect"},
      {"sum of bytes", [](Sweep& s) { s.procs = {1 << 24}, s.message_bytes = {Bytes{1} << 50}; },
       "--message-size", "2^61"},
      {"segments of a message",
       [](Sweep& s) { s.message_bytes = {(1 << 24) + 1}, s.segment_bytes = {1}; }, "--segment-size",
       "the limit of 2^24 per message"},
      {"segments of a job",
       [](Sweep& s) { s.procs = {129}, s.message_bytes = {1 << 24}, s.segment_bytes = {1}; },
       "--segment-size", "the limit of 2^31 per job"},
      {"segments by rules",
       [](Sweep& s) { s.algorithms = {"auto:ompi-3.1"}, s.message_bytes = {Bytes{1} << 50}; },
       "--message-size", "name an algorithm"},
  };
  for (const auto& [what, spoil, place, part] : cases) {
    CAPTURE(what);
    Sweep sweep = sweep_of({"binomial"});
    spoil(sweep);
    const auto points = make_points(sweep, machine());
    REQUIRE(!points);
    CHECK(points.errors().size() == 1);  // not one per message size
    CHECK(points.error().place == place);
    const std::string reported = points.error().message + "\n" + points.error().hint;
    CAPTURE(reported);
    CHECK(reported.find(part) != std::string::npos);
  }
}

TEST_CASE("lists of segments and fan-outs apply to algorithms that rules do not choose") {
  Sweep sweep = sweep_of({"auto", "binomial", "auto:ompi-3.1"});
  sweep.segment_bytes = {0, 512};
  sweep.message_bytes = {4096};
  const auto points = make_points(sweep, machine());
  REQUIRE(points);
  std::vector<std::string> requested;
  for (const auto& point : points->all) requested.push_back(point.requested_algorithm);
  CHECK(requested == std::vector<std::string>{"auto", "binomial", "binomial", "auto:ompi-3.1"});
  CHECK(points->all[2].call.args.segment_bytes == 512);
}

TEST_CASE("a comparison searches unspecified segments and fan-outs, on the flow engine") {
  Sweep sweep = sweep_of({"auto:best"});
  sweep.message_bytes = {8192};
  sweep.common.engine_is_chosen = true;
  const auto searched = make_points(sweep, machine());
  REQUIRE(searched);
  const auto all = names(searched->all);
  const auto has = [&](const char* name) { return std::ranges::count(all, name); };
  for (const char* rival : {"pipeline 8 0 0 8192", "pipeline 8 0 1024 8192",
                            "pipeline 8 0 4096 8192", "chain 8 8 4096 8192", "knomial 8 2 0 8192"})
    CHECK_MESSAGE(has(rival) == 1, rival);
  CHECK(has("pipeline 8 0 16384 8192") == 0);  // a single segment does not count
  for (const auto& point : searched->all) CHECK(point.engine == engines::EngineKind::flow);
  sweep.segment_bytes = {512};
  sweep.fanouts = {3};
  const auto given = make_points(sweep, machine());
  REQUIRE(given);
  for (const auto& point : given->all) {
    if (point.call.algorithm->segmented) CHECK(point.call.args.segment_bytes == 512);
    if (point.call.algorithm->default_fanout > 0) CHECK(point.call.args.fanout == 3);
  }
}

TEST_CASE("impossible combinations of list members are skipped and counted, on request") {
  Sweep sweep = sweep_of({"binomial", "chain"});
  sweep.procs = {4, 8, 2048};  // of 1024 nodes
  sweep.common.placement.ppn = 1;
  sweep.roots = {0, 6};
  CHECK(!make_points(sweep, machine()));
  sweep.skips_impossible = true;
  const auto points = make_points(sweep, machine());
  REQUIRE(points);
  CHECK(points->all.size() == 2 * 3 * 2);
  CHECK(points->skipped.count == 2 * 3 * 2);
  REQUIRE(points->skipped.reasons.size() == 2);
  CHECK(points->skipped.reasons[0].place == "--root");
  CHECK(jobs::skipped_text(points->skipped).starts_with("12 combinations cannot run and are "));
  sweep.algorithms = {"binomial", "binomail"};  // an unknown name is not skipped
  const auto wrong = make_points(sweep, machine());
  REQUIRE(!wrong);
  CHECK(wrong.error().place == "--algorithm");
}

TEST_CASE("points of formulas omit algorithms without a formula") {
  Sweep sweep = sweep_of({"all"});
  sweep.common.model_only = true;
  const auto points = make_points(sweep, machine());
  REQUIRE(points);
  CHECK(!points->all.empty());
  for (const auto& point : points->all) CHECK((point.call.algorithm->cost != nullptr));
}

TEST_CASE("all algorithms take part in each comparison, and equal comparisons run once") {
  Sweep sweep = sweep_of({"auto:best"});
  sweep.message_bytes = {1024};
  sweep.fanouts = {2, 3};
  const auto points = make_points(sweep, machine());
  REQUIRE(points);
  std::map<std::int64_t, std::size_t> rivals;
  for (const auto& point : points->all) ++rivals[point.contest];
  REQUIRE(rivals.size() == 2);
  CHECK(rivals[1] == rivals[2]);
  CHECK(rivals[1] > 8);
  sweep.collective = "alltoall";  // without fan-outs
  const auto once = make_points(sweep, machine());
  REQUIRE(once);
  CHECK(once->all.back().contest == 1);
}

TEST_CASE("all and auto:best of a set run the algorithms of that set") {
  Sweep sweep = sweep_of({"all@published"});
  sweep.collective = "alltoall";
  const auto published = make_points(sweep, machine());
  REQUIRE(published);
  REQUIRE(published->all.size() == sweep.message_bytes.size());
  CHECK(published->all[0].call.algorithm->name == "bine");
  sweep.collective = "reduce";
  sweep.algorithms = {"auto:best@ompi-6"};
  const auto best = make_points(sweep, machine());
  REQUIRE(best);
  CHECK(std::ranges::any_of(best->all, [](const auto& point) {
    return point.call.algorithm->id == 8 && point.requested_algorithm == "auto:best@ompi-6";
  }));
  sweep.algorithms = {"auto:best"};
  const auto usual = make_points(sweep, machine());
  REQUIRE(usual);
  for (const auto& point : usual->all) CHECK(point.call.algorithm->set.empty());
  sweep.collective = "scan";
  sweep.algorithms = {"auto:best@ompi-3.1"};
  CHECK(make_points(sweep, machine()).error().message == "ompi-3.1 has no algorithm of scan");
  sweep.algorithms = {"all@ompi-50"};
  const auto unknown = make_points(sweep, machine());
  REQUIRE(!unknown);
  CHECK(unknown.error().message == "unknown set of algorithms 'ompi-50'");
  CHECK(unknown.error().hint.find("ompi-5.0") != std::string::npos);
}

TEST_CASE("algorithms that all and auto:best omit are reported with the reason, once") {
  for (const char* name : {"all", "auto:best"}) {
    Sweep sweep = sweep_of({name});
    sweep.collective = "alltoall";
    const auto points = make_points(sweep, machine());
    REQUIRE(points);
    CHECK(points->omitted == std::vector<std::string>{"two_proc (needs P = 2)"});
  }
}

TEST_CASE("a call records which rule decided it, and where") {
  Sweep sweep = sweep_of({"binomial", "auto", "auto:ompi-3.1", "auto:rules=f"});
  sweep.message_bytes = {8};
  const auto rules_file = [&](const char* text) {
    sweep.rules["f"] =
        std::make_shared<const algorithms::selection::DynamicRules>(text, "rules.txt");
    const auto points = make_points(sweep, machine());
    REQUIRE(points);
    std::vector<std::string> decided_by;
    for (const auto& point : points->all) decided_by.push_back(point.call.decided_by);
    return decided_by;
  };
  using Names = std::vector<std::string>;
  CHECK(rules_file("1 7 1 1 1 0 1 0 0") == Names{"", "ompi-4.1", "ompi-3.1", "rules file"});
  CHECK(rules_file("1 7 1 1 1 8 1 0 0") == Names{"", "ompi-4.1", "ompi-3.1", "ompi-4.1"});
  CHECK(rules_file("1 3 1 1 1 0 1 0 0") == Names{"", "ompi-4.1", "ompi-3.1", "ompi-4.1"});
  sweep.collective = "alltoall";
  sweep.algorithms = {"auto:rules=f"};
  sweep.rules["f"] = std::make_shared<const algorithms::selection::DynamicRules>(
      "1\n3 1 1 1\n0 5 0 0", "rules.txt");
  const auto rejected = make_points(sweep, machine());
  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().place == "rules.txt");
  CHECK(rejected.error().line == 3);
  CHECK(rejected.error().message ==
        "two_proc cannot run alltoall with 8 processes: it requires P = 2");
  CHECK(rejected.error().hint.starts_with("usable algorithms: linear, pairwise, "));
}

TEST_CASE("the largest allowed jobs are accepted") {
  Sweep sweep = sweep_of({"basic_linear"});
  sweep.procs = {1 << 11};
  sweep.message_bytes = {Bytes{1} << 50};
  CHECK(make_points(sweep, machine()));
  sweep = sweep_of({"chain"});
  sweep.procs = {128};
  sweep.message_bytes = {1 << 24};
  sweep.segment_bytes = {1};
  CHECK(make_points(sweep, machine()));
}

TEST_CASE("a sweep of more than 100,000 points is rejected before it is created") {
  Sweep sweep = sweep_of({"chain"});
  sweep.message_bytes.assign(60'000, 1024);
  sweep.segment_bytes.assign(60'000, 64);
  sweep.fanouts.assign(60'000, 2);
  sweep.procs.assign(60'000, 2);
  const auto points = make_points(sweep, machine());
  REQUIRE(!points);
  CHECK(points.error().message.find("100000") != std::string::npos);
}
