// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/verdict.hpp"

namespace tutti::studies::replay {

std::string percent_text(double fraction) {
  return fraction < 0.01 ? fmt::format("{:.2g} %", 100 * fraction)
                         : fmt::format("{:.1f} %", 100 * fraction);
}

Verdict CallTimeSums::verdict(Ticks total) const {
  Verdict verdict;
  for (std::uint32_t region = 0; region < sums_.size() / classes; ++region) {
    Verdict::OfRegion of{.region = region};
    for (std::size_t i = 0; i < classes; ++i) {
      const Sum& sum = sums_[region * classes + i];
      if (sum.calls == 0) continue;
      of.calls += sum.calls;
      verdict.has_unknown |= i == 0;
      of.ticks += sum.ticks - (i == 0 ? 0 : static_cast<Ticks>(sum.calls) * sum.least);
    }
    if (of.ticks <= 0 || total <= 0) continue;
    of.fraction = static_cast<double>(of.ticks) / static_cast<double>(total);
    verdict.fraction += of.fraction;
    verdict.regions.push_back(of);
  }
  std::ranges::stable_sort(verdict.regions, std::greater{}, &Verdict::OfRegion::ticks);
  return verdict;
}

void Verdict::set_bound(Ticks end, Ticks earliest, Ticks latest) {
  constexpr Ticks rounding = 10'000;  // the inverse of the effect of rounding and of single tests
  if (earliest < end) earliest -= end / rounding;
  if (latest > end) latest += end / rounding;
  earliest = std::clamp<Ticks>(earliest, 1, std::max<Ticks>(end, 1));
  is_bound = true;
  fraction = std::max(static_cast<double>(end - earliest) / static_cast<double>(earliest),
                      1 - static_cast<double>(end) / static_cast<double>(std::max(latest, end)));
}

}  // namespace tutti::studies::replay
