// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/select_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "sim/studies/algorithm_models/model_choice.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/select/open_mpi.hpp"

namespace tutti::commands {
namespace {

using reports::SelectedCollective;
using studies::select::TimedCell;

// A cell that is wanted: of the request's collective of that number.
struct WantedCell {
  std::size_t collective = 0;
  int procs = 0;
  Bytes message_bytes = 0;
};

// The sizes asked for, and the limits of the eager protocol with what is just above them, where
// times jump.
std::vector<std::int64_t> first_sizes(const RulesRequest& request,
                                      const platforms::Machine& machine) {
  std::set<std::int64_t> sizes(request.message_bytes.begin(), request.message_bytes.end());
  const Bytes least = *sizes.begin(), most = *sizes.rbegin();
  if (request.rounds == 0 || least == most) return request.message_bytes;
  for (const Bytes limit : {machine.inter.eager_max, machine.intra.eager_max})
    for (const Bytes size : {limit, limit + 1})
      if (size > least && size < most) sizes.insert(size);
  return {sizes.begin(), sizes.end()};
}

std::vector<WantedCell> first_cells(const RulesRequest& request,
                                    const platforms::Machine& machine) {
  std::vector<WantedCell> cells;
  const auto sizes = first_sizes(request, machine);
  for (std::size_t i = 0; i < request.collectives.size(); ++i) {
    const auto& collective = *algorithms::find_collective(request.collectives[i]);
    for (const auto procs : request.procs)
      for (const auto bytes : collective.has_message ? sizes : std::vector<std::int64_t>{0})
        cells.push_back({i, static_cast<int>(procs), bytes});
  }
  return cells;
}

Bytes most_memory(const studies::select::CellCalls& calls) {
  Bytes most = 0;
  for (const auto& point : calls.points)
    if (point) most = std::max(most, studies::memory_estimate(*point));
  return most;
}

class Selection {
 public:
  Selection(const RulesRequest& request, const platforms::Machine& machine,
            const Diagnostics& diagnostics)
      : request_(request), machine_(machine), diagnostics_(diagnostics) {
    for (const auto& name : request.collectives) {
      auto& made = selected_.collectives.emplace_back();
      made.table.collective = name;
      made.table.candidates = studies::select::candidates_of(name, request.candidates);
    }
  }

  // Collectives whose algorithms call others come second: their calls obey the file, too.
  SelectedTimes run() {
    run_those(false);
    if (!has_functions_alone()) rules_ = rules_so_far();
    if (is_going_on()) run_those(true);
    return std::move(selected_);
  }

 private:
  // Between two neighbouring sizes of a collective and a number of processes: the smaller one.
  using Gap = std::tuple<std::size_t, int, Bytes>;

  bool is_one_of(std::size_t collective, bool calling_others) const {
    return studies::select::calls_others(request_.collectives[collective]) == calling_others;
  }

  void run_those(bool calling_others) {
    auto cells = first_cells(request_, machine_);
    std::erase_if(
        cells, [&](const WantedCell& cell) { return !is_one_of(cell.collective, calling_others); });
    if (cells.empty()) return;
    find_times(cells);
    for (auto& each : selected_.collectives) make_rules(each);
    std::set<Gap> gaps = all_gaps();
    std::erase_if(gaps,
                  [&](const Gap& gap) { return !is_one_of(std::get<0>(gap), calling_others); });
    for (int round = 0; round < request_.rounds && !gaps.empty() && is_going_on(); ++round)
      gaps = refine(gaps);
  }

  std::shared_ptr<const algorithms::selection::Selection> rules_so_far() const {
    std::vector<algorithms::selection::WrittenCollective> written;
    for (const auto& each : selected_.collectives)
      if (!each.table.cells.empty())
        written.push_back(studies::select::written(each.table, each.rules.front().rules));
    if (written.empty()) return nullptr;
    const auto text =
        rules_file_text(written, algorithms::selection::RulesFormat::open_mpi_4_1, {});
    using algorithms::selection::DynamicRules;
    using algorithms::selection::Selection;
    return std::make_shared<const Selection>(
        Selection{.rules = std::make_shared<const DynamicRules>(text, "the rules so far")});
  }

