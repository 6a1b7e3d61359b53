// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/segment_run.hpp"

#include "platforms/topologies/derived_topology.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using algorithms::StepPhase;
using algorithms::StepSample;
using platforms::HostId;
using platforms::Link;
using platforms::LinkId;
using platforms::RouteEnds;
using runtime::RankId;
using Links = std::vector<LinkId>;
using HostPairs = std::set<std::pair<HostId, HostId>>;

// Relative difference of clocks that count as equal.
constexpr double rounding = 1e-12;

bool are_equal(Seconds one_s, Seconds other_s) {
  return std::abs(one_s - other_s) <= rounding * std::abs(other_s);
}

// The same topology with one more link, which is the route of some pairs of nodes, so that their
// messages do not delay others.
class CutTopology final : public platforms::DerivedTopology {
 public:
  CutTopology(std::shared_ptr<const Topology> whole, HostPairs pairs)
      : DerivedTopology(std::move(whole)),
        pairs_(std::move(pairs)),
        extra_(network().link_count()) {}

  LinkId link_count() const override { return extra_ + 1; }
  Link link(LinkId id) const override {
    if (id != extra_) return network().link(id);
    Link extra = network().link(0);
    extra.sharing = platforms::LinkSharing::fat_pipe;
    return extra;
  }
  std::string link_name(LinkId id) const override {
    return id == extra_ ? "cut" : network().link_name(id);
  }
  void route(HostId source, HostId destination, Links& links) const override {
    if (is_cut(source, destination)) return links.push_back(extra_);
    network().route(source, destination, links);
  }
  void rail_route(const RouteEnds& ends, Links& links) const override {
    if (is_cut(ends)) return links.push_back(extra_);
    network().rail_route(ends, links);
  }
  std::uint32_t shortest_paths(const RouteEnds& ends) const override {
    return is_cut(ends) ? 1 : network().shortest_paths(ends);
  }
  void shortest_path(const RouteEnds& ends, std::uint32_t number, Links& links) const override {
    if (is_cut(ends)) return links.push_back(extra_);
    network().shortest_path(ends, number, links);
  }
  std::uint64_t detours(const RouteEnds& ends) const override {
    return is_cut(ends) ? 0 : network().detours(ends);
  }
  LinkId end_of_equal_links(LinkId first) const override {
    return first == extra_ ? first + 1 : std::min(network().end_of_equal_links(first), extra_);
  }

 private:
  bool is_cut(HostId source, HostId destination) const {
    return pairs_.contains({source, destination});
  }
  bool is_cut(const RouteEnds& ends) const { return is_cut(ends.source, ends.destination); }

  HostPairs pairs_;
  LinkId extra_;
};

// Segments of a ring, joined to a shorter ring.
class Segments {
 public:
  Segments(const StepJob& job, const RingClasses& classes)
      : whole_(job), classes_(classes), point_(call_of_ranks(job, size())), machine_(job.machine) {
    const auto& all = job.placement;
    placement_.nodes = all.nodes;
    placement_.ppn = all.ppn;
    for (const RankId rank : classes.simulated) {
      placement_.host_of.push_back(all.host_of[rank]);
      if (!all.core_of.empty()) placement_.core_of.push_back(all.core_of[rank]);
      if (!all.socket_of.empty()) placement_.socket_of.push_back(all.socket_of[rank]);
    }
    cut_routes();
  }

