// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/measured.hpp"

#include "sim/base/quantile.hpp"

namespace tutti::studies::guidelines {
namespace {

using SettingKey = std::tuple<std::string, int, Bytes>;  // collective, processes, message_bytes
using RunKey = std::pair<std::size_t, std::int64_t>;     // file, mpirun
using Runs = std::map<RunKey, std::vector<Seconds>>;
// The key is the index among all mock-ups, or -1 for the default, which is therefore first.
using MeasuredSides = std::map<std::ptrdiff_t, Runs>;

constexpr std::ptrdiff_t default_index = -1;

const Mockup* mockup_at(std::ptrdiff_t place) {
  return place == default_index
             ? nullptr
             : algorithms::guidelines::all_mockups()[static_cast<std::size_t>(place)];
}

class MeasuredReader {
 public:
  MeasuredReader(const std::vector<MeasuredTable>& files, const Spec& spec)
      : files_(files), spec_(spec) {}

  Result<MeasuredSettings> read() {
    for (file_ = 0; file_ < files_.size(); ++file_)
      for (row_ = 0; row_ < table().rows.size(); ++row_)
        if (auto error = read_row()) return *std::move(error);
    MeasuredSettings measured;
    for (const auto& [key, sides] : sides_) add_setting(key, sides, measured);
    if (!measured.settings.empty()) return measured;
    return make_error(
        ErrorKind::input, files_.front().path,
        measured.omitted.empty() ? "contains no times of collectives and their mock-ups"
                                 : "nothing to compare: " + measured.omitted.front(),
        "expected rows MPI_Gather and gather_as_allgather, or MPI_Gather in a run with "
        "PGMPITuneLib's \"#@pgmpi alg\" lines");
  }

 private:
  const Table& table() const { return files_[file_].table; }

  Cell cell(std::string_view column) const {
    const auto at = std::ranges::find(table().columns, column);
    if (at == table().columns.end()) return {};
    return table().rows[row_][static_cast<std::size_t>(at - table().columns.begin())];
  }
  std::optional<std::int64_t> integer(std::string_view column) const {
    const auto number = number_of(cell(column));
    if (!number || !(*number >= 0) || *number > 1e15) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }
  Error row_error(const std::string& message, const std::string& hint) const {
    auto error = error_of_row(table(), row_, message, hint);
    error.place = files_[file_].path;
    return error;
  }

  std::optional<Error> read_row() {
    const auto side = side_of_row();
    const auto time_s = number_of(cell("time_s"));
    if (!side || !time_s || !is_measurable(*time_s)) return std::nullopt;
    const auto procs = integer("procs");
    const auto bytes = integer("message_bytes");
    if (!procs || *procs < 1 || *procs > platforms::most_procs)
      return row_error("the row has no valid number of processes",
                       "add #@nprocs=N to the header, or a column nprocs");
    if (!bytes)
      return row_error("the row has no valid message size", "add a column count or msize");
    const auto& [collective, place] = *side;
    sides_[{collective, static_cast<int>(*procs), *bytes}][place]
          [{file_, integer("mpirun").value_or(0)}]
              .push_back(*time_s);
    return std::nullopt;
  }

  // Nothing for a row that is not about a requested collective or mock-up.
  std::optional<std::pair<std::string, std::ptrdiff_t>> side_of_row() const {
    const auto collective = to_text(cell("collective"));
    const auto algorithm = to_text(cell("algorithm"));
    for (const Mockup* mockup : algorithms::guidelines::all_mockups())
      if (mockup->algorithm.name == algorithm)
        return is_requested(mockup) ? std::optional(std::pair(collective, mockup_index(mockup)))
                                    : std::nullopt;
    if (std::ranges::find(spec_.collectives, collective) == spec_.collectives.end())
      return std::nullopt;
    return std::pair(collective, default_index);
  }

  bool is_requested(const Mockup* mockup) const {
    return std::ranges::find(spec_.mockups, mockup) != spec_.mockups.end();
  }

  static std::ptrdiff_t mockup_index(const Mockup* mockup) {
    const auto all = algorithms::guidelines::all_mockups();
    return std::ranges::find(all, mockup) - all.begin();
  }

  static void add_setting(const SettingKey& key, const MeasuredSides& sides,
                          MeasuredSettings& measured) {
    const auto& [collective, procs, bytes] = key;
    if (sides.size() < 2 || !sides.contains(default_index)) {
      measured.omitted.push_back(fmt::format(
          "{} of {}, {} processes: {}", collective, format_bytes(bytes), procs,
          sides.contains(default_index) ? "no mock-up was measured" : "no default was measured"));
      return;
    }
    Setting setting{.collective = collective, .procs = procs, .message_bytes = bytes, .sides = {}};
    const bool by_run = std::ranges::all_of(
        sides, [](const auto& side) { return side.second.size() >= least_runs; });
    for (const auto& [place, runs] : sides)
      setting.sides.push_back(make_side(mockup_at(place), runs, bytes, by_run));
    measured.settings.push_back(std::move(setting));
  }

  static Side make_side(const Mockup* mockup, const Runs& runs, Bytes bytes, bool by_run) {
    Side side;
    side.mockup = mockup;
    side.point.call.args.message_bytes = bytes;
    for (const auto& [key, times_s] : runs) side.latencies_s.push_back(times_s);
    if (by_run)
      side.times_s = run_medians(side.latencies_s);
    else
      for (const auto& run : side.latencies_s)
        side.times_s.insert(side.times_s.end(), run.begin(), run.end());
    return side;
  }

  const std::vector<MeasuredTable>& files_;
  const Spec& spec_;
  std::map<SettingKey, MeasuredSides> sides_;
  std::size_t file_ = 0, row_ = 0;  // current position
};

}  // namespace

Result<MeasuredSettings> measured_settings(const std::vector<MeasuredTable>& files,
                                           const Spec& spec) {
  return MeasuredReader(files, spec).read();
}

}  // namespace tutti::studies::guidelines
