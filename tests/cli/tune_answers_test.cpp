// SPDX-License-Identifier: BSD-3-Clause
// sim tune: its recommendations, their explanation and its exports.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/close_to.hpp"
#include "tests/support/tuned.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

nlohmann::json table_in(const nlohmann::json& report, const std::string& name) {
  for (const auto& each : report["tables"])
    if (each["name"] == name) return each["rows"];
  return {};
}

}  // namespace

TEST_CASE("2^k tries all names: the fast allreduce algorithm is in the middle of the list") {
  const TemporaryFolder folder;
  const std::string names = R"([base]
platform = "crill"
engine = "flow"
procs = 48
ppn = 12
[[objective]]
workload = "allreduce"
message_size = "1MiB"
[[objective]]
workload = "bcast"
message_size = "1MiB"
weight = 10
[[parameter]]
name = "bcast/algorithm"
values = ["basic_linear", "pipeline", "scatter_allgather_ring"]
[[parameter]]
name = "allreduce/algorithm"
values = ["nonoverlapping", "ring", "recursive_doubling"]
[[parameter]]
name = "mpi/eager_limit"
values = "4KiB:64KiB:*4"
[search]
method = "factorial"
)";
  const auto ended =
      tune(folder, names,
           {"--method", "brute-force,factorial", "--part", "searches", "--format", "csv"});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  const auto rows = rows_of(ended, folder);
  REQUIRE(rows.size() == 2);
  CHECK(number_of(rows[1].at("above_best")) == 0);
  // 3 x 3 names, and both ends of the eager limit.
  CHECK(number_of(rows[1].at("evaluations")).value() >= 3 * 3 * 2);
  CHECK(number_of(rows[1].at("evaluations")) == number_of(rows[1].at("predicted")));
  const auto best = rows_of(
      tune(folder, names, {"--method", "factorial", "--part", "best", "--format", "csv"}), folder);
  CHECK(to_text(best[1].at("best")) == "ring");
}

TEST_CASE("the influence of a parameter is reported for all combinations, not for a sample") {
  const TemporaryFolder folder;
  const auto rows = [&](const char* method) {
    return rows_of(
        tune(folder, small_study, {"--method", method, "--part", "best", "--format", "csv"}),
        folder);
  };
  for (const auto& row : rows("brute-force")) CHECK(number_of(row.at("spread")));
  for (const char* method : {"model", "halving", "attribute"}) {
    CAPTURE(method);
    std::size_t sampled = 0;
    for (const auto& row : rows(method)) {
      CHECK_FALSE(number_of(row.at("spread")));
      sampled += to_text(row.at("effect")) == "seen, sampled" ? 1U : 0U;
    }
    CHECK(sampled > 0);
  }
}

TEST_CASE("ties keep the default with every search, and are not recommended as settings") {
  const TemporaryFolder folder;
  // Messages of 4 KiB are eager with both limits; a ping-pong has one message in flight.
  const std::string ties = R"([base]
platform = "crill"
engine = "flow"
[objective]
workload = "pingpong"
path = "inter"
message_size = "4KiB"
[[parameter]]
name = "btl_openib_eager_rdma_num"
values = [1, 4, 16, 32]
default = 16
[[parameter]]
name = "btl_openib_eager_limit"
values = ["1KiB", "8KiB", "12KiB", "16KiB"]
default = "1KiB"
)";
  for (const char* method : {"brute-force", "attribute", "factorial", "halving", "model"}) {
    CAPTURE(method);
    const auto settings = folder.file(std::string(method) + ".toml");
    const auto ended =
        tune(folder, ties,
             {"--method", method, "--open-mpi", "4.1", "--settings", settings, "--format", "json"});
    REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
    const auto report = nlohmann::json::parse(ended.out);
    const auto best = table_in(report, "best");
    CHECK(best[0]["best"] == "16");
    CHECK(best[0]["changed"] == false);
    CHECK(best[1]["changed"] == true);
    for (const auto& each : table_in(report, "open_mpi"))
      CHECK(each["name"] != "btl_openib_eager_rdma_num");
    CHECK(mentions(ended.out, "no effect was seen: btl_openib_eager_rdma_num"));
    const auto text = read_file(settings);
    CHECK_FALSE(mentions(text, "eager_credits"));
    CHECK(mentions(text, "eager_limit"));
  }
  const auto settings = folder.file("none.toml");
  const auto ended = tune(folder, ties.substr(0, ties.rfind("[[parameter]]")),
                          {"--settings", settings, "--format", "json"});
  CHECK(mentions(ended.out, "no settings were written: no values are better than the defaults"));
  CHECK_FALSE(std::filesystem::exists(settings));
}

