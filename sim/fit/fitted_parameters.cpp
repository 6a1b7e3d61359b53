// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/fitted_parameters.hpp"

#include <cctype>
#include <iterator>

#include "algorithms/selection/decision.hpp"
#include "algorithms/selection/nccl_tuner.hpp"
#include "algorithms/selection/nccl_tuning.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::studies {
namespace {

constexpr std::string_view open_mpi = "_ompi";
constexpr std::string_view fujitsu = "default-";
constexpr std::string_view own_program = "_over";
constexpr std::string_view bine = "bine_";  // its own programs, of which some lack the suffix
constexpr std::string_view suffixes[] = {open_mpi, "_mpich", own_program};

// Measured with a modified Open MPI 5.0.7, in which this algorithm is the former rabenseifner
// (column notes of PICO's file).
constexpr std::string_view misnamed = "allgather_reduce_ompi";

struct OtherName {
  std::string_view collective;
  std::string_view name;
  std::string_view ours;
};
constexpr OtherName other_names[] = {
    {"allgather", "brucks", "bruck"},
    {"allreduce", "ring_segmented", "segmented_ring"},
    {"alltoall", "brucks", "modified_bruck"},
    {"bcast", "binary", "binary_tree"},
    {"bcast", "split_binary", "split_binary_tree"},
    {"bcast", "linear", "basic_linear"},
    {"gather", "linear", "basic_linear"},
    {"scatter", "linear", "basic_linear"},
    {"scatter", "linear_nonblocking", "linear_nb"},
    {"reduce", "in_order_binary", "in-order_binary"},
    {"reduce_scatter", "non_overlapping", "non-overlapping"},
    {"reduce_scatter", "recursive_distance_doubling", "butterfly"},
};

std::optional<std::string> known(std::string_view collective, const std::string& name) {
  if (algorithms::find_algorithm(collective, name) != nullptr) return name;
  const auto* other = std::ranges::find_if(other_names, [&](const OtherName& alias) {
    return alias.collective == collective && alias.name == name;
  });
  if (other == std::end(other_names)) return std::nullopt;
  return std::string(other->ours);
}

}  // namespace

bool leaves_segment_open(std::string_view name) { return name.ends_with("_segmented_over"); }

std::optional<Bytes> segment_in_name(std::string_view name) {
  const auto at = name.rfind('_');
  if (at == std::string_view::npos || !name.substr(0, at).ends_with(own_program))
    return std::nullopt;
  const auto bytes = parse_integer(std::string(name.substr(at + 1)));
  return bytes && *bytes > 0 ? std::optional<Bytes>(*bytes) : std::nullopt;
}

bool is_name_of_pico(std::string_view name) {
  return name.starts_with(fujitsu) || name.starts_with(bine) || segment_in_name(name) ||
         std::ranges::any_of(suffixes, [&](auto suffix) { return name.ends_with(suffix); });
}

bool is_program_of_pico(std::string_view name) {
  constexpr std::string_view marks[] = {own_program, bine, "BINE-", "UTOFU"};
  return std::ranges::any_of(marks,
                             [&](auto mark) { return name.find(mark) != std::string_view::npos; });
}

std::optional<std::string> algorithm_of_benchmark(std::string_view collective,
                                                  std::string_view name) {
  if (name.empty() || name == "auto" || name == "default_ompi") return "auto";
  if (auto found = known(collective, std::string(name))) return found;
  if (name == misnamed) return std::nullopt;
  // An algorithm that NCCL_ALGO forced: NCCL chooses the protocol.
  constexpr std::string_view of_nccl = "nccl_";
  if (name.starts_with(of_nccl))
    if (const auto word = algorithms::selection::nccl_word(name.substr(of_nccl.size())))
      return fmt::format("auto:nccl:NCCL_ALGO={}", *word);
  if (segment_in_name(name)) name = name.substr(0, name.rfind('_'));
  for (const auto suffix : suffixes)
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  if (name.starts_with(fujitsu)) name.remove_prefix(fujitsu.size());
  std::string plain(name);
  std::ranges::replace(plain, '-', '_');
  return known(collective, plain);
}

bool is_unknown_choice(std::string_view name) {
  return name == "default_mpich" || name == "default-default";
}

std::string rules_of_library(std::string_view library) {
  if (library.empty()) return "auto";
  if (library.starts_with("NCCL"))
    return "auto:" + algorithms::selection::NcclTuning::of_library(library);
  const auto version = std::min(library.find(' '), library.size());
  const auto patch = library.find('.', library.find('.', version) + 1);
  std::string set = lower_case(library.substr(0, patch));
  std::ranges::replace(set, ' ', '-');
  const auto found = algorithms::selection::find_rule_set(set);
  return found ? fmt::format("auto:{}", *found) : "";
}

