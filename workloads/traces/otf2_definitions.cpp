// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_definitions.hpp"

#include <unordered_set>

namespace tutti::workloads::traces {
namespace {

// Unresolved definitions. They may refer to each other in any order, as those of EZTrace do.
struct Raw {
  struct Location {
    OTF2_LocationRef id;
    OTF2_StringRef name;
    OTF2_LocationType type;
    std::uint64_t events;
    OTF2_LocationGroupRef group;
  };
  struct LocationGroup {
    OTF2_StringRef name;
    OTF2_LocationGroupType type;
    OTF2_LocationGroupRef creator;
  };
  struct Region {
    OTF2_RegionRef id;
    OTF2_StringRef name;
    OTF2_Paradigm paradigm;
  };
  struct Group {
    OTF2_GroupType type;
    bool has_global_ranks;
    std::vector<std::uint64_t> members;
  };
  struct Communicator {
    OTF2_CommRef id;
    OTF2_StringRef name;
    OTF2_GroupRef group;
    OTF2_GroupRef remote;  // undefined unless an inter-communicator
  };

  double ticks_per_s = 0;
  std::unordered_map<OTF2_StringRef, std::string> strings;
  std::vector<Location> locations;
  std::unordered_map<OTF2_LocationGroupRef, LocationGroup> location_groups;
  std::vector<Region> regions;
  std::unordered_map<OTF2_GroupRef, Group> groups;
  std::vector<std::uint64_t> world;  // locations of MPI_COMM_WORLD
  std::vector<Communicator> communicators;
  bool has_duplicate_groups = false;

