// SPDX-License-Identifier: BSD-3-Clause
// Copies all global definitions of an archive into another one.
#pragma once

#include <otf2/otf2.h>

#include "sim/base/common.hpp"
#include "workloads/traces/otf2_archive.hpp"
#include "workloads/traces/otf2_output.hpp"

namespace tutti::workloads::traces {

// The changes between the old and the new archive.
struct Otf2Changes {
  std::unordered_map<OTF2_LocationRef, std::uint64_t> events;  // by location
  OTF2_TimeStamp old_last = 0;                                 // last of all events
  OTF2_TimeStamp new_first = UINT64_MAX;
  OTF2_TimeStamp new_last = 0;
};

// Also copies the creator, the description and the properties.
std::optional<Error> copy_otf2_definitions(Otf2Archive& from, Otf2Output& to,
                                           const Otf2Changes& changes);

}  // namespace tutti::workloads::traces
