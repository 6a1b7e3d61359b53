// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/job_links.hpp"
#include "sim/base/random.hpp"
#include "sim/jobs/extrapolation/segment_run.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using algorithms::StepPhase;
using platforms::LinkId;
using runtime::RankId;

// More simulated ranks than this part of all take about as long as all ranks.
constexpr std::int64_t least_reduction = 3;

bool has_ring_neighbors(const StepPhase& phase, RankId procs) {
  const auto are_neighbors = [procs](RankId rank, RankId other) {
    return other == algorithms::left_of(rank, 0, procs) ||
           other == algorithms::right_of(rank, 0, procs);
  };
  for (int step = 1; step <= phase.period; ++step)
    for (RankId rank = 0; rank < procs; ++rank)
      if (!are_neighbors(rank, phase.to(rank, step, procs)) ||
          !are_neighbors(rank, phase.from(rank, step, procs)))
        return false;
  return phase.period > 0 && procs % phase.period == 0;
}

// Whether all phases have the same peers.
bool are_same_rings(const std::vector<StepPhase>& phases) {
  return std::ranges::all_of(phases, [&](const StepPhase& phase) {
    return phase.to == phases.front().to && phase.from == phases.front().from &&
           phase.period == phases.front().period && phase.block_bytes == nullptr;
  });
}

std::uint64_t joined(std::uint64_t first, std::uint64_t second) {
  return mixed(mixed(first) ^ second);
}
std::uint64_t bits_of(double number) { return std::bit_cast<std::uint64_t>(number); }

// The hops of one period, and what each has in common with others.
class Hops {
 public:
  explicit Hops(const StepJob& job)
      : job_(job),
        phase_(job.phases.front()),
        links_(job.machine, job.placement),
        users_(links_.count()) {
    for_each_hop([&](RankId rank, int step) {
      for (const LinkId link : paths_.links) users_[link].add(rank, step);
    });
  }

  // Ranks by which an effect travels with each step: a delayed rank delays the messages that share
  // a link with its own, and in the next step the neighbors of their receivers.
  std::int64_t per_step() const {
    std::int64_t widest = 0;
    for (LinkId link = 0; link < users_.size(); ++link)
      if (users_[link].hops > 1 && is_shared(link))
        widest = std::max(widest, users_[link].span(job_.procs()));
    return widest == 0 ? 1 : widest + 2;
  }

  // A number for each rank: equal for ranks whose hops have equal routes, and share them with hops
  // of ranks at equal distances.
  std::vector<std::uint64_t> signatures() {
    std::vector<std::uint64_t> of_rank(static_cast<std::size_t>(job_.procs()));
    for_each_hop([&](RankId rank, int step) {
      std::uint64_t& all = of_rank[static_cast<std::size_t>(rank)];
      all = joined(all, static_cast<std::uint64_t>(rank % phase_.period * phase_.period + step));
      all = joined(all, phase_.to(rank, step, job_.procs()) ==
                            algorithms::right_of(rank, step, job_.procs()));
      for (const std::size_t end : paths_.ends) all = joined(all, end);
      for (const LinkId link : paths_.links) all = joined(all, signature(link, rank));
    });
    return of_rank;
  }

 private:
  // The hops that cross a link.
  struct Users {
    RankId first = 0, last = 0;  // the ranks that send
    RankId gap = 0;              // most ranks between two successive ones
    std::int32_t hops = 0;
    std::uint64_t places = 0;  // a number for their distances

    void add(RankId rank, int step) {
      if (hops++ == 0) first = last = rank;
      gap = std::max(gap, rank - last);
      last = rank;
      places = joined(
          places, static_cast<std::uint64_t>(rank - first) << 8 | static_cast<std::uint64_t>(step));
    }
    // The number of ranks around the ring from the first to the last user.
    std::int64_t span(RankId procs) const {
      return procs - std::max<std::int64_t>(gap, procs - (last - first));
    }
  };

