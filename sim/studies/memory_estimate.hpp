// SPDX-License-Identifier: BSD-3-Clause
// Whether a simulation fits the memory, told before it starts: a system that runs out kills
// processes without a word.
#pragma once

#include <istream>

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/point.hpp"

namespace tutti::studies {

// What the engine keeps for its ranks and for the segments under way. Rounded up: rather refused
// with --force at hand than killed.
Bytes memory_estimate(const Point& point);

// The value of `key` ("VmHWM:") in a file of /proc whose lines are KEY NUMBER kB.
std::optional<Bytes> proc_bytes(std::istream& file, std::string_view key);
// MemAvailable of a text like /proc/meminfo.
std::optional<Bytes> available_memory(std::istream& meminfo);
// What this machine has free, or the limit of the address space (ulimit -v) if that is smaller.
// Nothing where neither is known.
std::optional<Bytes> free_memory();

// "320 GiB", "12 MiB": rounded down.
std::string rounded_memory(Bytes bytes);

// An error of kind usage if the estimate is above `free_bytes`. The place is the option that would
// help most.
std::optional<Error> check_memory(const Point& point, Bytes free_bytes);

// The first of points, or of what `point_of` finds in each, that does not fit what is free.
template <class All, class PointOf = std::identity>
std::vector<Error> memory_errors(const All& all, PointOf point_of = {}) {
  if (const auto free_bytes = free_memory())
    for (const auto& each : all)
      if (auto error = check_memory(std::invoke(point_of, each), *free_bytes))
        return {*std::move(error)};
  return {};
}

// The same, unless `force`; before that the first that has no place on the machine.
template <class All, class PointOf = std::identity>
std::vector<Error> job_errors(const All& all, const platforms::Machine& machine, bool force,
                              PointOf point_of = {}) {
  for (const auto& each : all)
    if (auto placed = platforms::place(machine, std::invoke(point_of, each).placement); !placed)
      return placed.errors();
  return force ? std::vector<Error>() : memory_errors(all, point_of);
}

// Whether a simulation takes long, told before it starts.

// "4.3 billion messages; at about a million a second they take 1.2 hours".
std::string time_in_full(const Point& point);
// Of a point with more than two billion of them.
std::optional<std::string> long_run_warning(const Point& point);

// Of a point that is simulated several times, as it may depend on its start (starts.hpp), where
// that is more than a million messages: how often, and how it is simulated once.
std::optional<std::string> starts_note(const Point& point, const platforms::Machine& machine);

}  // namespace tutti::studies
