// SPDX-License-Identifier: BSD-3-Clause
// What the outputs of the OSU and the Intel MPI Benchmarks have in common: comments, headers, rows
// of numbers.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/tables/readers.hpp"

namespace tutti::reports {

class BenchmarkLines {
 public:
  BenchmarkLines(std::string_view text, const std::string& path)
      : text_(text), rest_(text), path_(path) {}

  // The next line, trimmed; blank ones too.
  std::optional<std::string_view> next();
  // Of the line that was read last, from 1.
  int number() const { return number_; }
  // At a part of the text.
  Error error(std::string_view at, std::string message, std::string hint = "") const;

  // The words of a row as cells of the columns: sizes whole, times from us to s, rates
  // from MB/s to B/s. A column without a
  // name is skipped.
  std::optional<Error> add_row(std::string_view line, const std::vector<std::string>& columns,
                               TableBuilder& table) const;

 private:
  std::string_view text_;
  std::string_view rest_;
  int number_ = 0;
  const std::string& path_;
};

std::vector<std::string_view> words_in(std::string_view line);

}  // namespace tutti::reports
