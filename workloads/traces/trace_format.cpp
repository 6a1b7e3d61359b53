// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/trace_format.hpp"

#include "workloads/traces/otf2_archive.hpp"
#include "workloads/traces/otf2_reader.hpp"
#include "workloads/traces/paraver_reader.hpp"
#include "workloads/traces/ti_reader.hpp"

namespace tutti::workloads::traces {
namespace {

bool fits_all(const std::string&) { return true; }

Result<Trace> read_archive_of(const std::string& path, const TraceArgs& args) {
  return read_otf2(path, args.most_in_memory_bytes);
}

std::vector<std::string> ti_files(const std::string& path) {
  const auto listed = listed_ti_files(path);
  return listed ? *listed : std::vector<std::string>();
}

constexpr TraceFormat formats[] = {
    {.fits = is_paraver, .files = paraver_files, .read = read_paraver, .has_times = true},
    {.fits = is_ti, .files = ti_files, .read = read_ti, .has_times = false},
    {.fits = fits_all,
     .files = otf2_files,
     .read = read_archive_of,
     .has_times = true,
     .is_otf2 = true}};

}  // namespace

const TraceFormat& trace_format_of(const std::string& path) {
  return *std::ranges::find_if(formats,
                               [&](const TraceFormat& format) { return format.fits(path); });
}

}  // namespace tutti::workloads::traces
