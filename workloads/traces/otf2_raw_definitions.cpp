// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_raw_definitions.hpp"

namespace tutti::workloads::traces {
namespace {

RawDefinitions& raw(void* user) { return *static_cast<RawDefinitions*>(user); }

// EZTrace uses the same identifier for the list of all locations and for the first group.
OTF2_CallbackCode on_group(void* user, OTF2_GroupRef id, OTF2_StringRef, OTF2_GroupType type,
                           OTF2_Paradigm paradigm, OTF2_GroupFlag flags, std::uint32_t count,
                           const std::uint64_t* members) {
  RawDefinitions& all = raw(user);
  std::vector<std::uint64_t> list(members, members + count);
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
    auto& world = all.worlds[paradigm];
    if (world.empty()) world = list;
    if (all.groups.contains(id)) return OTF2_CALLBACK_SUCCESS;
  } else if (const auto found = all.groups.find(id);
             found != all.groups.end() && found->second.type == type) {
    all.has_duplicate_groups = true;
  }
  if (!all.groups.contains(id)) all.group_order.push_back(id);
  all.groups[id] = {type, paradigm, (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0, std::move(list)};
  return OTF2_CALLBACK_SUCCESS;
}

void set_process_callbacks(OTF2_GlobalDefReaderCallbacks* to) {
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
      to, [](void* user, std::uint64_t resolution, std::uint64_t, std::uint64_t, std::uint64_t) {
        raw(user).ticks_per_s = static_cast<double>(resolution);
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(
      to, [](void* user, OTF2_StringRef id, const char* text) {
        raw(user).strings[id] = text;
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(
      to, [](void* user, OTF2_LocationGroupRef id, OTF2_StringRef name, OTF2_LocationGroupType type,
             OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator) {
        raw(user).location_groups[id] = {name, type, creator, node};
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(
      to, [](void* user, OTF2_SystemTreeNodeRef id, OTF2_StringRef name, OTF2_StringRef kind,
             OTF2_SystemTreeNodeRef parent) {
        raw(user).system_nodes[id] = {name, kind, parent};
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(
      to, [](void* user, OTF2_LocationRef id, OTF2_StringRef name, OTF2_LocationType type,
             std::uint64_t events, OTF2_LocationGroupRef group) {
        raw(user).locations.push_back({id, name, type, events, group});
        return OTF2_CALLBACK_SUCCESS;
      });
}

void set_other_callbacks(OTF2_GlobalDefReaderCallbacks* to) {
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(
      to, [](void* user, OTF2_RegionRef id, OTF2_StringRef name, OTF2_StringRef, OTF2_StringRef,
             OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag, OTF2_StringRef,
             std::uint32_t, std::uint32_t) {
        raw(user).regions.push_back({id, name, role, paradigm});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(
      to, [](void* user, OTF2_CallingContextRef id, OTF2_RegionRef region,
             OTF2_SourceCodeLocationRef, OTF2_CallingContextRef) {
        raw(user).contexts.push_back({id, region});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(to, on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(
      to, [](void* user, OTF2_CommRef id, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef,
             OTF2_CommFlag) {
        raw(user).communicators.push_back({id, name, group, OTF2_UNDEFINED_GROUP});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(
      to, [](void* user, OTF2_CommRef id, OTF2_StringRef name, OTF2_GroupRef group,
             OTF2_GroupRef remote, OTF2_CommRef, OTF2_CommFlag) {
        raw(user).communicators.push_back({id, name, group, remote});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(
      to,
      [](void* user, OTF2_RmaWinRef id, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag) {
        raw(user).windows.push_back({id, name, comm});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetCartDimensionCallback(
      to, [](void* user, OTF2_CartDimensionRef id, OTF2_StringRef, std::uint32_t size,
             OTF2_CartPeriodicity periodicity) {
        raw(user).dimensions[id] = {size, periodicity == OTF2_CART_PERIODIC_TRUE};
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetCartTopologyCallback(
      to, [](void* user, OTF2_CartTopologyRef id, OTF2_StringRef, OTF2_CommRef comm,
             std::uint8_t count, const OTF2_CartDimensionRef* dimensions) {
        auto& topology = raw(user).topologies[id];
        topology.communicator = comm;
        topology.dimensions.assign(dimensions, dimensions + count);
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetCartCoordinateCallback(
      to, [](void* user, OTF2_CartTopologyRef id, std::uint32_t rank, std::uint8_t count,
             const std::uint32_t* coordinates) {
        raw(user).topologies[id].coordinates[rank].assign(coordinates, coordinates + count);
        return OTF2_CALLBACK_SUCCESS;
      });
}

}  // namespace

Result<RawDefinitions> read_raw_definitions(Otf2Archive& archive) {
  RawDefinitions all;
  const std::unique_ptr<OTF2_GlobalDefReaderCallbacks,
                        decltype(&OTF2_GlobalDefReaderCallbacks_Delete)>
      callbacks(OTF2_GlobalDefReaderCallbacks_New(), OTF2_GlobalDefReaderCallbacks_Delete);
  set_process_callbacks(callbacks.get());
  set_other_callbacks(callbacks.get());
  if (auto error = archive.read_definitions(callbacks.get(), &all)) return *std::move(error);
  return all;
}

}  // namespace tutti::workloads::traces
