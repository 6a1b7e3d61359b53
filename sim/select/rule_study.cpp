// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/rule_study.hpp"

#include "sim/jobs/run_point.hpp"
#include "sim/select/open_mpi.hpp"

namespace tutti::studies::select {
namespace {

using algorithms::selection::DynamicRules;
using algorithms::selection::Selection;

LibraryCall library_call(const RuleStudy& study, const std::string& collective) {
  return {collective, study.candidates.library};
}

// A number of processes that is timed, and the last one to which its rules apply.
struct TimedProcs {
  int procs = 0;
  int most_procs = 0;
};

// If a job of `upper` processes needs several nodes: as many processes as fit on one node, since
// nothing is sent between nodes then, and as many as fill the nodes of a job in the middle.
std::vector<int> whole_nodes(const RuleStudy& study, const platforms::Machine& machine, int lower,
                             int upper) {
  std::vector<int> whole;
  for (const auto& placement : make_placements(study.axes, upper, machine)) {
    const auto placed = platforms::place(machine, placement).value();
    if (placed.nodes == 1) continue;
    for (const int procs : {placed.ppn, std::midpoint(lower, upper) / placed.ppn * placed.ppn})
      if (procs > lower && procs < upper) whole.push_back(procs);
  }
  return whole;
}

std::vector<TimedProcs> timed_procs(const RuleStudy& study, const std::string& collective,
                                    const platforms::Machine& machine) {
  std::vector<TimedProcs> timed;
  const auto& requested = study.axes.procs;
  for (std::size_t i = 0; i < requested.size(); ++i) {
    const int procs = static_cast<int>(requested[i]);
    timed.push_back({procs, procs});
    if (i + 1 == requested.size()) break;
    const int next = static_cast<int>(requested[i + 1]);
    const auto middle =
        procs_between(procs, next, library_call(study, collective), study.axes.message_bytes);
    std::set<int> all(middle.begin(), middle.end());
    for (const int whole : whole_nodes(study, machine, procs, next)) all.insert(whole);
    for (const int between : all) timed.push_back({between, next - 1});
  }
  return timed;
}

// The requested sizes; with rounds also the limits of the eager protocol and the sizes just above
// them, where times jump, and the sizes around a change of the library's own choice.
std::set<Bytes> first_sizes(const RuleStudy& study, const platforms::Machine& machine,
                            const std::string& collective, int procs) {
  const auto& requested = study.axes.message_bytes;
  std::set<Bytes> sizes(requested.begin(), requested.end());
  const Bytes least = *sizes.begin(), most = *sizes.rbegin();
  if (study.rounds == 0 || least == most) return sizes;
  for (const Bytes limit : {machine.inter.eager_max, machine.intra.eager_max})
    for (const Bytes size : {limit, limit + 1})
      if (size > least && size < most) sizes.insert(size);
  for (const Bytes size : own_changes(library_call(study, collective), procs, requested))
    sizes.insert(size);
  return sizes;
}

void add_cells(const RuleStudy& study, const platforms::Machine& machine, std::size_t collective,
               std::vector<WantedCell>& cells) {
  const auto& name = study.collectives[collective];
  const bool has_message = algorithms::find_collective(name)->has_message;
  for (const auto& [procs, most_procs] : timed_procs(study, name, machine)) {
    const auto placements = make_placements(study.axes, procs, machine);
    const auto sizes = has_message ? first_sizes(study, machine, name, procs) : std::set<Bytes>{0};
    for (const Bytes bytes : sizes)
      for (const auto& placement : placements)
        cells.push_back({collective, most_procs, bytes, placement});
  }
}

class Study {
 public:
  Study(const RuleStudy& study, const platforms::Machine& machine, const TimesOf& times_of)
      : study_(study), machine_(machine), times_of_(times_of) {
    for (const auto& name : study.collectives) {
      auto& table = selected_.emplace_back().table;
      table.collective = name;
      table.candidates = list_candidates(name, study.candidates);
      table.element_bytes = study.axes.element_bytes;
    }
  }

  std::vector<SelectedCollective> run() {
    run_collectives(false);
    if (study_.for_file) inside_ = rules_so_far();
    if (is_complete_) run_collectives(true);
    return std::move(selected_);
  }

 private:
  // An interval between two neighboring sizes of a collective and a number of processes, named by
  // the smaller size.
  using Gap = std::tuple<std::size_t, int, Bytes>;

  bool calls_others(std::size_t collective) const {
    return select::calls_others(library_call(study_, study_.collectives[collective]));
  }

