// SPDX-License-Identifier: BSD-3-Clause
// The workload "trace" records the run of a program as a trace. As a point of a study, only its
// time is of interest, and no trace is written.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/traced_run.hpp"
#include "sim/options/option_table.hpp"
#include "sim/studies/workloads/workload.hpp"
#include "workloads/selection_spec.hpp"

namespace tutti::studies {

inline constexpr std::string_view trace_word = "trace";

struct ProgramRequest : options::MachineRequest {
  TracedJob job;
  std::string selection = "auto";
};

// The options of `sim run trace PROGRAM`.
const options::OptionTable<ProgramRequest>& program_options();
// `arguments` are the workload's word and the program. Reports all errors to the reader.
void read_program(options::OptionReader& reader, ProgramRequest& request);
// Completes the job with what depends on the machine; adds warnings about the selection.
std::optional<Error> complete(ProgramRequest& request, const platforms::Machine& machine,
                              std::vector<std::string>& warnings);

// The columns that describe a program and its run.
Row described(const ProgramRequest& request);
Row result_row(const RecordedRun& run);

extern const Workload program_workload;

}  // namespace tutti::studies
