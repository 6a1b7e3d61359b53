// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/change_points.hpp"

#include "sim/base/quantile.hpp"

namespace tutti::studies {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double huber_bend = 1.345;  // in units of the scatter
constexpr double least_relative_scatter = 0.01;
constexpr std::size_t most_candidates = 160;  // sizes at which a section may end

// The samples [begin, end) of one size.
struct Size {
  Bytes bytes = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Size> sizes_of(std::span<const SizedTime> samples) {
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (sizes.empty() || sizes.back().bytes != samples[i].bytes)
      sizes.push_back({samples[i].bytes, i, i});
    sizes.back().end = i + 1;
  }
  return sizes;
}

double median_time(std::span<const SizedTime> samples) {
  std::vector<double> times;
  for (const auto& sample : samples) times.push_back(sample.time_s);
  return median_of(std::move(times));
}

double huber_loss(double u) {
  u = std::abs(u);
  return u <= huber_bend ? u * u / 2 : huber_bend * (u - huber_bend / 2);
}

// A straight line fitted by iteratively reweighted least squares of relative residuals.
class Line {
 public:
  Line(std::span<const SizedTime> samples, double scatter) : samples_(samples), scatter_(scatter) {
    constexpr int iterations = 8;
    for (int i = 0; i < iterations; ++i) improve(i == 0);
  }
  double loss() const {
    double sum = 0;
    for (const auto& sample : samples_) sum += huber_loss(residual(sample));
    return sum;
  }
  TimeSection section() const {
    return {samples_.front().bytes, samples_.back().bytes, at_0_s_, per_byte_s_, at_0_error_s_, {}};
  }

 private:
  double residual(const SizedTime& sample) const {
    const double fitted_s = at_0_s_ + per_byte_s_ * static_cast<double>(sample.bytes);
    return (sample.time_s - fitted_s) / (scatter_ * sample.time_s);
  }

  void improve(bool first) {
    double w = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& sample : samples_) {
      const double u = first ? 0 : std::abs(residual(sample));
      const double weight =
          (u <= huber_bend ? 1 : huber_bend / u) / (sample.time_s * sample.time_s);
      const auto bytes = static_cast<double>(sample.bytes);
      w += weight;
      x += weight * bytes;
      y += weight * sample.time_s;
      xx += weight * bytes * bytes;
      xy += weight * bytes * sample.time_s;
    }
    const double spread = xx - x * x / w;
    per_byte_s_ = spread > 1e-12 * xx ? std::max(0.0, (xy - x * y / w) / spread) : 0;
    at_0_s_ = (y - per_byte_s_ * x) / w;
    at_0_error_s_ = scatter_ * std::sqrt(per_byte_s_ > 0 ? xx / (w * spread) : 1 / w);
    if (at_0_s_ >= 0) return;
    at_0_s_ = 0;
    per_byte_s_ = xy / xx;
  }

  std::span<const SizedTime> samples_;
  double scatter_;
  double at_0_s_ = 0;
  double per_byte_s_ = 0;
  double at_0_error_s_ = 0;
};

class Search {
 public:
  Search(std::span<const SizedTime> samples, const SectionLimits& limits)
      : samples_(samples),
        limits_(limits),
        sizes_(sizes_of(samples)),
        scatter_(relative_scatter(samples)) {
    choose_ends();
  }

  std::vector<TimeSection> run() {
    const std::size_t ends = ends_.size();
    const std::size_t most = std::min(limits_.most_sections, ends - 1);
    best_ = std::vector(most + 1, std::vector(ends, never));
    from_ = std::vector(most + 1, std::vector<std::size_t>(ends));
    best_[0][0] = 0;
    losses_.assign(ends * ends, never);
    for (std::size_t begin = 0; begin + 1 < ends; ++begin)
      for (std::size_t end = begin + 1; end < ends; ++end) take(begin, end, most);
    const std::size_t count = chosen_count(most);
    auto sections = refined(cuts(count));
    report_possible_ends(sections, count);
    return sections;
  }