  // Times the collectives with algorithms that call others, or those without.
  void run_collectives(bool calling_others) {
    std::vector<WantedCell> cells;
    for (std::size_t i = 0; i < selected_.size(); ++i)
      if (calls_others(i) == calling_others) add_cells(study_, machine_, i, cells);
    if (cells.empty()) return;
    find_times(cells);
    for (auto& selected : selected_) make_rules(selected);
    std::set<Gap> gaps = find_gaps(calling_others);
    for (int round = 0; round < study_.rounds && !gaps.empty() && is_complete_; ++round)
      gaps = refine(gaps);
  }

  Inside rules_so_far() const {
    std::vector<SelectedCollective> timed;
    for (const auto& selected : selected_)
      if (!selected.table.cells.empty()) timed.push_back(selected);
    if (timed.empty()) return nullptr;
    const auto& library = study_.candidates.library;
    return std::make_shared<const Selection>(
        Selection{.rule_set = library,
                  .rules = std::make_shared<const DynamicRules>(open_mpi_file(timed, library, {}),
                                                                "the rules so far")});
  }

  void add_cell(const WantedCell& wanted, CellTimes times) {
    const auto placed = platforms::place(machine_, wanted.placement).value();
    auto& selected = selected_[wanted.collective];
    selected.omitted += times.too_large;
    selected.table.cells.push_back({.procs = wanted.placement.procs,
                                    .nodes = placed.nodes,
                                    .message_bytes = wanted.message_bytes,
                                    .times_s = std::move(times.times_s),
                                    .own_s = std::move(times.own_s),
                                    .ppn = placed.ppn,
                                    .map = map_name(wanted.placement)});
  }

  void find_times(const std::vector<WantedCell>& wanted) {
    auto times = times_of_(wanted, inside_);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (times[i])
        add_cell(wanted[i], *std::move(times[i]));
      else
        is_complete_ = false;
    for (auto& selected : selected_)
      std::ranges::stable_sort(selected.table.cells, {}, [](const TimedCell& cell) {
        return std::pair(cell.procs, cell.message_bytes);
      });
  }

  void make_rules(SelectedCollective& selected) const {
    selected.rules.clear();
    const auto add = [&](std::string reader, RuleSpec spec, SeenPlacement placement) {
      spec.objective = study_.objective;
      spec.placement = std::move(placement);
      for (const auto& [procs, most_procs] :
           timed_procs(study_, selected.table.collective, machine_))
        if (procs != most_procs || !is_requested(procs)) spec.between.insert(procs);
      auto rules = compress_rules(selected.table, spec);
      selected.rules.push_back({std::move(reader), std::move(spec), std::move(rules)});
    };
    if (study_.for_file)
      for (auto& placement : placements_of_rules_file(study_.candidates.library))
        add("rules file", spec_of_rules_file(selected.table.collective, study_.most_loss),
            std::move(placement));
    if (study_.for_function)
      for (auto& placement : placements_of_function(study_.axes))
        add("function", {.most_loss = study_.most_loss}, std::move(placement));
  }

  bool is_requested(int procs) const {
    return std::ranges::find(study_.axes.procs, procs) != study_.axes.procs.end();
  }

  std::set<Gap> find_gaps(bool calling_others) const {
    std::set<Gap> gaps;
    for (std::size_t i = 0; i < selected_.size(); ++i) {
      if (calls_others(i) != calling_others) continue;
      const auto& cells = selected_[i].table.cells;
      for (std::size_t at = 0; at + 1 < cells.size(); ++at)
        if (cells[at].procs == cells[at + 1].procs &&
            cells[at].message_bytes != cells[at + 1].message_bytes)
          gaps.emplace(i, cells[at].procs, cells[at].message_bytes);
    }
    return gaps;
  }

  // The geometric mean of the ends of a gap, rounded to whole elements if these fit; empty if it is
  // one of the ends.
  std::optional<Bytes> find_middle(const Gap& gap) const {
    const auto& [collective, procs, from_bytes] = gap;
    const auto& cells = selected_[collective].table.cells;
    const auto next = std::ranges::find_if(cells, [&](const TimedCell& cell) {
      return cell.procs == std::get<1>(gap) && cell.message_bytes > std::get<2>(gap);
    });
    if (next == cells.end()) return std::nullopt;
    const auto middle = static_cast<Bytes>(std::llround(
        std::sqrt(static_cast<double>(from_bytes) * static_cast<double>(next->message_bytes))));
    if (middle <= from_bytes || middle >= next->message_bytes) return std::nullopt;
    const Bytes whole = middle - middle % study_.axes.element_bytes.back();
    return whole > from_bytes ? whole : middle;
  }

