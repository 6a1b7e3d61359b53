// SPDX-License-Identifier: BSD-3-Clause
// The facts of NCCL's tuning model by version (nccl/VERSION.toml, whose comments describe the
// keys). An error in them is a bug: a broken invariant.
#pragma once

#include <deque>

#include "sim/base/common.hpp"

namespace tutti::algorithms::selection {

class NcclTuning {
 public:
  using Row = std::vector<double>;
  using Rows = std::vector<Row>;

  // Reads one version with those that it extends.
  explicit NcclTuning(std::string_view name);

  // All versions, the newest first.
  static const std::deque<NcclTuning>& all();
  // The version with the name or alias; null: there is none.
  static const NcclTuning* find(std::string_view name);
  // The name of the version that chooses as a library such as "NCCL 2.26.2": the newest that is not
  // newer. "nccl" if the text has no version.
  static std::string of_library(std::string_view library);

  const std::string& name() const { return name_; }    // "nccl-2.28"
  const std::string& title() const { return title_; }  // "NCCL 2.28"
  double number(std::string_view key) const;
  std::int64_t integer(std::string_view key) const {
    return static_cast<std::int64_t>(number(key));
  }
  // True if the key exists and is not 0.
  bool has(std::string_view key) const;
  const Rows& table(std::string_view key) const;
  // A list is a table of one row.
  const Row& list(std::string_view key) const { return table(key).front(); }

 private:
  void read(std::string_view name);

  std::string name_, title_;
  std::vector<std::string> aliases_;
  std::map<std::string, Rows, std::less<>> tables_;  // numbers are tables of one number
};

}  // namespace tutti::algorithms::selection
