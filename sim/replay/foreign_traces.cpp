// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/foreign_traces.hpp"

#include <fstream>

namespace tutti::studies::replay {
namespace {

namespace fs = std::filesystem;

// The name of a file, and its first bytes.
struct Begin {
  fs::path path;
  std::string bytes;

  bool has_ending(std::string_view ending) const {
    return lower_case(path.filename().string()).ends_with(ending);
  }
  bool has_name(std::string_view part) const {
    return path.filename().string().find(part) != std::string::npos;
  }
  bool mentions(std::string_view text) const { return bytes.find(text) != std::string::npos; }
  // Ignoring blanks.
  bool begins_with(std::string_view text) const {
    const auto at = bytes.find_first_not_of(" \t\r\n");
    return at != std::string::npos && std::string_view(bytes).substr(at).starts_with(text);
  }
  // As a CUBE 4 profile does.
  bool is_tar() const {
    constexpr std::size_t at = 257;
    return bytes.size() > at && std::string_view(bytes).substr(at).starts_with("ustar");
  }
};

struct Foreign {
  bool (*fits)(const Begin& begin);
  const char* message;
  const char* hint;
};

constexpr const char* record_anew =
    "record the program with Score-P (SCOREP_ENABLE_TRACING=true) or EZTrace 2, which write OTF2";

constexpr Foreign formats[] = {
    {[](const Begin& begin) {
       return (begin.is_tar() && begin.has_ending(".cubex")) ||
              (begin.mentions("<cube ") && begin.begins_with("<?xml"));
     },
     "a CUBE profile contains no events to replay",
     "record a trace (Score-P: SCOREP_ENABLE_TRACING=true) and replay its traces.otf2"},
    {[](const Begin& begin) {
       return (begin.mentions("fileprefix=") && begin.mentions("numprocs=")) ||
              (begin.has_ending(".bin") && begin.path.filename().string().starts_with("dumpi-"));
     },
     "a DUMPI trace cannot be read",
     "convert it with `dumpi2otf2` of sst-dumpi, and replay the OTF2 archive"},
    {[](const Begin& begin) {
       return begin.begins_with("#DIMEMAS") || begin.has_ending(".dim") || begin.has_ending(".trf");
     },
     "a Dimemas trace cannot be read",
     "replay the Paraver trace (.prv) that `prv2dim` converted into it"},
    {[](const Begin& begin) { return begin.has_ending(".pcf") || begin.has_ending(".row"); },
     "this file has the labels of a Paraver trace, not its records", "name the .prv next to it"},
    {[](const Begin& begin) { return begin.has_ending(".prv.gz"); },
     "a compressed Paraver trace cannot be read", "decompress it with `gunzip`"},
    {[](const Begin& begin) {
       return begin.has_ending(".mpit") || begin.has_ending(".mpits") || begin.has_ending(".sym");
     },
     "this file is an intermediate one of Extrae",
     "merge it with `mpi2prv -f TRACE.mpits -o trace.prv`, and replay trace.prv"},
    {[](const Begin& begin) { return begin.has_ending(".otf") && !begin.begins_with("OTTO"); },
     "a trace in OTF, the format before OTF2, cannot be read", record_anew},
    {[](const Begin& begin) {
       return begin.has_name("eztrace_log_rank") || begin.has_name("eztrace_log.rank");
     },
     "a trace of EZTrace 1 cannot be read", record_anew},
    {[](const Begin& begin) { return begin.has_ending(".et"); },
     "a Chakra execution trace cannot be read: it has operations, but no calls of MPI",
     record_anew},
    {[](const Begin& begin) {
       return (begin.begins_with("{") || begin.begins_with("[")) &&
              (begin.mentions("\"traceEvents\"") || begin.mentions("\"ph\""));
     },
     "a trace in Chrome's JSON format (Perfetto) has no messages to replay", record_anew},
    {[](const Begin& begin) { return begin.has_ending(".perfetto-trace"); },
     "a Perfetto trace has no messages to replay", record_anew},
    {[](const Begin& begin) {
       return begin.begins_with("{") || begin.begins_with("[") || begin.begins_with("<");
     },
     "this file is not a trace of a known format",
     "expected an OTF2 archive (traces.otf2), a Paraver trace (.prv), or a file list for SimGrid's "
     "replay"},
};

}  // namespace

std::optional<Error> foreign_trace(const std::string& path) {
  std::error_code ignored;
  Begin begin{path, std::string(4096, '\0')};
  if (!fs::is_regular_file(begin.path, ignored)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  file.read(begin.bytes.data(), std::ssize(begin.bytes));
  begin.bytes.resize(static_cast<std::size_t>(file.gcount()));
  const auto* found =
      std::ranges::find_if(formats, [&](const Foreign& format) { return format.fits(begin); });
  if (found == std::end(formats)) return std::nullopt;
  const auto trace = begin.path.parent_path() / "traces.otf2";
  return make_error(ErrorKind::input, path, found->message,
                    fs::exists(trace, ignored) && begin.is_tar()
                        ? "replay the trace next to it: " + trace.string()
                        : std::string(found->hint));
}

}  // namespace tutti::studies::replay
