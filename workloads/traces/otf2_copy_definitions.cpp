// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_copy_definitions.hpp"

#include <cstdlib>

// Deprecated definitions are copied, too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tutti::workloads::traces {
namespace {

struct Copy {
  OTF2_GlobalDefWriter* to = nullptr;
  const Otf2Changes* changes = nullptr;
  bool has_failed = false;  // a write has failed

  OTF2_CallbackCode check(OTF2_ErrorCode code) {
    has_failed = code != OTF2_SUCCESS;
    return has_failed ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
  }
};

template <class Callback, auto write>
struct CopyAs;
template <class... Arguments, auto write>
struct CopyAs<OTF2_CallbackCode (*)(void*, Arguments...), write> {
  static OTF2_CallbackCode call(void* user, Arguments... arguments) {
    Copy& copy = *static_cast<Copy*>(user);
    return copy.check(write(copy.to, arguments...));
  }
};

// The length changes with the last event; the clock starts no later than the first event.
OTF2_CallbackCode copy_clock(void* user, std::uint64_t resolution, std::uint64_t offset,
                             std::uint64_t length, std::uint64_t realtime) {
  Copy& copy = *static_cast<Copy*>(user);
  const Otf2Changes& changes = *copy.changes;
  const std::uint64_t begin = std::min(offset, changes.new_first);
  const std::uint64_t old_end = std::max(offset + length, changes.old_last);
  const std::uint64_t end = old_end - changes.old_last + changes.new_last;
  if (begin < offset && realtime != OTF2_UNDEFINED_TIMESTAMP)
    realtime -= static_cast<std::uint64_t>(static_cast<double>(offset - begin) /
                                           static_cast<double>(resolution) * 1e9);
  return copy.check(
      OTF2_GlobalDefWriter_WriteClockProperties(copy.to, resolution, begin, end - begin, realtime));
}

OTF2_CallbackCode copy_location(void* user, OTF2_LocationRef id, OTF2_StringRef name,
                                OTF2_LocationType type, std::uint64_t events,
                                OTF2_LocationGroupRef group) {
  Copy& copy = *static_cast<Copy*>(user);
  const auto found = copy.changes->events.find(id);
  if (found != copy.changes->events.end()) events = found->second;
  return copy.check(OTF2_GlobalDefWriter_WriteLocation(copy.to, id, name, type, events, group));
}

using Text = std::unique_ptr<char, decltype(&std::free)>;

// The text that a library function returns through a pointer; null on failure.
template <class Get>
Text text_of(const Get& get) {
  char* text = nullptr;
  if (get(&text) != OTF2_SUCCESS) text = nullptr;
  return {text, std::free};
}

void copy_properties(OTF2_Reader* from, OTF2_Archive* to) {
  const Text creator = text_of([&](char** text) { return OTF2_Reader_GetCreator(from, text); });
  if (creator) OTF2_Archive_SetCreator(to, creator.get());
  const Text machine = text_of([&](char** text) { return OTF2_Reader_GetMachineName(from, text); });
  if (machine) OTF2_Archive_SetMachineName(to, machine.get());
  const Text description =
      text_of([&](char** text) { return OTF2_Reader_GetDescription(from, text); });
  if (description) OTF2_Archive_SetDescription(to, description.get());
  std::uint32_t count = 0;
  char** names = nullptr;
  if (OTF2_Reader_GetPropertyNames(from, &count, &names) != OTF2_SUCCESS) return;
  const std::unique_ptr<char*, decltype(&std::free)> owned(names, std::free);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Text value =
        text_of([&](char** text) { return OTF2_Reader_GetProperty(from, names[i], text); });
    if (value) OTF2_Archive_SetProperty(to, names[i], value.get(), true);
  }
}

}  // namespace

std::optional<Error> copy_otf2_definitions(Otf2Archive& from, Otf2Output& to,
                                           const Otf2Changes& changes) {
  copy_properties(from.reader(), to.archive());
  auto writer = TUTTI_TRY(to.definitions());
  Copy copy{.to = writer, .changes = &changes};
  const std::unique_ptr<OTF2_GlobalDefReaderCallbacks,
                        decltype(&OTF2_GlobalDefReaderCallbacks_Delete)>
      callbacks(OTF2_GlobalDefReaderCallbacks_New(), OTF2_GlobalDefReaderCallbacks_Delete);
#define TUTTI_COPY(name)                             \
  OTF2_GlobalDefReaderCallbacks_Set##name##Callback( \
      callbacks.get(),                               \
      CopyAs<OTF2_GlobalDefReaderCallback_##name, OTF2_GlobalDefWriter_Write##name>::call);
  TUTTI_OTF2_DEFINITIONS(TUTTI_COPY)
#undef TUTTI_COPY
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks.get(), copy_clock);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks.get(), copy_location);
  const auto error = from.read_definitions(callbacks.get(), &copy);
  if (copy.has_failed) return to.failed();
  return error;
}

}  // namespace tutti::workloads::traces