  bool has_functions_alone() const {
    return request_.writes(RulesOutput::Kind::function) &&
           !request_.writes(RulesOutput::Kind::rules_file);
  }

  bool is_going_on() const { return selected_.code == exit_done && selected_.not_run == 0; }

  studies::StudyPoint study_point(const WantedCell& cell) {
    const auto calls = [this, cell] {
      const auto& table = selected_.collectives[cell.collective].table;
      return studies::select::calls_of(table.collective, table.candidates,
                                       {cell.procs, cell.message_bytes, rules_}, request_.common,
                                       machine_);
    };
    const auto simulated = [this, calls]() -> Result<Row> {
      const auto made = calls();
      return made ? studies::select::simulate(*made, machine_) : made.errors();
    };
    const auto made = calls();
    if (made) selected_.collectives[cell.collective].left_out += made->too_large;
    return {.key = {},
            .description = {},
            .name = fmt::format("{}, {}, {} processes", request_.collectives[cell.collective],
                                format_bytes(cell.message_bytes), cell.procs),
            .parameters = {},
            .simulate = simulated,
            .memory_bytes = made ? most_memory(*made) : 0};
  }

  int nodes_of(int procs) const {
    auto placement = request_.common.placement;
    placement.procs = procs;
    return platforms::place(machine_, placement).value().nodes;
  }

  void add_cell(const WantedCell& wanted, std::vector<std::optional<Seconds>> times_s) {
    selected_.collectives[wanted.collective].table.cells.push_back(
        {.procs = wanted.procs,
         .nodes = nodes_of(wanted.procs),
         .message_bytes = wanted.message_bytes,
         .times_s = std::move(times_s)});
  }

  // By models, which know no calls inside others.
  void predict(const std::vector<WantedCell>& wanted) {
    for (const auto& cell : wanted) {
      const auto& table = selected_.collectives[cell.collective].table;
      const auto calls =
          studies::select::calls_of(table.collective, table.candidates,
                                    {cell.procs, cell.message_bytes}, request_.common, machine_)
              .value();
      std::vector<std::optional<Seconds>> times_s;
      for (const auto& point : calls.points)
        times_s.push_back(point ? studies::predicted_time(*request_.models, *point, machine_)
                                : std::nullopt);
      add_cell(cell, std::move(times_s));
    }
  }

  void find_times(const std::vector<WantedCell>& wanted) {
    request_.models ? predict(wanted) : simulate(wanted);
    for (auto& each : selected_.collectives)
      std::ranges::sort(each.table.cells, {}, [](const TimedCell& cell) {
        return std::pair(cell.procs, cell.message_bytes);
      });
  }

  void simulate(const std::vector<WantedCell>& wanted) {
    std::vector<studies::StudyPoint> points;
    points.reserve(wanted.size());
    for (const auto& cell : wanted) points.push_back(study_point(cell));
    const CheckRun run = run_check(points, request_.jobs, diagnostics_);
    selected_.failed.insert(selected_.failed.end(), run.failed.begin(), run.failed.end());
    selected_.not_run += run.not_run;
    selected_.code = std::max(selected_.code, run.code);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!run.answers[i]) continue;
      const auto& table = selected_.collectives[wanted[i].collective].table;
      add_cell(wanted[i], studies::select::times_in(*run.answers[i], table.candidates.size()));
    }
  }

  void make_rules(SelectedCollective& selected) const {
    selected.rules.clear();
    const double loss = request_.most_loss;
    if (!has_functions_alone()) {
      auto wish = studies::select::wish_of_rules_file(selected.table.collective, loss);
      selected.rules.push_back({"rules file", wish, rules_of(selected.table, wish)});
    }
    if (!request_.writes(RulesOutput::Kind::function)) return;
    const studies::select::RuleWish wish{.most_loss = loss};
    selected.rules.push_back({"function", wish, rules_of(selected.table, wish)});
  }

