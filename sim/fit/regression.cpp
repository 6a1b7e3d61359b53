// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/regression.hpp"

#include "sim/base/quantile.hpp"
#include "sim/fit/linear_algebra.hpp"

namespace tutti::studies {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Fraction of a time from which on the wire is visible in it.
constexpr double part_that_counts = 0.3;

struct Rows {
  std::vector<VectorXd> x;
  std::vector<double> y;

  std::vector<PairQuantity> quantities;

  // Relative: divided by the time. A row of twice the weight is twice as precise.
  void add(const VectorXd& row, double value, PairQuantity quantity, double weight) {
    x.push_back(row * (weight / value));
    y.push_back(weight);
    quantities.push_back(quantity);
  }
  double residual(std::size_t row, const VectorXd& coefficients) const {
    return 1 - x[row].dot(coefficients) / y[row];
  }
  RobustFit fit() const {
    Eigen::MatrixXd X(static_cast<Index>(x.size()), x.front().size());
    for (std::size_t i = 0; i < x.size(); ++i) X.row(static_cast<Index>(i)) = x[i].transpose();
    return huber_fit(X, Eigen::Map<const VectorXd>(y.data(), static_cast<Index>(y.size())));
  }
};

class Solver {
 public:
  explicit Solver(const RegressionModel& model)
      : model_(model),
        reference_(model.sections.size() - 1),
        shares_(model.sections.size(), false) {
    for (const auto& measurement : model.measurements) {
      has_overheads_ |= measurement.quantity == PairQuantity::send_overhead;
      largest_ = std::max(largest_, measurement.bytes);
    }
  }

  // No section is faster than the wire, and no parameter is negative. Where the fit violates this,
  // the section shares the wire's time per byte, the parameter is dropped, and the fit is repeated.
  Regression run() {
    for (;;) {
      make_columns();
      const Rows rows = data_rows();
      Regression found{columns_, rows.fit(), {}, {}};
      found.fit = fit_of(with_assumptions(found.data));
      found.fit.condition = found.data.condition;
      found.fit.samples = model_.measurements.size();
      if (simplified(found.fit)) continue;
      if (!weights_.empty()) {
        found.overheads_are_gap = overheads_are_gap_ && !no_registration_;
        found.per_byte_halves = unshared_halves();
        return found;
      }
      weigh(rows, found.data.coefficients);
    }
  }

