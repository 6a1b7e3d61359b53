// SPDX-License-Identifier: BSD-3-Clause
// The inverse of a small dense matrix whose rows and columns are exchanged one at a time.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::engines {

// The matrix has a row for each link and a column for each basic column of PathFilling; so the
// inverse has a row for each column of the matrix. Each update takes a time of size^2.
class BasisInverse {
 public:
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  double at(std::size_t row, std::size_t column) const { return values_[row * stride_ + column]; }
  std::span<const double> row(std::size_t row) const {
    return {values_.data() + row * stride_, size_};
  }
  // Inverts the matrix of size x size values, row by row, from scratch: takes a time of size^3.
  void set(std::size_t size, std::vector<double> matrix);
  // inverse x column vector, and row vector x inverse.
  void times(std::span<const double> column, std::vector<double>& product) const;
  void left_times(std::span<const double> row, std::vector<double>& product) const;

  // The matrix gets a last row and a last column, which meet in `corner`.
  void grow(std::span<const double> row, std::span<const double> column, double corner);
  // The matrix loses a row and a column; the last ones move to their places.
  void shrink(std::size_t row, std::size_t column);
  void replace_row(std::size_t row, std::span<const double> values);
  void replace_column(std::size_t column, std::span<const double> values);
  // The matrix's column `key` becomes the key of its class; `same` are the class's other columns.
  void exchange_key(std::size_t key, std::span<const std::uint32_t> same);

 private:
  double& value(std::size_t row, std::size_t column) { return values_[row * stride_ + column]; }
  void reserve_row();

  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> values_;
  std::vector<double> left_, right_;
};

}  // namespace tutti::engines
