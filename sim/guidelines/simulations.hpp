// SPDX-License-Identifier: BSD-3-Clause
// What a check or a tuning simulates: calls that are the same once, in all rounds together; those
// that take longest come first, so that the cores are busy to the end.
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/measuring.hpp"
#include "sim/guidelines/settings.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::guidelines {

// The same for points of one request that do the same: what decides the calls inside one is looked
// at as far as it matters.
std::string identity_of(const Point& point);

class Simulations {
 public:
  // `measuring` outlives it.
  explicit Simulations(const Measuring& measuring) : measuring_(measuring) {}

  struct Task {
    std::string identity;
    const Point* point = nullptr;  // one of those that are the same
    SettlingKey settles_as;
    double messages = 0;  // about so many
  };
  using Take = std::function<void(const Latencies&)>;

  // `take` is called by `deliver`; the point outlives that. Where repetitions are estimated, they
  // are by what calls of 1 byte settle in: `settles_as`.
  void want(const Point& point, const SettlingKey& settles_as, Take take);
  // What is wanted and not known yet; and what of it has not settled yet.
  std::vector<Task> tasks() const;
  std::set<SettlingKey> unsettled() const;
  void settle(const SettlingKey& key, const Settling& settling) { settlings_[key] = settling; }
  void learn(const std::string& identity, Latencies latencies_s);
  // Gives everyone the latencies that are known, and forgets who wanted them.
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

// All sides but those that are skipped.
void want(std::vector<Setting>& settings, Simulations& simulations);
// Fills the times of what is wanted, as far as they are not known. Where repetitions are
// estimated, step 1 of NREP comes first, on the same settings with 1 byte.
Result<PointsRun> simulate_wanted(Simulations& simulations, const Spec& spec,
                                  const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::guidelines
