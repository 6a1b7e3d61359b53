// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_definitions.hpp"

#include <unordered_set>

#include "workloads/traces/otf2_raw_definitions.hpp"

namespace tutti::workloads::traces {
namespace {

using Raw = RawDefinitions;

bool starts_with_one_of(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.starts_with(word); });
}
bool contains_one_of(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

bool has_name_of_mpi(std::string_view name) {
  return starts_with_one_of(name, {"MPI_", "PMPI_", "mpi_", "pmpi_"});
}

bool is_of_threads(OTF2_Paradigm paradigm) {
  switch (paradigm) {
    case OTF2_PARADIGM_OPENMP:
    case OTF2_PARADIGM_PTHREAD:
    case OTF2_PARADIGM_OMPSS:
    case OTF2_PARADIGM_WINTHREAD:
    case OTF2_PARADIGM_QTTHREAD:
    case OTF2_PARADIGM_ACETHREAD:
    case OTF2_PARADIGM_TBBTHREAD:
      return true;
    default:
      return false;
  }
}

bool is_of_accelerators(OTF2_Paradigm paradigm, std::string_view name) {
  return paradigm == OTF2_PARADIGM_CUDA || paradigm == OTF2_PARADIGM_HIP ||
         paradigm == OTF2_PARADIGM_OPENCL || paradigm == OTF2_PARADIGM_OPENACC ||
         starts_with_one_of(name, {"cuda", "hip", "cuLaunch", "cuMem", "cuStream", "cuCtx",
                                   "cuEvent", "clEnqueue", "clFinish", "clWait", "acc_", "acc "});
}

// Calls of the interfaces of accelerators are known by name; a copy waits unless it is "Async".
RegionRole role_of(const RawDefinitions::Region& region, std::string_view name) {
  const bool is_barrier =
      region.role == OTF2_REGION_ROLE_BARRIER || region.role == OTF2_REGION_ROLE_IMPLICIT_BARRIER;
  if ((is_barrier && is_of_threads(region.paradigm)) ||
      starts_with_one_of(name, {"!$omp barrier", "!$omp implicit barrier", "!$omp ibarrier"}))
    return RegionRole::thread_barrier;
  if ((region.role == OTF2_REGION_ROLE_PARALLEL && is_of_threads(region.paradigm)) ||
      name.starts_with("!$omp parallel"))
    return RegionRole::parallel;
  if (name.starts_with("!$omp target")) return RegionRole::launch;
  if (!is_of_accelerators(region.paradigm, name)) return RegionRole::plain;
  if (contains_one_of(name, {"StreamWaitEvent", "acc_wait_async", "acc wait async"}))
    return RegionRole::device_order;
  if (contains_one_of(name, {"Launch", "EnqueueNDRange", "EnqueueTask", "Async", "launch_kernel",
                             "launch kernel", "acc_upload", "acc_download"}))
    return RegionRole::launch;
  if (contains_one_of(name, {"StreamQuery", "EventQuery"})) return RegionRole::device_query;
  if (contains_one_of(name, {"EventRecord"})) return RegionRole::device_record;
  constexpr std::array free{"cudaFree", "hipFree", "cuMemFree", "cuMemFree_v2"};
  if (std::ranges::find(free, name) != free.end() ||
      contains_one_of(
          name, {"Synchronize", "Memcpy", "Memset", "clFinish", "clWaitForEvents", "clEnqueueRead",
                 "clEnqueueWrite", "clEnqueueCopy", "acc_wait", "acc wait"}))
    return RegionRole::device_wait;
  return RegionRole::plain;
}

// The members next to each member in a Cartesian topology; empty if it is not complete.
std::vector<std::vector<std::uint32_t>> neighbors_in(const RawDefinitions& raw,
                                                     const RawDefinitions::Topology& topology,
                                                     std::size_t members) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> member_at;
  for (const auto& [rank, coordinates] : topology.coordinates)
    if (rank < members) member_at[coordinates] = rank;
  if (member_at.size() != members) return {};
  std::vector<std::vector<std::uint32_t>> neighbors(members);
  for (const auto& [coordinates, rank] : member_at)
    for (std::size_t i = 0; i < std::min(topology.dimensions.size(), coordinates.size()); ++i) {
      const auto found = raw.dimensions.find(topology.dimensions[i]);
      if (found == raw.dimensions.end() || found->second.size == 0) return {};
      const auto [size, is_periodic] = found->second;
      for (const std::uint32_t step : {size - 1, 1U}) {
        const bool wraps = step == 1 ? coordinates[i] + 1 == size : coordinates[i] == 0;
        if (wraps && !is_periodic) continue;
        auto next = coordinates;
        next[i] = (coordinates[i] + step) % size;
        if (const auto at = member_at.find(next); at != member_at.end())
          neighbors[rank].push_back(at->second);
      }
    }
  return neighbors;
}