  // Times the middles of the gaps, evaluates the rules there, and makes them again with the
  // middles. Returns the gaps around those that were above the bound.
  std::set<Gap> refine(const std::set<Gap>& gaps) {
    std::vector<WantedCell> wanted;
    std::map<Gap, Gap> gap_of;
    for (const auto& gap : gaps)
      if (const auto middle = find_middle(gap)) {
        const auto& [collective, procs, from_bytes] = gap;
        for (const auto& placement : make_placements(study_.axes, procs, machine_))
          wanted.push_back({collective, most_procs(collective, procs), *middle, placement});
        gap_of.emplace(Gap{collective, procs, *middle}, gap);
      }
    find_times(wanted);
    std::set<Gap> next;
    for (std::size_t i = 0; i < selected_.size(); ++i) score(i, gap_of, next);
    return next;
  }

  int most_procs(std::size_t collective, int procs) const {
    const auto timed = timed_procs(study_, study_.collectives[collective], machine_);
    return std::ranges::find(timed, procs, &TimedProcs::procs)->most_procs;
  }

  void score(std::size_t collective, const std::map<Gap, Gap>& gap_of, std::set<Gap>& next) {
    auto& selected = selected_[collective];
    BetweenSizes between;
    for (const auto& cell : selected.table.cells) {
      const Gap middle{collective, cell.procs, cell.message_bytes};
      const auto gap = gap_of.find(middle);
      if (gap == gap_of.end()) continue;
      const auto& reader = selected.rules_for(cell);
      const auto losses =
          measure_losses({selected.table.collective, selected.table.candidates, {cell}},
                         reader.rules, reader.spec);
      between.cells += losses.cells;
      between.above += losses.above;
      between.max_loss = std::max(between.max_loss, losses.max);
      if (losses.above == 0 && losses.above_own <= study_.most_loss) continue;
      next.insert(gap->second);
      next.insert(middle);
    }
    if (between.cells == 0) return;
    selected.between.push_back(between);
    make_rules(selected);
  }

  const RuleStudy& study_;
  const platforms::Machine& machine_;
  const TimesOf& times_of_;
  std::vector<SelectedCollective> selected_;
  Inside inside_;
  bool is_complete_ = true;
};

}  // namespace

Result<CellCalls> make_calls(const RuleStudy& study, const WantedCell& cell, const Inside& inside,
                             const platforms::Machine& machine) {
  const auto& name = study.collectives[cell.collective];
  Point common = study.common;
  common.placement = cell.placement;
  return make_calls(name, list_candidates(name, study.candidates),
                    {.procs = cell.placement.procs,
                     .message_bytes = cell.message_bytes,
                     .element_bytes = study.axes.element_bytes,
                     .most_procs = cell.most_procs,
                     .inside = inside,
                     .library = study.candidates.library},
                    common, machine);
}

std::vector<SeenPlacement> placements_of_function(const CellAxes& axes) {
  std::set<int> ppn;
  for (const auto& placement : axes.placements) ppn.insert(placement.ppn.value_or(0));
  if (ppn.size() < 2) return {{}};
  std::vector<SeenPlacement> classes{
      {"one node", [](const TimedCell& cell) { return cell.nodes == 1; }}};
  for (auto at = ppn.begin(); at != ppn.end(); ++at) {
    const int least = at == ppn.begin() ? 1 : *at;
    const int next = std::next(at) == ppn.end() ? std::numeric_limits<int>::max() : *std::next(at);
    classes.push_back({next == std::numeric_limits<int>::max()
                           ? fmt::format("{} and more per node", least)
                       : next == least + 1 ? fmt::format("{} per node", least)
                                           : fmt::format("{} to {} per node", least, next - 1),
                       [=](const TimedCell& cell) {
                         const int ranks = (cell.procs + cell.nodes - 1) / cell.nodes;
                         return cell.nodes > 1 && ranks >= least && ranks < next;
                       },
                       least});
  }
  return classes;
}

std::vector<WantedCell> first_cells(const RuleStudy& study, const platforms::Machine& machine) {
  std::vector<WantedCell> cells;
  for (std::size_t i = 0; i < study.collectives.size(); ++i) add_cells(study, machine, i, cells);
  return cells;
}

std::vector<SelectedCollective> run_study(const RuleStudy& study, const platforms::Machine& machine,
                                          const TimesOf& times_of) {
  return Study(study, machine, times_of).run();
}

}  // namespace tutti::studies::select
