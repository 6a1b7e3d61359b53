// SPDX-License-Identifier: BSD-3-Clause
// Channels of messages that may be divided over several paths.
#include "sim/engines/flow/channels.hpp"

namespace tutti::engines {

using platforms::Link;
using runtime::RankId;

ClassId Channels::make_divided(const Key& key, RankId source, RankId destination) {
  const Bytes bytes = (key.pair & over_all_rails) != 0 ? *machine_.stripe_from : 0;
  job_links_.paths(source, destination, bytes, paths_);
  buses_.clear();
  if ((key.pair & over_buses) != 0 && contention_ == Contention::on)
    job_links_.add_copies(source, destination, 0, buses_);
  platforms::Path path = job_links_.path(source, destination, route_);
  PathShares& shares = *shares_.paths();
  const double unshared_Bps = find_columns(false);
  if (paths_.size() > 1) path.nic_bandwidth_Bps = std::max(path.nic_bandwidth_Bps, nics_of_paths());
  ClassId id = shares.add(columns_, std::min(key.limit_Bps, unshared_Bps));
  path.bandwidth_Bps = shares.idle_rate(id);
  if (contention_ == Contention::off) {
    shares.remove(id);
    find_columns(true);
    id = shares.add(columns_, std::min(key.limit_Bps, path.bandwidth_Bps));
  }
  return store(id, {.key = key, .path = path, .source = source, .destination = destination});
}

// Finds the columns of paths_: one if all paths carry equal parts, else one per path. Returns the
// limit by links that flows do not share. `only_ends`: only the NICs and the links inside nodes.
double Channels::find_columns(bool only_ends) {
  columns_.clear();
  double limit_Bps = paths_.is_even ? no_limit : 0;
  const double part = paths_.is_even ? 1.0 / static_cast<double>(paths_.size()) : 1;
  const std::size_t nic = machine_.topology->nic_links();
  for (std::size_t number = 0; number < paths_.size(); ++number) {
    double unshared_Bps = no_limit;
    const auto links = paths_.path(number), between = job_links_.between_nodes(links);
    for (const LinkId& id : links) {
      if (only_ends && &id >= between.data() + nic && &id + nic < between.data() + between.size())
        continue;
      const Link& link = kinds_.of(id);
      if (link.sharing == platforms::LinkSharing::shared) {
        shares_.set_capacity(id, link.bandwidth_Bps);
        columns_.uses.push_back({id, part});
      } else {
        unshared_Bps = std::min(unshared_Bps, link.bandwidth_Bps / part);
      }
    }
    for (const LinkId bus : buses_) {
      shares_.set_capacity(bus, kinds_.of(bus).bandwidth_Bps);
      columns_.uses.push_back({bus, part});
    }
    limit_Bps =
        paths_.is_even ? std::min(limit_Bps, unshared_Bps) : std::max(limit_Bps, unshared_Bps);
    if (!paths_.is_even || number + 1 == paths_.size())
      columns_.ends.push_back(columns_.uses.size());
  }
  columns_.preferred = paths_.is_even ? 1 : paths_.preferred;
  return limit_Bps;
}

// The bandwidth of all NICs of the sender that the paths use.
double Channels::nics_of_paths() {
  std::vector<LinkId> nics;
  for (std::size_t number = 0; number < paths_.size(); ++number)
    if (const auto links = job_links_.between_nodes(paths_.path(number)); !links.empty())
      nics.push_back(links.front());
  std::ranges::sort(nics);
  nics.erase(std::unique(nics.begin(), nics.end()), nics.end());
  double sum_Bps = 0;
  for (const LinkId id : nics) sum_Bps += kinds_.of(id).bandwidth_Bps;
  return sum_Bps;
}

}  // namespace tutti::engines
