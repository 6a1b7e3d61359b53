// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/schedule.hpp"

namespace tutti::io_models {
namespace {

std::vector<Leg> legs_of(const Redistribution& redistribution, int aggregator,
                         const std::vector<std::int64_t>& cycles) {
  std::vector<Leg> legs;
  std::vector<Transfer> found;
  for (std::size_t step = 0; step < cycles.size(); ++step) {
    found.clear();
    redistribution.transfers(aggregator, cycles[step], found);
    for (const Transfer& transfer : found)
      legs.push_back({static_cast<std::int32_t>(step), transfer.rank, transfer.bytes});
  }
  return legs;
}

}  // namespace

Schedule::Schedule(const Redistribution& redistribution, std::vector<std::int64_t> cycles)
    : redistribution_(&redistribution), cycles_(std::move(cycles)) {
  std::vector<std::vector<Leg>> legs;
  for (int i = 0; i < redistribution.aggregators(); ++i)
    legs.push_back(legs_of(redistribution, i, cycles_));
  messages_ = Legs(redistribution.procs(), steps(), legs);
}

}  // namespace tutti::io_models
