// SPDX-License-Identifier: BSD-3-Clause
// cFireworks paper, Table II and Figure 5. 16 processes write 4 x 4 tiles of a file. Each row of
// tiles covers two of the eight file domains, and node k serves domain k, so a process sends to the
// two nodes of its row. Messages of a node's own processes to its own domain stay inside the node.
// Between nodes, a node receives the other messages of its domain and sends those of its processes
// to other nodes. The hot-spot node has the most messages between nodes; among equals, the most
// inside.

#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/fireworks/node_load.hpp"
#include "sim/fireworks/surface.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/validate/checks.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::studies::papers {

// Messages per node in the paper's exchange. A node set "4-4-2-2-1-1-1-1" is the number of
// processes on each node, in rank order.
static fireworks::RoundLoad cfireworks_loads(const std::string& node_set);

// `table` is cfireworks_table2.
static Result<CheckedValues> simulated_cfireworks_times(const Table& table);

namespace {

constexpr int procs_of_file = 16;
constexpr int procs_of_row = 4;
constexpr int domains_of_row = 2;
constexpr int domains = procs_of_file / procs_of_row * domains_of_row;
constexpr const char* columns[] = {"tachyon1_intra_first", "tachyon1_inter_first",
                                   "tachyon2_intra_first", "tachyon2_inter_first"};

struct Loads {
  fireworks::Matches matches;
  fireworks::NodeLoad hot_spot;
};

// Parses "4-4-2-2-1-1-1-1", the number of processes on each node in rank order.
std::vector<int> procs_of_nodes(const std::string& node_set) {
  std::vector<int> procs_of_node;
  for (const auto part : split(node_set, '-'))
    procs_of_node.push_back(static_cast<int>(parse_integer(part).value()));
  return procs_of_node;
}

// Every process sends to the domains of its row of tiles.
std::vector<fireworks::Transfer> transfers() {
  std::vector<fireworks::Transfer> all;
  for (int proc = 0; proc < procs_of_file; ++proc)
    for (int i = 0; i < domains_of_row; ++i)
      all.push_back({proc, proc / procs_of_row * domains_of_row + i, 1});
  return all;
}

Loads loads_of(const std::string& node_set) {
  const auto nodes = fireworks::nodes_in_order(procs_of_nodes(node_set), domains);
  const auto load = cfireworks_loads(node_set);
  const auto weight = [](const auto& each) { return std::pair(each.inter(), each.intra); };
  return {fireworks::matches_of({{1, transfers()}}, nodes),
          std::ranges::max(load.of_node, {}, weight)};
}

// A time is alpha * inside + beta * between + gamma. Two rows determine it on the line through
// them: the first two give alpha - 2 beta and gamma + 12 beta.
struct Line {
  fireworks::NodeLoad from;
  fireworks::NodeLoad to;
  double from_s = 0;
  double to_s = 0;

  // Unset if the point is not on the line.
  std::optional<double> at(const fireworks::NodeLoad& load) const {
    const double steps = (load.intra - from.intra) / (to.intra - from.intra);
    if (load.inter() - from.inter() != steps * (to.inter() - from.inter())) return std::nullopt;
    return from_s + steps * (to_s - from_s);
  }
};

// The first two rows with a printed time and different hot spots.
Line line_of(const Table& table, const char* column, const std::vector<Loads>& loads) {
  std::optional<std::size_t> first;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (text_in(table, row, column).empty()) continue;
    if (first && loads[row].hot_spot.intra != loads[*first].hot_spot.intra)
      return {loads[*first].hot_spot, loads[row].hot_spot, number_in(table, *first, column),
              number_in(table, row, column)};
    if (!first) first = row;
  }
  TUTTI_CHECK(false, "no two rows");
  return {};
}

CheckedValue check_time(const Table& table, std::size_t row, const char* column, const Line& line,
                        const fireworks::NodeLoad& load) {
  const std::string printed = text_in(table, row, column);
  const auto time_s = line.at(load);
  CheckedValue value{fmt::format("{}: {}", text_in(table, row, "test"), column), printed,
                     time_s ? as_printed(*time_s, "0.0000000") : "", Verdict::equal,
                     fmt::format("on the line from ({}, {}) to ({}, {})", line.from.intra,
                                 line.from.inter(), line.to.intra, line.to.inter())};
  if (printed.empty()) {
    value.verdict = Verdict::erratum;
    value.why = "illegible in print; " + value.why;
  } else if (!time_s || !rounds_to(*time_s, printed)) {
    value.verdict = Verdict::differs;
    value.why.clear();
  }
  return value;
}

}  // namespace

