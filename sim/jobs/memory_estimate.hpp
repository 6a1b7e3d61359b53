// SPDX-License-Identifier: BSD-3-Clause
// Estimates the memory of a simulation before it starts, since a system that runs out of
// memory kills processes without a message.
#pragma once

#include <istream>

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::jobs {

// Estimates the memory of the engine for its ranks and for the segments in flight, in bytes. The
// estimate is rounded up: rejecting a job, which --force overrides, is better than having it
// killed. `machine` determines how many messages of an exchange with all ranks are in flight at
// once; if it is null, all are.
Bytes memory_estimate(const Point& point, const platforms::Machine* machine = nullptr);

// Maximum number of messages in flight, in an exchange with all ranks, that fit into the free
// memory; 0 if that is unknown.
std::int64_t messages_that_fit(const platforms::Machine& machine);

// Returns the value of `key` ("VmHWM:") in a file of /proc whose lines are KEY NUMBER kB, in bytes.
std::optional<Bytes> proc_bytes(std::istream& file, std::string_view key);
// Returns MemAvailable of a text in the format of /proc/meminfo, in bytes.
std::optional<Bytes> available_memory(std::istream& meminfo);
// Free memory of this machine, or the limit of the address space (ulimit -v) if that is smaller, in
// bytes. Unset if neither is known.
std::optional<Bytes> free_memory();

// Rounded down: "320 GiB", "12 MiB".
std::string rounded_memory(Bytes bytes);

// Returns an error of kind usage if the estimate exceeds `free_bytes`. The place of the error is
// the option that would reduce memory most.
std::optional<Error> check_memory(const Point& point, Bytes free_bytes,
                                  const platforms::Machine* machine = nullptr);

// Returns the error of the first point that does not fit into the free memory; `point_of` returns
// the point of an element of `all`.
template <class All, class PointOf = std::identity>
std::vector<Error> memory_errors(const All& all, const platforms::Machine& machine,
                                 PointOf point_of = {}) {
  if (const auto free_bytes = free_memory())
    for (const auto& element : all)
      if (auto error = check_memory(std::invoke(point_of, element), *free_bytes, &machine))
        return {*std::move(error)};
  return {};
}

// First checks that all points fit on the machine, then, unless `force`, their memory as above.
template <class All, class PointOf = std::identity>
std::vector<Error> job_errors(const All& all, const platforms::Machine& machine, bool force,
                              PointOf point_of = {}) {
  for (const auto& element : all)
    if (auto placed = platforms::place(machine, std::invoke(point_of, element).placement); !placed)
      return placed.errors();
  return force ? std::vector<Error>() : memory_errors(all, machine, point_of);
}

}  // namespace tutti::jobs
