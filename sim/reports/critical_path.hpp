// SPDX-License-Identifier: BSD-3-Clause
// A critical path as a report shows it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::reports {

struct CriticalPath {
  struct Link {
    std::string name;
    double bandwidth_Bps = 0;
    double utilisation = 0;  // from the job's begin to the path's end
    double busy_share = 0;
    std::uint32_t peak_flows = 0;
    std::int64_t messages = 0;  // of the path
    Seconds flow_s = 0;         // the time that their bytes moved
  };
  std::optional<runtime::RankId> first_target;  // ranks from here on are the storage's targets
  runtime::RankId last_rank = 0;
  Seconds end_s = 0;  // of that rank
  std::vector<engines::PathStep> steps;
  std::vector<Link> links{};  // the busiest first
};

// What was seen of a job.
struct SeenJob {
  const studies::InsideAnswer& inside;
  const std::vector<platforms::HostId>& host_of;  // by rank, then the storage's targets
  std::optional<runtime::RankId> first_target = {};

  runtime::RankId procs() const {
    return first_target.value_or(static_cast<runtime::RankId>(host_of.size()));
  }
};
bool is_target(runtime::RankId rank, std::optional<runtime::RankId> first_target);
// "rank 3", "target 1".
std::string rank_name(runtime::RankId rank, std::optional<runtime::RankId> first_target);

// `machine`: with the storage's servers.
CriticalPath critical_path_of(const SeenJob& job, const platforms::Machine& machine);

// Sums over the steps: they make up end_s.
struct PathShares {
  std::array<Seconds, runtime::work_kinds> work{};
  std::array<Seconds, engines::transit_parts> transit{};
  Seconds disks_s = 0;  // of the storage's targets; not in `work`
  std::int64_t messages = 0;
  std::int64_t late_receivers = 0;
  Seconds waited_s = 0;  // messages for late receivers
};
PathShares shares_of(const CriticalPath& path);

// 80 columns wide; ends with a newline.
std::string critical_path_text(const CriticalPath& path);
// Names the first `most_json_steps` steps.
inline constexpr std::size_t most_json_steps = 10'000;
nlohmann::ordered_json critical_path_json(const CriticalPath& path);

// How reports name and measure what is seen inside a run.

// By Work and Transit: for people, in a word or two, and as a key that lacks its unit.
extern const std::array<std::string_view, runtime::work_kinds> work_words;
extern const std::array<std::string_view, runtime::work_kinds> work_names;
extern const std::array<std::string_view, runtime::work_kinds> work_keys;
extern const std::array<std::string_view, engines::transit_parts> transit_words;
extern const std::array<std::string_view, engines::transit_parts> transit_keys;

// The part of what a link could have carried in that time. Above 1 only where every flow may use
// its whole bandwidth (a fat pipe).
double utilisation(Bytes bytes, double bandwidth_Bps, Seconds time_s);

}  // namespace tutti::reports