 private:
  std::size_t section_number(Bytes bytes) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < model_.sections.size(); ++i)
      if (bytes > model_.sections[i].above) found = i;
    return found;
  }

  void make_columns() {
    columns_ = {};
    columns_.sections = model_.sections;
    std::size_t next = 3;
    const std::size_t wire = next++;
    for (std::size_t i = 0; i < model_.sections.size(); ++i) {
      const bool has_extra = i > 0 || !columns_.is_eager(i);
      columns_.extra.push_back(has_extra ? std::optional(next++) : std::nullopt);
      columns_.wire.push_back(shares_[i] || i == reference_ ? wire : next++);
    }
    const bool any_eager = columns_.is_eager(0);
    if (any_eager && has_copy_) columns_.copy = next++;
    if (any_eager && has_overheads_) columns_.send_per_byte = next++;
    if (gap_is_seen()) columns_.gap = next++;
    columns_.count = next;
  }

  // ---- rows ----

  Rows data_rows() const {
    Rows rows;
    for (const auto& measurement : model_.measurements) {
      auto row = row_of(measurement);
      if (!row) continue;
      for (const std::size_t column : zero_) (*row)[static_cast<Index>(column)] = 0;
      const auto weight = weights_.find(measurement.quantity);
      rows.add(*row, measurement.time_s, measurement.quantity,
               weight == weights_.end() ? 1 : weight->second);
    }
    return rows;
  }

  // Quantities are not measured equally well: each is weighted by the scatter of its own residuals.
  void weigh(const Rows& rows, const VectorXd& coefficients) {
    constexpr double least_scatter = 1e-3;
    std::map<PairQuantity, std::vector<double>> residuals;
    for (std::size_t i = 0; i < rows.x.size(); ++i)
      residuals[rows.quantities[i]].push_back(std::abs(rows.residual(i, coefficients)));
    for (auto& [quantity, sizes] : residuals)
      weights_[quantity] = 1 / std::max(least_scatter, median_of(std::move(sizes)));
  }

  std::optional<VectorXd> row_of(const PairMeasurement& measurement) const {
    const std::size_t section = section_number(measurement.bytes);
    switch (measurement.quantity) {
      case PairQuantity::one_way:
        return columns_.one_way(section, measurement.bytes);
      case PairQuantity::interval:
        return interval_row(measurement, section);
      case PairQuantity::send_overhead:
        return overhead_row(section, columns_.send, columns_.send_per_byte, measurement.bytes);
      case PairQuantity::recv_overhead:
        return overhead_row(section, columns_.recv, columns_.copy, measurement.bytes);
    }
    return std::nullopt;
  }

  // For rendezvous messages it includes how long one side waits for the other.
  std::optional<VectorXd> overhead_row(std::size_t section, std::size_t fixed,
                                       std::optional<std::size_t> per_byte, Bytes bytes) const {
    if (!columns_.is_eager(section)) return std::nullopt;
    VectorXd row = columns_.unit(fixed);
    if (per_byte) row += static_cast<double>(bytes) * columns_.unit(*per_byte);
    return row;
  }

  // Large messages follow each other at the wire's rate, small ones at the gap.
  std::optional<VectorXd> interval_row(const PairMeasurement& measurement,
                                       std::size_t section) const {
    if (shows_gap(measurement)) return gap_row(measurement, section);
    constexpr Bytes nearly = 16;
    if (columns_.is_eager(section) || measurement.bytes < largest_ / nearly) return std::nullopt;
    return static_cast<double>(measurement.bytes) * columns_.unit(columns_.wire[section]);
  }

  // A window of messages and its answer contain two one-way times that nothing overlaps.
  VectorXd gap_row(const PairMeasurement& measurement, std::size_t section) const {
    const VectorXd gap = columns_.unit(*columns_.gap);
    if (measurement.window == 0) return gap;
    return gap + (2 * columns_.one_way(section, measurement.bytes) - gap) / measurement.window;
  }

  std::optional<double> measured(PairQuantity quantity, Bytes bytes) const {
    for (const auto& measurement : model_.measurements)
      if (measurement.quantity == quantity && measurement.bytes == bytes) return measurement.time_s;
    return std::nullopt;
  }

  // Only the smallest message, unless an overhead hides the gap. Of unmeasured overheads it shows
  // at most the larger one.
  bool shows_gap(const PairMeasurement& measurement) const {
    if (measurement.quantity != PairQuantity::interval) return false;
    for (const auto& other : model_.measurements)
      if (other.quantity == PairQuantity::interval && other.bytes < measurement.bytes) return false;
    constexpr Bytes small = 64;
    if (!has_overheads_) return has_gap_ && columns_.is_eager(0) && measurement.bytes <= small;
    constexpr double clearly = 1.1;
    const auto send_s = measured(PairQuantity::send_overhead, measurement.bytes);
    const auto recv_s = measured(PairQuantity::recv_overhead, measurement.bytes);
    return send_s && recv_s && measurement.time_s > clearly * std::max(*send_s, *recv_s);
  }
  bool gap_is_seen() const {
    return std::ranges::any_of(model_.measurements, [&](const PairMeasurement& measurement) {
      return shows_gap(measurement);
    });
  }

  // ---- assumptions ----

  // Each assumption is made only where the data and the previous assumptions leave it open, so that
  // it does not change what they determine.
  VectorXd with_assumptions(const RobustFit& fit) const {
    std::vector<VectorXd> made;
    Eigen::MatrixXd basis = fit.row_space;
    const auto assume_0 = [&](const VectorXd& combination) {
      RobustFit so_far = fit;
      so_far.row_space = basis;
      if (so_far.determines(combination)) return;
      VectorXd outside = combination.cwiseQuotient(fit.scales);
      for (int twice = 0; twice < 2; ++twice) outside -= basis * (basis.transpose() * outside);
      basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
      basis.col(basis.cols() - 1) = outside.normalized();
      made.push_back(combination);
    };
    for (const std::size_t column : zero_) assume_0(columns_.unit(column));
    assume_0(columns_.unit(columns_.send) - columns_.unit(columns_.recv));
    if (no_registration_) assume_0(columns_.unit(*columns_.extra[*no_registration_]));
    if (overheads_are_gap_) assume_0(columns_.unit(columns_.send) - columns_.unit(*columns_.gap));
    assume_0(columns_.unit(columns_.latency) - columns_.unit(columns_.send) -
             columns_.unit(columns_.recv));
    if (const auto section = copying_section(fit))
      assume_0(columns_.unit(columns_.wire[*section]) - columns_.unit(columns_.wire[reference_]));
    if (columns_.copy) assume_0(columns_.unit(*columns_.copy));
    for (std::size_t i = 0; i < columns_.count; ++i) assume_0(columns_.unit(i));
    return moved(fit, made, basis.rightCols(static_cast<Index>(made.size())));
  }

  // Moves along the directions that the data leave open, to where the combinations are 0.
  static VectorXd moved(const RobustFit& fit, const std::vector<VectorXd>& zeros,
                        const Eigen::MatrixXd& open) {
    if (zeros.empty()) return fit.coefficients;
    Eigen::MatrixXd A(static_cast<Index>(zeros.size()), open.cols());
    VectorXd missing(A.rows());
    for (Index i = 0; i < A.rows(); ++i) {
      const VectorXd& zero = zeros[static_cast<std::size_t>(i)];
      const VectorXd unit = zero.cwiseQuotient(fit.scales);
      A.row(i) = unit.transpose() * open / unit.norm();
      missing[i] = -zero.dot(fit.coefficients) / unit.norm();
    }
    const VectorXd step = open * solve_by_pivots(A, missing);
    return fit.coefficients + step.cwiseQuotient(fit.scales);
  }

  // The fastest eager section per byte, of those in which bytes matter: its bytes take as long on
  // the wire as those of the reference, and the remainder is copying.
  std::optional<std::size_t> copying_section(const RobustFit& fit) const {
    if (!columns_.copy || columns_.is_eager(reference_)) return std::nullopt;
    std::optional<std::size_t> found;
    double least = 0;
    for (std::size_t i = 0; i < columns_.sections.size() && columns_.is_eager(i); ++i) {
      const double per_byte = fit.value(columns_.per_byte(i));
      const double last = static_cast<double>(last_of(i));
      const bool counts =
          last * per_byte >= part_that_counts * fit.value(columns_.one_way(i, last_of(i)));
      if (found && (!counts || per_byte >= least)) continue;
      found = i;
      if (counts) least = per_byte;
    }
    return found;
  }

  // ---- the answer ----

  ProtocolFit fit_of(const VectorXd& values) const {
    const auto value = [&](std::optional<std::size_t> column) {
      return column ? values[static_cast<Index>(*column)] : 0.0;
    };
    ProtocolFit fit;
    const auto cleared = [&](std::size_t column) {  // removes rounding errors
      return std::ranges::find(zero_, column) == zero_.end() ? value(column) : 0;
    };
    fit.latency_s = cleared(columns_.latency);
    fit.send_overhead_s = cleared(columns_.send);
    fit.recv_overhead_s = cleared(columns_.recv);
    fit.send_s_per_B = value(columns_.send_per_byte);
    fit.recv_s_per_B = value(columns_.copy);
    if (columns_.gap) fit.gap_s = value(columns_.gap);
    constexpr double rounding = 1e-9;
    const Seconds sum_s = fit.latency_s + fit.send_overhead_s + fit.recv_overhead_s;
    for (std::size_t i = 0; i < model_.sections.size(); ++i) {
      fit.sections.push_back(model_.sections[i]);
      const Seconds extra_s = value(columns_.extra[i]);
      if (std::abs(extra_s) > rounding * sum_s) fit.sections.back().extra_s = extra_s;
      fit.sections.back().wire_s_per_B = value(columns_.wire[i]);
    }
    return fit;
  }

  Bytes last_of(std::size_t section) const {
    return section + 1 < model_.sections.size() ? model_.sections[section + 1].above : largest_;
  }

  // Whether the bytes are a considerable fraction of the section's longest time.
  bool wire_counts(const ProtocolFit& fit, std::size_t section) const {
    const Bytes last = last_of(section);
    return static_cast<double>(last) * fit.sections[section].wire_s_per_B >=
           part_that_counts * fit.one_way_s(last);
  }

  // Whether the fit must be repeated with fewer parameters.
  bool simplified(const ProtocolFit& fit) {
    for (const auto& [column, value] :
         {std::pair(columns_.latency, fit.latency_s), std::pair(columns_.send, fit.send_overhead_s),
          std::pair(columns_.recv, fit.recv_overhead_s)})
      if (value < 0 && std::ranges::find(zero_, column) == zero_.end()) {
        zero_.push_back(column);
        return true;
      }
    constexpr double rounding = 1e-6;
    if (columns_.copy && fit.recv_s_per_B < rounding * fit.wire_s_per_B()) {
      has_copy_ = false;
      return true;
    }
    return has_less_latency(fit) || has_less_overheads(fit) || shares_the_wire(fit);
  }

  // Consecutive messages are at most a gap apart, so overheads that the data leave open are at most
  // the gap.
  bool has_less_overheads(const ProtocolFit& fit) {
    if (!columns_.gap || has_overheads_) return false;
    if (*fit.gap_s <= 0) {
      has_gap_ = false;
      return true;
    }
    constexpr double rounding = 1e-6;
    const auto before = overheads_are_gap_;
    overheads_are_gap_ |= fit.send_overhead_s > *fit.gap_s * (1 + rounding);
    return overheads_are_gap_ != before;
  }

  // A rendezvous costs two latencies and a nonnegative registration: if the data leave the latency
  // open, it is at most half of that cost.
  bool has_less_latency(const ProtocolFit& fit) {
    constexpr double rounding = 1e-6, least_fraction = 0.1;
    const Seconds sum_s = fit.latency_s + fit.send_overhead_s + fit.recv_overhead_s;
    Seconds least_s = -rounding * sum_s;
    const auto before = no_registration_;
    for (std::size_t i = 0; i < fit.sections.size() && !before; ++i) {
      const Seconds extra_s = fit.sections[i].extra_s;
      if (columns_.is_eager(i) || !columns_.extra[i] || extra_s >= least_s) continue;
      if (fit.latency_s + extra_s / 2 < least_fraction * sum_s) continue;
      least_s = extra_s;
      no_registration_ = i;
    }
    return no_registration_ != before;
  }

  bool shares_the_wire(const ProtocolFit& fit) {
    constexpr double rounding = 1e-6;
    const auto wire = [&](std::size_t i) { return fit.sections[i].wire_s_per_B; };
    std::size_t fastest = reference_;
    for (std::size_t i = 0; i < fit.sections.size(); ++i)
      if (!shares_[i] && wire_counts(fit, i) && wire(i) < wire(fastest) * (1 - rounding))
        fastest = i;
    if (fastest != reference_ && std::ranges::count(shares_, true) == 0) reference_ = fastest;
    for (std::size_t i = 0; i < fit.sections.size(); ++i) {
      if (shares_[i] || i == reference_ || wire(i) >= wire(reference_) * (1 - rounding)) continue;
      shares_[i] = true;
      return true;
    }
    return false;
  }

  // Sharing the wire's time per byte does not determine the precision of a section's own.
  std::vector<double> unshared_halves() {
    shares_.assign(shares_.size(), false);
    make_columns();
    const RobustFit fit = data_rows().fit();
    std::vector<double> halves;
    for (std::size_t i = 0; i < columns_.sections.size(); ++i)
      halves.push_back(fit.half_width(columns_.per_byte(i)));
    return halves;
  }

  const RegressionModel& model_;
  Columns columns_;
  std::size_t reference_;          // the section with the fastest wire
  std::vector<bool> shares_;       // by section: whether it shares the reference's time per byte
  std::vector<std::size_t> zero_;  // columns of parameters that would be negative
  std::optional<std::size_t> no_registration_;  // the rendezvous section without registration
  std::map<PairQuantity, double> weights_;
  bool overheads_are_gap_ = false;
  bool has_gap_ = true;
  bool has_copy_ = true;
  bool has_overheads_ = false;
  Bytes largest_ = 0;
};

}  // namespace

