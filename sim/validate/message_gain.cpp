// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/message_gain.hpp"

#include "platforms/changed_machine.hpp"

namespace tutti::studies {
namespace {

using platforms::Machine;

constexpr double as_good = 1 + 1e-3;
constexpr double least_factor = 1e-9;  // scales a time to practically 0
constexpr int halvings = 48;

platforms::TimeScale scale_of(Realised realised, double factor) {
  switch (realised) {
    case Realised::overheads:
      return {.overheads = factor};
    case Realised::start:
      return {.overheads = factor, .latencies = factor};
    case Realised::bytes:
      break;
  }
  return {.bytes = factor};
}

class Search {
 public:
  Search(const Machine& machine, const NodePair& nodes, Bytes message_bytes, Realised realised)
      : machine_(machine), nodes_(nodes), message_bytes_(message_bytes), realised_(realised) {}

  Machine at(double factor) const { return scaled(machine_, scale_of(realised_, factor)); }

  // Returns 0 once a simulation has failed; see errors().
  Seconds time_s(double factor) {
    if (!errors_.empty()) return 0;
    const auto times = ping_pong_times(at(factor), {.nodes = nodes_}, {.sizes = {message_bytes_}});
    if (times) return times->front();
    errors_ = times.errors();
    return 0;
  }

  const std::vector<Error>& errors() const { return errors_; }

 private:
  const Machine& machine_;
  NodePair nodes_;
  Bytes message_bytes_;
  Realised realised_;
  std::vector<Error> errors_;
};

}  // namespace

double SizeGain::improvement(std::size_t change) const {
  return improvement_of(untuned_s, changed_s[change]).value_or(0);
}

Result<std::vector<SizeGain>> size_gains(const Machine& untuned,
                                         const std::vector<ChangedMachine>& changes,
                                         const NodePair& nodes, const std::vector<Bytes>& sizes) {
  const auto before = TUTTI_TRY(ping_pong_times(untuned, {.nodes = nodes}, {.sizes = sizes}));
  std::vector<SizeGain> gains;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    gains.push_back({.message_bytes = sizes[i], .untuned_s = (before)[i], .changed_s = {}});
  for (const auto& change : changes) {
    const auto after =
        TUTTI_TRY(ping_pong_times(*change.machine, {.nodes = nodes}, {.sizes = sizes}));
    for (std::size_t i = 0; i < sizes.size(); ++i) gains[i].changed_s.push_back((after)[i]);
  }
  return gains;
}

std::vector<std::size_t> best_changes(const std::vector<SizeGain>& gains,
                                      const std::vector<double>& weights) {
  TUTTI_CHECK(!gains.empty() && gains.size() == weights.size(), "a weight for each size");
  std::vector<Seconds> sums(gains.front().changed_s.size(), 0);
  for (std::size_t i = 0; i < gains.size(); ++i)
    for (std::size_t change = 0; change < sums.size(); ++change)
      sums[change] += weights[i] * gains[i].changed_s[change];
  std::vector<std::size_t> best;
  for (std::size_t change = 0; change < sums.size(); ++change)
    if (sums[change] <= *std::ranges::min_element(sums) * as_good) best.push_back(change);
  return best;
}

std::string_view name_of(Realised realised) {
  constexpr std::array<std::string_view, 3> names = {"overheads", "start", "bytes"};
  return names[static_cast<std::size_t>(realised)];
}

Realised realised_by(Affected affected) {
  if (affected == Affected::l) return Realised::start;
  return affected == Affected::o ? Realised::overheads : Realised::bytes;
}

Result<std::optional<Machine>> improved_machine(const Machine& machine, const NodePair& nodes,
                                                const MessageGain& gain, Realised realised) {
  Search search(machine, nodes, gain.message_bytes, realised);
  const Seconds wanted_s = (1 - gain.improvement) * search.time_s(1);
  if (gain.improvement == 0) return std::optional(machine);
  double below = least_factor, above = 1;
  if (search.time_s(below) > wanted_s) return std::optional<Machine>();
  for (int i = 0; i < halvings && search.errors().empty(); ++i) {
    const double middle = (below + above) / 2;
    (search.time_s(middle) > wanted_s ? above : below) = middle;
  }
  if (!search.errors().empty()) return search.errors();
  return std::optional(search.at(above));
}

}  // namespace tutti::studies
