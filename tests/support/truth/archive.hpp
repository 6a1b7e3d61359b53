// SPDX-License-Identifier: BSD-3-Clause
// Writes a run as an OTF2 archive, in the conventions of Score-P 8.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/truth/definitions.hpp"

namespace tutti::tests::truth {
namespace detail {

inline OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}
inline OTF2_TimeStamp flushed_at(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }

inline void write_events(OTF2_Archive* archive, const Program& program, const Log& log) {
  REQUIRE(OTF2_Archive_OpenEvtFiles(archive) == OTF2_SUCCESS);
  for (int place = 0; place < program.place_count(); ++place) {
    auto* to = OTF2_Archive_GetEvtWriter(archive, location_id(program, place));
    REQUIRE(to != nullptr);
    for (const Record& each : log.records[static_cast<std::size_t>(place)])
      REQUIRE(each.write(to, static_cast<OTF2_TimeStamp>(each.time)) == OTF2_SUCCESS);
    REQUIRE(OTF2_Archive_CloseEvtWriter(archive, to) == OTF2_SUCCESS);
  }
  REQUIRE(OTF2_Archive_CloseEvtFiles(archive) == OTF2_SUCCESS);
}

// They must exist, but may be empty.
inline void write_local_definitions(OTF2_Archive* archive, const Program& program) {
  REQUIRE(OTF2_Archive_OpenDefFiles(archive) == OTF2_SUCCESS);
  for (int place = 0; place < program.place_count(); ++place)
    REQUIRE(OTF2_Archive_CloseDefWriter(
                archive, OTF2_Archive_GetDefWriter(archive, location_id(program, place))) ==
            OTF2_SUCCESS);
  REQUIRE(OTF2_Archive_CloseDefFiles(archive) == OTF2_SUCCESS);
}

}  // namespace detail

// Returns the path of the anchor file, folder/traces.otf2.
inline std::string write_archive(const std::string& folder, const Program& program,
                                 const Log& log) {
  auto* archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 256 << 10,
                                    256 << 10, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  REQUIRE(archive != nullptr);
  const OTF2_FlushCallbacks flushing{.otf2_pre_flush = detail::flush,
                                     .otf2_post_flush = detail::flushed_at};
  OTF2_Archive_SetFlushCallbacks(archive, &flushing, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_SetCreator(archive, "Score-P 8.4");
  detail::write_events(archive, program, log);
  detail::write_local_definitions(archive, program);
  auto* to = OTF2_Archive_GetGlobalDefWriter(archive);
  REQUIRE(to != nullptr);
  Definitions(to, program, log).write();
  REQUIRE(OTF2_Archive_CloseGlobalDefWriter(archive, to) == OTF2_SUCCESS);
  REQUIRE(OTF2_Archive_Close(archive) == OTF2_SUCCESS);
  return folder + "/traces.otf2";
}

}  // namespace tutti::tests::truth