  RankId size() const { return static_cast<RankId>(classes_.simulated.size()); }
  // False if the shorter ring is not the same program, or if a segment has the route of a cut.
  bool are_possible() const {
    const auto phases = phases_of(point_);
    if (!routes_are_free_ || phases.size() != whole_.phases.size()) return false;
    for (std::size_t i = 0; i < phases.size(); ++i)
      if (phases[i].message_bytes != whole_.phases[i].message_bytes || phases[i].block_bytes ||
          phases[i].to != whole_.phases[i].to || phases[i].from != whole_.phases[i].from)
        return false;
    return true;
  }
  StepJob job() const { return whole_.represented_by(point_, machine_, placement_); }
  // Number of ranks from the nearest end of a segment, by simulated rank.
  std::vector<std::int64_t> distances() const {
    std::vector<std::int64_t> all(classes_.simulated.size(), whole_.procs());
    const std::int64_t count = size();
    // Twice around the shorter ring, since it may be cut anywhere.
    for (std::int64_t i = 1; i < 2 * count; ++i)
      all[i % count] =
          is_cut_after((i - 1) % count) ? 0 : std::min(all[i % count], all[(i - 1) % count] + 1);
    for (std::int64_t i = 2 * count - 2; i >= 0; --i)
      all[i % count] =
          is_cut_after(i % count) ? 0 : std::min(all[i % count], all[(i + 1) % count] + 1);
    return all;
  }

 private:
  bool is_cut_after(std::int64_t i) const {
    const RankId next = classes_.simulated[static_cast<std::size_t>((i + 1) % size())];
    return algorithms::right_of(classes_.simulated[static_cast<std::size_t>(i)], 0,
                                whole_.procs()) != next;
  }
  // Messages between segments must not delay those inside, so they have a link of their own.
  void cut_routes() {
    HostPairs between, inside;
    for (std::int64_t i = 0; i < size(); ++i) {
      const auto here = placement_.host_of[static_cast<std::size_t>(i)];
      const auto next = placement_.host_of[static_cast<std::size_t>((i + 1) % size())];
      auto& pairs = is_cut_after(i) ? between : inside;
      if (here != next) pairs.insert({{here, next}, {next, here}});
    }
    routes_are_free_ =
        std::ranges::none_of(between, [&](const auto& pair) { return inside.contains(pair); });
    machine_.topology = std::make_shared<CutTopology>(whole_.machine.topology, std::move(between));
  }

  const StepJob& whole_;
  const RingClasses& classes_;
  Point point_;
  platforms::Machine machine_;
  platforms::Placement placement_;
  bool routes_are_free_ = false;
};

// The times of the recorded rows of a rank.
template <class Visit>
void for_each_row(const SampledRun& run, std::size_t phases, Visit visit) {
  for (std::size_t phase = 0; phase < phases; ++phase) {
    visit(phase, std::size_t{0});
    for (std::size_t row = run.sample.first_row(phase); row <= run.sample.steps(phase).size();
         ++row)
      visit(phase, row);
  }
}

// The simulated ranks by rank, -1 for others.
std::vector<RankId> places_of(const RingClasses& classes) {
  std::vector<RankId> places(classes.representative.size(), -1);
  for (std::size_t i = 0; i < classes.simulated.size(); ++i)
    places[static_cast<std::size_t>(classes.simulated[i])] = static_cast<RankId>(i);
  return places;
}

// Whether effects of the segments' ends are limited to ranks around them, as is assumed: further
// ranks end every step at the time of their representatives.
bool ends_are_far(const SampledRun& run, std::size_t phases, const RingClasses& classes,
                  const std::vector<std::int64_t>& distances) {
  const std::vector<RankId> places = places_of(classes);
  bool are_far = true;
  for_each_row(run, phases, [&](std::size_t phase, std::size_t row) {
    const auto clocks = run.sample.row(phase, row);
    for (std::size_t i = 0; are_far && i < clocks.size(); ++i) {
      const RankId representative =
          classes.representative[static_cast<std::size_t>(classes.simulated[i])];
      if (distances[i] >= classes.reach - classes.per_step)
        are_far = are_equal(
            clocks[i],
            clocks[static_cast<std::size_t>(places[static_cast<std::size_t>(representative)])]);
    }
  });
  return are_far;
}

// The simulated place of each rank's representative.
std::vector<RankId> places_of_representatives(const RingClasses& classes) {
  const std::vector<RankId> places = places_of(classes);
  std::vector<RankId> all;
  for (const RankId rank : classes.representative)
    all.push_back(places[static_cast<std::size_t>(rank)]);
  return all;
}

