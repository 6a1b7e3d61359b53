// SPDX-License-Identifier: BSD-3-Clause
// A study as described by its TOML file: the workload, the values of the options, excluded and
// additional combinations, and plots. Values stay text, as on a command line, with their place in
// the file; study_points.hpp combines them, and `sim run`'s own readers interpret them.
//
//   [study]     name, description
//   [base]      workload = "bcast" (the word after `sim run`); options with one value
//   [matrix]    options with several values: lists, and ranges as "1KiB:4MiB" or "1KiB..4MiB"
//   [[zip]]     options that vary together: lists of equal length
//   [[exclude]] combinations to skip: a value or a list for each option named
//   [[include]] combinations to add to those of the matrix, with the same [base]
//   [[report.plot]]  x, y, series, facet, facet_rows, log, relative, kind, title
//
// Keys are the options of `sim run` with '_' for '-' ("message_size"), and the keys of --set in
// quotes ("mpi/eager_limit").
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/text_position.hpp"

namespace tutti::studies {

// An option that a study may set.
struct StudyOption {
  enum class Kind : unsigned char { flag, count, bytes, names, text };
  std::string key;    // "message_size"
  std::string named;  // its main name: "fanout" if the key is "radix"
  Kind kind = Kind::text;
  std::string_view help = {};
};

// Whether a key of a study is one of --set, which contains a '/'.
inline bool is_override(std::string_view key) { return key.find('/') != key.npos; }

// The text of one value, and its place in the file; line 0 is the command line.
struct StudyValue {
  std::string text;
  TextSpot spot;
};

// An option and its values. Each combination of the study has one of them.
struct StudyAxis {
  std::string name;  // StudyOption::named, or a key of --set
  TextSpot spot;
  std::vector<StudyValue> values;
};

// Axes that vary together, with equal numbers of values; a single axis is a group of one.
using StudyGroup = std::vector<StudyAxis>;

// A [[report.plot]].
struct StudyPlot {
  TextSpot spot;
  std::vector<std::pair<std::string, std::string>> options;  // "x", "message_bytes"
};

// Another file that a study includes.
struct StudySource {
  std::string path;
  std::string text;
};

// The content of a study file. StudyMatrix and StudySettings point into it, so it must outlive
// them.
struct StudyFile {
  std::string path;
  std::string text;
  std::vector<StudySource> others;  // TextSpot::source is an index into these, from 1
  std::string name;
  std::string description;
  StudyGroup base;  // axes with one value
  std::vector<StudyGroup> matrix;
  std::vector<StudyGroup> excludes;
  std::vector<StudyGroup> includes;
  std::vector<StudyPlot> plots;
};

inline constexpr std::string_view workload_key = "workload";

// Reads a study from the text of its file. `path` is used in messages, and as the name if the file
// contains none. `options` are those that a study may set (study_options()). Returns all errors,
// but only the first one if the syntax of TOML is invalid.
Result<StudyFile> read_study(const std::string& text, const std::string& path,
                             const std::vector<StudyOption>& options);

// `--override KEY=VALUE` of `sim sweep`: replaces all values of the option, wherever the file sets
// it. Returns an error if there is no such option, or the value is invalid.
std::optional<Error> set_option(StudyFile& study, const std::string& assignment,
                                const std::vector<StudyOption>& options);

// Makes an error at a place of the file, with the text of its line.
Error error_at(const StudyFile& study, TextSpot spot, std::string message, std::string hint = "");

}  // namespace tutti::studies
