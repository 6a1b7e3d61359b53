// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/traced_run.hpp"

#include <stdexcept>
#include <system_error>

namespace tutti::jobs {
namespace {

using workloads::applications::Recording;
using workloads::applications::TracedRun;

// Large messages wait for their receives, so a program may deadlock.
Error did_not_end(const TracedJob& job, const std::vector<std::string>& problems) {
  return make_error(
      ErrorKind::run, "",
      fmt::format("{} does not terminate: {}", job.application->name, problems.front()),
      "sends above the eager limit wait for their receives: use a smaller "
      "--message-size");
}

}  // namespace

std::string name_of(const TracedJob& job) {
  return fmt::format("{}, {}", job.application->name,
                     counted(static_cast<std::size_t>(job.placement.procs), "process"));
}

Result<RecordedRun> record_run(const TracedJob& job, const platforms::Machine& machine,
                               runtime::Observer* watcher) {
  const int procs = job.placement.procs;
  if (auto error = rejection(*job.application, procs)) return *std::move(error);
  const auto placement = TUTTI_TRY(platforms::place(machine, job.placement));
  Recording recording(procs);
  TracedRun program(*job.application, job.args, recording, procs);
  engines::Job run{.machine = machine,
                   .placement = placement,
                   .program = program.program(),
                   .contention = job.contention};
  if (watcher != nullptr) run.observers.push_back(watcher);
  try {
    const auto outcome = engines::run(job.engine, run);
    if (!outcome.problems.empty()) return did_not_end(job, outcome.problems);
    return RecordedRun{.trace = recording.take(),
                       .time_s = *std::ranges::max_element(outcome.end_s),
                       .nodes = placement.nodes,
                       .ppn = placement.ppn,
                       .messages = recording.messages,
                       .empty_messages = recording.empty_messages};
  } catch (const std::system_error& error) {  // a full disk
    return make_error(ErrorKind::io, "", error.what(),
                      "TMPDIR names the folder for temporary files");
  } catch (const std::runtime_error& error) {  // of the selection
    return make_error(ErrorKind::run, "", error.what());
  }
}

}  // namespace tutti::jobs