class Resolver {
 public:
  Resolver(const Otf2Archive& archive, const Raw& all) : archive_(archive), raw_(all) {}

  Result<Otf2Definitions> resolve() {
    made_.trace.creator = archive_.creator();
    clock();
    add_regions();
    if (auto error = choose_ranks()) return *error;
    distinguish_ranks();
    place_others();
    for (const Raw::Communicator& communicator : raw_.communicators) add(communicator);
    for (const Raw::Window& window : raw_.windows) add(window);
    for (const auto& [id, topology] : raw_.topologies) add(topology);
    if (!raw_.windows.empty()) add_groups();
    if (raw_.has_duplicate_groups)
      made_.notes.add("some groups are defined twice: the last definition is used");
    return std::move(made_);
  }

 private:
  void clock() {
    if (raw_.ticks_per_s > 0) {
      made_.trace.ticks_per_s = raw_.ticks_per_s;
    } else {
      made_.notes.add("the clock is not defined: its ticks are assumed to be nanoseconds");
    }
  }

  // Merges regions with the same name: EZTrace defines each region once per rank.
  void add_regions() {
    std::unordered_map<std::string, std::uint32_t> by_name;
    for (const Raw::Region& region : raw_.regions) {
      const std::string name = raw_.string(region.name, fmt::format("region {}", region.id));
      const auto [found, is_new] = by_name.try_emplace(name, made_.trace.regions.size());
      const bool is_mpi = region.paradigm == OTF2_PARADIGM_MPI || has_name_of_mpi(name);
      if (is_new)
        made_.trace.regions.push_back(
            {name, is_mpi, is_mpi ? RegionRole::plain : role_of(region, name)});
      made_.regions.set(region.id, found->second);
    }
    // Where the calls below target regions are recorded, those launch and wait.
    const auto is_target = [](const TraceRegion& region) {
      return region.name.starts_with("!$omp target");
    };
    if (std::ranges::any_of(made_.trace.regions, [&](const TraceRegion& region) {
          return region.role == RegionRole::launch && !is_target(region);
        }))
      for (TraceRegion& region : made_.trace.regions)
        if (is_target(region)) region.role = RegionRole::plain;
    for (const Raw::CallingContext& context : raw_.contexts)
      made_.contexts.set(context.id, made_.region(context.region));
  }

  std::optional<Error> choose_ranks() {
    std::unordered_map<OTF2_LocationRef, const Raw::Location*> by_id;
    for (const Raw::Location& location : raw_.locations) by_id[location.id] = &location;
    const auto& world = raw_.world(OTF2_PARADIGM_MPI);
    const std::vector<std::uint64_t> ranks = !world.empty() ? world : main_threads();
    if (ranks.empty())
      return make_error(ErrorKind::input, archive_.anchor(), "the trace has no processes",
                        "it defines no location of type CPU_THREAD; record it with Score-P or "
                        "EZTrace, for example scorep --mpp=mpi");
    for (const OTF2_LocationRef id : ranks) {
      const auto found = by_id.find(id);
      if (!rank_of_.try_emplace(id, made_.locations.size()).second)
        return make_error(ErrorKind::input, archive_.anchor(),
                          fmt::format("location {} represents more than one MPI rank", id),
                          "the archive is damaged");
      add_rank(id, found == by_id.end() ? nullptr : found->second);
    }
    return std::nullopt;
  }

