// SPDX-License-Identifier: BSD-3-Clause
// Details of a run that a point may request in addition to its times, and the observers that record
// them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/inside/critical_path.hpp"
#include "sim/engines/inside/link_loads.hpp"
#include "sim/engines/inside/rank_trace.hpp"
#include "sim/jobs/jobs.hpp"

namespace tutti::jobs {

struct InsideRequest {
  bool links = false;                       // load of each link
  bool histogram = false;                   // messages by size, path, protocol
  bool path = false;                        // critical path
  std::vector<engines::RankRange> trace{};  // ranks to trace; empty: no trace

  // True if any detail is requested; details require the simulation of the whole job.
  bool any() const { return links || histogram || path || !trace.empty(); }
};

struct InsideAnswer {
  std::vector<engines::LinkLoad> links;
  std::vector<engines::HistogramRow> histogram;
  std::vector<engines::TraceSlice> slices;
  std::vector<engines::TraceMessage> messages;
  bool trace_is_cut = false;
  runtime::RankId last_rank = 0;  // of the path
  std::vector<engines::PathStep> path;
  std::vector<engines::PathLink> path_links;  // the busiest links of the path
};

// The observers of one run.
class Inside {
 public:
  Inside(const InsideRequest& request, const platforms::Machine& machine,
         const platforms::Placement& placement,
         engines::Contention contention = engines::Contention::on);

  // Pointers that are valid during the lifetime of this object.
  std::vector<runtime::Observer*> observers();
  // See CriticalPath; does nothing if no path is requested.
  void end_path_at(runtime::RankId rank) {
    if (path_) path_->end_at(rank);
  }
  // Call it after the job has ended. Unset if it had too many messages in flight for a critical
  // path.
  std::optional<InsideAnswer> answer() const;

 private:
  InsideRequest request_;
  std::unique_ptr<engines::LinkLoads> links_;
  std::unique_ptr<engines::MessageHistogram> histogram_;
  std::unique_ptr<engines::RankTrace> trace_;
  std::unique_ptr<engines::CriticalPath> path_;
};

// Maximum memory of the observers in bytes, for the memory estimate. `segments` is that of the
// call.
Bytes memory_of(const InsideRequest& request, std::int64_t procs, std::int64_t segments);

}  // namespace tutti::jobs
