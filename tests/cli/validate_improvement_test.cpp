// SPDX-License-Identifier: BSD-3-Clause
// sim validate improvement: gains of messages and collectives in all formats, and rejected input.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

Args on_crill(const Args& more = {}) {
  Args args{"validate", "improvement", "--platform", "crill", "-q"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

nlohmann::json json_of(const Args& more) {
  Args args = on_crill(more);
  args.insert(args.end(), {"--format", "json"});
  return nlohmann::json::parse(out_of(args));
}

std::string rejected(const Args& more) {
  const Ended ended = run_sim(on_crill(more));
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 2);
  CHECK(ended.out.empty());
  return ended.err;
}

const nlohmann::json& all_of_crill() {
  static const nlohmann::json all = json_of({"--procs", "32,64"});
  return all;
}

// Rows of a table without the first one, "points"; null if there is no such table.
nlohmann::json table(const nlohmann::json& all, const std::string& name) {
  for (const auto& each : all["tables"])
    if (each["name"] == name) return each["rows"];
  return nullptr;
}

bool is_of(const nlohmann::json& row, const nlohmann::json& wanted) {
  for (const auto& [key, value] : wanted.items())
    if (row.at(key) != value) return false;
  return true;
}

// The single row of a table.
nlohmann::json row_of(const nlohmann::json& rows, const nlohmann::json& wanted) {
  const nlohmann::json* found = nullptr;
  for (const auto& row : rows) {
    if (!is_of(row, wanted)) continue;
    REQUIRE(found == nullptr);
    found = &row;
  }
  REQUIRE_MESSAGE(found != nullptr, wanted.dump());
  return *found;
}

}  // namespace

TEST_CASE("messages gain on crill at the dissertation's sizes: 12 to 36 KB, up to 10%") {
  const auto parameters = table(all_of_crill(), "parameters");
  REQUIRE(parameters.size() == 6);
  for (const auto& row : parameters) {
    const bool gains = row["message_bytes"] == 16384 || row["message_bytes"] == 32768;
    CHECK((row["improvement"].get<double>() > 0.01) == gains);
    CHECK(row["improvement"].get<double>() < 0.1);
  }
  // Two latencies of 0.8 us of 19.52.
  const auto best = row_of(parameters, {{"message_bytes", 16384}});
  CHECK(best["improvement"].get<double>() == close_to(0.0819468, 1e-5));
  CHECK(best["best_change"] == "24KiB, 48KiB");
  const double hockney_s = 1.6e-6 + 16384 / 1.9415e9;
  CHECK(best["hockney_l_s"].get<double>() ==
        exactly(1.6e-6 - best["improvement"].get<double>() * hockney_s));
}

TEST_CASE("all nine algorithms have six sources each, with the improvement of their times") {
  const auto& points = all_of_crill()["points"];
  CHECK(points.size() == 9 * 2 * 2 * 6 * 6);
  for (const auto& point : points) {
    if (point["source"] == "netpipe") continue;
    const double untuned_s = point["untuned_s"], tuned_s = point["tuned_s"];
    CHECK(std::abs(point["improvement"].get<double>() - (1 - tuned_s / untuned_s)) < 1e-12);
  }
}

TEST_CASE("simulated times equal those of sim run") {
  const auto run = nlohmann::json::parse(out_of({"run",
                                                 "alltoall",
                                                 "--platform",
                                                 "crill",
                                                 "--set",
                                                 "mpi/intra_node=network",
                                                 "--set",
                                                 "mpi/eager_limit=24KiB",
                                                 "--procs",
                                                 "64",
                                                 "--ppn",
                                                 "4",
                                                 "--map",
                                                 "round-robin",
                                                 "--algorithm",
                                                 "linear",
                                                 "--message-size",
                                                 "16KiB",
                                                 "--engine",
                                                 "flow",
                                                 "--format",
                                                 "json"}));
  const auto point = row_of(all_of_crill()["points"], {{"collective", "alltoall"},
                                                       {"algorithm", "linear"},
                                                       {"procs", 64},
                                                       {"map", "round-robin"},
                                                       {"message_bytes", 16384},
                                                       {"source", "simulated"}});
  CHECK(point["tuned_s"] == run["points"][0]["time_s"]);
}

