// SPDX-License-Identifier: BSD-3-Clause
// A study as its TOML file says it: what is simulated, which options take which values, what is
// left out, what is added, and the plots that are wanted. Values stay text, as a command line has
// them, with the place where they stand; `sim run`'s own readers say what they mean.
//
//   [study]     name, description
//   [base]      workload = "bcast" (the word after `sim run`); options that have one value
//   [matrix]    options that have several: lists, and ranges as "1KiB:4MiB" or "1KiB..4MiB"
//   [[zip]]     options that move together: lists of one length
//   [[exclude]] combinations that are left out: a value or a list for each option named
//   [[include]] combinations that are added to those of the matrix, upon the same [base]
//   [[report.plot]]  x, y, series, facet, log, relative, kind, title
//
// Keys are the options of `sim run` with '_' for '-' ("message_size"), and those of --set in quotes
// ("mpi/eager_limit").
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/text_position.hpp"

namespace tutti::studies {

// What a study may set.
struct StudyOption {
  enum class Kind : unsigned char { flag, count, bytes, names, text };
  std::string key;    // "message_size"
  std::string named;  // what it is known by: "fanout" where the key is "radix"
  Kind kind = Kind::text;
  std::string_view help = {};
};

// Line 0: the command line.

struct StudyValue {
  std::string text;
  TextSpot spot;
};

struct StudyAxis {
  std::string name;  // StudyOption::named, or a key of --set, which has a '/'
  TextSpot spot;
  std::vector<StudyValue> values;
};

// Axes that move together; one alone is a group of one. All have as many values.
using StudyGroup = std::vector<StudyAxis>;

struct StudyPlot {
  TextSpot spot;
  std::vector<std::pair<std::string, std::string>> options;  // "x", "message_bytes"
};

// A file that a study consists of.
struct StudySource {
  std::string path;
  std::string text;
};

struct StudyFile {
  std::string path;
  std::string text;
  std::vector<StudySource> others;  // that spots with a source stand in, from 1 on
  std::string name;
  std::string description;
  StudyGroup base;  // one value each
  std::vector<StudyGroup> matrix;
  std::vector<StudyGroup> excludes;
  std::vector<StudyGroup> includes;
  std::vector<StudyPlot> plots;
};

inline constexpr std::string_view workload_key = "workload";

// `path` is used in messages, and for the name where the file has none. All errors at once, but for
// those of TOML's syntax, of which the reader knows the first.
Result<StudyFile> read_study(const std::string& text, const std::string& path,
                             const std::vector<StudyOption>& options);

// `--set NAME=VALUE` of `sim sweep`: the option has this value alone, wherever the file has it.
std::optional<Error> set_option(StudyFile& study, const std::string& assignment,
                                const std::vector<StudyOption>& options);

// An error at a place of the file, with its line.
Error error_at(const StudyFile& study, TextSpot spot, std::string message, std::string hint = "");

}  // namespace tutti::studies