namespace {

// Small and large messages need different algorithms; both need one eager limit.
constexpr const char* sizes = R"([study]
name = "sizes"
[base]
platform = "crill"
engine = "flow"
procs = 48
ppn = 12
[[objective]]
workload = "allreduce"
message_size = ["64B", "4KiB"]
[[objective]]
workload = "allreduce"
message_size = "4MiB"
[[objective]]
workload = "bcast"
message_size = ["4KiB", "1MiB"]
[[parameter]]
name = "allreduce/algorithm"
values = ["ring", "recursive_doubling", "nonoverlapping"]
[[parameter]]
name = "bcast/algorithm"
values = ["binomial", "pipeline", "chain"]
[[parameter]]
name = "bcast/segment_size"
values = [0, "16KiB"]
[[parameter]]
name = "mpi/eager_limit"
values = ["1KiB", "16KiB"]
[search]
method = "brute-force"
)";

}  // namespace

TEST_CASE("one choice for all sizes reports the loss per size; --rules chooses by size") {
  const TemporaryFolder folder;
  const auto gains = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--part", "gains", "--format", "csv"});
    const auto ended = tune(folder, sizes, more);
    REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
    return rows_of(ended, folder);
  };
  const auto loss = [](const auto& row) { return number_of(row.at("loss")).value(); };
  const auto one = gains({});
  CHECK(loss(one[1]) > 0.2);  // allreduce of 4 KiB, by the ring that is best for 4 MiB
  const auto rules = folder.file("rules"), settings = folder.file("best.toml");
  const auto by_size = gains({"--rules", rules, "--settings", settings});
  REQUIRE(by_size.size() == 5);
  for (const auto& row : by_size) {
    CHECK(loss(row) <= 0.01);
    CHECK_FALSE(to_text(row.at("choice")).empty());
  }
  CHECK(number_of(by_size[1].at("tuned_s")).value() < number_of(one[1].at("tuned_s")).value());
  const auto text = read_file(settings);
  CHECK(mentions(text, "coll_tuned_dynamic_rules_filename"));
  CHECK_FALSE(mentions(text, "allreduce/algorithm"));
  // Open MPI reads the value that the report recommends.
  const auto limit = mentions(text, "16KiB") || mentions(text, "16384") ? "16KiB" : "1KiB";
  const auto run = [&](const std::string& collective, const std::string& size) {
    const auto ended = run_sim({"run", collective, "--platform", "crill", "--engine", "flow",
                                "--procs", "48", "--ppn", "12", "--message-size", size, "--set",
                                std::string("mpi/eager_limit=") + limit, "--algorithm",
                                "auto:rules=" + rules, "--format", "csv"});
    return number_of(rows_of(ended, folder)[0].at("time_s")).value();
  };
  const std::pair<std::string, std::string> calls[] = {{"allreduce", "64B"},
                                                       {"allreduce", "4KiB"},
                                                       {"allreduce", "4MiB"},
                                                       {"bcast", "4KiB"},
                                                       {"bcast", "1MiB"}};
  for (std::size_t i = 0; i < std::size(calls); ++i)
    CHECK(number_of(by_size[i].at("tuned_s")).value() ==
          exactly(run(calls[i].first, calls[i].second)));
}

TEST_CASE("--rules chooses only what a rule can express") {
  const TemporaryFolder folder;
  // Knomial with radix 3 is the fastest; a rule supports radix 4.
  const std::string knomial = R"([base]
platform = "vsc3"
engine = "flow"
procs = 96
ppn = 1
[[objective]]
workload = "bcast"
message_size = "64KiB"
[[parameter]]
name = "algorithm"
values = ["binomial", "knomial"]
[[parameter]]
name = "fanout"
values = [4, 3]
when = "algorithm = knomial"
[[parameter]]
name = "segment_size"
values = [0, "4KiB"]
[search]
method = "brute-force"
)";
  const auto tuned_s = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--part", "gains", "--format", "csv"});
    return number_of(rows_of(tune(folder, knomial, more), folder).at(0).at("tuned_s")).value();
  };
  const auto rules = folder.file("rules");
  CHECK(tuned_s({}) < 0.95 * tuned_s({"--rules", rules}));
  const auto ended =
      tune(folder, knomial, {"--rules", rules, "--part", "searches", "--format", "csv"});
  CHECK(number_of(rows_of(ended, folder).at(0).at("best_s")).value() ==
        exactly(tuned_s({"--rules", rules})));
}