fireworks::RoundLoad cfireworks_loads(const std::string& node_set) {
  const auto nodes = fireworks::nodes_in_order(procs_of_nodes(node_set), domains);
  return fireworks::load_of(transfers(), nodes, true);
}

Result<CheckedValues> check_cfireworks_times() {
  const Table table = printed_csv("cfireworks_table2");
  std::vector<Loads> loads;
  CheckedValues values;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Loads& load = loads.emplace_back(loads_of(text_in(table, row, "node_set")));
    const std::string test = text_in(table, row, "test");
    const std::string printed = text_in(table, row, "match");
    values.push_back(
        {test + ": match", printed + " of 32",
         fmt::format("{} of {}", load.matches.inside, load.matches.pairs),
         printed == fmt::format("{}", load.matches.inside) ? Verdict::equal : Verdict::differs});
    values.push_back({test + ": hot-spot node, messages inside and between nodes", "",
                      fmt::format("{}, {}", load.hot_spot.intra, load.hot_spot.inter()),
                      Verdict::equal, "not printed"});
  }
  for (const char* column : columns) {
    const Line line = line_of(table, column, loads);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      values.push_back(check_time(table, row, column, line, loads[row].hot_spot));
    const double slope = (line.to_s - line.from_s) / (line.to.intra - line.from.intra);
    values.push_back(
        {fmt::format("{}: alpha - 2 beta, gamma + 12 beta", column), "",
         fmt::format("{:.5f} s, {:.5f} s", slope, line.from_s - slope * line.from.intra),
         Verdict::equal,
         "not printed; all points lie on one line, so the three coefficients cannot be separated"});
  }
  const auto simulated = TUTTI_TRY(simulated_cfireworks_times(table));
  values.insert(values.end(), simulated.begin(), simulated.end());
  return values;
}

// The times of cFireworks' Table II expected on the simulated machines: measured, fitted and
// predicted as in the paper, with the form of the cost function that fits these machines best.

namespace {

using fireworks::CostModel;
using workloads::PostingOrder;

constexpr Bytes message_bytes = Bytes{4} << 20;

struct Measured {
  const char* column;
  const char* platform;
  PostingOrder order;
};
constexpr Measured measured[] = {{"tachyon1_intra_first", "tachyon1", PostingOrder::intra_first},
                                 {"tachyon1_inter_first", "tachyon1", PostingOrder::inter_first},
                                 {"tachyon2_intra_first", "tachyon2", PostingOrder::intra_first},
                                 {"tachyon2_inter_first", "tachyon2", PostingOrder::inter_first}};

Result<CostModel> measure(const Measured& wanted) {
  const auto machine = TUTTI_TRY(platforms::load_machine(wanted.platform));
  const auto pairs = fireworks::grid_values(7, 8);
  std::vector<fireworks::Sample> samples;
  for (const auto& requested : fireworks::surface_points({.message_bytes = {message_bytes},
                               .orders = {wanted.order},
                               .hot_spots = {1},
                               .intra_pairs = pairs,
                               .inter_pairs = pairs})) {
    const auto time_s =
        TUTTI_TRY(fireworks::time_of(requested, machine, engines::EngineKind::flow));
    samples.push_back({.load = fireworks::load_of(requested),
                       .time_s = time_s,
                       .both_ways = requested.exchanged == workloads::Exchanged::both});
  }
  return fireworks::fit_cost_model(samples);
}

}  // namespace

Result<CheckedValues> simulated_cfireworks_times(const Table& table) {
  CheckedValues values;
  for (const auto& each : measured) {
    const auto model = TUTTI_TRY(measure(each));
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      Seconds longest_s = 0;
      for (const auto& load : cfireworks_loads(text_in(table, row, "node_set")).of_node)
        longest_s = std::max(longest_s, model.at(load, model.best));
      values.push_back({fmt::format("{}: {}, simulated", text_in(table, row, "test"), each.column),
                        text_in(table, row, each.column), as_printed(longest_s, "0.000000"),
                        Verdict::not_recomputable,
                        fmt::format("predicted for the simulated machine by the cost function {}",
                                    fireworks::name_of(model.best))});
    }
  }
  return values;
}

}  // namespace tutti::studies::papers
