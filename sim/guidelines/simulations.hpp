// SPDX-License-Identifier: BSD-3-Clause
// The simulations of a check or a tuning. Identical calls are simulated once over all rounds. The
// longest calls come first, so that the cores are busy until the end.
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/measuring.hpp"
#include "sim/guidelines/settings.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::guidelines {

// Equal for points of one request that execute the same calls. Includes the selection only as far
// as it affects the calls inside.
std::string call_identity(const Point& point);

class Simulations {
 public:
  // `measuring` must outlive this object.
  explicit Simulations(const Measuring& measuring) : measuring_(measuring) {}

  struct Task {
    std::string identity;
    const Point* point = nullptr;  // one of the identical points
    SettlingKey settles_as;
    double messages = 0;  // estimated number of messages
  };
  using Take = std::function<void(const Latencies&)>;

  // Requests a point; `deliver` calls `take` with its latencies, and the point must live until
  // then. If repetitions are estimated, `settles_as` selects the settling time of 1-byte calls.
  void want(const Point& point, const SettlingKey& settles_as, Take take);
  // The requested points without latencies, and those among them without a settling time.
  std::vector<Task> tasks() const;
  std::set<SettlingKey> unsettled() const;
  void settle(const SettlingKey& key, const Settling& settling) { settlings_[key] = settling; }
  void learn(const std::string& identity, Latencies latencies_s);
  // Delivers the known latencies, and clears all requests.
  void deliver();

  const Settlings& settlings() const { return settlings_; }

 private:
  struct Wanted {
    std::string identity;
    const Point* point;
    SettlingKey settles_as;
    Take take;
  };
  const Measuring& measuring_;
  std::vector<Wanted> wanted_;
  std::map<std::string, Latencies> known_;  // by identity
  Settlings settlings_;
};

SettlingKey settling_key(const Setting& setting, const Side& side);

// Requests all sides that are not skipped.
void want(std::vector<Setting>& settings, Simulations& simulations);
// Simulates the requested points without latencies, and delivers the results. If repetitions are
// estimated, step 1 of NREP runs first, on the same settings with 1 byte.
Result<PointsRun> simulate_wanted(Simulations& simulations, const Spec& spec,
                                  const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::guidelines
