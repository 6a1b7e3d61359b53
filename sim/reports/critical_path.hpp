// SPDX-License-Identifier: BSD-3-Clause
// The critical path of a job in reports.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::reports {

struct CriticalPath {
  struct Link {
    std::string name;
    double bandwidth_Bps = 0;
    double utilization = 0;  // from the start of the job to the end of the path
    double busy_share = 0;
    std::uint32_t peak_flows = 0;
    std::int64_t messages = 0;  // messages of the path that cross the link
    Seconds flow_s = 0;         // time during which their bytes moved
  };
  std::optional<runtime::RankId> first_target;  // ranks from here on are storage targets
  runtime::RankId last_rank = 0;                // the rank that finishes last
  Seconds end_s = 0;                            // end time of that rank
  std::vector<engines::PathStep> steps;
  std::vector<Link> links{};  // the busiest first
};

// The observed data of a job.
struct SeenJob {
  const jobs::InsideAnswer& inside;
  const std::vector<platforms::HostId>& host_of;  // by rank, then the storage's targets
  std::optional<runtime::RankId> first_target = {};

  runtime::RankId procs() const {
    return first_target.value_or(static_cast<runtime::RankId>(host_of.size()));
  }
};
bool is_target(runtime::RankId rank, std::optional<runtime::RankId> first_target);
// "rank 3", "target 1".
std::string rank_name(runtime::RankId rank, std::optional<runtime::RankId> first_target);

// `machine` must include the storage servers.
CriticalPath critical_path_of(const SeenJob& job, const platforms::Machine& machine);

// Sums over the steps. `work`, `transit` and `disks_s` add up to `end_s`.
struct PathShares {
  std::array<Seconds, runtime::work_kinds> work{};
  std::array<Seconds, engines::transit_parts> transit{};
  Seconds disks_s = 0;  // disk time of the storage targets, not included in `work`
  std::int64_t messages = 0;
  std::int64_t late_receivers = 0;
  Seconds waited_s = 0;  // time that messages waited for late receivers
};
PathShares shares_of(const CriticalPath& path);

// 80 columns wide; ends with a newline.
std::string critical_path_text(const CriticalPath& path);
// Maximum number of steps in the JSON.
inline constexpr std::size_t most_json_steps = 10'000;
nlohmann::ordered_json critical_path_json(const CriticalPath& path);

// Names and measures of what is observed inside a run.

// Indexed by Work and Transit. `_words`: in tables; `_names`: in one or two words; `_keys`: in
// JSON, without the unit "_s".
extern const std::array<std::string_view, runtime::work_kinds> work_words;
extern const std::array<std::string_view, runtime::work_kinds> work_names;
extern const std::array<std::string_view, runtime::work_kinds> work_keys;
extern const std::array<std::string_view, engines::transit_parts> transit_words;
extern const std::array<std::string_view, engines::transit_parts> transit_keys;

// Fraction of the bytes that the link could carry in `time_s`, at most the fraction of the time in
// which it is busy.
double utilization(const engines::LinkLoad& load, Seconds time_s);

}  // namespace tutti::reports
