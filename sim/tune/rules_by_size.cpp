// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/collective.hpp"
#include "algorithms/selection/algorithm_sets.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/select/open_mpi.hpp"
#include "sim/tune/tune_run.hpp"

namespace tutti::studies::tuning {
namespace {

using algorithms::selection::RulesFormat;
using select::Candidate;
using select::RuleSet;
using select::RuleSpec;
using select::TimeTable;

constexpr double most_loss = 0.01;
constexpr std::size_t library = 0;  // index of the candidate that is Open MPI's own choice

std::int64_t number_in(const Row& row, std::string_view column) {
  return static_cast<std::int64_t>(number_of(cell_in(row, column)).value_or(0));
}
std::string collective_name(const Row& row) { return to_text(cell_in(row, "collective")); }

// Parameters that the algorithm does not have are 0. Rules do not support knomial's radix, and
// rules of Open MPI 4.1 no limit of requests.
Candidate make_candidate(const Row& row, RulesFormat format) {
  Candidate candidate{.algorithm = to_text(cell_in(row, "requested_algorithm"))};
  const auto* algorithm = algorithms::find_algorithm(collective_name(row), candidate.algorithm);
  if (algorithm == nullptr) return {.algorithm = std::string(own_choice)};
  const auto fanout = static_cast<int>(number_in(row, "fanout"));
  const bool is_knomial = algorithm->name == "knomial";
  candidate.id = algorithm->id;
  if (algorithm->segmented) candidate.segment_bytes = number_in(row, "segment_bytes");
  if (algorithm->default_fanout > 0 && !is_knomial) candidate.fanout = fanout;
  if (algorithm->limits_requests)
    candidate.max_requests = static_cast<int>(number_in(row, "max_requests"));
  const bool is_new = format == RulesFormat::open_mpi_5_0;
  candidate.in_rules_file =
      candidate.id > 0 &&
      algorithms::selection::is_in_set(is_new ? "ompi-5.0" : "ompi-4.1", *algorithm) &&
      !(is_knomial && fanout != algorithm->default_fanout) &&
      (candidate.max_requests == 0 || format == RulesFormat::open_mpi_5_0);
  candidate.runs_beyond = algorithm->name != "two_proc";
  return candidate;
}

// The points of one collective, and the choices for them.
class CollectiveChoices {
 public:
  CollectiveChoices(std::string name, RulesFormat format)
      : format_(format), spec_(select::spec_of_rules_file(name, most_loss)) {
    table_.collective = std::move(name);
    table_.candidates = {{.algorithm = std::string(own_choice)}};
  }

  // `choices`: of the point with that number, the library's own choice first.
  void add(std::size_t number, const std::vector<TunedPoint>& choices) {
    const auto& own = choices.front();
    select::TimedCell cell{.procs = static_cast<int>(number_in(own.parameters, "procs")),
                           .nodes = static_cast<int>(number_in(own.parameters, "nodes")),
                           .message_bytes = number_in(own.parameters, "message_bytes"),
                           .times_s = {own.time_s}};
    for (const auto& choice : choices) {
      const auto candidate = find_or_add(make_candidate(choice.parameters, format_));
      cell.times_s.resize(table_.candidates.size());
      if (candidate != library) cell.times_s[candidate] = choice.time_s;
    }
    numbers_.push_back(number);
    weights_.push_back(own.weight);
    table_.cells.push_back(std::move(cell));
  }

  void decide(RulesBySize& into) {
    for (auto& cell : table_.cells) cell.times_s.resize(table_.candidates.size());
    TimeTable sorted = table_;
    std::ranges::stable_sort(sorted.cells, {}, [](const auto& cell) {
      return std::pair(cell.procs, cell.message_bytes);
    });
    RuleSet rules = compress_rules(sorted, spec_);
    leave_to_library(rules);
    into.collectives.push_back(file_rules(table_, rules));
    for (std::size_t i = 0; i < table_.cells.size(); ++i) {
      const auto& cell = table_.cells[i];
      const auto choice = find_choice(rules, cell.procs, spec_.seen(cell.procs, cell.message_bytes))
                              .value_or(library);
      into.times_s[numbers_[i]] = cell.times_s[choice];
      into.chosen[numbers_[i]] =
          choice == library ? "Open MPI's own" : label(table_.candidates[choice]);
    }
  }

  // Value of the points with the single choice that is best for all of them together.
  std::optional<double> value_of_one_choice() const {
    std::optional<double> least;
    for (std::size_t i = 0; i < table_.candidates.size(); ++i) {
      double sum = 0;
      bool runs = true;
      for (std::size_t cell = 0; cell < table_.cells.size(); ++cell) {
        const auto& time_s = table_.cells[cell].times_s[i];
        runs = runs && time_s;
        sum += weights_[cell] * time_s.value_or(0);
      }
      if (runs) least = std::min(least.value_or(sum), sum);
    }
    return least;
  }

 private:
  std::size_t find_or_add(const Candidate& candidate) {
    auto& all = table_.candidates;
    const auto known = std::ranges::find(all, candidate);
    if (known != all.end()) return static_cast<std::size_t>(known - all.begin());
    all.push_back(candidate);
    return all.size() - 1;
  }

  static void leave_to_library(RuleSet& rules) {
    for (auto& procs_rules : rules)
      for (auto& rule : procs_rules.rules)
        if (rule.choice == library) rule.choice.reset();
  }

  RulesFormat format_;
  RuleSpec spec_;
  TimeTable table_;  // cells in the order of the points
  std::vector<std::size_t> numbers_;
  std::vector<double> weights_;
};

}  // namespace

bool rules_can_choose(const Row& parameters, RulesFormat format) {
  const auto candidate = make_candidate(parameters, format);
  return candidate.in_rules_file || candidate.algorithm == own_choice;
}

RulesBySize rules_by_size(const std::vector<std::vector<TunedPoint>>& points, RulesFormat format) {
  RulesBySize result;
  std::map<std::string, CollectiveChoices> collectives;
  double others = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    result.times_s.push_back(points[i].front().time_s);
    result.chosen.emplace_back();
    const auto name = collective_name(points[i].front().parameters);
    if (points[i].size() > 1)
      collectives.try_emplace(name, name, format).first->second.add(i, points[i]);
    else
      others += points[i].front().weight * result.times_s.back().value_or(0);
  }
  result.value_of_one_choice = others;
  for (auto& [name, collective] : collectives) {
    collective.decide(result);
    const auto single = collective.value_of_one_choice();
    if (single && result.value_of_one_choice)
      *result.value_of_one_choice += *single;
    else
      result.value_of_one_choice.reset();
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    result.value += points[i].front().weight * result.times_s[i].value_or(0);
  return result;
}

std::string tuned_rules_text(const RulesBySize& rules, RulesFormat format,
                             const std::string& command) {
  const std::string more = format == RulesFormat::open_mpi_5_0 ? ", requests" : "";
  return rules_file_text(
      rules.collectives, format,
      {command, "only for the machine, processes, message sizes and settings of that study",
       "mpirun --mca coll_tuned_use_dynamic_rules 1 \\",
       "  --mca coll_tuned_dynamic_rules_filename THIS_FILE",
       fmt::format("A rule: bytes, algorithm (0: Open MPI's own), fan-out, segment{}", more)});
}

}  // namespace tutti::studies::tuning
