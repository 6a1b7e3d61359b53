// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_archive.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace tutti::workloads::traces {
namespace {

namespace fs = std::filesystem;

std::string& first_message() {
  static std::string first;
  return first;
}

OTF2_ErrorCode take_message(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code,
                            const char* format, std::va_list arguments) {
  std::string& first = first_message();
  if (code == OTF2_WARNING || code == OTF2_DEPRECATED || !first.empty()) return code;
  std::array<char, 512> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  first = fmt::format("{}: {}", OTF2_Error_GetDescription(code), printable(text.data()));
  return code;
}

constexpr const char* ends_early = ": the file is truncated";
constexpr const char* which_file =
    "name the archive's anchor file, such as traces.otf2 of Score-P or eztrace_log.otf2";

// The anchor file of a folder: the only one, or the one with Score-P's name.
Result<std::string> anchor_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); entry != fs::directory_iterator();
       entry.increment(error))
    if (entry->path().extension() == ".otf2" && entry->is_regular_file(error))
      found.push_back(entry->path());
  const std::string usual = (fs::path(folder) / "traces.otf2").string();
  for (const std::string& anchor : found)
    if (anchor == usual || found.size() == 1) return anchor;
  if (found.empty())
    return make_error(ErrorKind::input, folder, "the folder contains no trace", which_file);
  return make_error(ErrorKind::input, folder,
                    fmt::format("the folder contains {} traces", found.size()), which_file);
}

Result<std::string> find_anchor(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return make_error(ErrorKind::input, path, "no such file", which_file);
  if (status.type() == fs::file_type::directory) return anchor_in(path);
  if (status.type() != fs::file_type::regular)
    return make_error(ErrorKind::input, path, "not a regular file", which_file);
  const std::string extension = fs::path(path).extension();
  if (extension == ".def" || extension == ".evt")
    return make_error(ErrorKind::input, path, "this file is only a part of a trace", which_file);
  return path;
}

// The library opens anything with the name of a file: a pipe would block until someone writes.
std::optional<Error> part_that_is_no_file(const fs::path& anchor) {
  std::vector<fs::path> parts = {fs::path(anchor).replace_extension(".def")};
  std::error_code error;
  for (auto entry = fs::directory_iterator(fs::path(anchor).replace_extension(), error);
       entry != fs::directory_iterator(); entry.increment(error))
    if (!entry->is_regular_file(error)) parts.push_back(entry->path());
  for (const fs::path& part : parts) {
    const fs::file_status status = fs::status(part, error);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
      return make_error(ErrorKind::input, part.string(), "not a regular file",
                        "expected a definition or event file of the archive");
  }
  return std::nullopt;
}

bool is_compressed(OTF2_Reader* reader) {
  OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
  return OTF2_Reader_GetCompression(reader, &compression) != OTF2_SUCCESS ||
         compression != OTF2_COMPRESSION_NONE;
}

// If a file ends early, the library reads the rest of the previous chunk again and again. This
// limit stops it: a file has fewer records than bytes unless it is compressed.
std::uint64_t most_records(OTF2_Reader* reader, const fs::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  return error || is_compressed(reader) ? UINT64_MAX : std::max<std::uint64_t>(bytes, 1);
}

// How a file ends. The last byte of every file is 1; text tools may have added a newline.
struct FileEnd {
  bool is_missing = false;
  bool is_beyond_chunk = false;  // the library would not detect it
};

FileEnd end_of(const fs::path& path, std::uint64_t chunk_bytes) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  if (error) return {};
  std::ifstream file(path, std::ios::binary);
  std::array<char, 2> last{};
  file.seekg(-2, std::ios::end);
  if (!file.read(last.data(), last.size())) return {};
  const bool is_missing = last[1] != 1 && !(last[0] == 1 && last[1] == '\n');
  return {is_missing, is_missing && bytes >= chunk_bytes};
}

// A file of the archive that is to be read.
struct ArchivePart {
  std::string problem;  // the message if it cannot be read
  fs::path path;
  std::string name = {};  // in the folder of the archive; empty: outside of it
  std::uint64_t chunk_bytes = 0;
};

