// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/fit/joint_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/counted.hpp"
#include "sim/base/error_list.hpp"
#include "sim/studies/fit/simulated_fit.hpp"

namespace tutti::studies {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using platforms::Protocol;

double part_of(double logit) { return 1 / (1 + std::exp(-logit)); }
double logit_of(double part) {
  part = std::clamp(part, 0.02, 0.98);
  return std::log(part / (1 - part));
}

bool is_open(const ProtocolFit& fit, std::string_view name) {
  const auto at = std::ranges::find(fit.parameters, name, &FittedParameter::name);
  return at != fit.parameters.end() &&
         (at->status == ParameterStatus::assumed || at->status == ParameterStatus::not_determined);
}

// A number that is moved, and where it begins.
enum class Open : std::uint8_t {
  latency,     // logit of the latency's part of the most that it may be
  send_share,  // logits: of the overheads, of the copies, of the registration
  copies,      // logit of what eager bytes take beyond the wire: the cores' part
  send_copies,
  send_registration,
  gap,  // logarithms
  bus
};

class Moves {
 public:
  explicit Moves(const JointFit& messages, bool with_gap = true) : messages_(messages) {
    const ProtocolFit& inter = messages.inter;
    sum_s_ = inter.latency_s + inter.send_overhead_s + inter.recv_overhead_s;
    most_latency_s_ = most_latency_s();
    const double overheads_s = inter.send_overhead_s + inter.recv_overhead_s;
    if (is_open(inter, "latency")) add(Open::latency, logit_of(inter.latency_s / most_latency_s_));
    if (is_open(inter, "send_overhead") && overheads_s > 0)
      add(Open::send_share, logit_of(inter.send_overhead_s / overheads_s));
    if (is_open(inter, "copy_bandwidth") && copies_s_per_B() > 0) {
      add(Open::copies, logit_of(0.9));
      add(Open::send_copies, logit_of(0.1));
    }
    if (is_open(inter, "rendezvous_overhead")) add(Open::send_registration, logit_of(0.5));
    if (with_gap && is_open(inter, "gap")) add(Open::gap, std::log(std::max(sum_s_, 1e-9)));
    if (messages.bus_Bps) add(Open::bus, std::log(*messages.bus_Bps));
  }

  const VectorXd& start() const { return start_; }

  JointFit at(const VectorXd& numbers) const {
    JointFit fit = messages_;
    const auto number = [&](Open open) -> std::optional<double> {
      const auto found = std::ranges::find(open_, open);
      if (found == open_.end()) return std::nullopt;
      return numbers[found - open_.begin()];
    };
    if (const auto x = number(Open::latency))
      move_latency(fit.inter, most_latency_s_ * part_of(*x));
    if (const auto x = number(Open::send_share)) share_overheads(fit.inter, part_of(*x));
    if (const auto x = number(Open::copies))
      move_copies(fit.inter, part_of(*x), part_of(*number(Open::send_copies)));
    if (const auto x = number(Open::send_registration)) share_registration(fit.inter, part_of(*x));
    if (const auto x = number(Open::gap)) fit.inter.gap_s = std::exp(*x);
    if (const auto x = number(Open::bus)) fit.bus_Bps = std::exp(*x);
    return fit;
  }

 private:
  void add(Open open, double start) {
    open_.push_back(open);
    start_.conservativeResize(start_.size() + 1);
    start_[start_.size() - 1] = start;
  }

  double copies_s_per_B() const {
    return messages_.inter.send_s_per_B + messages_.inter.recv_s_per_B;
  }

  // A rendezvous costs two latencies and a registration that is not below 0.
  Seconds most_latency_s() const {
    constexpr double least_part = 0.1;
    Seconds most = sum_s_;
    for (const auto& section : messages_.inter.sections)
      if (section.protocol == Protocol::rendezvous)
        most = std::min(most, messages_.inter.latency_s + section.extra_s / 2);
    return std::max(most, least_part * sum_s_);
  }

  void move_latency(ProtocolFit& fit, Seconds latency_s) const {
    const Seconds less_s = fit.latency_s - latency_s;
    const double share = fit.send_overhead_s + fit.recv_overhead_s > 0
                             ? fit.send_overhead_s / (fit.send_overhead_s + fit.recv_overhead_s)
                             : 0.5;
    fit.latency_s = latency_s;
    fit.send_overhead_s += share * less_s;
    fit.recv_overhead_s += (1 - share) * less_s;
    for (auto& section : fit.sections)
      if (section.protocol == Protocol::rendezvous) section.extra_s += 2 * less_s;
  }

  static void share_overheads(ProtocolFit& fit, double senders) {
    const Seconds both_s = fit.send_overhead_s + fit.recv_overhead_s;
    fit.send_overhead_s = senders * both_s;
    fit.recv_overhead_s = both_s - fit.send_overhead_s;
  }

  void move_copies(ProtocolFit& fit, double of_cores, double senders) const {
    const double copied_s_per_B = of_cores * copies_s_per_B();
    fit.send_s_per_B = senders * copied_s_per_B;
    fit.recv_s_per_B = copied_s_per_B - fit.send_s_per_B;
    for (auto& section : fit.sections)
      if (section.protocol == Protocol::eager)
        section.wire_s_per_B += copies_s_per_B() - copied_s_per_B;
  }

  static void share_registration(ProtocolFit& fit, double senders) {
    for (auto& section : fit.sections) {
      if (section.protocol != Protocol::rendezvous || section.extra_s <= 0) continue;
      section.send_extra_s = senders * section.extra_s;
      section.extra_s -= section.send_extra_s;
    }
  }

