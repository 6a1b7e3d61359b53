// SPDX-License-Identifier: BSD-3-Clause
// What points will cost, from what others did: the rate at which messages were simulated, and the
// memory of the largest jobs.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/base/cell.hpp"
#include "sim/base/units.hpp"
#include "sim/studies/study_point.hpp"

namespace tutti::studies {

class StudyCost {
 public:
  static constexpr Seconds start_s = 0.003;  // a child's start and end

  // A stored point: its columns engine, procs, messages, wall_s, peak_rss_bytes.
  void learn(const Row& row);
  bool has_learnt() const { return runs_ > 0; }

  // Seconds of one core, without the start; 0 where nothing was learnt.
  Seconds time_of(double messages) const;
  // Of a job with so many processes; nothing where none was run.
  std::optional<Bytes> memory_of(std::int64_t procs) const;

 private:
  std::size_t runs_ = 0;
  double messages_ = 0;
  Seconds wall_s_ = 0;
  std::map<std::int64_t, Bytes> memory_of_procs_;  // the most
};

}  // namespace tutti::studies