  std::set<Gap> all_gaps() const {
    std::set<Gap> gaps;
    for (std::size_t i = 0; i < selected_.collectives.size(); ++i) {
      const auto& cells = selected_.collectives[i].table.cells;
      for (std::size_t cell = 0; cell + 1 < cells.size(); ++cell)
        if (cells[cell].procs == cells[cell + 1].procs)
          gaps.emplace(i, cells[cell].procs, cells[cell].message_bytes);
    }
    return gaps;
  }

  // The geometric mean of a gap's ends; nothing where it is one of them.
  std::optional<Bytes> middle_of(const Gap& gap) const {
    const auto& [collective, procs, from_bytes] = gap;
    const auto& cells = selected_.collectives[collective].table.cells;
    const auto next = std::ranges::find_if(cells, [&](const TimedCell& cell) {
      return cell.procs == std::get<1>(gap) && cell.message_bytes > std::get<2>(gap);
    });
    if (next == cells.end()) return std::nullopt;
    const auto middle = static_cast<Bytes>(std::llround(
        std::sqrt(static_cast<double>(from_bytes) * static_cast<double>(next->message_bytes))));
    if (middle <= from_bytes || middle >= next->message_bytes) return std::nullopt;
    return middle;
  }

  // Simulates the gaps' middles, tells how the rules do there, and makes them again with them.
  // Returns the gaps around those that were above the bound.
  std::set<Gap> refine(const std::set<Gap>& gaps) {
    std::vector<WantedCell> wanted;
    std::map<Gap, Gap> gap_of;
    for (const auto& gap : gaps)
      if (const auto middle = middle_of(gap)) {
        const auto& [collective, procs, from_bytes] = gap;
        wanted.push_back({collective, procs, *middle});
        gap_of.emplace(Gap{collective, procs, *middle}, gap);
      }
    find_times(wanted);
    std::set<Gap> next;
    for (std::size_t i = 0; i < selected_.collectives.size(); ++i) judge(i, gap_of, next);
    return next;
  }

  void judge(std::size_t collective, const std::map<Gap, Gap>& gap_of, std::set<Gap>& next) {
    auto& selected = selected_.collectives[collective];
    const auto& reader = selected.rules.front();
    reports::BetweenSizes between;
    for (const auto& cell : selected.table.cells) {
      const Gap middle{collective, cell.procs, cell.message_bytes};
      const auto gap = gap_of.find(middle);
      if (gap == gap_of.end()) continue;
      const auto losses = losses_of({selected.table.collective, selected.table.candidates, {cell}},
                                    reader.rules, reader.wish);
      between.cells += losses.cells;
      between.above += losses.above;
      between.max_loss = std::max(between.max_loss, losses.max);
      if (losses.above == 0) continue;
      next.insert(gap->second);
      next.insert(middle);
    }
    if (between.cells == 0) return;
    selected.between.push_back(between);
    make_rules(selected);
  }

  const RulesRequest& request_;
  const platforms::Machine& machine_;
  const Diagnostics& diagnostics_;
  SelectedTimes selected_;
  std::shared_ptr<const algorithms::selection::Selection> rules_;
};

}  // namespace

std::vector<Error> check_cells(const RulesRequest& request, const platforms::Machine& machine) {
  const auto free_bytes = studies::free_memory();
  for (const auto& cell : first_cells(request, machine)) {
    const auto& name = request.collectives[cell.collective];
    const auto calls =
        studies::select::calls_of(name, studies::select::candidates_of(name, request.candidates),
                                  {cell.procs, cell.message_bytes}, request.common, machine);
    if (!calls) return calls.errors();
    if (request.force || !free_bytes) continue;
    for (const auto& point : calls->points)
      if (point)
        if (auto error = studies::check_memory(*point, *free_bytes)) return {*std::move(error)};
  }
  return {};
}

SelectedTimes simulate_cells(const RulesRequest& request, const platforms::Machine& machine,
                             const Diagnostics& diagnostics) {
  return Selection(request, machine, diagnostics).run();
}

}  // namespace tutti::commands
