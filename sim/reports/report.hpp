// SPDX-License-Identifier: BSD-3-Clause
// Reports of a run, and their formats.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/record.hpp"
#include "sim/reports/critical_path.hpp"

namespace tutti::reports {

struct PlatformSource {
  std::string name;           // "crill"
  std::string file;           // as given
  bool from_catalog = false;  // `file` is a name in the catalog, not a file
  std::string hash;           // of the content
  platforms::MachineSize size;
  std::string routing =
      {};  // "routing adaptive (4 shortest paths, 4 detours)"; empty: one fixed path
  std::string background = {};        // traffic of other jobs, "all-to-all:1GBps"; empty: none
  std::string background_about = {};  // a phrase about it
  std::string accelerators = {};      // that are not modeled: "4 GH200 per node"; empty: none
  std::string ranks = {};             // a sentence on what a rank is, if there are accelerators
};
PlatformSource platform_source(const platforms::Machine& machine, const std::string& given_name);

// Origin of the numbers. Does not depend on the directory or the time of the run.
struct Provenance {
  std::string version;
  std::string commit;
  std::string simgrid_version;
  std::string command;  // without options that affect only how the output is shown
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

// The head of every report.
struct ReportHead {
  Provenance provenance;
  std::vector<std::string> failed;  // points without a record, and why they failed
  bool with_cost = true;            // include wall time and memory, which differ between runs
  std::optional<CriticalPath> critical_path{};  // only for reports with a single record
};

struct Report : ReportHead {
  std::vector<jobs::Record> records;
  bool with_confidence = false;        // text shows the interval of nine of ten measured times
  std::vector<std::string> omitted{};  // skipped by `all`, `auto:best`: "two_proc (needs P = 2)"
};

enum class Format { text, csv, json, jsonl, osu, md, nccl_tests };
// Whether the format is that of a benchmark's output, which only some commands write.
inline bool is_of_benchmark(Format format) {
  return format == Format::osu || format == Format::nccl_tests;
}

// In the order in which they are offered.
std::vector<std::string> format_names();
std::optional<Format> format_of(std::string_view name);
std::string name_of(Format format);
// The format for the extension of a file: .csv .json .jsonl .md .txt .osu
// .nccl-tests.
std::optional<Format> format_of_file(const std::string& path);

// Whether nccl-tests, and so its format, has the collective.
bool has_nccl_test(std::string_view collective);

// Renders the report; the result ends with a newline. `width` is that of the terminal, and affects
// only text: columns that do not fit are omitted, and a note lists them. Unset for a file or a
// pipe: nothing is omitted.
std::string render(const Report& report, Format format, std::optional<std::size_t> width = {});

}  // namespace tutti::reports