  bool is_shared(LinkId link) const {
    return links_.link(link).sharing == platforms::LinkSharing::shared;
  }
  std::uint64_t signature(LinkId link, RankId rank) const {
    const platforms::Link is = links_.link(link);
    const std::uint64_t speed = joined(bits_of(is.bandwidth_Bps), bits_of(is.latency_s));
    const Users& users = users_[link];
    if (users.hops < 2 || !is_shared(link)) return speed;
    return joined(joined(speed, users.places), static_cast<std::uint64_t>(rank - users.first));
  }
  template <class Visit>
  void for_each_hop(Visit visit) {
    for (RankId rank = 0; rank < job_.procs(); ++rank)
      for (int step = 1; step <= phase_.period; ++step) {
        links_.paths(rank, phase_.to(rank, step, job_.procs()), phase_.message_bytes, paths_);
        visit(rank, step);
      }
  }

  const StepJob& job_;
  const StepPhase& phase_;
  platforms::JobLinks links_;
  std::vector<Users> users_;  // by link
  platforms::MessagePaths paths_;
};

// A number for the signatures around each rank, up to a distance of `reach`.
std::vector<std::uint64_t> windows(std::vector<std::uint64_t> signatures, std::int64_t reach) {
  const std::int64_t procs = std::ssize(signatures);
  const auto at = [procs](std::int64_t rank) {
    return static_cast<std::size_t>((rank % procs + procs) % procs);
  };
  std::int64_t length = 1;  // of the runs of ranks that the numbers represent
  std::vector<std::uint64_t> longer(signatures.size());
  for (; 2 * length <= 2 * reach + 1; length *= 2) {
    for (std::int64_t rank = 0; rank < procs; ++rank)
      longer[at(rank)] = joined(signatures[at(rank)], signatures[at(rank + length)]);
    signatures.swap(longer);
  }
  for (std::int64_t rank = 0; rank < procs; ++rank)
    longer[at(rank)] =
        joined(signatures[at(rank - reach)], signatures[at(rank + reach + 1 - length)]);
  return longer;
}

std::vector<RankId> first_of_each(const std::vector<std::uint64_t>& windows) {
  std::unordered_map<std::uint64_t, RankId> first;
  std::vector<RankId> representative(windows.size());
  for (std::size_t rank = 0; rank < windows.size(); ++rank)
    representative[rank] =
        first.try_emplace(windows[rank], static_cast<RankId>(rank)).first->second;
  return representative;
}

// The ranks up to a distance of `reach` from a representative, in runs of whole periods.
std::vector<RankId> around(const std::vector<RankId>& representative, std::int64_t reach,
                           int period) {
  const std::int64_t procs = std::ssize(representative);
  std::vector<bool> is_near(representative.size());
  std::int64_t end = -procs;  // of the ranks marked so far
  for (std::int64_t rank = 0; rank < procs; ++rank) {
    if (representative[static_cast<std::size_t>(rank)] != rank) continue;
    const std::int64_t last = (rank + reach) / period * period + period - 1;
    for (std::int64_t i = std::max(end + 1, (rank - reach + procs) / period * period - procs);
         i <= last; ++i)
      is_near[static_cast<std::size_t>((i + procs) % procs)] = true;
    end = last;
  }
  std::vector<RankId> ranks;
  for (std::int64_t rank = 0; rank < procs; ++rank)
    if (is_near[static_cast<std::size_t>(rank)]) ranks.push_back(static_cast<RankId>(rank));
  return ranks;
}

}  // namespace

std::optional<RingClasses> classes_of(const StepJob& job, std::int64_t steps) {
  const RankId procs = job.procs();
  if (!are_same_rings(job.phases) || !has_ring_neighbors(job.phases.front(), procs) ||
      job.machine.background_Bps != nullptr || job.machine.routing == platforms::Routing::hashed)
    return std::nullopt;
  Hops hops(job);
  RingClasses classes;
  classes.per_step = hops.per_step();
  constexpr std::int64_t steps_around_loops = 4;
  classes.reach = (steps + steps_around_loops) * classes.per_step;
  if (2 * classes.reach * least_reduction > procs) return std::nullopt;
  classes.representative = first_of_each(windows(hops.signatures(), classes.reach));
  classes.simulated = around(classes.representative, classes.reach, job.phases.front().period);
  if (std::ssize(classes.simulated) * least_reduction > procs) return std::nullopt;
  return classes;
}

}  // namespace tutti::jobs::extrapolation
