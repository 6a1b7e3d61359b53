// SPDX-License-Identifier: BSD-3-Clause
// sim fireworks: measure, predict, check.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.hpp"
#include "tests/support/drawing_programs.hpp"
#include "tests/support/files.hpp"
#include "tests/support/rejected.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

constexpr std::array machines = {"tachyon1", "tachyon2"};
// Table II in the order of its rows.
const std::vector<std::string> table_2 = {"4,4,2,2,1,1,1,1", "1,1,1,1,2,4,4,2", "1,1,2,2,1,1,4,4",
                                          "1,1,1,4,4,2,2,1"};

Args with(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

Json json_of(const Args& args) { return Json::parse(out_of(with(args, {"--format", "json"}))); }

// Rows of one part of the report.
Json rows_of(const Args& args, const std::string& part) {
  return json_of(with(args, {"--part", part}))["points"];
}

// Writes the cost file of a machine.
std::string costs_of(const TemporaryFolder& folder, const std::string& machine,
                     const Args& more = {}) {
  const auto path = folder.file(machine + ".toml");
  out_of(with({"fireworks", "--platform", machine, "--costs", path, "-q"}, more));
  return path;
}

// The default measurement of a machine, which many cases use.
struct Measured {
  std::string costs;  // the file
  Json report;

  Json rows(const std::string& part) const {
    for (const auto& table : report["tables"])
      if (table["name"] == part) return table["rows"];
    if (part != "points") return {};
    return report["points"];
  }
};

const Measured& measured(const std::string& machine) {
  static const TemporaryFolder folder;
  static std::map<std::string, Measured> known;
  const auto [found, is_new] = known.try_emplace(machine);
  if (is_new) {
    found->second.costs = folder.file(machine + ".toml");
    found->second.report =
        json_of({"fireworks", "--platform", machine, "--costs", found->second.costs, "-q"});
  }
  return found->second;
}

Args predict(const std::string& model, const std::vector<std::string>& node_sets,
             const Args& more = {}) {
  Args args{"fireworks", "predict", "--costs", model, "-q"};
  for (const auto& each : node_sets) args.insert(args.end(), {"--node-set", each});
  return with(args, more);
}

std::vector<std::string> lines_of(const std::string& text) { return split(text, '\n'); }

void fits_80_columns(const std::string& page) {
  for (const auto& line : lines_of(page)) CHECK_MESSAGE(line.size() <= 80, line);
}

}  // namespace

TEST_CASE("hot spots, matches and the order of times of Table II are reproduced on both machines") {
  for (const auto* machine : machines) {
    CAPTURE(machine);
    const auto model = measured(machine).costs;
    const auto sets = rows_of(predict(model, table_2), "node-sets");
    REQUIRE(sets.size() == 4);
    const std::array matches = {6, 8, 8, 12};
    const std::array<std::pair<double, double>, 4> hot = {{{0, 12}, {2, 8}, {0, 12}, {3, 6}}};
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(sets[i]["node_set"] == table_2[i]);
      CHECK(sets[i]["match"] == matches[i]);
      CHECK(sets[i]["pairs"] == 32);
      CHECK(sets[i]["intra_messages"] == exactly(hot[i].first));
      CHECK(sets[i]["inter_messages"] == exactly(hot[i].second));
    }
    for (const char* time : {"expected_s", "write_s", "read_s"}) {
      CAPTURE(time);
      const auto of = [&](std::size_t i) { return sets[i][time].get<double>(); };
      CHECK(of(3) < of(1));
      CHECK(of(1) < of(0));
      CHECK(of(2) == close_to(of(0), 1e-3));
    }
    for (const auto& set : sets) {
      CHECK(set["expected_s"].get<double>() == close_to(set["write_s"].get<double>(), 0.01));
      // One cycle represents the whole exchange, as the paper assumes.
      const double cycle = set["one_cycle_all_s"], all = set["write_s"];
      CHECK(cycle > all);
      CHECK(cycle < 1.05 * all);
    }
  }
}

TEST_CASE("the proposed order is never slower than the given one, and faster where possible") {
  for (const auto* machine : machines) {
    const auto rows = rows_of(predict(measured(machine).costs, table_2), "orders");
    std::map<std::string, int> proposed;
    for (const auto& row : rows) {
      if (row["proposed"] != "proposed") continue;
      ++proposed[row["node_set"]];
      CHECK(row["saved_fraction"].get<double>() >= 0);
      if (row["node_set"] == table_2[0]) CHECK(row["saved_fraction"].get<double>() > 0.1);
    }
    CHECK(proposed.size() == 4);
    for (const auto& [set, times] : proposed) CHECK(times == 1);
  }
}

