// SPDX-License-Identifier: BSD-3-Clause
// Looking inside a run: what a point may ask for beyond its times, and the observers that see it.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/inside/critical_path.hpp"
#include "sim/engines/inside/link_loads.hpp"
#include "sim/engines/inside/rank_trace.hpp"

namespace tutti::studies {

struct InsideRequest {
  bool links = false;                       // what each link carries
  bool histogram = false;                   // messages by size, path, protocol
  bool path = false;                        // what the end depended on
  std::vector<engines::RankRange> trace{};  // what these ranks do; empty: no trace

  // Where bytes go and what ranks do at what time: not of a part of a job.
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
  std::vector<engines::PathLink> path_links;  // the busiest
};

// The observers of one run.
class Inside {
 public:
  Inside(const InsideRequest& request, const platforms::Machine& machine,
         const platforms::Placement& placement);

  // They stay valid as long as this object.
  std::vector<runtime::Observer*> observers();
  // See CriticalPath; nothing where no path is asked for.
  void end_path_at(runtime::RankId rank) {
    if (path_) path_->end_at(rank);
  }
  // Once the job has ended. Nothing if it had too many messages under way for a critical path.
  std::optional<InsideAnswer> answer() const;

 private:
  InsideRequest request_;
  std::unique_ptr<engines::LinkLoads> links_;
  std::unique_ptr<engines::MessageHistogram> histogram_;
  std::unique_ptr<engines::RankTrace> trace_;
  std::unique_ptr<engines::CriticalPath> path_;
};

// What the observers keep at most, for the memory estimate. `segments`: of the call.
Bytes memory_of(const InsideRequest& request, std::int64_t procs, std::int64_t segments);

}  // namespace tutti::studies
