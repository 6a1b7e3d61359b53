// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/harness.hpp"

#include <algorithm>

namespace tutti::workloads {
namespace {

constexpr Harness all[] = {
    {.name = "osu", .prints_mean = true},
    {.name = "imb", .before_each_call = false, .warm_up = 2, .calls = 8},
    {.name = "pico"},
    {.name = "reprompi", .barrier = Harness::Barrier::dissemination},
};

}  // namespace

std::span<const Harness> harnesses() { return all; }

const Harness* find_harness(std::string_view name) {
  const auto* found = std::ranges::find(all, name, &Harness::name);
  return found == std::end(all) ? nullptr : found;
}

}  // namespace tutti::workloads