  const JointFit& messages_;
  std::vector<Open> open_;
  VectorXd start_;
  Seconds sum_s_ = 0;  // of latency and overheads
  Seconds most_latency_s_ = 0;
};

// ---- what is told ----

struct Told {
  const char* name;
  const char* unit;
  std::optional<double> value;
};

std::vector<Told> values_of(const JointFit& joint) {
  const ProtocolFit& fit = joint.inter;
  const auto inverse = [](double s_per_B) {
    return s_per_B > 0 ? std::optional(1 / s_per_B) : std::nullopt;
  };
  std::vector<Told> told{{"latency", "s", fit.latency_s},
                         {"send_overhead", "s", fit.send_overhead_s},
                         {"recv_overhead", "s", fit.recv_overhead_s},
                         {"gap", "s", fit.gap_s},
                         {"copy_bandwidth", "B/s", inverse(fit.recv_s_per_B)},
                         {"send_copy_bandwidth", "B/s", inverse(fit.send_s_per_B)},
                         {"bus_bandwidth", "B/s", joint.bus_Bps}};
  const auto first =
      std::ranges::find(fit.sections, Protocol::rendezvous, &FittedSection::protocol);
  if (first == fit.sections.end()) return told;
  told.push_back({"rendezvous_overhead", "s", first->extra_s});
  told.push_back({"rendezvous_send_overhead", "s", first->send_extra_s});
  return told;
}

// Of the logarithms of all values, by the numbers.
std::vector<VectorXd> gradients(const Moves& moves, const VectorXd& numbers) {
  constexpr double step = 1e-4;
  const auto here = values_of(moves.at(numbers));
  std::vector<VectorXd> found(here.size(), VectorXd::Zero(numbers.size()));
  for (Index i = 0; i < numbers.size(); ++i) {
    VectorXd moved = numbers;
    moved[i] += step;
    const auto there = values_of(moves.at(moved));
    for (std::size_t k = 0; k < here.size(); ++k)
      if (here[k].value && there[k].value && *here[k].value > 0 && *there[k].value > 0)
        found[k][i] = std::log(*there[k].value / *here[k].value) / step;
  }
  return found;
}

void replace(std::vector<FittedParameter>& parameters, FittedParameter told) {
  const auto at = std::ranges::find(parameters, told.name, &FittedParameter::name);
  if (at == parameters.end())
    parameters.push_back(std::move(told));
  else
    *at = std::move(told);
}

// A gap is between messages that one process sends, to whomever: its overhead keeps them as far
// apart. What a receiver pays does not.
bool gap_is_hidden(const ProtocolFit& fit) {
  constexpr double nearly = 1.05;
  return *fit.gap_s <= nearly * fit.send_overhead_s;
}

struct Attempt {
  JointFit fit;
  std::string no_gap = {};  // why the times tell none, though one was tried
};

void tell(Attempt& attempt, const Moves& moves, const VectorXd& numbers,
          const Sensitivity& sensitivity) {
  ProtocolFit& inter = attempt.fit.inter;
  const auto slopes = gradients(moves, numbers);
  const auto values = values_of(attempt.fit);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!values[k].value || slopes[k].norm() == 0) continue;
    auto told = told_by_times(values[k].name, values[k].unit, *values[k].value,
                              sensitivity.half_width(slopes[k]));
    const bool known = told.status != ParameterStatus::assumed;
    if (told.name == "gap" && gap_is_hidden(inter)) attempt.no_gap = "hidden by the overheads";
    if (told.name == "gap" && !known && attempt.no_gap.empty())
      attempt.no_gap = "the collectives do not show it";
    if (known) told.note = from_collectives;
    replace(inter.parameters, std::move(told));
  }
}

Result<Attempt> attempted(const JointFit& messages, const std::vector<MeasuredCollective>& measured,
                          const JointMachineOf& machine_of, bool with_gap) {
  constexpr double preference = 0.01;
  const Moves moves(messages, with_gap);
  if (moves.start().size() == 0) return Attempt{messages};
  const SimulatedModel model{
      measured, [&](const VectorXd& numbers) { return machine_of(moves.at(numbers)); },
      [&](const VectorXd& numbers) -> VectorXd { return preference * (numbers - moves.start()); }};
  const auto found = fit_by_simulation(model, moves.start());
  if (!found) return found.errors();
  const auto sensitivity = Sensitivity::of(model, *found);
  if (!sensitivity) return sensitivity.errors();
  Attempt attempt{moves.at(found->numbers)};
  tell(attempt, moves, found->numbers, *sensitivity);
  return attempt;
}

}  // namespace

Result<JointFit> fit_open_parameters(const JointFit& messages,
                                     const std::vector<MeasuredCollective>& measured,
                                     const JointMachineOf& machine_of) {
  constexpr std::size_t least = 3;
  if (measured.size() < least)
    return make_error(ErrorKind::input, "",
                      counted(measured.size(), "time") + " of collectives: too few for a fit",
                      "three or more, beside times of messages");
  auto attempt = attempted(messages, measured, machine_of, true);
  if (!attempt) return attempt.errors();
  if (attempt->no_gap.empty()) return std::move(attempt->fit);
  // The others were fitted beside a gap that is not kept.
  auto without = attempted(messages, measured, machine_of, false);
  if (!without) return without.errors();
  replace(without->fit.inter.parameters, {.name = "gap",
                                          .unit = "s",
                                          .status = ParameterStatus::not_determined,
                                          .note = attempt->no_gap});
  return std::move(without->fit);
}

}  // namespace tutti::studies
