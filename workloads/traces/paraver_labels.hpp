// SPDX-License-Identifier: BSD-3-Clause
// What the numbers of a Paraver trace mean: the types of events that Extrae writes, and the labels
// of their values in the trace's .pcf file.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::workloads::traces {

namespace paraver {
// A value is a call of MPI (point to point, collective, other, one-sided, files); 0 is its end.
inline constexpr std::uint64_t first_mpi_type = 50000001, last_mpi_type = 50000005;
// Of a collective, with its begin.
inline constexpr std::uint64_t sent_bytes = 50100001, received_bytes = 50100002, is_root = 50100003,
                               communicator = 50100004;
// A value is a function of the user, or the body of a parallel region; 0 is its end.
inline constexpr std::uint64_t user_function = 60000019, openmp_function = 60000018;
}  // namespace paraver

class ParaverLabels {
 public:
  // Reads the .pcf file next to the trace.
  static Result<ParaverLabels> read(const std::string& trace);

  // A name with the numbers if the file has no label for them.
  std::string of(std::uint64_t type, std::uint64_t value) const;

 private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> labels_;  // by type, value
};

// The .pcf or .row file of a trace, by its extension.
std::string paraver_companion(const std::string& trace, const char* extension);

// The operation of a blocking collective call; `other` for all other calls.
CollectiveOp collective_of(std::string_view call);

}  // namespace tutti::workloads::traces
