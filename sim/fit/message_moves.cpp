// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/message_moves.hpp"

#include <algorithm>
#include <cmath>

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

// Together.
double copies_s_per_B(const ProtocolFit& fit) { return fit.send_s_per_B + fit.recv_s_per_B; }

// A rendezvous costs two latencies and a registration that is not below 0.
Seconds most_latency_s(const ProtocolFit& fit) {
  constexpr double least_part = 0.1;
  const Seconds sum_s = fit.latency_s + fit.send_overhead_s + fit.recv_overhead_s;
  Seconds most = sum_s;
  for (const auto& section : fit.sections)
    if (section.protocol == Protocol::rendezvous)
      most = std::min(most, fit.latency_s + section.extra_s / 2);
  return std::max(most, least_part * sum_s);
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

}  // namespace tutti::studies
