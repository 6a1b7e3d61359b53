// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/time_estimate.hpp"

#include "platforms/placement.hpp"
#include "sim/jobs/extrapolation/extrapolation.hpp"
#include "sim/jobs/messages_at_once.hpp"
#include "sim/jobs/starts.hpp"

namespace tutti::jobs {
namespace {

constexpr std::int64_t many_messages = 2'000'000'000;
constexpr double messages_per_s = 1e6;  // roughly, of the faster engines

std::int64_t messages_of(const Point& point) {
  return workloads::expected_messages(point.call, point.benchmark, point.placement.procs);
}

// "4.3 billion messages".
std::string counted_messages(std::int64_t messages) {
  const bool is_few = messages < 1'000'000'000;
  return fmt::format("{:.1f} {} messages", static_cast<double>(messages) / (is_few ? 1e6 : 1e9),
                     is_few ? "million" : "billion");
}

// "4 minutes", "1.5 hours"; `decimals` are those of minutes.
std::string minutes_or_hours(Seconds time_s, int decimals) {
  const Seconds minutes = time_s / 60;
  return minutes < 60 ? fmt::format("{:.{}f} minutes", minutes, decimals)
                      : fmt::format("{:.1f} hours", minutes / 60);
}

// Measured time to simulate a message that competes with others, in seconds on a core of 2024. If
// pairs of ranks have paths of their own, each start or end of a message changes the rates of all
// messages, and from about 80 messages per rank on, flows form bundles that are soon dissolved
// (alltoall linear, 32 KiB, opuntia-10k, 4 ranks per node: 64 ranks 17 us, 96 ranks 183 us, 128
// ranks 482 us, 256 ranks 4.1 ms; 128 ranks of leonardo 1.2 ms, of lumi 0.23 ms). Otherwise each
// message changes the rates of channels (fat-tree-262144, one rank per node: 128 ranks 19 us, 256
// ranks 54 us).
Seconds competition_s(const MessagesAtOnce& at_once, bool by_rank) {
  constexpr double few = 6000;
  constexpr Seconds per_rate_s = 4.3e-9, per_channel_s = 1.5e-9;
  const auto messages = static_cast<double>(at_once.messages);
  if (!at_once.compete) return 0;
  if (!by_rank) return per_channel_s * static_cast<double>(at_once.channels);
  if (messages < few) return per_rate_s * messages;
  return 482e-6 * std::pow(messages / 16'256, 1.4);
}

Seconds cost_of_message(const Point& point, const platforms::Machine& machine) {
  constexpr Seconds simgrid_s = 15e-6, ideal_s = 0.3e-6;
  if (point.engine == engines::EngineKind::ideal) return ideal_s;
  Seconds cost_s = point.verify ? simgrid_s : 0;
  if (point.engine == engines::EngineKind::simgrid) return cost_s + simgrid_s;
  return cost_s + message_cost_s +
         competition_s(messages_at_once(point, &machine), has_paths_by_rank(machine));
}

// Time per message of groups of ranks (extrapolation/rank_groups.hpp), all runs included, in
// seconds on a core of 2024: 20 us (lumi-c 128 x 96, linear, 64 KiB) to 195 us (leonardo 512 x 32,
// pairwise).
constexpr Seconds grouped_message_s = 60e-6;

// The number of simulations of the job if it does not depend on its start.
int simulations(const Point& point, const platforms::Machine& machine) {
  const std::int64_t messages = messages_of(point);
  if (messages > most_messages_shared && !point.starts.are_given) return 1;
  const auto placement = platforms::place(machine, point.placement);
  if (!placement || !may_depend_on_start(point, *placement)) return 1;
  return messages <= most_messages_twice ? 3 : 2;
}

}  // namespace

std::string time_in_full(const Point& point) {
  const std::int64_t messages = messages_of(point);
  return fmt::format("{}, which take {} at about a million per second", counted_messages(messages),
                     minutes_or_hours(static_cast<double>(messages) / messages_per_s, 1));
}

std::optional<std::string> many_messages_warning(const Point& point) {
  if (messages_of(point) <= many_messages) return std::nullopt;
  return time_in_full(point);
}

std::optional<std::string> long_run_warning(std::size_t points, Seconds estimated_s, int jobs) {
  constexpr Seconds long_s = 60;
  if (estimated_s < long_s) return std::nullopt;
  return fmt::format("the simulation of {} takes about {} on {}", counted(points, "point"),
                     minutes_or_hours(estimated_s, 0), counted(jobs, "core"));
}

Seconds estimated_seconds(const Point& point, const platforms::Machine& machine) {
  const auto messages = static_cast<double>(extrapolation::messages_to_simulate(point));
  if (messages == 0) return 0;
  if (const auto grouped = extrapolation::messages_of_groups(point, machine))
    return static_cast<double>(*grouped) * grouped_message_s;
  return messages * simulations(point, machine) * cost_of_message(point, machine);
}

std::optional<std::string> starts_note(const Point& point, const platforms::Machine& machine) {
  constexpr std::int64_t few_messages = 1'000'000;
  const std::int64_t messages = messages_of(point);
  const bool is_in_full = extrapolation::messages_to_simulate(point) == messages;
  if (2 * messages <= few_messages || !is_in_full) return std::nullopt;
  const auto placement = platforms::place(machine, point.placement);
  if (!placement || !may_depend_on_start(point, *placement)) return std::nullopt;
  return fmt::format(
      "{} are simulated twice{}; --exact-start simulates them once", counted_messages(messages),
      placement->ppn > 1 || point.starts.are_given
          ? fmt::format(", up to {} times if the ranks' start matters", 1 + point.starts.runs)
          : "");
}

}  // namespace tutti::jobs