std::string collective_of_benchmark(std::string_view name) {
  for (const std::string_view prefix : {"MPI_", "osu_"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return lower_case(name);
}

namespace {

using platforms::GivenParameter;
using platforms::Protocol;

// Splits a section's extra time: first into latency, then into overheads.
struct SectionCosts {
  double latency_factor = 1;
  Seconds overheads_s = 0;  // in addition to o_s + o_r; may be negative
  Seconds registration_s = 0;
};

SectionCosts costs_of(const ProtocolFit& fit, const FittedSection& section) {
  const bool eager = section.protocol == Protocol::eager;
  if (!eager && section.extra_s >= 0) return {.registration_s = section.extra_s};
  const double latency_s = (eager ? 1 : 3) * fit.latency_s;
  if (latency_s <= 0) return {.overheads_s = section.extra_s};
  const double left_s = latency_s + section.extra_s;
  return {.latency_factor = std::max(0.0, left_s / latency_s),
          .overheads_s = std::min(0.0, left_s)};
}

// Sections "LIMIT:VALUE", joined by ';'; equal neighbors are merged. A first section applies to all
// sizes if it is the only one.
class Sections {
 public:
  void add(Bytes above, std::string value) {
    if (!values_.empty() && values_.back().second == value) return;
    above = std::max<Bytes>(0, above);
    if (!values_.empty() && values_.back().first == above) values_.pop_back();  // empty section
    values_.emplace_back(above, std::move(value));
  }
  std::string text() const {
    if (values_.size() == 1 && values_.front().second.find(':') == std::string::npos)
      return values_.front().second;
    std::string text;
    for (const auto& [above, value] : values_)
      text += fmt::format("{}{}:{}", text.empty() ? "" : ";", above, value);
    return text;
  }

 private:
  std::vector<std::pair<Bytes, std::string>> values_;
};

class Keys {
 public:
  Keys(const ProtocolFit& fit, std::string prefix) : fit_(fit), prefix_(std::move(prefix)) {}

  std::vector<GivenParameter> all() {
    for (const auto& section : fit_.sections) add(section);
    give("eager_limit", fmt::format("{}", fit_.eager_max));
    give("send_overhead", send_.text());
    give("recv_overhead", recv_.text());
    give("gap", time_text(fit_.gap_s.value_or(0)));
    give("latency_factor", latency_.text());
    give("bandwidth_factor", bandwidth_.text());
    give("rendezvous_overhead", registration_.text());
    if (!fit_.extra_latency.empty()) {
      std::string curve;
      for (const auto& [bytes, latency_s] : fit_.extra_latency)
        curve += fmt::format("{}:{};", bytes, time_text(latency_s));
      give("extra_latency", curve + fmt::format("{}:0", fit_.eager_max + 1));
    }
    give("copy_bandwidth", fit_.recv_s_per_B > 0 ? rate_text(1 / fit_.recv_s_per_B) : "none");
    return std::move(given_);
  }

 private:
  void add(const FittedSection& section) {
    const bool eager = section.protocol == Protocol::eager;
    const SectionCosts costs = costs_of(fit_, section);
    const double both_s = fit_.send_overhead_s + fit_.recv_overhead_s;
    const double share = both_s > 0 ? fit_.send_overhead_s / both_s : 0.5;
    const auto sum = [&](Seconds overhead_s, double part) {
      return time_text(std::max(0.0, overhead_s + part * costs.overheads_s));
    };
    std::string send = sum(fit_.send_overhead_s + section.send_extra_s, share);
    if (eager && fit_.send_s_per_B > 0) send += ':' + time_text(fit_.send_s_per_B);
    send_.add(section.above, std::move(send));
    recv_.add(section.above, sum(fit_.recv_overhead_s, 1 - share));
    latency_.add(section.above, fmt::format("{:.7g}", costs.latency_factor));
    bandwidth_.add(section.above, fmt::format("{:.7g}", factor(section)));
    registration_.add(section.above, time_text(costs.registration_s));
  }

  double factor(const FittedSection& section) const {
    return section.wire_s_per_B > 0 ? std::min(1.0, fit_.wire_s_per_B() / section.wire_s_per_B) : 1;
  }

  void give(const char* name, std::string value) {
    given_.push_back({.key = prefix_ + name, .value = std::move(value), .line = 0});
  }

  const ProtocolFit& fit_;
  std::string prefix_;
  Sections send_, recv_, latency_, bandwidth_, registration_;
  std::vector<GivenParameter> given_;
};

}  // namespace

std::string network_bandwidth(const ProtocolFit& fit) { return rate_text(1 / fit.wire_s_per_B()); }

std::string link_latency(const ProtocolFit& fit, int links) {
  return time_text(fit.latency_s / links);
}

std::vector<GivenParameter> inter_parameters(const ProtocolFit& fit) {
  return Keys(fit, "mpi/").all();
}

std::vector<GivenParameter> intra_parameters(const ProtocolFit& fit,
                                             std::optional<double> bus_Bps) {
  constexpr double messages_at_once = 4;
  const double one_Bps = 1 / fit.wire_s_per_B();
  const bool enough = bus_Bps && *bus_Bps >= one_Bps;
  std::vector<GivenParameter> given{
      {"mpi/intra_node", "bus", 0},
      {"mpi/bus_bandwidth", rate_text(enough ? *bus_Bps : messages_at_once * one_Bps), 0},
      {"mpi/bus_latency", time_text(fit.latency_s), 0},
      {"mpi/intra_bandwidth", rate_text(one_Bps), 0}};
  for (auto& parameter : Keys(fit, "mpi/intra_").all()) given.push_back(std::move(parameter));
  return given;
}

FittedParameter reported_by_times(std::string name, std::string unit, double value, double half,
                                  double prior_half) {
  constexpr double narrow = 0.05, wide = 0.7;
  // Fraction of the prior's width: the times add less information than the prior contains.
  constexpr double little = 0.7;
  FittedParameter reported{.name = std::move(name), .unit = std::move(unit), .value = value};
  const bool is_prior = half > narrow && half > little * prior_half;
  reported.status = half <= narrow ? ParameterStatus::fitted
                    : is_prior     ? ParameterStatus::prior
                    : half <= wide ? ParameterStatus::uncertain
                                   : ParameterStatus::assumed;
  // A prior bounds it at least.
  if (reported.status == ParameterStatus::assumed && std::isfinite(prior_half))
    reported.status = ParameterStatus::uncertain;
  if (reported.status == ParameterStatus::assumed) {
    reported.note = "one of many values that fit";
    return reported;
  }
  reported.low = value * std::exp(-half);
  reported.high = value * std::exp(half);
  return reported;
}

}  // namespace tutti::studies
