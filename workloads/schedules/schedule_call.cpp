// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/schedules/schedule_call.hpp"

#include "workloads/schedules/goal_reader.hpp"

namespace tutti::workloads::schedules {
namespace {

void replace_all(std::string& text, std::string_view word, std::int64_t value) {
  const std::string number = std::to_string(value);
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at))
    text.replace(at, word.size(), number);
}

std::optional<Error> wrong_procs(const ScheduleRequest& request, const Schedule& schedule) {
  if (schedule.procs() == request.procs) return std::nullopt;
  return usage_error("--procs",
                     fmt::format("{} has {}, not {}", request.file,
                                 counted(schedule.procs(), "rank"), request.procs),
                     fmt::format("use --procs {}, or a file per number: goal:NAME-{{procs}}.goal",
                                 schedule.procs()));
}

// The schedule of a collective describes its call.
std::optional<Error> wrong_call(const ScheduleRequest& request, const Schedule& schedule) {
  if (!schedule.call)
    return usage_error(
        "--algorithm", fmt::format("{} does not describe a call", request.file),
        fmt::format("add its line \"// tutti call {} bytes=...\", or use sim run schedule",
                    request.collective));
  const ScheduledCall& call = *schedule.call;
  if (call.collective != request.collective)
    return usage_error("--algorithm",
                       fmt::format("{} is a schedule of {}", request.file, call.collective),
                       fmt::format("sim run {} accepts it", call.collective));
  if (request.element_bytes != 1 && request.element_bytes != call.element_bytes)
    return usage_error(
        "--element-bytes",
        fmt::format("the elements of {} have {} B", request.file, call.element_bytes),
        fmt::format("use --element-bytes {}", call.element_bytes));
  const auto* collective = algorithms::find_collective(request.collective);
  if (collective->rooted && call.root != request.root)
    return usage_error("--root", fmt::format("the root of {} is {}", request.file, call.root),
                       fmt::format("use --root {}", call.root));
  if (call.message_bytes == 0 && request.message_bytes > 0)
    return usage_error("--message-size",
                       fmt::format("{} is a call with 0 B, which cannot be scaled", request.file),
                       "use a schedule for a larger message");
  return std::nullopt;
}

}  // namespace

std::optional<std::string> schedule_file_of(std::string_view algorithm, int procs,
                                            Bytes message_bytes) {
  for (const std::string_view prefix : {"goal:", "schedule:"}) {
    if (!algorithm.starts_with(prefix)) continue;
    std::string file(algorithm.substr(prefix.size()));
    replace_all(file, "{procs}", procs);
    replace_all(file, "{message_bytes}", message_bytes);
    return file;
  }
  return std::nullopt;
}

Result<std::shared_ptr<const Schedule>> shared_schedule(const std::string& path) {
  static std::map<std::string, std::weak_ptr<const Schedule>, std::less<>> known;
  static std::shared_ptr<const Schedule> last;  // pipes can be read only once
  if (const auto found = known.find(path); found != known.end())
    if (auto schedule = found->second.lock()) return schedule;
  last = nullptr;
  last = TUTTI_TRY(read_schedule(path));
  known[path] = last;
  return last;
}

Result<std::shared_ptr<const ScheduledAlgorithm>> scheduled_algorithm(
    const ScheduleRequest& request) {
  if (request.file.empty())
    return usage_error("--algorithm", "goal: has no file name", "expected goal:FILE");
  auto made = std::make_shared<ScheduledAlgorithm>();
  made->scheduled.schedule = TUTTI_TRY(shared_schedule(request.file));
  const Schedule& schedule = *made->scheduled.schedule;
  if (auto error = wrong_procs(request, schedule)) return *std::move(error);
  if (request.collective != schedule_word) {
    if (auto error = wrong_call(request, schedule)) return *std::move(error);
    if (request.message_bytes != schedule.call->message_bytes) {
      made->scheduled.factor = request.message_bytes;
      made->scheduled.divisor = schedule.call->message_bytes;
    }
    if (auto error = check_scale(made->scheduled, schedule.call->element_bytes))
      return *std::move(error);
  }
  made->name = request.algorithm;
  made->algorithm.collective = request.collective == schedule_word
                                   ? schedule_word
                                   : algorithms::find_collective(request.collective)->name;
  made->algorithm.name = made->name;
  made->algorithm.summary = "a schedule";
  return std::shared_ptr<const ScheduledAlgorithm>(std::move(made));
}

runtime::Program program_of(std::shared_ptr<const ScheduledAlgorithm> scheduled) {
  const std::shared_ptr<const Scheduled> executed(scheduled, &scheduled->scheduled);
  const auto progress = scheduled->progress;
  progress->ranks.assign(static_cast<std::size_t>(executed->schedule->procs()), {});
  return [executed, progress](runtime::Rank& me) { return run_schedule(me, executed, progress); };
}

}  // namespace tutti::workloads::schedules
