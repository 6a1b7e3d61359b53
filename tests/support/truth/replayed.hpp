// SPDX-License-Identifier: BSD-3-Clause
// What a replay needs to predict a changed program: the trace of a run, and the hypothesis.
#pragma once

#include <doctest/doctest.h>

#include "sim/replay/hypothesis.hpp"
#include "tests/support/files.hpp"
#include "tests/support/traces.hpp"
#include "tests/support/truth/archive.hpp"
#include "tests/support/truth/change.hpp"
#include "tests/support/truth/run.hpp"
#include "workloads/traces/otf2_reader.hpp"

namespace tutti::tests::truth {

inline constexpr const char* outside = "(outside all regions)";

inline studies::replay::Hypothesis hypothesis_of(const Change& change) {
  const auto name = [](const std::string& region) {
    return region.empty() ? std::string(outside) : region;
  };
  studies::replay::Hypothesis made;
  if (change.balance) made.balances.push_back({.region = name(*change.balance)});
  if (change.scale) made.scales.push_back({.region = name(*change.scale), .factor = change.factor});
  if (change.cuts_empty_messages) made.cuts.push_back({.message_bytes = 0});
  if (change.cut) made.cuts.push_back({.region = *change.cut});
  if (!made.cuts.empty()) made.call_gap_s = gap * 1e-9;
  return made;
}

// Whether no program with the same kinds of actions and records has been checked before.
inline bool has_new_kinds(const Program& program) {
  std::uint64_t kinds = 0;
  for (const Script& script : program.scripts)
    for (const Action& action : script.actions) kinds |= std::uint64_t{1} << action.index();
  static std::set<std::tuple<std::uint64_t, bool, bool, bool, bool, Program::TeamRecords>> known;
  return known
      .insert({kinds, program.stream_count > 0, program.has_lock_records, program.has_metrics,
               program.is_unwound, program.team_records})
      .second;
}

// `is_checked`: otf2-print reads the archives of new kinds as well, which takes most of the time.
inline workloads::traces::Trace read_back(const Program& program, const Log& log,
                                          bool is_checked = true) {
  const tests::TemporaryFolder folder(tests::folder_in_memory());
  const std::string path = write_archive(folder.path() + "/run", program, log);
  if (is_checked && std::filesystem::exists(tests::otf2_print) && has_new_kinds(program))
    tests::check_sound(path);
  auto trace = workloads::traces::read_otf2(path);
  REQUIRE(trace);
  return std::move(*trace);
}

}  // namespace tutti::tests::truth
