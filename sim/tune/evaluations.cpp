// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/evaluations.hpp"

namespace tutti::studies::tuning {
namespace {

std::int64_t number_in(const Row& row, std::string_view column, std::int64_t otherwise) {
  const auto number = number_of(cell_in(row, column));
  return number ? static_cast<std::int64_t>(*number) : otherwise;
}

// Number of other processes by kind of path, for the process with the most of them.
struct Peers {
  std::int64_t near = 0;
  std::int64_t far = 0;
};

Peers count_peers(const Row& row) {
  const auto procs = number_in(row, "procs", 2);
  const bool is_inside = to_text(cell_in(row, "path")) == "intra";
  const auto on_node = std::clamp(number_in(row, "ppn", is_inside ? 2 : 1), std::int64_t{1}, procs);
  return {on_node - 1, procs - on_node};
}

void add(const platforms::MessageProtocol& protocol, std::int64_t peers, const char* key,
         BufferMemory& memory) {
  if (peers == 0) return;
  if (protocol.eager_max >= 0 && protocol.eager_credits == 0 && memory.unlimited.empty())
    memory.unlimited = key;
  memory.bytes += peers * protocol.eager_credits * std::max<Bytes>(protocol.eager_max, 0);
  memory.bytes += protocol.pipeline_depth * std::max<Bytes>(protocol.fragment_max, 0);
}

}  // namespace

BufferMemory buffer_memory(const StudyPoint& point) {
  BufferMemory memory;
  const auto peers = count_peers(point.parameters);
  add(point.machine->inter, peers.far, "mpi/eager_credits", memory);
  add(point.machine->intra, peers.near, "mpi/intra_eager_credits", memory);
  memory.bytes += number_in(point.parameters, "buffer_bytes", 0);
  return memory;
}

std::optional<Evaluated> find_best(const Space& space, const std::vector<Evaluated>& all) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& evaluated : all) least = std::min(least, evaluated.value.value_or(least));
  const Evaluated* best = nullptr;
  for (const auto& evaluated : all) {
    if (!evaluated.value || *evaluated.value > least + equal_values * std::abs(least)) continue;
    if (best == nullptr || space.changes(evaluated.combination) < space.changes(best->combination))
      best = &evaluated;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

Result<std::vector<Evaluated>> Evaluations::evaluate(const std::vector<Combination>& combinations,
                                                     std::size_t level) {
  auto& known = known_[level];
  std::vector<Combination> unknown;
  for (const auto& combination : combinations)
    if (known.try_emplace(combination).second) unknown.push_back(combination);
  if (!unknown.empty()) {
    const auto values = TUTTI_TRY(evaluate_(unknown, level));
    TUTTI_CHECK(values.size() == unknown.size(), "a value for each combination");
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      auto& evaluated = known.at(unknown[i]);
      evaluated = {unknown[i], values[i], !values[i] && has_failed_(unknown[i], level)};
      ++count_;
      cost_ += levels_.costs[level];
      if (level == levels_.whole()) history_.push_back(evaluated);
    }
  }
  std::vector<Evaluated> results;
  for (const auto& combination : combinations) results.push_back(known.at(combination));
  return results;
}

void sort_by_value(std::vector<Evaluated>& all) {
  std::ranges::stable_sort(all, {}, [](const Evaluated& evaluated) {
    return evaluated.value.value_or(std::numeric_limits<double>::infinity());
  });
}

namespace {

Sensitivity parameter_sensitivity(const Space& space, const std::vector<Evaluated>& all,
                                  std::size_t parameter, bool is_whole) {
  Sensitivity sensitivity{.parameter = parameter, .values = {}, .spread = {}};
  std::vector<ValueEffect> effects(space.parameters()[parameter].values.size());
  std::map<Combination, double> with_others;  // with the parameter itself set to 0
  for (const auto& evaluated : all) {
    if (!space.applies(evaluated.combination, parameter)) continue;
    auto& effect = effects[evaluated.combination[parameter]];
    effect.failed += evaluated.has_failed ? 1 : 0;
    if (!evaluated.value) continue;
    effect.best = std::min(effect.best.value_or(*evaluated.value), *evaluated.value);
    effect.mean = effect.mean.value_or(0) + *evaluated.value;
    ++effect.evaluations;
    Combination others = evaluated.combination;
    others[parameter] = 0;
    const auto [known, is_new] = with_others.try_emplace(std::move(others), *evaluated.value);
    if (is_new) continue;
    ++sensitivity.compared;
    sensitivity.differs |=
        std::abs(known->second - *evaluated.value) > equal_values * std::abs(*evaluated.value);
  }
  std::optional<double> least;
  double largest = 0;
  for (std::uint32_t value = 0; value < effects.size(); ++value) {
    auto& effect = effects[value];
    effect.value = value;
    if (effect.evaluations + effect.failed > 0) sensitivity.values.push_back(effect);
    if (!effect.best) continue;
    least = std::min(least.value_or(*effect.best), *effect.best);
    largest = std::max(largest, *effect.best);
    auto& mean = sensitivity.values.back().mean;
    mean = effect.failed > 0 ? std::nullopt
                             : std::optional(*mean / static_cast<double>(effect.evaluations));
  }
  if (is_whole && least.value_or(0) > 0) sensitivity.spread = largest / *least - 1;
  return sensitivity;
}

}  // namespace

std::vector<Sensitivity> sensitivities(const Space& space, const std::vector<Evaluated>& all) {
  const bool is_whole = space.size() <= Space::most_counted && all.size() == space.count() &&
                        std::ranges::none_of(all, &Evaluated::has_failed);
  std::vector<Sensitivity> by_parameter;
  for (std::size_t i = 0; i < space.dimensions(); ++i)
    by_parameter.push_back(parameter_sensitivity(space, all, i, is_whole));
  return by_parameter;
}

}  // namespace tutti::studies::tuning