TEST_CASE("the best form ranks random node sets as the simulation does") {
  for (const auto* machine : machines) {
    const Measured check{"", json_of({"fireworks", "check", "--costs", measured(machine).costs,
                                      "--node-sets", "60", "-q"})};
    bool seen = false;
    for (const auto& row : check.rows("ordering")) {
      if (row["form"] != "bottleneck") continue;
      seen = true;
      CHECK(row["correct_fraction"].get<double>() >= 0.95);
      CHECK(row["median_expected_ratio"].get<double>() == close_to(1, 0.05));
    }
    CHECK(seen);
    CHECK(check.rows("points").size() == 60);
  }
}

TEST_CASE("where forms do not order node sets as the simulation does, a warning is printed") {
  TemporaryFolder folder;
  const auto model = costs_of(folder, "juqueen", {"--order", "intra-first"});
  const Args check{"fireworks", "check", "--costs", model, "--node-sets", "40"};
  const auto good = run_sim(with(check, {"--form", "links"}));
  const auto poor = run_sim(with(check, {"--form", "bottleneck"}));
  CHECK(!mentions(good.err, "orders only"));
  CHECK(mentions(poor.err, "form bottleneck orders only"));
  CHECK(mentions(poor.err, "rely on simulated times"));
}

TEST_CASE("the defaults of measure and check fit machines with few nodes") {
  TemporaryFolder folder;
  for (const char* machine : {"crill", "jupiter"}) {
    const auto model = costs_of(folder, machine, {"--order", "intra-first"});
    const auto page = out_of({"fireworks", "check", "--costs", model, "--node-sets", "8", "-q"});
    CHECK(mentions(page, "The form that orders the node sets best is"));
    CHECK(!mentions(page, "\n64 "));
  }
}

TEST_CASE("partners inside the node and on other nodes have separate limits") {
  const auto rows = rows_of(
      {"fireworks", "--platform", "tachyon1", "--max-pairs", "2x3", "--order", "intra-first", "-q"},
      "points");
  int most_inside = 0, most_outside = 0;
  for (const auto& row : rows) {
    most_inside = std::max(most_inside, row["intra_pairs"].get<int>());
    most_outside = std::max(most_outside, row["inter_pairs"].get<int>());
  }
  CHECK(most_inside == 2);
  CHECK(most_outside == 3);
}

TEST_CASE("with --form only that form is reported, and none is called the best") {
  const auto model = measured("tachyon1").costs;
  const auto page = out_of({"fireworks", "check", "--costs", model, "--node-sets", "8", "--form",
                            "linear", "--nodes", "4", "-q"});
  CHECK(mentions(page, "Expected times: form linear only"));
  CHECK(!mentions(page, "bottleneck"));
}

TEST_CASE("each sample, hot spot, size and order makes one model") {
  TemporaryFolder folder;
  const auto count = [&](const Args& more) {
    std::map<std::string, int> models;
    for (const auto& row :
         rows_of(with({"fireworks", "--platform", "tachyon1", "--samples", "grid:4", "-q"}, more),
                 "forms"))
      if (row["best"] == "best") ++models[row["model"]];
    return models.size();
  };
  CHECK(count({}) == 2);
  CHECK(count({"--order", "inter-first"}) == 1);
  CHECK(count({"--hot-spots", "1,2"}) == 4);
  CHECK(count({"--message-size", "64KiB,1MiB,4MiB", "--order", "intra-first"}) == 3);
  const auto model = costs_of(folder, "tachyon1",
                              {"--samples", "grid:4", "--hot-spots", "1,2", "--message-size",
                               "1MiB,4MiB", "--order", "inter-first"});
  const auto sets = rows_of(
      predict(model, {table_2[0]}, {"--order", "inter-first", "--hot-spots", "2"}), "node-sets");
  CHECK(sets[0]["expected_s"].get<double>() > 0);
  CHECK(mentions(rejected(predict(model, {table_2[0]}, {"--order", "intra-first"})),
                 "does not contain these costs"));
}

TEST_CASE("both engines measure the same costs") {
  for (const auto* machine : machines) {
    const Args some{"fireworks", "--platform",  machine, "--samples",
                    "grid:3",    "--hot-spots", "1,2",   "-q"};
    const auto flow = rows_of(some, "points");
    const auto simgrid = rows_of(with(some, {"--engine", "simgrid"}), "points");
    REQUIRE(flow.size() == simgrid.size());
    for (std::size_t i = 0; i < flow.size(); ++i)
      CHECK(flow[i]["time_s"].get<double>() == close_to(simgrid[i]["time_s"].get<double>(), 1e-6));
  }
}

