// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's engine runs once per process: tests run each job in a child.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error_list.hpp"
#include "sim/engines/simgrid/simgrid_engine.hpp"
#include "sim/studies/forked.hpp"

namespace tutti::tests {

struct ChildOutcome {
  std::vector<Seconds> end_s;  // by rank; empty if there are problems
  std::string problems;        // joined by newlines
};

inline ChildOutcome run_simgrid_in_child(const engines::Job& job) {
  auto child = studies::Forked::start([&]() -> Result<studies::Answer> {
    engines::Outcome outcome = engines::run_simgrid(job);
    studies::Answer answer;
    answer.end_s = std::move(outcome.end_s);
    if (outcome.problems.empty()) return answer;
    std::vector<Error> errors;
    for (const std::string& each : outcome.problems)
      errors.push_back(make_error(ErrorKind::run, "", each));
    return errors;
  });
  REQUIRE(child);
  auto answer = child->collect();
  if (answer) return {std::move(answer->end_s), ""};
  ChildOutcome outcome;
  for (const Error& error : answer.errors()) {
    REQUIRE_MESSAGE(error.kind == ErrorKind::run, error.message << "\n" << child->said());
    outcome.problems += error.message + "\n";
  }
  return outcome;
}

// When the last rank ends. The job has no problems.
inline Seconds end_of(const engines::Job& job) {
  const ChildOutcome outcome = run_simgrid_in_child(job);
  REQUIRE(outcome.problems == "");
  return *std::max_element(outcome.end_s.begin(), outcome.end_s.end());
}

}  // namespace tutti::tests
