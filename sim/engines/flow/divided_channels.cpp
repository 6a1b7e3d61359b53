// SPDX-License-Identifier: BSD-3-Clause
// Channels of messages that may be divided over several paths.
#include "sim/engines/flow/flows.hpp"

namespace tutti::engines {

using platforms::Link;
using runtime::RankId;

ClassId Channels::make_divided(const Key& key, RankId source, RankId destination) {
  const Bytes bytes = (key.way & over_all_rails) != 0 ? *machine_.stripe_from : 0;
  job_links_.paths(source, destination, bytes, paths_);
  platforms::Path path = job_links_.path(source, destination, route_);
  const double limit_Bps = std::min(key.limit_Bps, find_columns(path));
  const ClassId id = shares_.paths()->add(columns_, limit_Bps);
  if (id >= channels_.size()) channels_.resize(id + 1);
  channels_[id] = {.key = key, .path = path, .source = source, .destination = destination};
  return id;
}

// Finds the columns of paths_: one if all paths carry equal parts, else one per path. Returns the
// limit by links that flows do not share. Sets the bandwidths of an idle network. Without
// contention, only the NICs and the links inside nodes remain in the columns, and the others limit
// each flow by itself.
double Channels::find_columns(platforms::Path& path) {
  columns_.clear();
  double limit_Bps = 0;
  const double part = paths_.is_even ? 1.0 / static_cast<double>(paths_.size()) : 1;
  double nic_Bps = 0;
  std::vector<LinkId> nics;
  for (std::size_t number = 0; number < paths_.size(); ++number) {
    double unshared_Bps = no_limit;
    for (const LinkId id : paths_.path(number)) {
      const Link& link = look_up(id);
      if (link.sharing == platforms::LinkSharing::shared)
        columns_.uses.push_back({id, part});
      else
        unshared_Bps = std::min(unshared_Bps, link.bandwidth_Bps / part);
    }
    limit_Bps = std::max(limit_Bps, unshared_Bps);
    const auto links = paths_.path(number);
    const auto nic = std::find_if(links.begin(), links.end(),
                                  [&](LinkId id) { return !job_links_.is_inside_node(id); });
    if (nic != links.end() && std::find(nics.begin(), nics.end(), *nic) == nics.end()) {
      nics.push_back(*nic);
      nic_Bps += look_up(*nic).bandwidth_Bps;
    }
    if (!paths_.is_even || number + 1 == paths_.size())
      columns_.ends.push_back(columns_.uses.size());
  }
  columns_.preferred = paths_.is_even ? 1 : paths_.preferred;
  path.bandwidth_Bps = shares_.paths()->idle_rate(columns_, limit_Bps);
  if (paths_.size() > 1) path.nic_bandwidth_Bps = std::max(path.nic_bandwidth_Bps, nic_Bps);
  if (contention_ == Contention::on) return limit_Bps;
  keep_ends();
  return path.bandwidth_Bps;
}

// Reduces the columns to the links at their ends.
void Channels::keep_ends() {
  const double part = paths_.is_even ? 1.0 / static_cast<double>(paths_.size()) : 1;
  const std::size_t nic = machine_.topology->nic_links();
  columns_.uses.clear();
  columns_.ends.clear();
  for (std::size_t number = 0; number < paths_.size(); ++number) {
    const auto links = paths_.path(number);
    std::size_t first = 0, last = links.size();
    while (first < last && job_links_.is_inside_node(links[first])) ++first;
    while (first < last && job_links_.is_inside_node(links[last - 1])) --last;
    for (std::size_t i = 0; i < links.size(); ++i)
      if ((i < first + nic || i + nic >= last) &&
          look_up(links[i]).sharing == platforms::LinkSharing::shared)
        columns_.uses.push_back({links[i], part});
    if (!paths_.is_even || number + 1 == paths_.size())
      columns_.ends.push_back(columns_.uses.size());
  }
}

}  // namespace tutti::engines