  std::string string(OTF2_StringRef id, const std::string& otherwise) const {
    const auto found = strings.find(id);
    return found == strings.end() || found->second.empty() ? otherwise : found->second;
  }
};

Raw& raw(void* user) { return *static_cast<Raw*>(user); }

OTF2_CallbackCode on_clock(void* user, std::uint64_t resolution, std::uint64_t, std::uint64_t,
                           std::uint64_t) {
  raw(user).ticks_per_s = static_cast<double>(resolution);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_string(void* user, OTF2_StringRef id, const char* text) {
  raw(user).strings[id] = text;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location_group(void* user, OTF2_LocationGroupRef id, OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef,
                                    OTF2_LocationGroupRef creator) {
  raw(user).location_groups[id] = {name, type, creator};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location(void* user, OTF2_LocationRef id, OTF2_StringRef name,
                              OTF2_LocationType type, std::uint64_t events,
                              OTF2_LocationGroupRef group) {
  raw(user).locations.push_back({id, name, type, events, group});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_region(void* user, OTF2_RegionRef id, OTF2_StringRef name, OTF2_StringRef,
                            OTF2_StringRef, OTF2_RegionRole, OTF2_Paradigm paradigm,
                            OTF2_RegionFlag, OTF2_StringRef, std::uint32_t, std::uint32_t) {
  raw(user).regions.push_back({id, name, paradigm});
  return OTF2_CALLBACK_SUCCESS;
}

// EZTrace uses the same identifier for the list of all locations and for the first group.
OTF2_CallbackCode on_group(void* user, OTF2_GroupRef id, OTF2_StringRef, OTF2_GroupType type,
                           OTF2_Paradigm paradigm, OTF2_GroupFlag flags, std::uint32_t count,
                           const std::uint64_t* members) {
  Raw& all = raw(user);
  std::vector<std::uint64_t> list(members, members + count);
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
    if (paradigm == OTF2_PARADIGM_MPI && all.world.empty()) all.world = list;
    if (all.groups.contains(id)) return OTF2_CALLBACK_SUCCESS;
  } else if (const auto found = all.groups.find(id);
             found != all.groups.end() && found->second.type == type) {
    all.has_duplicate_groups = true;
  }
  all.groups[id] = {type, (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0, std::move(list)};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_comm(void* user, OTF2_CommRef id, OTF2_StringRef name, OTF2_GroupRef group,
                          OTF2_CommRef, OTF2_CommFlag) {
  raw(user).communicators.push_back({id, name, group, OTF2_UNDEFINED_GROUP});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_inter_comm(void* user, OTF2_CommRef id, OTF2_StringRef name,
                                OTF2_GroupRef group, OTF2_GroupRef remote, OTF2_CommRef,
                                OTF2_CommFlag) {
  raw(user).communicators.push_back({id, name, group, remote});
  return OTF2_CALLBACK_SUCCESS;
}

std::optional<Error> read_raw(Otf2Archive& archive, Raw& all) {
  const std::unique_ptr<OTF2_GlobalDefReaderCallbacks,
                        decltype(&OTF2_GlobalDefReaderCallbacks_Delete)>
      callbacks(OTF2_GlobalDefReaderCallbacks_New(), OTF2_GlobalDefReaderCallbacks_Delete);
  OTF2_GlobalDefReaderCallbacks* to = callbacks.get();
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(to, on_clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(to, on_string);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(to, on_location_group);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(to, on_location);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(to, on_region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(to, on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(to, on_comm);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(to, on_inter_comm);
  return archive.read_definitions(to, &all);
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
    for (const Raw::Communicator& each : raw_.communicators) add(each);
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
    for (const Raw::Region& each : raw_.regions) {
      const std::string name = raw_.string(each.name, fmt::format("region {}", each.id));
      const auto [found, is_new] = by_name.try_emplace(name, made_.trace.regions.size());
      const bool is_mpi = each.paradigm == OTF2_PARADIGM_MPI || name.starts_with("MPI_");
      if (is_new) made_.trace.regions.push_back({name, is_mpi});
      made_.regions.set(each.id, found->second);
    }
  }

  std::optional<Error> choose_ranks() {
    std::unordered_map<OTF2_LocationRef, const Raw::Location*> by_id;
    for (const Raw::Location& each : raw_.locations) by_id[each.id] = &each;
    const bool has_mpi = std::any_of(made_.trace.regions.begin(), made_.trace.regions.end(),
                                     [](const TraceRegion& each) { return each.is_mpi; });
    const std::vector<std::uint64_t> ranks = !raw_.world.empty() ? raw_.world
                                             : has_mpi           ? main_threads()
                                                                 : std::vector<std::uint64_t>{};
    if (ranks.empty())
      return make_error(ErrorKind::input, archive_.anchor(), "the trace has no MPI ranks",
                        "record it with MPI events: scorep --mpp=mpi, or eztrace -t openmpi");
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
    made_.notes.add(
        "no list of MPI ranks is defined: processes are numbered in the order of their definition");
    std::vector<std::uint64_t> threads;
    std::unordered_set<OTF2_LocationGroupRef> seen;
    for (const Raw::Location& each : raw_.locations) {
      if (each.type != OTF2_LOCATION_TYPE_CPU_THREAD || !seen.insert(each.group).second) continue;
      threads.push_back(each.id);
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

  static const char* kind(OTF2_LocationType type) {
    switch (type) {
      case OTF2_LOCATION_TYPE_CPU_THREAD:
        return "additional threads";
      case OTF2_LOCATION_TYPE_ACCELERATOR_STREAM:
        return "accelerator streams";
      case OTF2_LOCATION_TYPE_METRIC:
        return "metric locations";
      default:
        return "locations of unknown type";
    }
  }

  void place_others() {
    std::map<OTF2_LocationType, std::uint64_t> omitted;  // determines the order of the notes
    std::unordered_set<OTF2_LocationRef> seen;
    for (const Raw::Location& each : raw_.locations) {
      if (rank_of_.contains(each.id) || !seen.insert(each.id).second) continue;
      made_.others.push_back({each.id, rank_near(each.group)});
      ++omitted[each.type];
    }
    for (const auto& [type, count] : omitted)
      made_.notes.add(fmt::format("{} omitted: {}", kind(type), count));
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
    for (const std::uint64_t member : group.members) ranks.push_back(rank(group.type, member));
    return ranks;
  }

  // The rank of a group's member, which is an index into the list of ranks or, depending on the
  // type of the group, a location.
  TraceRank rank(OTF2_GroupType type, std::uint64_t member) const {
    if (type == OTF2_GROUP_TYPE_COMM_GROUP)
      return member < made_.locations.size() ? static_cast<TraceRank>(member) : none;
    const auto found = rank_of_.find(member);
    return found == rank_of_.end() ? none : found->second;
  }

  std::vector<TraceRank> all_ranks() const {
    std::vector<TraceRank> ranks(made_.locations.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
  }

  void add(const Raw::Communicator& each) {
    const std::string name = raw_.string(each.name, fmt::format("communicator {}", each.id));
    Otf2Peers peers{.members = members(each.group, name), .remote = {}};
    if (each.remote != OTF2_UNDEFINED_GROUP) {
      peers.remote = members(each.remote, name);
      made_.notes.add("the trace contains inter-communicators");
    }
    for (const auto* list : {&peers.members, &peers.remote})
      if (std::count(list->begin(), list->end(), none) > 0)
        made_.notes.add(fmt::format("{} has members that are not defined", in_quotes(name)));
    std::vector<TraceRank> all = peers.members;
    all.insert(all.end(), peers.remote.begin(), peers.remote.end());
    std::erase(all, none);
    made_.communicators.set(each.id, static_cast<std::uint32_t>(made_.peers.size()));
    made_.peers.push_back(std::move(peers));
    made_.trace.communicators.push_back({name, std::move(all)});
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
  for (const Otf2OtherLocation& each : others) all.push_back(each.location);
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

std::uint32_t Otf2Definitions::communicator(OTF2_CommRef id) {
  if (const std::uint32_t found = communicators.find(id); found != none) return found;
  const std::string name = fmt::format("communicator {}", id);
  notes.add(name + " is not defined: it is assumed to contain all ranks");
  Otf2Peers all;
  all.members.resize(locations.size());
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
  Raw all;
  if (auto error = read_raw(archive, all)) return *error;
  return Resolver(archive, all).resolve();
}

}  // namespace tutti::workloads::traces