// By how much later all ranks of the job begin the ring than those of the segments: a call that
// first allocates and copies its vector copies a shorter one there. Afterwards, algorithms work on
// blocks, which are of equal size in both.
Seconds delay_of(const SampledRun& checked, const SampledRun& run,
                 const std::vector<RankId>& places) {
  return checked.sample.row(0, 0).front() -
         run.sample.row(0, 0)[static_cast<std::size_t>(places.front())];
}

// Gives every rank the times of its representative, `delay_s` later.
SampledRun expanded(const StepJob& job, std::int64_t steps, const SampledRun& run,
                    const std::vector<RankId>& places, Seconds delay_s) {
  SampledRun all{StepSample(job.procs(), first_steps_of(job, steps)), {}, {}};
  for_each_row(all, job.phases.size(), [&](std::size_t phase, std::size_t row) {
    const auto clocks = run.sample.row(phase, row);
    for (RankId rank = 0; rank < job.procs(); ++rank)
      all.sample.date(phase, row, rank, clocks[static_cast<std::size_t>(places[rank])] + delay_s);
  });
  for (const RankId place : places)
    all.end_s.push_back(run.end_s[static_cast<std::size_t>(place)] + delay_s);
  return all;
}

std::vector<StepSample::Chosen> recorded_from_start(const StepJob& job, std::int64_t steps) {
  auto chosen = first_steps_of(job, steps);
  for (auto& phase : chosen) phase.dated_from = 1;
  return chosen;
}

// Whether all ranks begin the ring and end the first steps at the times of their representatives,
// `delay_s` later.
bool agree(const SampledRun& checked, const SampledRun& run, const std::vector<RankId>& places,
           Seconds delay_s) {
  for (std::size_t row = 0; row <= checked.sample.steps(0).size(); ++row) {
    const auto all = checked.sample.row(0, row);
    const auto some = run.sample.row(0, row);
    for (std::size_t rank = 0; rank < places.size(); ++rank)
      if (!are_equal(all[rank], some[static_cast<std::size_t>(places[rank])] + delay_s))
        return false;
  }
  return true;
}

// Steps of all ranks that are simulated to check their classes and to count messages.
std::int64_t checked_steps(const StepJob& job) {
  constexpr std::int64_t of_all_phases = 4;
  return std::max<std::int64_t>(1, of_all_phases / std::ssize(job.phases));
}

// Whether the call begins at the ring, without a tree from a root.
bool is_possible(const StepJob& job) {
  const auto& call = job.point.call;
  return !algorithms::find_collective(call.algorithm->collective)->rooted &&
         call.args.counts == nullptr && call.args.hierarchy == nullptr;
}

}  // namespace

Result<std::optional<SampledRun>> run_segments(const StepJob& job, std::int64_t steps) {
  std::optional<SampledRun> all;
  if (!is_possible(job)) return all;
  const auto classes = classes_of(job, steps * std::ssize(job.phases));
  if (!classes) return all;
  const Segments segments(job, *classes);
  if (!segments.are_possible()) return all;
  const StepJob shorter = segments.job();
  const auto sampled = TUTTI_TRY(run(shorter, recorded_from_start(shorter, steps)));
  if (!ends_are_far(sampled, job.phases.size(), *classes, segments.distances())) return all;
  const std::vector<RankId> places = places_of_representatives(*classes);
  const auto checked = TUTTI_TRY(run(job, recorded_from_start(job, checked_steps(job))));
  const Seconds delay_s = delay_of(checked, sampled, places);
  if (!agree(checked, sampled, places, delay_s)) return all;
  all = expanded(job, steps, sampled, places, delay_s);
  all->counts = counts_of_part(job, counts_of_all(job, checked), all->sample);
  return all;
}

}  // namespace tutti::jobs::extrapolation