  // The first thread of each process.
  std::vector<std::uint64_t> main_threads() {
    const bool has_mpi = std::ranges::any_of(made_.trace.regions, &TraceRegion::is_mpi);
    if (has_mpi)
      made_.notes.add(
          "no list of MPI ranks is defined: processes are numbered in the order of "
          "their definition");
    std::vector<std::uint64_t> threads;
    std::unordered_set<OTF2_LocationGroupRef> seen;
    for (const Raw::Location& location : raw_.locations) {
      if (location.type != OTF2_LOCATION_TYPE_CPU_THREAD || !seen.insert(location.group).second)
        continue;
      threads.push_back(location.id);
    }
    return threads;
  }

  // Appends the rank's number to names that are not unique.
  void distinguish_ranks() {
    auto& names = made_.trace.ranks;
    std::unordered_map<std::string, int> count;
    for (const auto& name : names) ++count[name];
    for (TraceRank rank = 0; rank < names.size(); ++rank)
      if (count[names[rank]] > 1) names[rank] += fmt::format(" (rank {})", rank);
  }

  void add_rank(OTF2_LocationRef id, const Raw::Location* location) {
    const TraceRank rank = static_cast<TraceRank>(made_.locations.size());
    std::string name = fmt::format("rank {}", rank);
    if (location != nullptr) {
      const auto group = raw_.location_groups.find(location->group);
      name = raw_.string(location->name, name);
      if (group != raw_.location_groups.end()) name = raw_.string(group->second.name, name);
      process_rank_.try_emplace(location->group, rank);
    } else {
      made_.notes.add("MPI ranks without a location have no events");
    }
    made_.locations.push_back(id);
    made_.reported_events.push_back(location != nullptr ? location->events : 0);
    made_.is_defined.push_back(location != nullptr);
    made_.trace.ranks.push_back(std::move(name));
    made_.trace.nodes.push_back(location == nullptr ? "unknown" : node_of(location->group));
  }

  // The name of the nearest enclosing node of the system tree, or else of its innermost part.
  std::string node_of(OTF2_LocationGroupRef group) const {
    const auto process = raw_.location_groups.find(group);
    if (process == raw_.location_groups.end()) return "unknown";
    auto part = raw_.system_nodes.find(process->second.node);
    if (part == raw_.system_nodes.end()) return "unknown";
    std::string name = raw_.string(part->second.name, "unknown");
    for (std::size_t i = 0; i < raw_.system_nodes.size(); ++i) {  // a bound, since it may be cyclic
      if (raw_.string(part->second.kind, "") == "node") return raw_.string(part->second.name, name);
      part = raw_.system_nodes.find(part->second.parent);
      if (part == raw_.system_nodes.end()) break;
    }
    return name;
  }

  // The rank of the location's process or, for accelerators, of the process that created its group.
  TraceRank rank_near(OTF2_LocationGroupRef group) const {
    if (const auto found = process_rank_.find(group); found != process_rank_.end())
      return found->second;
    const auto made_by = raw_.location_groups.find(group);
    if (made_by == raw_.location_groups.end()) return 0;
    const auto found = process_rank_.find(made_by->second.creator);
    return found == process_rank_.end() ? 0 : found->second;
  }

  // Threads and streams follow the ranks; other locations are only copied.
  void place_others() {
    std::uint64_t copied = 0;
    std::unordered_set<OTF2_LocationRef> seen;
    for (const Raw::Location& location : raw_.locations) {
      if (rank_of_.contains(location.id) || !seen.insert(location.id).second) continue;
      if (location.type == OTF2_LOCATION_TYPE_CPU_THREAD ||
          location.type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM) {
        add_location(location);
      } else {
        made_.others.push_back({location.id, rank_near(location.group)});
        ++copied;
      }
    }
    if (copied > 0)
      made_.notes.add(fmt::format("{} of metrics: the events move with those of the rank",
                                  counted(copied, "location")));
  }

