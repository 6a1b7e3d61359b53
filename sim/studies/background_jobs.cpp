// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/background_jobs.hpp"

#include "platforms/job_links.hpp"
#include "platforms/reader.hpp"
#include "sim/base/text_file.hpp"
#include "sim/studies/workloads/job_file.hpp"

namespace tutti::studies {
namespace {

using platforms::HostId;
using platforms::LinkId;

// Counts the bytes of each job on each link of the topology.
class BytesOfJobs : public runtime::Observer {
 public:
  BytesOfJobs(const JobMix& mix, const platforms::Placement& placement)
      : links_(mix.machine, placement),
        link_count_(mix.machine.topology->link_count()),
        bytes_(mix.jobs.size()) {
    for (std::size_t job = 0; job < mix.jobs.size(); ++job)
      job_of_.insert(job_of_.end(), mix.jobs[job].placement.host_of.size(), job);
  }

  void on_send(const runtime::SentMessage& message) override {
    const Bytes bytes = message.data.bytes;
    if (bytes == 0) return;
    auto& of_job = bytes_[job_of_[static_cast<std::size_t>(message.source)]];
    if (!links_.is_divided(message.source, message.destination, bytes)) {
      links_.route(message.source, message.destination, route_);
      return add(route_, static_cast<double>(bytes), of_job);
    }
    links_.paths(message.source, message.destination, bytes, paths_);
    const std::size_t used = paths_.is_even ? paths_.size() : paths_.preferred;
    for (std::size_t path = 0; path < used; ++path)
      add(paths_.path(path), static_cast<double>(bytes) / static_cast<double>(used), of_job);
  }

  using OfLinks = std::unordered_map<LinkId, double>;
  const OfLinks& of_job(std::size_t job) const { return bytes_[job]; }

 private:
  // Omits links inside nodes.
  void add(std::span<const LinkId> route, double bytes, OfLinks& of_job) const {
    for (const LinkId link : route)
      if (link < link_count_) of_job[link] += bytes;
  }

  platforms::JobLinks links_;
  LinkId link_count_;
  std::vector<std::size_t> job_of_;  // by rank
  std::vector<OfLinks> bytes_;       // by job
  std::vector<LinkId> route_;
  platforms::MessagePaths paths_;
};

std::vector<HostId> used_nodes(const platforms::Placement& placement) {
  auto nodes = placement.host_of;
  std::ranges::sort(nodes);
  const auto rest = std::ranges::unique(nodes);
  nodes.erase(rest.begin(), rest.end());
  return nodes;
}

Result<platforms::Background> traffic_of_file(const std::string& file,
                                              const platforms::Machine& machine) {
  const auto text = TUTTI_TRY(read_text_file(file));
  return mean_traffic(TUTTI_TRY(read_jobs_on(text, file, machine)));
}

}  // namespace

Result<platforms::Background> mean_traffic(const JobMix& mix) {
  const auto placement = placement_of(mix);
  BytesOfJobs bytes(mix, placement);
  const auto outcome = TUTTI_TRY(run_jobs(mix, engines::EngineKind::flow, {}, &bytes));
  platforms::Background background{
      .load_Bps = std::vector<double>(mix.machine.topology->link_count()),
      .nodes = used_nodes(placement)};
  for (std::size_t job = 0; job < mix.jobs.size(); ++job)
    for (const auto& [link, carried] : bytes.of_job(job))
      background.load_Bps[link] += carried / outcome.times[job].total_s();
  return background;
}

Result<platforms::Machine> load_machine(const options::MachineRequest& request) {
  return platforms::load_machine(request.platform, request.overrides, traffic_of_file);
}

std::optional<std::string> shared_nodes_warning(const platforms::Machine& machine,
                                                std::span<const HostId> hosts) {
  std::set<HostId> shared;
  for (const HostId host : hosts)
    if (std::ranges::binary_search(machine.background_nodes, host)) shared.insert(host);
  if (shared.empty()) return std::nullopt;
  return fmt::format(
      "{}: {} of the job, from {} on, also run{} jobs of the background: the job gets what these "
      "leave of the nodes' links, and all of their cores; --nodes names other nodes",
      machine.name, counted(shared.size(), "node"),
      printable(machine.topology->host_name(*shared.begin())), shared.size() == 1 ? "s" : "");
}

}  // namespace tutti::studies