 private:
  // Borders between sizes: border i is before size i.
  void choose_ends() {
    const std::size_t step = (sizes_.size() + most_candidates - 1) / most_candidates;
    for (std::size_t i = 0; i < sizes_.size(); i += step) ends_.push_back(i);
    ends_.push_back(sizes_.size());
    if (!limits_.end) return;
    forced_ = 0;
    while (forced_ < sizes_.size() && sizes_[forced_].bytes <= *limits_.end) ++forced_;
    ends_.insert(std::lower_bound(ends_.begin(), ends_.end(), forced_), forced_);
    ends_.erase(std::unique(ends_.begin(), ends_.end()), ends_.end());
  }

  std::span<const SizedTime> samples_between(std::size_t begin, std::size_t end) const {
    return samples_.subspan(sizes_[begin].begin, sizes_[end - 1].end - sizes_[begin].begin);
  }

  bool may_be(std::size_t begin, std::size_t end) const {
    if (limits_.end && begin < forced_ && forced_ < end) return false;
    const bool at_forced = limits_.end && (begin == forced_ || end == forced_);
    return at_forced || end - begin >= std::min(least_sizes(), sizes_.size());
  }

  // Two times are always on a line; many times of two sizes need not be.
  std::size_t least_sizes() const {
    constexpr std::size_t many = 8;
    return samples_.size() >= many * sizes_.size() ? 2 : limits_.least_sizes;
  }

  void take(std::size_t begin, std::size_t end, std::size_t most) {
    if (!may_be(ends_[begin], ends_[end])) return;
    const double loss = loss_of(ends_[begin], ends_[end]);
    losses_[begin * ends_.size() + end] = loss;
    for (std::size_t count = 1; count <= most; ++count) {
      const double sum = best_[count - 1][begin] + loss;
      if (sum >= best_[count][end]) continue;
      best_[count][end] = sum;
      from_[count][end] = begin;
    }
  }

  double loss_of(std::size_t begin, std::size_t end) const {
    return Line(samples_between(begin, end), scatter_).loss();
  }

  // BIC counts three parameters per section: two numbers and an end.
  std::size_t chosen_count(std::size_t most) const {
    const double price =
        3 * std::log(static_cast<double>(std::max<std::size_t>(samples_.size(), 8)));
    std::size_t chosen = 0;
    double least = never;
    for (std::size_t count = 1; count <= most; ++count) {
      const double criterion = 2 * best_[count].back() + price * static_cast<double>(count);
      if (criterion >= least) continue;
      least = criterion;
      chosen = count;
    }
    return chosen;
  }

