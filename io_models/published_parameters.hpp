// SPDX-License-Identifier: BSD-3-Clause
// Table 5.1 of the dissertation: the model's parameters as they are printed there, for 1024 MB of
// data a process, 64 aggregators and buffers of 32 MB. They are what `sim validate io` compares
// with; nothing is computed from them. The table itself has no misprint, two formulas beside it
// have (shuffle_model.hpp). Its message sizes are cut after two digits: 2.66 is 2.667.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "io_models/shuffle_model.hpp"

namespace tutti::io_models {

struct PublishedParameters {
  Partitioning partitioning;
  Layout layout;
  int procs;
  int n_as, n_s, n_ar, n_r;
  int m_s_percent_of_MB;  // 266: printed as 2.66 MB
};
std::span<const PublishedParameters> table_5_1();

// The arguments of the model for a column of the table; the 2-D grids and blocks are square.
ShuffleModelArgs args_of(const PublishedParameters& published);

// One of the five values of a column, by the model and as printed.
struct ComparedValue {
  PublishedParameters column;
  std::string_view name;  // "n_as", ..., "m_s_MB"
  double model = 0;
  double printed = 0;
  bool equal = false;  // m_s: once it is cut as the table cuts it
};
std::vector<ComparedValue> compare_with_model(std::span<const PublishedParameters> columns);

}  // namespace tutti::io_models
