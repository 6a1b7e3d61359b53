// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "platforms/reader.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/studies/run_point.hpp"
#include "sim/validate/nuriyev.hpp"

namespace tutti::studies::papers {
namespace {

constexpr Bytes nuriyev_segment = 8 * 1024;
constexpr const char* nuriyev_caveat =
    "measured; computed is simulated on the catalog's machine, whose overheads derive from Tables "
    "1 and 2";

struct PaperAlgorithm {
  std::string_view ours;
  std::string_view paper;
};
constexpr std::array paper_algorithms = {
    PaperAlgorithm{"basic_linear", "linear"}, PaperAlgorithm{"chain", "k_chain"},
    PaperAlgorithm{"pipeline", "chain"},      PaperAlgorithm{"split_binary_tree", "split_binary"},
    PaperAlgorithm{"binary_tree", "binary"},  PaperAlgorithm{"binomial", "binomial"}};

// Broadcasts of one size on one machine.
struct Broadcasts {
  const platforms::Machine& machine;
  int procs = 0;
  Bytes message_bytes = 0;

  Result<Seconds> time_of(const std::string& algorithm, std::optional<Bytes> segment) const {
    Point point;
    point.placement.procs = procs;
    point.engine = engines::EngineKind::flow;
    point.call = TUTTI_TRY(workloads::resolve({.collective = "bcast",
                                               .algorithm = algorithm,
                                               .procs = procs,
                                               .message_bytes = message_bytes,
                                               .segment_bytes = segment},
                                              machine, point.placement));
    const auto answer = TUTTI_TRY(run_point(point, machine));
    return *answer.record.time_s;
  }
};

// Of one printed row, by the paper's names.
struct SimulatedRow {
  std::map<std::string, Seconds, std::less<>> times_s;
  Seconds ompi_s = 0;

  const auto& best() const {
    return *std::ranges::min_element(times_s, {}, [](const auto& each) { return each.second; });
  }
  std::string degradation(Seconds time_s) const {
    return fmt::format("{:.0f} %", 100 * (time_s / best().second - 1));
  }
};

Result<SimulatedRow> simulate_row(const Broadcasts& broadcasts) {
  SimulatedRow row;
  for (const auto& each : paper_algorithms) {
    const auto time_s = TUTTI_TRY(broadcasts.time_of(std::string(each.ours), nuriyev_segment));
    row.times_s[std::string(each.paper)] = time_s;
  }
  row.ompi_s = TUTTI_TRY(broadcasts.time_of("auto:ompi-3.1", std::nullopt));
  return row;
}

void add_measured(const Table& table, std::size_t at, const SimulatedRow& row,
                  CheckedValues& values) {
  const auto text = [&](const char* column) { return text_in(table, at, column); };
  const auto add = [&](const char* what, std::string printed, std::string computed) {
    values.push_back({fmt::format("{}, {} KiB: {}", text("cluster"), text("kib"), what),
                      std::move(printed), std::move(computed), Verdict::not_recomputable,
                      nuriyev_caveat});
  };
  add("best", text("best"), row.best().first);
  add("the model's choice loses", text("model_degradation_pct") + " %",
      row.degradation(row.times_s.at(text("model_choice"))));
  add("Open MPI's choice loses", text("ompi_degradation_pct") + " %", row.degradation(row.ompi_s));
}

}  // namespace

std::string nuriyev_name(std::string_view algorithm) {
  const auto found = std::ranges::find(paper_algorithms, algorithm, &PaperAlgorithm::ours);
  return std::string(found == paper_algorithms.end() ? algorithm : found->paper);
}

Result<CheckedValues> simulated_nuriyev_selection(const Table& table) {
  std::map<std::string, platforms::Machine> machines;
  CheckedValues values;
  for (std::size_t at = 0; at < table.rows.size(); ++at) {
    const std::string cluster = text_in(table, at, "cluster");
    if (!machines.contains(cluster)) {
      auto machine = TUTTI_TRY(platforms::load_machine(cluster));
      machines.emplace(cluster, std::move(machine));
    }
    const auto row = TUTTI_TRY(
        simulate_row({.machine = machines.at(cluster),
                      .procs = static_cast<int>(number_in(table, at, "procs")),
                      .message_bytes = static_cast<Bytes>(number_in(table, at, "kib")) * 1024}));
    add_measured(table, at, row, values);
  }
  return values;
}

}  // namespace tutti::studies::papers