TEST_CASE("the statements of sections 4.1.5 and 4.1.7 are true in the simulation") {
  const auto errors = table(all_of_crill(), "errors");
  for (const auto& row : errors) {
    CAPTURE(row.dump());
    // The neighbour exchange and recursive doubling follow Hockney(l) and LogGP(o).
    if (row["algorithm"] == "recursive_doubling" || row["algorithm"] == "neighbor") {
      const double l = row["hockney_l_mse"], b = row["hockney_b_mse"];
      const double o = row["loggp_o_mse"], G = row["loggp_G_mse"];
      CHECK(std::max(l, o) < std::min(b, G));
    }
    // Bruck's algorithm gains nothing at 16 KiB, as its messages are larger, but at 1 KiB.
    if (row["algorithm"] == "modified_bruck") CHECK(row["peak_bytes"] == 1024);
  }
  const auto linear = row_of(errors, {{"algorithm", "linear"}, {"procs", 32}, {"map", "block"}});
  CHECK(linear["peak_improvement"].get<double>() < 0.01);  // its data share the NICs either way
  for (const auto& row : errors) {
    CAPTURE(row.dump());
    if (row["procs"] == 64) CHECK(row["best_mse"].get<double>() <= 0.011);  // of all nine
  }
}

TEST_CASE("at 4 processes per node the 64 KB broadcast of Table 4.4 is closer than the formulas") {
  const auto broadcasts = table(all_of_crill(), "table_4_4");
  for (const int procs : {32, 64}) {
    const auto row = row_of(broadcasts, {{"procs", procs}, {"map", "block"}, {"ppn", 4}});
    CHECK(row["closer"] == true);
    CHECK(std::abs(row["relative_error"].get<double>()) < 0.15);
    CHECK(std::abs(row["loggp_error"].get<double>()) > 0.4);
    CHECK(row["improvement"] == 0);  // no eager limit changes a message of 64 KiB
  }
  CHECK(row_of(broadcasts, {{"procs", 32}, {"map", "block"}, {"ppn", 4}})["measured_s"] ==
        941.7e-6);
}

TEST_CASE("Table 3.2 has 32 and 128 processes for any --procs") {
  const auto all = json_of({"--procs", "4"});
  CHECK(table(all, "table_3_2").size() >= 12);
  CHECK(row_of(table(all, "table_3_2"), {{"algorithm", "linear"},
                                         {"procs", 128},
                                         {"map", "block"},
                                         {"ppn", 8}})["measured_improvement"]
            .get<double>() == close_to(0.6507, 1e-3));
}

TEST_CASE("the published tables use unmodified crill") {
  CHECK_FALSE(table(json_of({"--procs", "4", "--ppn", "1"}), "table_4_4").is_array());
  CHECK_FALSE(table(json_of({"--procs", "4", "--collective", "bcast"}), "table_3_2").is_array());
  CHECK(mentions(rejected({"--procs", "4", "--ppn", "1", "--part", "table_4_4"}),
                 "table table_4_4 is not available for these options"));
}

TEST_CASE("a requested improvement is reproduced by modified machines") {
  const auto all = json_of(
      {"--procs", "8", "--improvement", "10%", "--collective", "bcast", "--algorithm", "pipeline"});
  for (const auto& point : all["points"]) {
    const std::string source = point["source"];
    if (point["improvement"].is_null()) continue;
    CAPTURE(point.dump());
    // A chain sends one message after the other, so it gains what they gain.
    CHECK(point["improvement"].get<double>() == close_to(0.1, 1e-5));
  }
  CHECK(row_of(table(all, "parameters"), {{"message_bytes", 65536}})["hockney_l_s"].is_null());
}

