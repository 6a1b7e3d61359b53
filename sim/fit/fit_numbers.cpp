// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/fit_numbers.hpp"

#include "sim/base/quantile.hpp"

namespace tutti::studies {
namespace {

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

void share_overheads(ProtocolFit& fit, double senders) {
  const Seconds both_s = fit.send_overhead_s + fit.recv_overhead_s;
  fit.send_overhead_s = senders * both_s;
  fit.recv_overhead_s = both_s - fit.send_overhead_s;
}

void share_registration(ProtocolFit& fit, double senders) {
  for (auto& section : fit.sections) {
    if (section.protocol != Protocol::rendezvous || section.extra_s <= 0) continue;
    section.send_extra_s = senders * section.extra_s;
    section.extra_s -= section.send_extra_s;
  }
}

// Copies of sender and receiver together.
double copies_s_per_B(const ProtocolFit& fit) { return fit.send_s_per_B + fit.recv_s_per_B; }

// A rendezvous costs two latencies and a registration of at least 0.
Seconds most_latency_s(const ProtocolFit& fit) {
  constexpr double least_fraction = 0.1;
  const Seconds sum_s = fit.latency_s + fit.send_overhead_s + fit.recv_overhead_s;
  Seconds most = sum_s;
  for (const auto& section : fit.sections)
    if (section.protocol == Protocol::rendezvous)
      most = std::min(most, fit.latency_s + section.extra_s / 2);
  return std::max(most, least_fraction * sum_s);
}

void move_latency(ProtocolFit& fit, Seconds latency_s) {
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

void move_copies(ProtocolFit& fit, double of_cores, double senders) {
  const double all_s_per_B = copies_s_per_B(fit);
  const double copied_s_per_B = of_cores * all_s_per_B;
  fit.send_s_per_B = senders * copied_s_per_B;
  fit.recv_s_per_B = copied_s_per_B - fit.send_s_per_B;
  for (auto& section : fit.sections)
    if (section.protocol == Protocol::eager) section.wire_s_per_B += all_s_per_B - copied_s_per_B;
}

using Eigen::Index;

// Sender and receiver have similar overheads: standard deviation of the logarithm of their ratio.
// Eager data are read from and written to memory that another device has written, at half the rate
// of local copies in cache, with the same spread.
constexpr double spread_of_similar = 0.3;
constexpr double of_local_copies = 0.5;
constexpr double coupled = 1.5;  // spread of a number that is coupled to another one
// For numbers without a prior in the classes: this one only decides between equally good values.
constexpr double open_deviation = 10;
// The extra latencies of larger messages are times of their bytes.
constexpr Bytes largest_latency_bound = 64 << 10;

std::optional<double> inverse(double s_per_B) {
  return s_per_B > 0 ? std::optional(1 / s_per_B) : std::nullopt;
}

std::vector<ReportedValue> message_values(const JointFit& joint, bool has_prior) {
  const ProtocolFit& fit = joint.inter;
  std::vector<ReportedValue> values{
      {"latency", -1, "s", fit.latency_s, has_prior},
      {"send_overhead", -1, "s", fit.send_overhead_s, has_prior},
      {"recv_overhead", -1, "s", fit.recv_overhead_s, has_prior},
      {"gap", -1, "s", fit.gap_s, false},
      {"bandwidth", -1, "B/s", 1 / fit.wire_s_per_B(), has_prior},
      {"copy_bandwidth", -1, "B/s", inverse(fit.recv_s_per_B), has_prior},
      {"send_copy_bandwidth", -1, "B/s", inverse(fit.send_s_per_B), has_prior},
      {"bus_bandwidth", -1, "B/s", joint.bus_Bps, false}};
  const auto first =
      std::ranges::find(fit.sections, Protocol::rendezvous, &FittedSection::protocol);
  if (first == fit.sections.end()) return values;
  values.push_back({"rendezvous_send_overhead", -1, "s", first->send_extra_s, has_prior});
  values.push_back({"rendezvous_overhead", -1, "s", first->extra_s, has_prior});
  return values;
}

void report_system(const SystemParameters& system, std::vector<ReportedValue>& values) {
  values.push_back({"arrival_skew", -1, "s", system.arrival_skew_s});
  if (system.scale_law) values.push_back({"scale_latency", -1, "s", system.scale_latency_s});
  values.push_back({"combine_bandwidth", -1, "B/s", system.combine_cache_Bps});
  values.push_back({"combine_bandwidth", system.cache_bytes, "B/s", system.combine_memory_Bps});
  values.push_back({"local_copy_bandwidth", -1, "B/s", system.copy_cache_Bps});
  values.push_back({"local_copy_bandwidth", system.cache_bytes, "B/s", system.copy_memory_Bps});
  values.push_back(
      {"allocation_bandwidth", system.allocation_bytes - 1, "B/s", system.allocation_Bps});
  if (!system.extra_steps_s) return;
  for (std::size_t i = 0; i < extra_latency_sizes.size(); ++i)
    values.push_back({"extra_latency of " + format_bytes(extra_latency_sizes[i]), -1, "s",
                      system.extra_latency_s(i)});
}

// Sets the wire rate of all sections.
void set_bandwidth(ProtocolFit& fit, double rate_Bps) {
  for (auto& section : fit.sections) section.wire_s_per_B = 1 / rate_Bps;
}

}  // namespace

MessageMoves::MessageMoves(const ProtocolFit& inter, std::optional<double> bus_Bps, bool with_gap)
    : inter_(inter), most_latency_s_(most_latency_s(inter)) {
  const double overheads_s = inter.send_overhead_s + inter.recv_overhead_s;
  if (is_open(inter, "latency")) add(Open::latency, logit_of(inter.latency_s / most_latency_s_));
  if (is_open(inter, "send_overhead") && overheads_s > 0)
    add(Open::send_share, logit_of(inter.send_overhead_s / overheads_s));
  if (is_open(inter, "copy_bandwidth") && copies_s_per_B(inter) > 0) {
    add(Open::copies, logit_of(0.9));
    add(Open::send_copies, logit_of(0.1));
  }
  if (is_open(inter, "rendezvous_overhead")) add(Open::send_registration, logit_of(0.5));
  if (with_gap && is_open(inter, "gap"))
    add(Open::gap, std::log(std::max(inter.latency_s + overheads_s, 1e-9)));
  if (bus_Bps) add(Open::bus, std::log(*bus_Bps));
}

void MessageMoves::add(Open open, double start) {
  open_.push_back(open);
  start_.conservativeResize(start_.size() + 1);
  start_[start_.size() - 1] = start;
}

MovedMessages MessageMoves::at(const VectorXd& numbers) const {
  MovedMessages moved{inter_, {}};
  ProtocolFit& fit = moved.inter;
  const auto number = [&](Open open) -> std::optional<double> {
    const auto found = std::ranges::find(open_, open);
    if (found == open_.end()) return std::nullopt;
    return numbers[found - open_.begin()];
  };
  if (const auto x = number(Open::latency)) move_latency(fit, most_latency_s_ * part_of(*x));
  if (const auto x = number(Open::send_share)) share_overheads(fit, part_of(*x));
  if (const auto x = number(Open::copies))
    move_copies(fit, part_of(*x), part_of(*number(Open::send_copies)));
  if (const auto x = number(Open::send_registration)) share_registration(fit, part_of(*x));
  if (const auto x = number(Open::gap)) fit.gap_s = std::exp(*x);
  if (const auto x = number(Open::bus)) moved.bus_Bps = std::exp(*x);
  return moved;
}

FitNumbers FitNumbers::of_all(const SystemParameters& system, const JointFitOptions& options,
                              Bytes eager_max, bool with_gap) {
  const HardwareClass& hardware = options.hardware;
  FitNumbers numbers;
  numbers.base_.system = system;
  ProtocolFit& inter = numbers.base_.inter;
  inter.eager_max = eager_max;
  inter.send_s_per_B = hardware.send_s_per_B;
  inter.sections = {{}, {.above = eager_max, .protocol = Protocol::rendezvous}};
  if (eager_max < 0) inter.sections.erase(inter.sections.begin());
  numbers.add_time(hardware.overhead,
                   [](JointFit& fit, double x) { fit.inter.send_overhead_s = x; });
  numbers.add_time(hardware.overhead,
                   [](JointFit& fit, double x) { fit.inter.recv_overhead_s = x; });
  Prior latency = hardware.cable_latency;
  latency.value *= options.links;
  numbers.add_time(latency, [](JointFit& fit, double x) { fit.inter.latency_s = x; });
  numbers.add_rate(hardware.bandwidth,
                   [](JointFit& fit, double x) { set_bandwidth(fit.inter, x); });
  numbers.add_rate({of_local_copies * hardware.copy_cache.value, coupled},
                   [](JointFit& fit, double x) { fit.inter.recv_s_per_B = 1 / x; });
  numbers.eager_copy_ = numbers.start_.size() - 1;
  numbers.add_time(hardware.registration, [](JointFit& fit, double x) {
    fit.inter.sections.back().send_extra_s = x;  // the rendezvous
  });
  numbers.add_system(hardware);
  // Messages determine each rendezvous section's registration individually, collectives hardly do.
  if (options.messages)
    numbers.add_time(hardware.registration,
                     [](JointFit& fit, double x) { fit.inter.sections.back().extra_s = x; });
  // Starts above any overhead: a gap that the overheads hide has a derivative of 0.
  if (with_gap)
    numbers.add_time({latency.value + 2 * hardware.overhead.value, open_deviation},
                     [](JointFit& fit, double x) { fit.inter.gap_s = x; });
  if (options.bus_Bps)
    numbers.add_rate({*options.bus_Bps, open_deviation},
                     [](JointFit& fit, double x) { fit.bus_Bps = x; });
  return numbers;
}

FitNumbers FitNumbers::of_sections(const SystemParameters& system, const JointFitOptions& options,
                                   bool with_gap) {
  FitNumbers numbers;
  numbers.base_.system = system;
  numbers.base_.system->extra_steps_s.reset();
  numbers.moves_.emplace(options.messages->fit, options.bus_Bps, with_gap);
  numbers.start_ = numbers.moves_->start();
  numbers.deviations_ = VectorXd::Constant(numbers.start_.size(), open_deviation);
  numbers.add_system(options.hardware);
  numbers.is_time_.clear();
  return numbers;
}

void FitNumbers::add(const Prior& prior, Setter set, bool is_time) {
  is_time_.push_back(is_time);
  const Index count = start_.size();
  start_.conservativeResize(count + 1);
  deviations_.conservativeResize(count + 1);
  start_[count] = std::log(prior.value);
  deviations_[count] = prior.sd;
  set_.push_back(std::move(set));
}

void FitNumbers::add_system(const HardwareClass& hardware) {
  if (base_.system->arrival_skew_s)
    add_time(hardware.arrival_skew,
             [](JointFit& fit, double x) { fit.system->arrival_skew_s = x; });
  if (base_.system->scale_law) {
    law_number_ = start_.size();
    add_time(hardware.scale_latency,
             [](JointFit& fit, double x) { fit.system->scale_latency_s = x; });
  }
  add_rate(hardware.combine_cache,
           [](JointFit& fit, double x) { fit.system->combine_cache_Bps = x; });
  add_rate(hardware.combine_memory,
           [](JointFit& fit, double x) { fit.system->combine_memory_Bps = x; });
  local_copy_ = start_.size();
  add_rate(hardware.copy_cache, [](JointFit& fit, double x) { fit.system->copy_cache_Bps = x; });
  add_rate(hardware.copy_memory, [](JointFit& fit, double x) { fit.system->copy_memory_Bps = x; });
  add_rate(hardware.allocation, [](JointFit& fit, double x) { fit.system->allocation_Bps = x; });
  if (!base_.system->extra_steps_s) return;
  for (std::size_t i = 0; i < extra_latency_sizes.size(); ++i)
    add(
        hardware.extra_steps[i],
        [i](JointFit& fit, double x) { (*fit.system->extra_steps_s)[i] = x; },
        extra_latency_sizes[i] <= largest_latency_bound);
}

JointFit FitNumbers::at(const VectorXd& numbers) const {
  JointFit fit = base_;
  Index next = 0;
  if (moves_) {
    next = moves_->start().size();
    auto moved = moves_->at(numbers.head(next));
    fit.inter = std::move(moved.inter);
    fit.bus_Bps = moved.bus_Bps;
  }
  for (const auto& set : set_) set(fit, std::exp(numbers[next++]));
  return fit;
}

VectorXd FitNumbers::preferences(const VectorXd& numbers) const {
  VectorXd rows = (numbers - start_).cwiseQuotient(deviations_);
  if (moves_) return rows;
  rows.conservativeResize(rows.size() + 2);
  rows[rows.size() - 2] = (numbers[0] - numbers[1]) / spread_of_similar;
  rows[rows.size() - 1] =
      (numbers[eager_copy_] - numbers[local_copy_] - std::log(of_local_copies)) / spread_of_similar;
  return rows;
}

std::vector<ReportedValue> FitNumbers::values(const JointFit& fit) const {
  auto values = message_values(fit, !moves_);
  report_system(*fit.system, values);
  return values;
}

std::vector<VectorXd> FitNumbers::gradients(const VectorXd& numbers) const {
  constexpr double step = 1e-4;
  const auto here = values(at(numbers));
  std::vector<VectorXd> found(here.size(), VectorXd::Zero(numbers.size()));
  for (Index i = 0; i < numbers.size(); ++i) {
    VectorXd moved = numbers;
    moved[i] += step;
    const auto there = values(at(moved));
    for (std::size_t k = 0; k < here.size(); ++k)
      if (here[k].value && there[k].value && *here[k].value > 0 && *there[k].value > 0)
        found[k][i] = std::log(*there[k].value / *here[k].value) / step;
  }
  return found;
}

}  // namespace tutti::studies
