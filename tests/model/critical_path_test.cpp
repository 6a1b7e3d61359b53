// SPDX-License-Identifier: BSD-3-Clause
// The critical path and the loads of links in cases that a person can compute, in both timed
// engines. The machine: o_s = 0.3 us, o_r = 0.2 us, routes of two links (1 us and 1 GB/s each:
// L = 2 us), eager up to 1000 B, no copies.
#include "sim/engines/inside/critical_path.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "sim/engines/inside/link_loads.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using engines::LinkLoad;
using engines::PathStep;
using engines::Transit;
using platforms::Piecewise;
using runtime::Rank;
using runtime::Task;
using runtime::Work;
using tests::exactly;

namespace {

constexpr double us = 1e-6;
constexpr double o_s = 0.3 * us;
constexpr double o_r = 0.2 * us;
constexpr double L = 2 * us;
constexpr double G = 1e-9;

platforms::Machine machine_with_overheads(platforms::HostId hosts) {
  platforms::Machine machine = tests::test_machine(hosts);
  machine.inter.send_overhead = machine.inter.isend_overhead = Piecewise(o_s);
  machine.inter.recv_overhead = Piecewise(o_r);
  return machine;
}

struct Seen {
  std::vector<PathStep> steps;
  std::vector<LinkLoad> links;
  Seconds end_s = 0;
};

// `steps` and `links` travel as bytes in other fields of the answer.
template <class T>
std::vector<double> as_numbers(const std::vector<T>& values) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  std::vector<double> numbers(values.size() * sizeof(T) / sizeof(double));
  if (!values.empty()) std::memcpy(numbers.data(), values.data(), values.size() * sizeof(T));
  return numbers;
}

Seen see(const engines::Job& job, engines::EngineKind engine) {
  engines::CriticalPath path(static_cast<int>(job.placement.host_of.size()));
  engines::LinkLoads loads(job.machine, job.placement);
  engines::Job watched{.machine = job.machine,
                       .placement = job.placement,
                       .program = job.program,
                       .observers = {&path, &loads}};
  const auto outcome = engines::run(engine, watched);
  REQUIRE(outcome.problems == std::vector<std::string>{});
  return {path.steps(), loads.rows(),
          *std::max_element(outcome.end_s.begin(), outcome.end_s.end())};
}
}  // namespace