// Calls read(handle, most, &count) with the handle that `open` returns, then close(handle). The end
// of the file is checked as well, since the library does not. A callback may interrupt.
template <class Open, class Read, class Close>
std::optional<Error> read_part(const Otf2Archive& archive, const ArchivePart& part, Open open,
                               Read read, Close close) {
  const FileEnd end = end_of(part.path, part.chunk_bytes);
  if (end.is_beyond_chunk) return archive.damaged(part.problem + ends_early, part.name);
  auto* const handle = open();
  if (handle == nullptr) return archive.damaged(part.problem, part.name);
  const std::uint64_t most = most_records(archive.reader(), part.path);
  std::uint64_t count = 0;
  const OTF2_ErrorCode code = read(handle, most, &count);
  const bool is_good =
      (code == OTF2_SUCCESS && count < most) || code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK;
  std::optional<Error> error;
  if (!is_good)
    error = archive.damaged(part.problem, part.name);
  else if (end.is_missing && !is_compressed(archive.reader()))
    error = archive.damaged(part.problem + ends_early, part.name);
  close(handle);
  return error;
}

// Whether a definition file consists of a chunk header, the chunk end and the file end only, like
// most local ones.
bool is_without_records(const fs::path& path) {
  constexpr std::string_view empty("\3B\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\1", 20);
  std::array<char, empty.size() + 1> bytes{};
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), bytes.size());
  return std::string_view(bytes.data(), static_cast<std::size_t>(file.gcount())) == empty;
}

// Empty if it is not a folder.
std::vector<std::string> entries_of(const fs::path& folder) {
  std::vector<std::string> paths;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed))
    paths.push_back(entry->path().string());
  return paths;
}

}  // namespace

Otf2Messages::Otf2Messages() : before_(OTF2_Error_RegisterCallback(take_message, nullptr)) {}
Otf2Messages::~Otf2Messages() { OTF2_Error_RegisterCallback(before_, nullptr); }

std::string Otf2Messages::take() { return std::exchange(first_message(), {}); }

Result<Otf2Archive> Otf2Archive::open(const std::string& path) {
  auto anchor = TUTTI_TRY(find_anchor(path));
  if (auto error = part_that_is_no_file(anchor)) return *error;
  Otf2Archive archive;
  archive.anchor_ = anchor;
  archive.messages_ = std::make_unique<Otf2Messages>();
  archive.reader_.reset(OTF2_Reader_Open(anchor.c_str()));
  if (!archive.reader_) {
    Error error = archive.damaged("cannot be read as an OTF2 archive");
    error.hint = which_file;
    return error;
  }
  if (OTF2_Reader_SetSerialCollectiveCallbacks(archive.reader_.get()) != OTF2_SUCCESS)
    return archive.damaged("the archive cannot be opened");
  return archive;
}

Error Otf2Archive::damaged(const std::string& what, const std::string& file) const {
  const fs::path folder = fs::path(anchor_).replace_extension();
  const std::string place = file.empty() ? anchor_ : (folder / file).string();
  const std::string said = messages_->take();
  return make_error(ErrorKind::input, place, said.empty() ? what : what + ": " + said,
                    "the archive is damaged or incomplete; otf2-print shows details");
}

std::optional<Error> Otf2Archive::read_definitions(const OTF2_GlobalDefReaderCallbacks* callbacks,
                                                   void* user) {
  const ArchivePart part{.problem = "the definitions cannot be read",
                         .path = fs::path(anchor_).replace_extension(".def"),
                         .chunk_bytes = chunks().definition_bytes};
  return read_part(
      *this, part, [&] { return OTF2_Reader_GetGlobalDefReader(reader()); },
      [&](OTF2_GlobalDefReader* definitions, std::uint64_t most, std::uint64_t* count) {
        const auto code =
            OTF2_Reader_RegisterGlobalDefCallbacks(reader(), definitions, callbacks, user);
        if (code != OTF2_SUCCESS) return code;
        return OTF2_Reader_ReadGlobalDefinitions(reader(), definitions, most, count);
      },
      [&](auto* definitions) { OTF2_Reader_CloseGlobalDefReader(reader(), definitions); });
}

