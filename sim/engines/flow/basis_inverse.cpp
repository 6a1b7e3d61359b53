// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/basis_inverse.hpp"

namespace tutti::engines {

void BasisInverse::times(std::span<const double> column, std::vector<double>& product) const {
  product.assign(size_, 0);
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t k = 0; k < size_; ++k) product[i] += at(i, k) * column[k];
}

void BasisInverse::left_times(std::span<const double> row, std::vector<double>& product) const {
  product.assign(size_, 0);
  for (std::size_t i = 0; i < size_; ++i)
    if (row[i] != 0)
      for (std::size_t k = 0; k < size_; ++k) product[k] += row[i] * at(i, k);
}

// Gauss-Jordan elimination with partial pivoting.
void BasisInverse::set(std::size_t size, std::vector<double> matrix) {
  size_ = stride_ = size;
  values_.assign(size * size, 0);
  for (std::size_t i = 0; i < size; ++i) value(i, i) = 1;
  const auto entry = [&](std::size_t row, std::size_t column) -> double& {
    return matrix[row * size + column];
  };
  for (std::size_t pivot = 0; pivot < size; ++pivot) {
    std::size_t best = pivot;
    for (std::size_t row = pivot; row < size; ++row)
      if (std::abs(entry(row, pivot)) > std::abs(entry(best, pivot))) best = row;
    for (std::size_t k = 0; k < size; ++k) {
      std::swap(entry(pivot, k), entry(best, k));
      std::swap(value(pivot, k), value(best, k));
    }
    const double scale = 1 / entry(pivot, pivot);
    for (std::size_t k = 0; k < size; ++k) {
      entry(pivot, k) *= scale;
      value(pivot, k) *= scale;
    }
    for (std::size_t row = 0; row < size; ++row) {
      const double factor = entry(row, pivot);
      if (row == pivot || factor == 0) continue;
      for (std::size_t k = 0; k < size; ++k) {
        entry(row, k) -= factor * entry(pivot, k);
        value(row, k) -= factor * value(pivot, k);
      }
    }
  }
}

void BasisInverse::reserve_row() {
  if (size_ < stride_) return;
  const std::size_t stride = 2 * stride_ + 8;
  std::vector<double> values(stride * stride);
  for (std::size_t i = 0; i < size_; ++i)
    std::copy_n(values_.data() + i * stride_, size_, values.data() + i * stride);
  values_ = std::move(values);
  stride_ = stride;
}

void BasisInverse::grow(std::span<const double> row, std::span<const double> column,
                        double corner) {
  reserve_row();
  times(column, right_);
  left_times(row, left_);
  const double complement =
      corner - std::inner_product(row.begin(), row.end(), right_.begin(), 0.0);
  for (std::size_t i = 0; i < size_; ++i) {
    const double factor = right_[i] / complement;
    for (std::size_t k = 0; k < size_; ++k) value(i, k) += factor * left_[k];
    value(i, size_) = -factor;
  }
  for (std::size_t k = 0; k < size_; ++k) value(size_, k) = -left_[k] / complement;
  value(size_, size_) = 1 / complement;
  ++size_;
}

void BasisInverse::shrink(std::size_t row, std::size_t column) {
  const double pivot = at(column, row);
  for (std::size_t i = 0; i < size_; ++i) {
    const double factor = at(i, row) / pivot;
    if (i == column || factor == 0) continue;
    for (std::size_t k = 0; k < size_; ++k) value(i, k) -= factor * at(column, k);
  }
  --size_;
  for (std::size_t k = 0; k <= size_; ++k) value(column, k) = at(size_, k);
  for (std::size_t i = 0; i < size_; ++i) value(i, row) = at(i, size_);
}

void BasisInverse::replace_row(std::size_t row, std::span<const double> values) {
  left_times(values, left_);
  const double pivot = left_[row];
  left_[row] = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double factor = value(i, row) /= pivot;
    if (factor == 0) continue;
    for (std::size_t k = 0; k < size_; ++k) value(i, k) -= factor * left_[k];
  }
}

void BasisInverse::replace_column(std::size_t column, std::span<const double> values) {
  times(values, right_);
  const double pivot = right_[column];
  for (std::size_t k = 0; k < size_; ++k) value(column, k) /= pivot;
  for (std::size_t i = 0; i < size_; ++i) {
    if (i == column || right_[i] == 0) continue;
    for (std::size_t k = 0; k < size_; ++k) value(i, k) -= right_[i] * at(column, k);
  }
}

void BasisInverse::exchange_key(std::size_t key, std::span<const std::uint32_t> same) {
  for (std::size_t k = 0; k < size_; ++k) {
    double sum = at(key, k);
    for (const std::uint32_t row : same) sum += at(row, k);
    value(key, k) = -sum;
  }
}

}  // namespace tutti::engines