TEST_CASE("weights combine several message lengths") {
  const auto all =
      json_of({"--procs", "8", "--weights", "1KiB:10,16KiB:1", "--collective", "bcast"});
  for (const auto& row : table(all, "weighted")) {
    CHECK(std::abs(row["simulated_improvement"].get<double>() -
                   (1 - row["tuned_s"].get<double>() / row["untuned_s"].get<double>())) < 1e-12);
    CHECK(row["netpipe_improvement"].get<double>() > 0);
  }
}

TEST_CASE("combinations of several changes are tried") {
  const auto all = json_of({"--procs", "4", "--collective", "bcast", "--algorithm", "binomial",
                            "--change", "mpi/eager_limit=12KiB,24KiB", "--change",
                            "mpi/send_overhead=0.2us,0.4us", "--message-size", "16KiB"});
  CHECK(table(all, "parameters")[0]["best_change"] ==
        "mpi/eager_limit=24KiB mpi/send_overhead=0.2us");
}

TEST_CASE("a harmful change has an improvement below 0") {
  const auto all = json_of({"--procs", "4", "--collective", "bcast", "--algorithm", "pipeline",
                            "--change", "link/bandwidth=1GBps", "--message-size", "64KiB"});
  CHECK(table(all, "parameters")[0]["improvement"].get<double>() < -0.1);
  CHECK(row_of(all["points"], {{"source", "hockney(b)"}, {"map", "block"}})["improvement"]
            .get<double>() < -0.1);
}

TEST_CASE("a change without effect is reported") {
  const std::string text = out_of(on_crill({"--procs", "4", "--change", "mpi/eager_limit=12KiB"}));
  CHECK(mentions(text, "the changes affect no message of these sizes"));
}

TEST_CASE("if the default change gains nothing, one that gains is proposed") {
  for (const std::string platform : {"juqueen", "opuntia", "grisou", "vsc3"}) {
    CAPTURE(platform);
    const Args job{"validate",     "improvement", "--platform",  platform,   "--procs", "4",
                   "--collective", "bcast",       "--algorithm", "pipeline", "-q"};
    const auto with = [&](const Args& more) {
      Args args = job;
      args.insert(args.end(), {"--format", "json"});
      args.insert(args.end(), more.begin(), more.end());
      return nlohmann::json::parse(out_of(args));
    };
    const auto vacuous = with({});
    for (const auto& row : table(vacuous, "errors")) {
      CHECK(row["sizes"] == 0);
      CHECK(row["best_mse"].is_null());
    }
    std::string proposal;
    for (const std::string note : vacuous["about"])
      if (const auto at = note.find("try --"); at != note.npos) proposal = note.substr(at + 4);
    REQUIRE_MESSAGE(!proposal.empty(), vacuous["about"].dump());
    const auto words = split(proposal.substr(0, proposal.find(':')), ' ');
    double greatest = 0;
    for (const auto& row : table(with({words[0], words[1]}), "parameters"))
      greatest = std::max(greatest, row["improvement"].get<double>());
    CHECK(greatest > 0.01);
  }
}

TEST_CASE("the default change is an eighth to four times the machine's eager limit") {
  const std::string text = out_of({"validate", "improvement", "--platform", "grisou", "--procs",
                                   "4", "--collective", "bcast", "-q"});
  CHECK(mentions(text, "mpi/eager_limit = 8KiB, 16KiB, 32KiB, 64KiB, 128KiB, 256KiB"));
  CHECK(mentions(text, "mpi/intra_node = network"));
}

TEST_CASE("a machine of one node is measured inside it, and needs two cores") {
  const TemporaryFolder folder;
  const auto one = [&](int cores) {
    const auto path = folder.write(
        "one.xml",
        "<?xml version='1.0'?>\n<platform version=\"4.1\"><cluster id=\"c\" "
        "prefix=\"n\" suffix=\"\" speed=\"1Gf\" core=\"" +
            std::to_string(cores) + "\" radical=\"0-0\" bw=\"1GBps\" lat=\"1us\"/></platform>\n");
    return Args{"validate", "improvement", "--platform", path, "--procs", "4", "-q"};
  };
  CHECK(mentions(out_of(one(4)), "the machine has one node"));
  const Ended ended = run_sim(one(1));
  CHECK(ended.exit_code == 2);
  CHECK(mentions(ended.err, "--platform"));
}

