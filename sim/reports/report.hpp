// SPDX-License-Identifier: BSD-3-Clause
// What a run hands to a person or a program, and the formats it comes in.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/critical_path.hpp"
#include "sim/studies/record.hpp"

namespace tutti::reports {

struct PlatformSource {
  std::string name;           // "crill"
  std::string file;           // as given
  bool from_catalog = false;  // `file` is a name of the catalog, not a file
  std::string hash;           // of the content
  platforms::MachineSize size;
};
PlatformSource platform_source(const platforms::Machine& machine, const std::string& given_name);

// Where the numbers come from. Nothing here depends on the directory or the time of the run.
struct Provenance {
  std::string version;
  std::string commit;
  std::string simgrid_version;
  std::string command;  // what was asked, without options that only say how it is shown
  std::vector<PlatformSource> platforms = {};  // empty: the report is not about a machine
  std::vector<platforms::Override> overrides = {};

  // "crill", "leonardo and lumi"; empty without platforms.
  std::string platform_name() const;
};

// Without platforms.
Provenance plain_provenance(const std::string& command);
Provenance provenance_of(const platforms::Machine& machine, const std::string& given_name,
                         const std::vector<platforms::Override>& overrides,
                         const std::string& command);

// What every report begins with.
struct ReportHead {
  Provenance provenance;
  std::vector<std::string> failed;  // points without a record, and why
  bool with_cost = true;            // wall time and memory of the simulation: differ between runs
  std::optional<CriticalPath> critical_path{};  // of the only record
};

struct Report : ReportHead {
  std::vector<studies::Record> records;
  bool with_confidence = false;        // people see the interval of nine of ten measured times
  std::vector<std::string> omitted{};  // of `all` and `auto:best`: "two_proc (needs P = 2)"
};

enum class Format { text, csv, json, jsonl, osu, md };

// In the order in which they are offered.
std::vector<std::string> format_names();
std::optional<Format> format_of(std::string_view name);
std::string name_of(Format format);
// From a file's extension: .csv .json .jsonl .md .txt .osu.
std::optional<Format> format_of_file(const std::string& path);

// Ends with a newline. Only the text looks at `width`, of the terminal that it is shown on: what
// has no room is left out and named. A file or a pipe has no width and gets everything.
std::string render(const Report& report, Format format, std::optional<std::size_t> width = {});

}  // namespace tutti::reports
