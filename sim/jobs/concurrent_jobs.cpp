// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/concurrent_jobs.hpp"

#include "sim/jobs/run_point.hpp"

namespace tutti::jobs {
namespace {

// The ranks of a job are consecutive in the simulation of all jobs.
struct RanksOfJob {
  const ConcurrentJob* job;
  runtime::RankId first = 0;
  std::vector<Seconds> end_s = {};  // by call: the last rank's end
  runtime::Program program = workloads::program_of(job->point.call);

  runtime::RankId procs() const { return job->point.placement.procs; }
};

runtime::Task calls_of(runtime::Rank& me, RanksOfJob& ranks) {
  const ConcurrentJob& job = *ranks.job;
  runtime::Nested inner(
      me, {.group = runtime::Group(ranks.first, ranks.procs()), .member = me.id() - ranks.first});
  if (job.start_s > 0) me.sleep(job.start_s);
  for (Seconds& end_s : ranks.end_s) {
    co_await ranks.program(inner.rank());
    end_s = std::max(end_s, me.now());
  }
}

runtime::Task idle(runtime::Rank&) { co_return; }

class JobsProgram {
 public:
  explicit JobsProgram(const JobMix& mix) {
    for (const auto& job : mix.jobs) {
      of_job_.push_back({.job = &job, .first = procs()});
      of_job_.back().end_s.resize(static_cast<std::size_t>(job.repeat));
      job_of_.insert(job_of_.end(), job.placement.host_of.size(), of_job_.size() - 1);
    }
  }

  runtime::Program program(std::optional<std::size_t> only) {
    return [this, only](runtime::Rank& me) {
      const std::size_t job = job_of_[static_cast<std::size_t>(me.id())];
      return only.value_or(job) == job ? calls_of(me, of_job_[job]) : idle(me);
    };
  }

  JobTimes times(std::size_t job) const {
    JobTimes times;
    Seconds before_s = of_job_[job].job->start_s;
    for (const Seconds end_s : of_job_[job].end_s) {
      times.call_s.push_back(end_s - before_s);
      before_s = end_s;
    }
    return times;
  }

 private:
  runtime::RankId procs() const { return static_cast<runtime::RankId>(job_of_.size()); }

  std::vector<RanksOfJob> of_job_;
  std::vector<std::size_t> job_of_;  // by rank
};

}  // namespace

platforms::Placement placement_of(const JobMix& mix) {
  platforms::Placement all;
  std::map<platforms::HostId, int> ranks;
  for (const auto& job : mix.jobs)
    for (const auto host : job.placement.host_of) {
      all.host_of.push_back(host);
      all.ppn = std::max(all.ppn, ++ranks[host]);
    }
  all.nodes = static_cast<int>(ranks.size());
  return all;
}

Result<JobsOutcome> run_jobs(const JobMix& mix, engines::EngineKind engine,
                             std::optional<std::size_t> only, runtime::Observer* observer) {
  JobsProgram jobs(mix);
  const auto placement = placement_of(mix);
  engines::Job run{.machine = mix.machine, .placement = placement, .program = jobs.program(only)};
  if (observer != nullptr) run.observers = {observer};
  for (const auto& job : mix.jobs)
    run.working_set.of_ranks.insert(
        run.working_set.of_ranks.end(), job.placement.host_of.size(),
        workloads::working_set(job.point.call, job.point.placement.procs));
  for (const auto& job : mix.jobs)
    if (const auto& scheduled = job.point.call.scheduled;
        scheduled && scheduled->scheduled.schedule->has_any_tag)
      return usage_error("algorithm",
                         fmt::format("receives of any tag in {} would match messages of other jobs",
                                     scheduled->name),
                         "name the tags");
  const auto outcome = engines::run(engine, run);
  for (std::size_t job = 0; job < mix.jobs.size(); ++job)
    if (const auto& scheduled = mix.jobs[job].point.call.scheduled;
        scheduled && only.value_or(job) == job)
      if (auto errors = workloads::schedules::unfinished(*scheduled, {}); !errors.empty())
        return errors;
  if (!outcome.problems.empty()) return errors_of(outcome.problems);
  JobsOutcome answer{.times = std::vector<JobTimes>(mix.jobs.size()),
                     .messages = outcome.counts.messages};
  if (engine == engines::EngineKind::ideal) return answer;
  for (std::size_t job = 0; job < mix.jobs.size(); ++job)
    if (only.value_or(job) == job) answer.times[job] = jobs.times(job);
  return answer;
}

}  // namespace tutti::jobs
