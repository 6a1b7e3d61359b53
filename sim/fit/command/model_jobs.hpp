// SPDX-License-Identifier: BSD-3-Clause
// Options about the job and reading of model files, shared by `sim fit models` and `sim select
// models`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/fit/model_experiment.hpp"
#include "sim/fit/model_file.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::commands {

namespace model_option {
inline constexpr std::string_view calls = "The calls";
inline constexpr OptionSpec force{job_option::machine, "--force", "",
                                  "Simulate even if the memory seems too small"};
inline constexpr OptionSpec noise = taking(
    "none multiplicative: additive:",
    {calls, "--noise", "HOW",
     "Noise of the ranks' work: multiplicative:FRACTION[:SEED], additive:TIME[:SEED]; each time "
     "is then the mean of enough runs for a 95 % interval within 2.5 %"
     "\nNoise as in `sim run`; each time is the mean of 5 to 1000 runs, until its 95 % "
     "interval is within 2.5 %."});
}  // namespace model_option

// Reads the options about the job: procs (empty if not given), ppn, placement, noise, engine;
// segment sizes default to `segments`, message sizes to 8 KiB to 4 MiB.
void read_model_job(OptionReader& reader, const char* segments, studies::Sweep& job);

// Reads a file that `sim fit models` wrote.
Result<studies::ModelFile> models_in(const std::string& path);

// Warns if the models were fitted on another machine.
void warn_of_models(const studies::ModelFile& file, const std::string& path,
                    const platforms::Machine& machine, const Diagnostics& diagnostics);

}  // namespace tutti::commands