TEST_CASE("on both machines the messages of a node between nodes take the time of Table II") {
  for (const auto* machine : machines) {
    CAPTURE(machine);
    // T16-01: 12 messages of 4 MiB to or from other nodes, none inside.
    const double printed_s = std::string(machine) == "tachyon1" ? 52.138e-3 : 15.699e-3;
    int seen = 0;
    for (const auto& row : measured(machine).rows("points")) {
      if (row["inter_messages"] != 12 || row["intra_messages"] != 0) continue;
      CHECK(row["time_s"].get<double>() == close_to(printed_s, 5e-3));
      ++seen;
    }
    CHECK(seen == 2);  // posting orders
  }
}

TEST_CASE("with four hot spots one plane explains as much of the variance as in the paper") {
  for (const auto* machine : machines) {
    const auto forms = rows_of(
        {"fireworks", "--platform", machine, "--hot-spots", "4", "--order", "intra-first", "-q"},
        "forms");
    CHECK(forms[0]["form"] == "linear");
    CHECK(forms[0]["r2"].get<double>() == close_to(0.98, 0.01));
  }
}

TEST_CASE("the paper's values are printed only for the machines that it measured") {
  const auto of = [](const std::string& machine) { return measured(machine).rows("paper"); };
  const auto rows = of("tachyon1");
  REQUIRE(rows.size() == 6);
  CHECK(rows[0]["printed"] == "0.98");
  CHECK(rows[0]["computed"].get<double>() == close_to(0.834, 1e-2));
  CHECK(rows[2]["printed"] == "2");
  CHECK(of("tachyon2")[3]["printed"] == "0.984673");
  CHECK(of("crill").empty());
  CHECK(!mentions(out_of({"fireworks", "--platform", "crill", "-q"}), "paper's values"));
}

TEST_CASE("reports fit 80 columns, also with 64 nodes") {
  const auto model = measured("tachyon1").costs;
  fits_80_columns(out_of({"fireworks", "--platform", "tachyon1", "-q"}));
  fits_80_columns(out_of(predict(model, table_2)));
  fits_80_columns(out_of({"fireworks", "check", "--costs", model, "--node-sets", "8", "-q"}));
  std::string wide = "4,2,1,1";
  for (int i = 1; i < 16; ++i) wide += ",1,2,1,4";
  // The command is one word and may be longer.
  for (const auto& line : lines_of(out_of(predict(model, {wide}, {"--orders", "1"}))))
    CHECK_MESSAGE((line.size() <= 80 || line.starts_with("#   4,2,1,1")), line);
  const auto page = out_of(predict(model, {table_2[0]}, {"--orders", "0"}));
  CHECK(!mentions(page, "evaluated"));
}

TEST_CASE("specifications of figures are written, and pictures where the programs are installed") {
  TemporaryFolder folder;
  const auto model = costs_of(folder, "tachyon1", {"--plot", folder.file("surface.vg")});
  const auto surface = read_file(folder.file("surface.vg"));
  CHECK(mentions(surface, "R² = 0.8344"));
  CHECK(mentions(surface, "\"face\":0"));
  CHECK(mentions(surface, "sim fireworks"));
  out_of(predict(model, table_2, {"--plot", folder.file("sets.vg"), "-o", folder.file("a.json")}));
  CHECK(mentions(read_file(folder.file("sets.vg")), table_2[3]));
  std::string wide = "2";
  for (int i = 1; i < 40; ++i) wide += ",1";
  out_of(predict(model, {wide}, {"--plot", folder.file("wide.vg"), "--orders", "0"}));
  CHECK(mentions(read_file(folder.file("wide.vg")), "\"set 1\""));
  const Args check{"fireworks", "check", "--costs", model, "--node-sets", "8", "-q"};
  out_of(with(check, {"--plot", folder.file("check.vg")}));
  CHECK(mentions(read_file(folder.file("check.vg")), R"({"name":"is_square","value":true})"));
  if (!has_drawing_programs()) return;
  out_of(with(check, {"--plot", folder.file("check.svg")}));
  CHECK(mentions(read_file(folder.file("check.svg")), "</svg>"));
}

