// SPDX-License-Identifier: BSD-3-Clause
// What `sim tune` is asked for, as its TOML file says it. Values stay text with the place where
// they stand; `sim run`'s own readers say what they mean.
//
//   [study]        name, description
//   [[objective]]  or [objective]: workload, and options of `sim run` as in a study; lists and
//   ranges
//                  make several points, whose times add up
//                  weight   how often that is done; default 1
//                  stage    1 (default), 2, ...: who does well in one stage goes on to the next
//   [[parameter]]  name     an option of `sim run`, a key of --set, or Open MPI's name
//                  values   a list, or a range "1.5KiB:48KiB:*2"
//                  default  one of them; else the first
//                  when     a condition over other parameters: "algorithm = chain"
//   [search]       method   of search.hpp, or a list of them
//                  seed, budget, confidence, threshold, keep_one_of, batch
//                  levels   of halving: numbers of processes, "16,64"; the whole problem comes last
//                  survivors  how much slower than the best goes on to the next stage: "5%"
//   [constraint]   memory   of a process' buffers: "64MiB"
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/studies/condition.hpp"
#include "sim/studies/study_file.hpp"
#include "sim/studies/study_values.hpp"
#include "sim/studies/tuning/otpo_file.hpp"
#include "sim/studies/tuning/search.hpp"

namespace tutti::studies::tuning {

struct TuneObjective {
  TomlSpot spot;
  StudyGroup base;                  // of one value each
  std::vector<StudyGroup> product;  // of several
  double weight = 1;
  std::int64_t stage = 1;
};

struct TuneParameter {
  StudyAxis axis;     // under the name that simulations know
  std::string given;  // the name in the file: Open MPI's
  std::optional<std::size_t> default_value;
  std::optional<Condition> when;
};

struct TuneFile {
  std::string path;
  std::string text;
  std::string name;
  std::string description;
  std::vector<TuneObjective> objectives;
  std::vector<TuneParameter> parameters;
  std::vector<Method> methods = {Method::model};
  SearchOptions search;
  std::vector<std::int64_t> levels;  // numbers of processes below the whole's
  double survivors = 0.05;
  std::optional<Bytes> memory_bytes;
};

// A parameter's name as simulations know it: that of Open MPI's; nothing if it is none.
using KnownName = std::function<std::optional<std::string>(const std::string&)>;

// `path` is used in messages, and for the name where the file has none. All errors at once.
Result<TuneFile> read_tune_file(const std::string& text, const std::string& path,
                                const std::vector<StudyOption>& options, const KnownName& known);

}  // namespace tutti::studies::tuning
