// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_output.hpp"

#include <system_error>

#include "sim/base/output_file.hpp"

namespace tutti::workloads::traces {

namespace fs = std::filesystem;

std::optional<Error> make_output_folder(const std::string& folder) {
  std::error_code error;
  if (fs::exists(folder, error) &&
      (!fs::is_directory(folder, error) || !fs::is_empty(folder, error)))
    return make_error(ErrorKind::usage, folder, "already exists and is not an empty folder",
                      "name a new or empty folder");
  fs::create_directories(folder, error);
  if (error)
    return make_error(ErrorKind::io, folder, "cannot create the folder: " + error.message());
  return std::nullopt;
}

namespace {

namespace fs = std::filesystem;

constexpr const char* archive_name = "traces";

// Clamps a chunk size to the range that the library accepts.
std::uint64_t chunk(std::uint64_t bytes) {
  return std::clamp<std::uint64_t>(bytes, 256 << 10, 16 << 20);
}

OTF2_FlushType always_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}
// Without a post-flush function, so that the library adds no flush events.
constexpr OTF2_FlushCallbacks flush{always_flush, nullptr};

}  // namespace

Otf2Output::~Otf2Output() {
  if (!archive_) return;
  archive_.reset();
  remove_files();
}

void Otf2Output::remove_files() const {
  std::error_code ignored;
  for (const char* name : {"traces.otf2", "traces.def", archive_name})
    fs::remove_all(fs::path(folder_) / name, ignored);
}

Result<Otf2Output> Otf2Output::open(const std::string& folder, const Otf2Chunks& chunks) {
  if (auto error = make_output_folder(folder)) return *error;
  Otf2Output output;
  output.folder_ = folder;
  output.messages_ = std::make_unique<Otf2Messages>();
  output.archive_.reset(OTF2_Archive_Open(folder.c_str(), archive_name, OTF2_FILEMODE_WRITE,
                                          chunk(chunks.event_bytes), chunk(chunks.definition_bytes),
                                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
  OTF2_Archive* archive = output.archive();
  if (archive == nullptr ||
      OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr) != OTF2_SUCCESS ||
      OTF2_Archive_SetSerialCollectiveCallbacks(archive) != OTF2_SUCCESS ||
      OTF2_Archive_OpenEvtFiles(archive) != OTF2_SUCCESS)
    return output.failed();
  return output;
}

Error Otf2Output::failed() const {
  const std::string said = Otf2Messages::take();
  return make_error(ErrorKind::io, folder_,
                    "the trace cannot be written" + (said.empty() ? said : ": " + said),
                    free_space_hint);
}

std::optional<Error> Otf2Output::end_location() {
  if (events_ == nullptr) return std::nullopt;
  std::uint64_t count = 0;
  if (OTF2_EvtWriter_GetNumberOfEvents(events_, &count) != OTF2_SUCCESS ||
      OTF2_Archive_CloseEvtWriter(archive(), std::exchange(events_, nullptr)) != OTF2_SUCCESS)
    return failed();
  counts_.push_back(count);
  return std::nullopt;
}

Result<OTF2_EvtWriter*> Otf2Output::next_location(OTF2_LocationRef location) {
  if (auto error = end_location()) return *error;
  events_ = OTF2_Archive_GetEvtWriter(archive(), location);
  if (events_ == nullptr) return failed();
  locations_.push_back(location);
  return events_;
}

// Readers expect a local definition file for each location; it may be empty.
Result<OTF2_GlobalDefWriter*> Otf2Output::definitions() {
  if (auto error = end_location()) return *error;
  if (OTF2_Archive_CloseEvtFiles(archive()) != OTF2_SUCCESS ||
      OTF2_Archive_OpenDefFiles(archive()) != OTF2_SUCCESS)
    return failed();
  for (const OTF2_LocationRef location : locations_) {
    OTF2_DefWriter* local = OTF2_Archive_GetDefWriter(archive(), location);
    if (local == nullptr || OTF2_Archive_CloseDefWriter(archive(), local) != OTF2_SUCCESS)
      return failed();
  }
  if (OTF2_Archive_CloseDefFiles(archive()) != OTF2_SUCCESS) return failed();
  definitions_ = OTF2_Archive_GetGlobalDefWriter(archive());
  if (definitions_ == nullptr) return failed();
  return definitions_;
}

std::optional<Error> Otf2Output::close() {
  if (OTF2_Archive_CloseGlobalDefWriter(archive(), definitions_) != OTF2_SUCCESS) return failed();
  if (OTF2_Archive_Close(archive_.release()) == OTF2_SUCCESS) return std::nullopt;
  remove_files();
  return failed();
}

}  // namespace tutti::workloads::traces
