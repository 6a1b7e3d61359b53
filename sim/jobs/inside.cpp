// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/inside.hpp"

namespace tutti::jobs {
namespace {

constexpr std::size_t most_path_links = 8;

// Memory of a rank, path step and trace event in an observer, measured with a margin.
constexpr Bytes rank_bytes = 512;
constexpr Bytes step_bytes = 160;
constexpr Bytes event_bytes = 512;  // including its text in the file

std::int64_t ranks_in(const std::vector<engines::RankRange>& ranges) {
  std::int64_t count = 0;
  for (const auto& range : ranges) count += std::int64_t{range.last} - range.first + 1;
  return count;
}

}  // namespace

Inside::Inside(const InsideRequest& request, const platforms::Machine& machine,
               const platforms::Placement& placement, engines::Contention contention)
    : request_(request) {
  if (request.links || request.path)
    links_ = std::make_unique<engines::LinkLoads>(machine, placement, contention);
  if (request.histogram) histogram_ = std::make_unique<engines::MessageHistogram>();
  if (!request.trace.empty()) trace_ = std::make_unique<engines::RankTrace>(request.trace);
  if (request.path)
    path_ = std::make_unique<engines::CriticalPath>(
        static_cast<runtime::RankId>(placement.host_of.size()));
}

std::vector<runtime::Observer*> Inside::observers() {
  std::vector<runtime::Observer*> all;
  for (runtime::Observer* observer : std::initializer_list<runtime::Observer*>{
           links_.get(), histogram_.get(), trace_.get(), path_.get()})
    if (observer != nullptr) all.push_back(observer);
  return all;
}

std::optional<InsideAnswer> Inside::answer() const {
  InsideAnswer answer;
  if (request_.links) answer.links = links_->rows();
  if (histogram_) answer.histogram = histogram_->rows();
  if (trace_) {
    answer.slices = trace_->slices();
    answer.messages = trace_->messages();
    answer.trace_is_cut = trace_->is_cut();
  }
  if (!path_) return answer;
  if (path_->is_given_up()) return std::nullopt;
  answer.last_rank = path_->last_rank();
  answer.path = path_->steps();
  answer.path_links = engines::path_links(answer.path, *links_, most_path_links);
  return answer;
}

Bytes memory_of(const InsideRequest& request, std::int64_t procs, std::int64_t segments) {
  const auto under_way = [&](std::int64_t ranks, std::int64_t most) {
    return ranks > most / segments ? most : ranks * segments;
  };
  Bytes bytes = 0;
  if (request.links || request.path) bytes += rank_bytes * procs;
  if (request.path)
    bytes += rank_bytes * procs + step_bytes * under_way(procs, engines::CriticalPath::most_steps);
  if (!request.trace.empty())
    bytes +=
        rank_bytes * procs + event_bytes * under_way(8 * std::min(ranks_in(request.trace), procs),
                                                     2 * engines::RankTrace::most_events);
  return bytes;
}

}  // namespace tutti::jobs
