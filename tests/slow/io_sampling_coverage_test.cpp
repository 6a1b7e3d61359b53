// SPDX-License-Identifier: BSD-3-Clause
// How often the full time of a job is within twice the estimated error of a sample. Prints the
// table of io_models/README.md.
#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "sim/base/quantile.hpp"
#include "tests/support/sampled_jobs.hpp"

using namespace tutti;
using tests::SampledJob;

namespace {

double median_percent(const std::vector<SampledJob>& jobs, double (*value)(const SampledJob&)) {
  std::vector<double> values;
  for (const SampledJob& each : jobs) values.push_back(100 * value(each));
  return median_of(values);
}

std::string table_row(const std::string& name, const std::vector<SampledJob>& jobs) {
  const auto covered = std::ranges::count_if(jobs, &SampledJob::is_covered);
  const auto worst = std::ranges::max_element(jobs, {}, &SampledJob::error);
  return fmt::format("| {} | {} | {} | {:.1f} % | {:.1f} % | {:.0f} % |\n", name, jobs.size(),
                     covered,
                     median_percent(jobs, [](const SampledJob& job) { return job.estimate; }),
                     median_percent(jobs, [](const SampledJob& job) { return job.error(); }),
                     100 * worst->error());
}

}  // namespace

TEST_CASE("the full time of 95% of 100 random jobs is within twice the sample's error") {
  constexpr int count = 100;
  tests::SampledJobs random(2026, {});
  std::map<std::string, std::vector<SampledJob>> by_kind;
  int covered = 0;
  for (int i = 0; i < count; ++i) {
    const SampledJob job = random.next();
    by_kind[job.layout + ", " + job.domains].push_back(job);
    by_kind["all"].push_back(job);
    covered += job.is_covered();
    if (!job.is_covered()) MESSAGE(job.name, ": error ", job.error(), ", estimate ", job.estimate);
  }
  std::string table;
  for (const auto& [name, jobs] : by_kind) table += table_row(name, jobs);
  MESSAGE("\n", table);
  CHECK(covered >= count * 95 / 100);
}