  void add_location(const Raw::Location& location) {
    const bool is_stream = location.type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
    const TraceRank rank = rank_near(location.group);
    const auto index = static_cast<TraceRank>(made_.locations.size());
    rank_of_.emplace(location.id, index);
    const std::string name =
        raw_.string(location.name, fmt::format("{} {}", is_stream ? "stream" : "thread", index));
    made_.trace.others.push_back(
        {fmt::format("{}, {}", made_.trace.ranks[rank], name), rank,
         is_stream ? TraceLocation::Kind::stream : TraceLocation::Kind::thread});
    made_.locations.push_back(location.id);
    made_.reported_events.push_back(location.events);
    made_.is_defined.push_back(true);
  }

  // The trace ranks that the rank numbers in a communicator of this group refer to.
  std::vector<TraceRank> members(OTF2_GroupRef id, const std::string& of) {
    const auto found = raw_.groups.find(id);
    if (found == raw_.groups.end()) {
      made_.notes.add(fmt::format(
          "the group of {} is not defined: it is assumed to contain all ranks", in_quotes(of)));
      return all_ranks();
    }
    const Raw::Group& group = found->second;
    if (group.type == OTF2_GROUP_TYPE_COMM_SELF) return {};
    if (group.has_global_ranks) return all_ranks();
    std::vector<TraceRank> ranks;
    ranks.reserve(group.members.size());
    for (const std::uint64_t member : group.members) ranks.push_back(location(group, member));
    return ranks;
  }

  // The location of a group's member, which is an index into the paradigm's list of locations or,
  // depending on the type of the group, a location.
  TraceRank location(const Raw::Group& group, std::uint64_t member) const {
    if (group.type == OTF2_GROUP_TYPE_COMM_GROUP) {
      const auto& world = raw_.world(group.paradigm);
      if (group.paradigm == OTF2_PARADIGM_MPI || world.empty())
        return member < made_.trace.ranks.size() ? static_cast<TraceRank>(member) : none;
      if (member >= world.size()) return none;
      member = world[member];
    }
    const auto found = rank_of_.find(member);
    return found == rank_of_.end() ? none : found->second;
  }

  std::vector<TraceRank> all_ranks() const {
    std::vector<TraceRank> ranks(made_.trace.ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
  }

  void add(const Raw::Communicator& communicator) {
    const std::string name =
        raw_.string(communicator.name, fmt::format("communicator {}", communicator.id));
    Otf2Peers peers{.members = members(communicator.group, name), .remote = {}};
    if (communicator.remote != OTF2_UNDEFINED_GROUP) {
      peers.remote = members(communicator.remote, name);
      made_.notes.add("the trace contains inter-communicators");
    }
    for (const auto* list : {&peers.members, &peers.remote})
      if (std::count(list->begin(), list->end(), none) > 0)
        made_.notes.add(fmt::format("{} has members that are not defined", in_quotes(name)));
    std::vector<TraceRank> all = peers.members;
    all.insert(all.end(), peers.remote.begin(), peers.remote.end());
    std::erase(all, none);
    made_.communicators.set(communicator.id, static_cast<std::uint32_t>(made_.peers.size()));
    made_.peers.push_back(std::move(peers));
    const auto group = raw_.groups.find(communicator.group);
    const bool is_team = group != raw_.groups.end() && is_of_threads(group->second.paradigm);
    made_.trace.communicators.push_back(
        {name, std::move(all),
         is_team ? TraceCommunicator::Kind::team : TraceCommunicator::Kind::mpi});
  }

  // A window has collectives of its own, so it is a communicator with the same members.
  void add(const Raw::Window& window) {
    const std::uint32_t of = made_.communicator(window.communicator);
    const std::string name = raw_.string(window.name, fmt::format("window {}", window.id));
    made_.windows.set(window.id, static_cast<std::uint32_t>(made_.peers.size()));
    made_.peers.push_back(Otf2Peers(made_.peers[of]));
    made_.trace.communicators.push_back(
        {name, made_.trace.communicators[of].members, TraceCommunicator::Kind::window});
  }

  void add(const Raw::Topology& topology) {
    const std::uint32_t found = made_.communicators.find(topology.communicator);
    if (found == none) return;
    auto& communicator = made_.trace.communicators[found];
    communicator.neighbors = neighbors_in(raw_, topology, communicator.members.size());
  }

  // The groups of processes to which synchronizations of windows may refer.
  void add_groups() {
    for (const OTF2_GroupRef id : raw_.group_order) {
      const Raw::Group& group = raw_.groups.at(id);
      if (group.paradigm != OTF2_PARADIGM_MPI || (group.type != OTF2_GROUP_TYPE_COMM_GROUP &&
                                                  group.type != OTF2_GROUP_TYPE_COMM_LOCATIONS))
        continue;
      auto ranks = members(id, "a group");
      std::erase_if(ranks, [&](TraceRank rank) { return rank >= made_.trace.ranks.size(); });
      made_.groups.set(id, static_cast<std::uint32_t>(made_.trace.groups.size()));
      made_.trace.groups.push_back(std::move(ranks));
    }
  }

  const Otf2Archive& archive_;
  const Raw& raw_;
  Otf2Definitions made_;
  std::unordered_map<OTF2_LocationRef, TraceRank> rank_of_;
  std::unordered_map<OTF2_LocationGroupRef, TraceRank> process_rank_;
};

}  // namespace

