// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::fireworks::Candidate;
using studies::fireworks::PredictedSet;

std::string rounded(Bytes bytes) { return rounded_bytes(static_cast<double>(bytes)); }

// Shortened for the text table; machine formats contain the full set.
std::string shortened_set(const std::vector<int>& values, std::size_t most) {
  std::string text = node_set_text(values);
  if (text.size() > most) text = text.substr(0, most - 3) + "...";
  return text;
}

// "4,4,2,2", or "set 2" for a long set.
std::string short_name(const FireworksPredictReport& report, const PredictedSet& set) {
  constexpr std::size_t most = 40;
  const auto text = node_set_text(set.procs_of_node);
  return text.size() <= most ? text : fmt::format("set {}", &set - report.sets.data() + 1);
}
// Heading above the rows of a set.
std::string set_title(const FireworksPredictReport& report, const PredictedSet& set) {
  const auto name = short_name(report, set);
  const bool is_whole = name == node_set_text(set.procs_of_node);
  return is_whole ? name : name + ": " + shortened_set(set.procs_of_node, 60);
}

// In the order of Candidate::Kind.
constexpr std::array<std::string_view, 4> kind_names = {"given", "order", "aggregators",
                                                        "worst order"};

std::string set_text(const PredictedSet& set) { return node_set_text(set.procs_of_node); }

struct NodeSetTime {
  std::string node_set;
  const char* what;
  std::optional<Seconds> time_s;
};

DocumentTable times_table(const FireworksPredictReport& report) {
  std::vector<NodeSetTime> times;
  for (const auto& set : report.sets) {
    times.push_back({set_text(set), "expected", set.expected.time_s});
    times.push_back({set_text(set), "write", set.write_s()});
    times.push_back({set_text(set), "read", set.read_s});
  }
  TableOf table(times, {.title = "Expected and simulated times", .only_on_request = true});
  table.add("node_set", {"Node set"}, &NodeSetTime::node_set);
  table.add("what", {"What"}, &NodeSetTime::what);
  table.add("time_s", {"Time (ms)", Shown::ms}, &NodeSetTime::time_s);
  return table.take();
}

DocumentTable sets_table(const FireworksPredictReport& report) {
  TableOf table(
      report.sets,
      {.title = "Expected and simulated exchange time of each node set, in ms",
       .notes = {"Match: pairs of process and aggregator that are on the same node",
                 "Hot: number of the hot-spot node, from 0; ca, ce: its messages inside the node, "
                 "and to and from other nodes",
                 "1 cycle: time of the first write cycle times the number of cycles"}});
  table.add("label", {"Node set"}, [](auto& set) { return shortened_set(set.procs_of_node, 20); });
  table.add("node_set", set_text);
  table.add("match", {"Match"}, [](auto& set) { return set.matches.inside; });
  table.add("pairs", [](auto& set) { return set.matches.pairs; });
  table.add("hot_spot", {"Hot", Shown::plain, 2}, [](auto& set) { return set.expected.hot_spot; });
  table.add("intra_messages", {"ca", Shown::significant},
            [](auto& set) { return set.expected.load.intra; });
  table.add("inter_messages", {"ce", Shown::significant},
            [](auto& set) { return set.expected.load.inter(); });
  table.add("expected_s", {"Expected", Shown::ms}, [](auto& set) { return set.expected.time_s; });
  table.add("write_s", {"Write", Shown::ms}, &PredictedSet::write_s);
  table.add("read_s", {"Read", Shown::ms}, &PredictedSet::read_s);
  table.add("one_cycle_all_s", {"1 cycle", Shown::ms, 1}, [&](auto& set) {
    return set.one_cycle_s ? Cell{*set.one_cycle_s * static_cast<double>(report.cycles)} : Cell{};
  });
  return table.take();
}

// An element (node or order) of a list in a set.
template <class Item>
struct InSet {
  const PredictedSet& set;
  std::string title;
  std::size_t number;
  const Item& item;
};

template <class Item>
std::vector<InSet<Item>> in_sets(const FireworksPredictReport& report,
                                 std::vector<Item> PredictedSet::*list) {
  std::vector<InSet<Item>> all;
  for (const auto& set : report.sets)
    for (std::size_t i = 0; i < (set.*list).size(); ++i)
      all.push_back({set, set_title(report, set), i, (set.*list)[i]});
  return all;
}