TEST_CASE("invalid input is reported with a place and a hint") {
  TemporaryFolder folder;
  const auto model = measured("tachyon1").costs;
  const auto reported = [](const Args& args, const std::string& error, const std::string& hint) {
    const auto text = rejected(args);
    CHECK_MESSAGE(mentions(text, error), text);
    CHECK_MESSAGE(mentions(text, "help: " + hint), text);
  };
  const Args measure{"fireworks", "--platform", "tachyon1"};
  reported(with(measure, {"--order", "intra-fist"}), "--order: unknown name 'intra-fist'",
           "did you mean");
  reported(with(measure, {"--engine", "ideal"}), "--engine: unknown engine",
           "expected one of: flow");
  reported(with(measure, {"--samples", "grid:2"}), "--samples: invalid sampling 'grid:2'",
           "expected all, or grid:N");
  reported(with(measure, {"--max-pairs", "16"}), "--max-pairs: room for only 15",
           "use --max-pairs 15x16");
  reported(with(measure, {"--max-pairs", "3x"}), "--max-pairs: invalid INSIDExOUTSIDE '3x'",
           "expected two numbers");
  reported(with(measure, {"--max-pairs", "16x2"}), "--max-pairs: room for only 15",
           "use --max-pairs 15x2");
  reported(with(measure, {"--max-pairs", "1"}), "--max-pairs: one partner", "at least two");
  reported(with(measure, {"--hot-spots", "16"}), "--hot-spots: no core left for partners",
           "the costs can");
  reported(with(measure, {"--plot", "a.jpg"}), "--plot: unknown picture extension of 'a.jpg'",
           "expected .svg");
  reported(with(measure, {"--costs", "a.json", "-o", "a.json"}), "-o: 'a.json' is written twice",
           "give each output");
  reported(predict(model, {"2,2"}, {"--order", "foo"}), "--order: unknown order",
           "expected one of: intra");
  reported(predict(model, {"2,2"}, {"--form", "cubic"}), "--form: unknown form",
           "expected one of: linear");
  reported(predict(model, {"2,2"}, {"--tiles", "3x2"}), "--tiles: rows times columns must be 4",
           "each process");
  reported(predict(model, {"17,2"}), "--node-set: 17 processes", "choose another machine");
  reported(predict(model, {"4,1"}, {"--aggregators", "4"}), "--aggregators: 2 on a node",
           "each aggregator is a");
  reported(predict(model, {"2,2", "2,2,1"}), "--node-set: 2,2,1", "give sets with");
  reported(predict(folder.file("none.toml"), {"2,2"}), "none.toml: cannot open", "`sim fireworks");
  reported(predict(folder.write("other.toml", "format = \"tutti-models/1\"\n"), {"2,2"}),
           "the file does not contain costs", "expected format =");
  const auto text = read_file(model);
  reported(predict(folder.write("cut.toml", text.substr(0, 700)), {"2,2"}),
           "cut.toml:", "expected a TOML file");
  reported({"fireworks", "check", "--costs", model, "--nodes", "500"}, "--nodes: 500 nodes",
           "choose another machine");
  reported({"fireworks", "check", "--costs", model, "--ppn", "17"}, "--ppn: 17",
           "choose another machine");
  reported({"fireworks", "predict"}, "--costs: is required", "`sim fireworks");
  std::string moved = text;
  const std::string before = "platform = \"tachyon1\"";
  moved.replace(moved.find(before), before.size(), "platform = \"moved.xml\"");
  reported({"fireworks", "check", "--costs", folder.write("moved.toml", moved), "--node-sets", "8"},
           "moved.xml: unknown platform", "this platform is named in");
  CHECK(mentions(rejected(predict(model, {"2,2"}, {"--aggregators", "5"})), "range: 1 to 4"));
  CHECK(mentions(rejected(predict(model, {"2,2"}, {"--orders", "-1"})), "range: 0 to 100"));
  CHECK(mentions(rejected(predict(model, {"2,2"}, {"-o", model, "--format", "csv"})), "-o: "));
  CHECK(read_file(model) == text);
}

TEST_CASE("a machine with one core per node has no messages inside a node") {
  TemporaryFolder folder;
  const auto cores = [&](const std::string& number) {
    return folder.write("m" + number + ".xml",
                        "<?xml version='1.0'?>\n"
                        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                        "<platform version=\"4.1\">\n<cluster id=\"few\" prefix=\"n\" suffix=\"\" "
                        "radical=\"0-3\" speed=\"1Gf\" core=\"" +
                            number + "\" bw=\"1GBps\" lat=\"1us\"/>\n</platform>\n");
  };
  CHECK(mentions(rejected({"fireworks", "--platform", cores("1")}),
                 "--platform: too small for partners"));
  CHECK(rows_of({"fireworks", "--platform", cores("2"), "-q"}, "surface").size() == 2 * 4);
}
