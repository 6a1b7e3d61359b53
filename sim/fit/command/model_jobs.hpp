// SPDX-License-Identifier: BSD-3-Clause
// What `sim fit models` and `sim select models` share: the options about the job, and files of
// models.
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
inline constexpr OptionSpec map =
    taking(job_option::map_words,
           {job_option::machine, "--map", "HOW", "block (default), round-robin, file:PATH"});
inline constexpr OptionSpec force{job_option::machine, "--force", "",
                                  "simulate although the memory seems too small"};
inline constexpr OptionSpec noise = taking(
    "none multiplicative: additive:",
    {calls, "--noise", "HOW",
     "on what ranks do: multiplicative:PART[:SEED], additive:TIME[:SEED]; each time is then the "
     "mean of so many runs that its 95 % interval is within 2.5 %"
     "\nAs for `sim run`; each time is the mean of 5 to 1000 runs, until its 95 % interval is "
     "within 2.5 %."});
}  // namespace model_option

// What options say of the job: procs (empty where not given), ppn, placement, noise, engine;
// segment sizes are `segments`, messages 8 KiB to 4 MiB where they are not given.
void read_model_job(OptionReader& reader, const char* segments, studies::Sweep& job);

// What `sim fit models` wrote.
Result<studies::ModelFile> models_in(const std::string& path);

// Warns where the models were fitted on another machine.
void warn_of_models(const studies::ModelFile& file, const std::string& path,
                    const platforms::Machine& machine, const Diagnostics& diagnostics);

}  // namespace tutti::commands