TEST_CASE("--rules explains why it cannot choose") {
  const TemporaryFolder folder;
  const auto rules = folder.file("rules");
  const auto rejected = [&](const std::string& text, const std::string& why) {
    const auto ended = tune(folder, text, {"--rules", rules});
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 2);
    CHECK(mentions(ended.err, why));
    CHECK_FALSE(std::filesystem::exists(rules));
  };
  const std::string text = sizes;
  rejected(text + "[[objective]]\nworkload = \"bcast\"\nstage = 2\n", "one stage");
  const std::string scan = R"([base]
platform = "crill"
procs = 8
[[objective]]
workload = "gatherv"
[[parameter]]
name = "NAME"
values = VALUES
)";
  const auto with = [&](const std::string& name, const std::string& values) {
    auto made = scan;
    made.replace(made.find("NAME"), 4, name);
    return made.replace(made.find("VALUES"), 6, values);
  };
  rejected(with("algorithm", "[\"basic_linear\", \"auto\"]"), "do not choose");
  rejected(with("mpi/eager_limit", "[1024, 4096]"), "--rules requires a tuned algorithm");
  CHECK(tune(folder, text, {"--each", "--rules", rules}).exit_code == 2);
}

TEST_CASE("a trace is tuned by replaying it") {
  const TemporaryFolder folder;
  const std::string trace = std::string(TUTTI_SOURCE_DIR) + "/examples/replay/halo";
  const std::string study =
      "[[objective]]\nworkload = \"replay\"\nplatform = \"crill\"\ntrace = \"" + trace + R"("
[[parameter]]
name = "mpi/eager_limit"
values = ["12KiB", "96KiB"]
[[parameter]]
name = "allreduce/algorithm"
values = ["auto", "ring", "nonoverlapping"]
[[parameter]]
name = "ppn"
values = [8, 1]
[search]
method = "brute-force"
)";
  const auto ended = tune(folder, study, {"--part", "evaluations", "--format", "csv"});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  const auto rows = rows_of(ended, folder);
  REQUIRE(rows.size() == 12);
  std::set<double> times;
  for (const auto& row : rows) {
    auto selection = to_text(row.at("allreduce/algorithm"));
    selection = selection == "auto" ? "auto" : "auto,allreduce=" + selection;
    const auto replayed = run_sim({"replay", trace, "--model", "platform", "--platform", "crill",
                                   "--set", "mpi/eager_limit=" + to_text(row.at("mpi/eager_limit")),
                                   "--ppn", to_text(row.at("ppn")), "--selection", selection,
                                   "--part", "summary", "--format", "json"});
    REQUIRE_MESSAGE(replayed.exit_code == 0, replayed.err);
    const auto time_s = number_of(row.at("time_s")).value();
    times.insert(time_s);
    CHECK(mentions(replayed.out, "\"end\""));
    CHECK(nlohmann::json::parse(replayed.out)["points"][0]["after_s"].get<double>() ==
          exactly(time_s));
  }
  CHECK(times.size() > 4);
  const auto wrong = [&](const std::string& from, const std::string& to) {
    auto text = study;
    text.replace(text.find(from), from.size(), to);
    return tune(folder, text).err;
  };
  CHECK(mentions(wrong("/halo\"", "/hallo\""), "study.toml:4:"));
  CHECK(mentions(wrong("trace =", "tracs ="), "did you mean 'trace'?"));
  CHECK(mentions(wrong("\"ring\"", "\"rong\""), "study.toml:10:"));
}

TEST_CASE("--parameters searches those of some categories, and exports only these") {
  const TemporaryFolder folder;
  const auto ended =
      tune(folder, small_study,
           {"--method", "brute-force", "--parameters", "network", "--format", "json"});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(table_in(nlohmann::json::parse(ended.out), "searches")[0]["evaluations"] == 5);
  CHECK(mentions(ended.out, "algorithm: not searched"));
  const auto wrong = tune(folder, small_study, {"--parameters", "netwrk"});
  CHECK(wrong.exit_code == 2);
  CHECK(mentions(wrong.err, "did you mean 'network'?"));
  CHECK(mentions(tune(folder, small_study, {"--parameters", "io"}).err,
                 "no parameter of these categories"));
}

TEST_CASE("an error in a value of OTPO's file names its line") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("o.params")) << "# eager\nbtl_openib_eager_limit -p {4096 12k x}\n";
  const auto ended = tune(folder, R"([study]
otpo = "o.params"
[objective]
workload = "bcast"
platform = "crill"
procs = 8
)");
  CHECK(ended.exit_code == 2);
  CHECK(mentions(ended.err, "o.params:2: error: "));
  CHECK_FALSE(mentions(ended.err, "study.toml"));
}