DocumentTable nodes_table(const FireworksPredictReport& report) {
  using Node = InSet<studies::fireworks::NodeLoad>;
  TableOf table(in_sets(report, &PredictedSet::loads),
                {.title = "Messages of each node in a cycle", .only_on_request = true});
  table.add("node_set", [](auto& node) { return set_text(node.set); });
  table.group("title", &Node::title);
  table.add("node", {"Node"}, &Node::number);
  table.add("procs", {"Procs"}, [](auto& node) { return node.set.procs_of_node[node.number]; });
  table.add("intra_messages", {"Inside", Shown::significant},
            [](auto& node) { return node.item.intra; });
  table.add("in_messages", {"In", Shown::significant}, [](auto& node) { return node.item.in; });
  table.add("out_messages", {"Out", Shown::significant}, [](auto& node) { return node.item.out; });
  return table.take();
}

Cell saved_fraction(const PredictedSet& set, const Candidate& candidate) {
  const auto& given = set.candidates.front().simulated_s;
  if (!given || !candidate.simulated_s) return {};
  return 1 - *candidate.simulated_s / *given;
}

std::vector<std::string> order_notes(const FireworksPredictReport& report) {
  std::vector<std::string> notes{"aggregators: the node of each aggregator, in file order",
                                 "proposed: the fastest in simulation, including the given order"};
  for (const auto& set : report.sets)
    if (set.orders > 0)
      notes.push_back(fmt::format("{}: {} {} orders were evaluated", short_name(report, set),
                                  set.are_all_orders ? "all" : "by search,", set.orders));
  return notes;
}

DocumentTable orders_table(const FireworksPredictReport& report) {
  TableOf table(
      in_sets(report, &PredictedSet::candidates),
      {.title = "Orders of the nodes, and of the aggregators with nodes as given; times in ms",
       .notes = order_notes(report),
       .only_on_request =
           std::ranges::all_of(report.sets, [](auto& set) { return set.orders == 0; })});
  table.add("node_set", [](auto& row) { return set_text(row.set); });
  table.group("title", &InSet<Candidate>::title);
  table.add("what", {"What"},
            [](auto& row) { return kind_names[static_cast<std::size_t>(row.item.kind)]; });
  table.add("label", {"Order"}, [](auto& row) { return shortened_set(row.item.order, 24); });
  table.add("order", [](auto& row) { return node_set_text(row.item.order); });
  table.add("expected_s", {"Expected", Shown::ms}, [](auto& row) { return row.item.expected_s; });
  table.add("simulated_s", {"Write", Shown::ms}, [](auto& row) { return row.item.simulated_s; });
  table.add("saved_fraction", {"Saved (%)", Shown::signed_percent},
            [](auto& row) { return saved_fraction(row.set, row.item); });
  table.add("proposed", {""},
            [](auto& row) { return &row.item == row.set.proposal() ? "proposed" : ""; });
  return table.take();
}

constexpr Part<FireworksPredictReport> fireworks_predict_parts[] = {{"times", times_table},
                                                                    {"node-sets", sets_table},
                                                                    {"nodes", nodes_table},
                                                                    {"orders", orders_table}};

}  // namespace

std::string tiles_text(const studies::fireworks::ExchangeJob& job) {
  return fmt::format("{}x{}", job.tiles.rows, job.tiles.columns);
}

std::string node_set_text(const std::vector<int>& procs_of_node) {
  return fmt::format("{}", fmt::join(procs_of_node, ","));
}

Document fireworks_predict_document(const FireworksPredictReport& report) {
  Document document{report, "sim.fireworks.predict/1"};
  document.about = {
      fmt::format("Exchange of a file of {}, {} tiles, on {}: {}, {}, messages "
                  "of up to {}",
                  rounded(report.job.file_bytes()), tiles_text(report.job),
                  report.provenance.platform_name(), counted(report.job.aggregators, "aggregator"),
                  counted(report.cycles, "cycle"), rounded(report.message_bytes)),
      fmt::format("Expected times: cost of the messages of the hot-spot node, form {}",
                  report.form)};
  if (report.measured_bytes != report.message_bytes)
    document.about.push_back(
        fmt::format("Costs were measured with messages of {} and are scaled to {}",
                    format_bytes(report.measured_bytes), rounded(report.message_bytes)));
  if (report.run.not_run > 0)
    document.about.push_back(
        fmt::format("Interrupted: {} simulations were not run", report.run.not_run));
  document.tables = tables_of(fireworks_predict_parts, report);
  document.plots = {{{"x", "node_set"},
                     {"y", "time_s"},
                     {"series", "what"},
                     {"title", "Expected and simulated exchange"}}};
  return document;
}

std::vector<std::string> fireworks_predict_document_parts() {
  return names_of(fireworks_predict_parts);
}

}  // namespace tutti::reports