std::optional<Error> Otf2Archive::select(const std::vector<OTF2_LocationRef>& locations) {
  for (const OTF2_LocationRef location : locations)
    if (OTF2_Reader_SelectLocation(reader(), location) != OTF2_SUCCESS)
      return damaged(fmt::format("location {} cannot be read", location));
  // An archive without local definitions has no such files.
  has_local_definitions_ = std::ranges::any_of(locations, [&](OTF2_LocationRef location) {
    std::error_code ignored;
    return fs::exists(local_definitions(location), ignored);
  });
  OTF2_Reader_OpenDefFiles(reader());
  messages_->take();
  if (OTF2_Reader_OpenEvtFiles(reader()) != OTF2_SUCCESS)
    return damaged("the event files cannot be read");
  return std::nullopt;
}

std::filesystem::path Otf2Archive::local_definitions(OTF2_LocationRef location) const {
  return fs::path(anchor_).replace_extension() / fmt::format("{}.def", location);
}

std::optional<Error> Otf2Archive::read_local_definitions(OTF2_LocationRef location) {
  const fs::path path = local_definitions(location);
  const std::string file = path.filename();
  const std::string what = fmt::format("the definitions of location {} cannot be read", location);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    if (!has_local_definitions_) return std::nullopt;
    return damaged(what + ": the file is missing, although other locations have one", file);
  }
  // The library clears a buffer of megabytes for each file, and most files are empty.
  if (is_without_records(path)) return std::nullopt;
  return read_part(
      *this, {what, path, file, chunks().definition_bytes},
      [&] { return OTF2_Reader_GetDefReader(reader(), location); },
      [&](OTF2_DefReader* definitions, std::uint64_t most, std::uint64_t* count) {
        return OTF2_Reader_ReadLocalDefinitions(reader(), definitions, most, count);
      },
      [&](auto* definitions) { OTF2_Reader_CloseDefReader(reader(), definitions); });
}

std::optional<Error> Otf2Archive::read_events(OTF2_LocationRef location,
                                              const OTF2_EvtReaderCallbacks* callbacks,
                                              void* user) {
  if (auto error = read_local_definitions(location)) return error;
  const std::string file = fmt::format("{}.evt", location);
  return read_part(
      *this,
      {fmt::format("the events of location {} cannot be read", location),
       fs::path(anchor_).replace_extension() / file, file, chunks().event_bytes},
      [&] { return OTF2_Reader_GetEvtReader(reader(), location); },
      [&](OTF2_EvtReader* events, std::uint64_t most, std::uint64_t* count) {
        const auto code = OTF2_Reader_RegisterEvtCallbacks(reader(), events, callbacks, user);
        if (code != OTF2_SUCCESS) return code;
        return OTF2_Reader_ReadLocalEvents(reader(), events, most, count);
      },
      [&](auto* events) { OTF2_Reader_CloseEvtReader(reader(), events); });
}

std::string Otf2Archive::creator() const {
  char* text = nullptr;
  if (OTF2_Reader_GetCreator(reader(), &text) != OTF2_SUCCESS || text == nullptr) return "";
  const std::unique_ptr<char, decltype(&std::free)> owned(text, std::free);
  return printable(text);
}

Otf2Chunks Otf2Archive::chunks() const {
  Otf2Chunks chunks;
  if (OTF2_Reader_GetChunkSize(reader(), &chunks.event_bytes, &chunks.definition_bytes) !=
      OTF2_SUCCESS)
    return {};
  return chunks;
}

std::vector<std::string> otf2_files(const std::string& path) {
  std::vector<std::string> files;
  std::vector<std::string> anchors = entries_of(path);
  anchors.push_back(path);
  for (fs::path anchor : anchors) {
    if (anchor.extension() != ".otf2") continue;
    files.push_back(anchor);
    files.push_back(anchor.replace_extension(".def"));
    for (auto& entry : entries_of(anchor.replace_extension())) files.push_back(std::move(entry));
  }
  return files;
}

}  // namespace tutti::workloads::traces
