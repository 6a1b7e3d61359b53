// SPDX-License-Identifier: BSD-3-Clause
// How each side of a check is measured: runs (calls of mpirun) of several repetitions, which differ
// by noise.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/guidelines/mockup.hpp"
#include "sim/base/cell.hpp"
#include "sim/guidelines/nrep.hpp"
#include "sim/studies/point.hpp"

namespace tutti::studies::guidelines {

struct Measuring {
  // What comes before a repetition. A dissemination barrier, as in the paper (Algorithm 1), lets
  // those go first that came last: a rank that ended late begins early and seems to take longer,
  // 3.5 us of 8.5 us in a gather of 1 byte by 32 processes. That belongs to the benchmark, not to
  // the collective. So by default clocks are perfect, and all ranks begin together.
  enum class Sync : unsigned char { window, barrier } sync = Sync::window;
  int runs = 1;
  std::optional<int> repetitions = 1;  // of a run; unset: as `nrep` estimates them
  NrepRule nrep = {};
};

using Latencies = std::vector<std::vector<Seconds>>;  // by run, repetition

// Simulates step 1 of NREP in this process; the longest of all runs. `point` is of 1 byte.
Result<Row> settle(const Point& point, const Measuring& measuring,
                   const platforms::Machine& machine);
Settling settling_in(const Row& row);

// Simulates all runs in this process. `settling_s` matters where repetitions are estimated.
Result<Row> measure(const Point& point, const Measuring& measuring, Seconds settling_s,
                    const platforms::Machine& machine);
Latencies latencies_in(const Row& row);
// Of each run.
std::vector<Seconds> medians_of(const Latencies& latencies_s);

// By collective, processes, and mock-up or (null) default.
using SettlingKey = std::tuple<std::string, int, const algorithms::guidelines::Mockup*>;
using Settlings = std::map<SettlingKey, Settling>;
// Of what cannot be run with 1 byte that of the default; 0: nothing is known.
Seconds settling_of(const Settlings& settlings, const SettlingKey& key);

}  // namespace tutti::studies::guidelines
