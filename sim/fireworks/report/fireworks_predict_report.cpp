// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/report/fireworks_predict_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/counted.hpp"
#include "sim/base/optional_cell.hpp"
#include "sim/base/rounded_bytes.hpp"

namespace tutti::reports {
namespace {

using Of = Candidate::Of;

std::string rounded(Bytes bytes) { return rounded_bytes(static_cast<double>(bytes)); }

// For a line of a table; programs get the whole.
std::string shortened_set(const std::vector<int>& values, std::size_t room) {
  std::string text = node_set_text(values);
  if (text.size() > room) text = text.substr(0, room - 3) + "...";
  return text;
}
std::string shortened_order(const std::vector<int>& values) { return shortened_set(values, 24); }

// "4,4,2,2", or "set 2" where that is long.
std::string set_name(const FireworksPredictReport& report, const PredictedSet& set) {
  constexpr std::size_t room = 40;
  const auto text = node_set_text(set.procs_of_node);
  return text.size() <= room ? text : fmt::format("set {}", &set - report.sets.data() + 1);
}
// The value above the rows of a set.
std::string set_title(const FireworksPredictReport& report, const PredictedSet& set) {
  const auto name = set_name(report, set);
  const bool is_whole = name == node_set_text(set.procs_of_node);
  return is_whole ? name : name + ": " + shortened_set(set.procs_of_node, 60);
}

std::string_view name_of(Of of) {
  switch (of) {
    case Of::given:
      return "given";
    case Of::order:
      return "order";
    case Of::aggregators:
      return "aggregators";
    case Of::worst_order:
      break;
  }
  return "worst order";
}

DocumentTable times_table(const FireworksPredictReport& report) {
  DocumentTable table{.name = "times",
                      .title = "Expected and simulated times",
                      .table = {{"node_set", "what", "time_s"}, {}},
                      .shown = {{"node_set", "Node set"},
                                {"what", "What"},
                                {"time_s", "Time ms", Shown::milliseconds}},
                      .group_by = {},
                      .notes = {},
                      .only_on_request = true};
  for (const auto& set : report.sets) {
    const auto add = [&](const char* what, Cell time_s) {
      table.table.rows.push_back(
          {node_set_text(set.procs_of_node), std::string(what), std::move(time_s)});
    };
    add("expected", set.expected.time_s);
    add("write", cell_of(set.write_s));
    add("read", cell_of(set.read_s));
  }
  return table;
}

DocumentTable sets_table(const FireworksPredictReport& report) {
  DocumentTable table{
      .name = "node-sets",
      .title = "What each node set is expected to take, and takes in simulation, in ms",
      .table = {{"label", "node_set", "match", "pairs", "hot_spot", "intra_messages",
                 "inter_messages", "expected_s", "write_s", "read_s", "one_cycle_all_s"},
                {}},
      .shown = {{"label", "Node set"},
                {"match", "Match"},
                {"hot_spot", "Hot", Shown::plain, 2},
                {"intra_messages", "ca", Shown::significant},
                {"inter_messages", "ce", Shown::significant},
                {"expected_s", "Expected", Shown::milliseconds},
                {"write_s", "Write", Shown::milliseconds},
                {"read_s", "Read", Shown::milliseconds},
                {"one_cycle_all_s", "1 cycle", Shown::milliseconds, 1}},
      .group_by = {},
      .notes = {"Match: processes on the node of one of their aggregators, of all such pairs",
                "Hot: the node that takes longest, from 0; ca, ce: its messages inside, and to and "
                "from other nodes",
                "1 cycle: the first cycle of a write alone, times their number"}};
  for (const auto& set : report.sets)
    table.table.rows.push_back(
        {shortened_set(set.procs_of_node, 20), node_set_text(set.procs_of_node), set.matches.inside,
         set.matches.pairs, std::int64_t{set.expected.hot_spot}, set.expected.load.intra,
         set.expected.load.inter(), set.expected.time_s, cell_of(set.write_s), cell_of(set.read_s),
         set.one_cycle_s ? Cell{*set.one_cycle_s * static_cast<double>(report.cycles)} : Cell{}});
  return table;
}

DocumentTable nodes_table(const FireworksPredictReport& report) {
  DocumentTable table{.name = "nodes",
                      .title = "What each node has to do in a cycle",
                      .table = {{"node_set", "title", "node", "procs", "intra_messages",
                                 "in_messages", "out_messages"},
                                {}},
                      .shown = {{"node", "Node"},
                                {"procs", "Procs"},
                                {"intra_messages", "Inside", Shown::significant},
                                {"in_messages", "In", Shown::significant},
                                {"out_messages", "Out", Shown::significant}},
                      .group_by = "title",
                      .notes = {},
                      .only_on_request = true};
  for (const auto& set : report.sets)
    for (std::size_t i = 0; i < set.loads.size(); ++i)
      table.table.rows.push_back({node_set_text(set.procs_of_node), set_title(report, set),
                                  static_cast<std::int64_t>(i), std::int64_t{set.procs_of_node[i]},
                                  set.loads[i].intra, set.loads[i].in, set.loads[i].out});
  return table;
}

Cell saved_part(const PredictedSet& set, const Candidate& candidate) {
  const auto& given = set.candidates.front().simulated_s;
  if (!given || !candidate.simulated_s) return {};
  return 1 - *candidate.simulated_s / *given;
}

DocumentTable orders_table(const FireworksPredictReport& report) {
  DocumentTable table{.name = "orders",
                      .title = "Orders of the nodes, and of the aggregators where the nodes stay",
                      .table = {{"node_set", "title", "what", "label", "order", "expected_s",
                                 "simulated_s", "saved_part", "proposed"},
                                {}},
                      .shown = {{"what", "What"},
                                {"label", "Order"},
                                {"expected_s", "Expected ms", Shown::milliseconds},
                                {"simulated_s", "Write ms", Shown::milliseconds},
                                {"saved_part", "Saved %", Shown::signed_percent},
                                {"proposed", ""}},
                      .group_by = "title",
                      .notes = {}};
  for (const auto& set : report.sets)
    for (const auto& each : set.candidates)
      table.table.rows.push_back({node_set_text(set.procs_of_node), set_title(report, set),
                                  std::string(name_of(each.of)), shortened_order(each.order),
                                  node_set_text(each.order), each.expected_s,
                                  cell_of(each.simulated_s), saved_part(set, each),
                                  std::string(&each == set.proposal() ? "proposed" : "")});
  table.notes = {"aggregators: the node of each aggregator, in the order of the file",
                 "proposed: the fastest in simulation of those above, the given one among them"};
  for (const auto& set : report.sets)
    if (set.orders > 0)
      table.notes.push_back(fmt::format("{}: {} {} orders were evaluated", set_name(report, set),
                                        set.are_all_orders ? "all" : "a search:", set.orders));
  table.only_on_request =
      std::ranges::all_of(report.sets, [](const auto& set) { return set.orders == 0; });
  return table;
}

}  // namespace

const Candidate* PredictedSet::proposal() const {
  const Candidate* fastest = nullptr;
  for (const auto& each : candidates)
    if (each.simulated_s && (fastest == nullptr || *each.simulated_s < *fastest->simulated_s))
      fastest = &each;
  return fastest;
}

std::string node_set_text(const std::vector<int>& procs_of_node) {
  return fmt::format("{}", fmt::join(procs_of_node, ","));
}

Document fireworks_predict_document(const FireworksPredictReport& report) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.fireworks.predict/1";
  document.about = {
      fmt::format("Exchange of a file of {}, {} tiles, on {}: {}, {}, messages "
                  "of up to {}",
                  rounded(report.file_bytes), report.tiles, report.provenance.platform_name,
                  counted(report.aggregators, "aggregator"), counted(report.cycles, "cycle"),
                  rounded(report.message_bytes)),
      fmt::format("Expected by the cost of messages at the hot spot, form {}", report.form)};
  if (report.measured_bytes != report.message_bytes)
    document.about.push_back(
        fmt::format("Costs were measured with messages of {}, not of {}: they are scaled",
                    format_bytes(report.measured_bytes), rounded(report.message_bytes)));
  if (report.not_run > 0)
    document.about.push_back(
        fmt::format("Interrupted: {} simulations were not run", report.not_run));
  document.tables = {times_table(report), sets_table(report), nodes_table(report),
                     orders_table(report)};
  document.plots = {{{"x", "node_set"},
                     {"y", "time_s"},
                     {"series", "what"},
                     {"title", "expected and simulated exchange"}}};
  return document;
}

std::vector<std::string> fireworks_predict_document_parts() {
  return {"times", "node-sets", "nodes", "orders"};
}

}  // namespace tutti::reports