std::vector<OTF2_LocationRef> Otf2Definitions::all_locations() const {
  std::vector<OTF2_LocationRef> all;
  for (TraceRank rank = 0; rank < locations.size(); ++rank)
    if (is_defined[rank]) all.push_back(locations[rank]);
  for (const Otf2OtherLocation& other : others) all.push_back(other.location);
  return all;
}

std::uint32_t Otf2Definitions::region(OTF2_RegionRef id) {
  if (const std::uint32_t found = regions.find(id); found != none) return found;
  const std::string name = fmt::format("region {}", id);
  notes.add(name + " is not defined");
  trace.regions.push_back({name, false});
  regions.set(id, static_cast<std::uint32_t>(trace.regions.size() - 1));
  return regions.find(id);
}

std::uint32_t Otf2Definitions::region_of_context(OTF2_CallingContextRef id) {
  if (const std::uint32_t found = contexts.find(id); found != none) return found;
  const std::string name = fmt::format("calling context {}", id);
  notes.add(name + " is not defined");
  trace.regions.push_back({name, false});
  contexts.set(id, static_cast<std::uint32_t>(trace.regions.size() - 1));
  return contexts.find(id);
}

std::uint32_t Otf2Definitions::communicator(OTF2_CommRef id) {
  if (const std::uint32_t found = communicators.find(id); found != none) return found;
  const std::string name = fmt::format("communicator {}", id);
  notes.add(name + " is not defined: it is assumed to contain all ranks");
  Otf2Peers all;
  all.members.resize(trace.ranks.size());
  std::iota(all.members.begin(), all.members.end(), 0);
  trace.communicators.push_back({name, all.members});
  peers.push_back(std::move(all));
  communicators.set(id, static_cast<std::uint32_t>(peers.size() - 1));
  return communicators.find(id);
}

TraceRank Otf2Definitions::peer(std::uint32_t communicator, std::uint32_t peer,
                                TraceRank rank) const {
  const Otf2Peers& of = peers[communicator];
  if (of.members.empty()) return peer == 0 ? rank : none;
  const bool is_inter = !of.remote.empty();
  const bool is_member =
      is_inter && std::find(of.members.begin(), of.members.end(), rank) != of.members.end();
  const std::vector<TraceRank>& list = is_member ? of.remote : of.members;
  return peer < list.size() ? list[peer] : none;
}

Result<Otf2Definitions> read_otf2_definitions(Otf2Archive& archive) {
  const auto all = TUTTI_TRY(read_raw_definitions(archive));
  return Resolver(archive, all).resolve();
}

}  // namespace tutti::workloads::traces