  std::vector<std::size_t> cuts(std::size_t count) const {
    std::vector<std::size_t> found{sizes_.size()};
    for (std::size_t at = ends_.size() - 1; count > 0; --count) {
      at = from_[count][at];
      found.push_back(ends_[at]);
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

  // If not every size was a candidate: the best border near each candidate.
  std::vector<TimeSection> refined(std::vector<std::size_t> borders) const {
    const std::size_t step = (sizes_.size() + most_candidates - 1) / most_candidates;
    for (std::size_t i = 1; step > 1 && i + 1 < borders.size(); ++i) {
      if (limits_.end && borders[i] == forced_) continue;
      std::size_t chosen = borders[i];
      double least = never;
      for (std::size_t at = borders[i] - step; at <= borders[i] + step; ++at) {
        if (!may_be(borders[i - 1], at) || !may_be(at, borders[i + 1])) continue;
        const double loss = loss_of(borders[i - 1], at) + loss_of(at, borders[i + 1]);
        if (loss >= least) continue;
        least = loss;
        chosen = at;
      }
      borders[i] = chosen;
    }
    std::vector<TimeSection> sections;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
      sections.push_back(Line(samples_between(borders[i], borders[i + 1]), scatter_).section());
    return sections;
  }

  // By number of sections and their begin: the least loss up to the largest size.
  std::vector<std::vector<double>> losses_from(std::size_t most) const {
    const std::size_t ends = ends_.size();
    std::vector<std::vector<double>> least(most + 1, std::vector<double>(ends, never));
    least[0][ends - 1] = 0;
    for (std::size_t count = 1; count <= most; ++count)
      for (std::size_t begin = 0; begin + 1 < ends; ++begin)
        for (std::size_t end = begin + 1; end < ends; ++end)
          least[count][begin] =
              std::min(least[count][begin], losses_[begin * ends + end] + least[count - 1][end]);
    return least;
  }

  // Where a section may end if the other ends adapt.
  void report_possible_ends(std::vector<TimeSection>& sections, std::size_t count) const {
    constexpr double chi_square_95 = 3.84;  // of one parameter, for twice a difference of losses
    const auto after = losses_from(count);
    for (std::size_t i = 0; i + 1 < count; ++i) {
      auto& [surely, next] = sections[i].ends;
      surely = sections[i].last;
      next = sections[i + 1].first;
      for (std::size_t at = 1; at + 1 < ends_.size(); ++at) {
        const double loss = best_[i + 1][at] + after[count - i - 1][at];
        if (2 * (loss - best_[count].back()) > chi_square_95) continue;
        surely = std::min(surely, sizes_[ends_[at] - 1].bytes);
        next = std::max(next, sizes_[ends_[at]].bytes);
      }
    }
  }

  std::span<const SizedTime> samples_;
  const SectionLimits& limits_;
  std::vector<Size> sizes_;
  double scatter_;
  std::vector<std::size_t> ends_;
  std::size_t forced_ = 0;
  std::vector<std::vector<double>> best_;  // by number of sections and end: the least loss
  std::vector<std::vector<std::size_t>> from_;
  std::vector<double> losses_;  // indexed by the candidates that enclose a section
};

// Deviations of the times from the straight line between their neighbors' times.
std::vector<double> deviations_from_neighbours(std::span<const SizedTime> samples,
                                               const std::vector<Size>& sizes) {
  std::vector<SizedTime> medians;
  for (const auto& [bytes, begin, end] : sizes)
    medians.push_back({bytes, median_time(samples.subspan(begin, end - begin))});
  std::vector<double> deviations;
  for (std::size_t i = 1; i + 1 < medians.size(); ++i) {
    const auto part = static_cast<double>(medians[i].bytes - medians[i - 1].bytes) /
                      static_cast<double>(medians[i + 1].bytes - medians[i - 1].bytes);
    const double between_s = medians[i - 1].time_s * (1 - part) + medians[i + 1].time_s * part;
    const double exactness = std::sqrt(1 + part * part + (1 - part) * (1 - part));
    deviations.push_back(std::abs(medians[i].time_s / between_s - 1) / exactness);
  }
  return deviations;
}

}  // namespace

double relative_scatter(std::span<const SizedTime> ascending) {
  constexpr double normal_mad = 0.6745;
  const auto sizes = sizes_of(ascending);
  std::vector<double> deviations;
  for (const auto& [bytes, begin, end] : sizes) {
    constexpr std::size_t least_repetitions = 4;
    if (end - begin < least_repetitions) continue;
    const auto samples = ascending.subspan(begin, end - begin);
    const double median_s = median_time(samples);
    for (const auto& sample : samples) deviations.push_back(std::abs(sample.time_s / median_s - 1));
  }
  if (deviations.empty()) deviations = deviations_from_neighbours(ascending, sizes);
  if (deviations.empty()) return least_relative_scatter;
  return std::max(least_relative_scatter, median_of(std::move(deviations)) / normal_mad);
}

std::vector<TimeSection> find_sections(std::span<const SizedTime> ascending,
                                       const SectionLimits& limits) {
  return Search(ascending, limits).run();
}

}  // namespace tutti::studies