TEST_CASE("every collective and every topology is supported") {
  for (const Args& args : {Args{"--platform", "crill", "--procs", "5", "--collective", "all"},
                           Args{"--platform", "fugaku", "--procs", "8"}}) {
    Args all{"validate", "improvement", "-q", "--message-size", "1KiB,16KiB"};
    all.insert(all.end(), args.begin(), args.end());
    CHECK(mentions(out_of(all), "Mean squared errors"));
  }
}

TEST_CASE("invalid requests are rejected with a hint") {
  CHECK(mentions(rejected({"--change", "mpi/eagr=3"}), "--change: unknown key 'mpi/eagr'"));
  CHECK(mentions(rejected({"--change", "mpi/eager_limit"}), "expected KEY=VALUES"));
  CHECK(mentions(rejected({"--change", "mpi/eager_limit=1KiB,"}),
                 "empty value of 'mpi/eager_limit'"));
  CHECK(mentions(rejected({"--change", "a=1", "--change", "a=2"}), "given twice"));
  CHECK(mentions(rejected({"--change", "a=1", "--improvement", "1%"}),
                 "cannot be combined with --change"));
  CHECK(mentions(rejected({"--improvement", "100%"}), "must be below 100%"));
  CHECK(mentions(rejected({"--improvement", "150%"}), "must be below 100%"));
  CHECK(mentions(rejected({"--improvement", "-1%"}), "not below 0"));
  CHECK(mentions(rejected({"--improvement", "nan"}), "invalid improvement 'nan'"));
  CHECK(mentions(rejected({"--improvement", "1%@0"}), "out of range"));
  CHECK(mentions(rejected({"--improvement", "1%,2%"}), "give one improvement per size"));
  CHECK(mentions(rejected({"--improvement", "1%@2KiB", "--message-size", "1KiB"}),
                 "no improvement for"));
  CHECK(mentions(rejected({"--improvement", "1%@2KiB,1%", "--message-size", "1KiB"}),
                 "2 KiB is not simulated"));
  CHECK(mentions(rejected({"--message-size", "0"}), "out of range"));
  CHECK(mentions(rejected({"--procs", "1"}), "out of range"));
  CHECK(mentions(rejected({"--weights", "1KiB"}), "invalid weight '1KiB'"));
  for (const char* weight : {"0", "-1", "nan", "1e300", "1e-300"})
    CHECK(
        mentions(rejected({"--weights", std::string("1KiB:") + weight}), "weights are from 1e-18"));
  CHECK(mentions(rejected({"--weights", "2KiB:1"}), "2 KiB is not simulated"));
  CHECK(mentions(rejected({"--part", "weighted"}), "weighted requires weights"));
  CHECK(mentions(rejected({"--part", "ponts"}), "did you mean 'points'?"));
  CHECK(mentions(rejected({"--collective", "bcst"}), "did you mean 'bcast'?"));
}

TEST_CASE("the document can be plotted and put into a page") {
  const TemporaryFolder folder;
  const std::string json = folder.file("a.json"), page = folder.file("a.html");
  CHECK(run_sim(on_crill({"--procs", "8", "-o", json})).exit_code == 0);
  CHECK(run_sim({"report", json, "-o", page}).exit_code == 0);
  CHECK(mentions(read_file(page), "Gains of messages and of the collective, round-robin"));
}

TEST_CASE("help and manual contain the options") {
  const std::string help = out_of({"validate", "improvement", "--help"});
  for (const auto& line : split(help, '\n')) CHECK(line.size() <= 80);
  const std::string manual = read_manual();
  for (const char* word : {"--change", "--improvement", "--weights", "table_4_4"}) {
    CHECK_MESSAGE(mentions(manual, word), word);
    if (word[0] == '-') CHECK_MESSAGE(mentions(help, word), word);
  }
}