std::optional<std::size_t> Columns::first_rendezvous() const {
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (!is_eager(i)) return i;
  return std::nullopt;
}

VectorXd Columns::unit(std::size_t column) const {
  return VectorXd::Unit(static_cast<Index>(count), static_cast<Index>(column));
}

VectorXd Columns::latency_and_overheads() const { return unit(latency) + unit(send) + unit(recv); }

VectorXd Columns::per_byte(std::size_t section) const {
  VectorXd sum = unit(wire[section]);
  if (is_eager(section) && copy) sum += unit(*copy);
  if (is_eager(section) && send_per_byte) sum += unit(*send_per_byte);
  return sum;
}

VectorXd Columns::one_way(std::size_t section, Bytes bytes) const {
  VectorXd row = latency_and_overheads() + static_cast<double>(bytes) * per_byte(section);
  if (!is_eager(section)) row += 2 * unit(latency);
  if (extra[section]) row += unit(*extra[section]);
  return row;
}

std::optional<VectorXd> Columns::rendezvous_cost() const {
  const auto first = first_rendezvous();
  if (!first || *first == 0) return std::nullopt;
  return one_way(*first, 0) - one_way(*first - 1, 0);
}

Regression solve(const RegressionModel& model) { return Solver(model).run(); }

}  // namespace tutti::studies
