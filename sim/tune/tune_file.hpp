// SPDX-License-Identifier: BSD-3-Clause
// What `sim tune` is asked for, as its TOML file says it. Values stay text with the place where
// they stand; `sim run`'s own readers say what they mean.
//
//   [study]        name, description
//                  otpo     a file of parameters as OTPO has them, beside [[parameter]]
//                  profile  a file of an application's calls (tune_sources.hpp)
//   [job]          options of `sim run` that all objectives share, and those of the profile
//   [[objective]]  or [objective]: workload, and options of `sim run` as in a study; lists and
//                  ranges make several points, whose times add up
//                  weight   how often that is done; default 1
//                  name     in reports, in place of what it simulates
//                  stage    1 (default), 2, ...: who does well in one stage goes on to the next
//   [[parameter]]  name     an option of `sim run`, of one collective alone ("bcast/algorithm"), a
//                           key of --set, or Open MPI's name
//                  values   a list, or a range "1.5KiB:48KiB:*2"
//                  default  one of them; else the first
//                  when     a condition over other parameters: "algorithm = chain"; where it
//                           does not hold the parameter is not set
//   [search]       method   of search.hpp, or a list of them
//                  seed, budget, confidence, threshold, keep_one_of, batch
//                  levels   of halving: numbers of processes, "16,64"; the whole problem comes last
//                  survivors  how much slower than the best goes on to the next stage: "5%"
//                  without_effect  "leave" (default) parameters that no simulation knows at their
//                           default, or "search" them as if they mattered
//   [constraint]   memory   of a process' buffers: "64MiB"
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/studies/condition.hpp"
#include "sim/studies/study_file.hpp"
#include "sim/studies/toml.hpp"
#include "sim/tune/search.hpp"
#include "sim/tune/space.hpp"

namespace tutti::studies::tuning {

struct TuneObjective {
  TextSpot spot;
  StudyGroup base;                  // of one value each
  std::vector<StudyGroup> product;  // of several
  std::string name;
  double weight = 1;
  std::int64_t stage = 1;
};

// For which combinations a parameter makes sense.
struct TuneCondition {
  std::function<bool(const CellsOf&)> holds;
  std::set<std::string> names;
};

struct TuneParameter {
  std::string given;  // the name in the file
  std::string full;   // as known_parameter has it; `given` where no simulation knows it
  StudyAxis axis;     // under the name of the option that simulations have
  std::string workload;
  std::optional<std::size_t> default_value;
  std::optional<TuneCondition> when;
  std::string without_effect;  // why no simulation knows it; empty: they do
  bool is_virtual = false;     // OTPO's: others depend on it
  bool is_left = false;        // at its default: of a category that is not searched

  bool is_simulated() const { return without_effect.empty() && !is_virtual; }
  // Of an algorithm, or what goes with it: rules of Open MPI can choose it by message size.
  bool is_choice() const;
  std::size_t default_number() const { return default_value.value_or(0); }
};

// OTPO's: its value is a text of others' values.
struct TuneAggregate {
  std::string given;
  std::string full;
  std::string option;  // empty: no simulation knows it
  std::string workload;
  std::string text;
  TextSpot spot;
};

struct TuneFile {
  std::vector<StudySource> sources;  // by TextSpot::source: the study, its profile, OTPO's file
  std::string name;
  std::string description;
  std::string application;  // of the profile
  std::string category;
  std::optional<double> problem_size;
  std::optional<StudyValue> otpo_file;  // paths as they stand, from the study's folder on
  std::optional<StudyValue> profile_file;
  StudyGroup job;
  std::vector<TuneObjective> objectives;
  std::vector<TuneParameter> parameters;
  std::vector<TuneAggregate> aggregates;
  std::vector<Method> methods = {Method::model};
  SearchOptions search;
  std::vector<std::int64_t> levels;  // numbers of processes below the whole's
  double survivors = 0.05;
  bool searches_without_effect = false;
  std::optional<Bytes> memory_bytes;
  TextSpot memory_spot;
  std::vector<std::string> notes;  // what its user should know
};

// `path` is used in messages, and for the name where the file has none. All errors at once. What
// it names (OTPO's file, the profile) is still to be added.
Result<TuneFile> read_tune_file(const std::string& text, const std::string& path,
                                const std::vector<StudyOption>& options);

// An error at a place of one of the sources.
Error error_at(const TuneFile& file, TextSpot spot, std::string message, std::string hint = "");

// When all is there: whether it is a whole, and each condition's names; parameters that no
// simulation knows keep their default value alone unless they are to be searched, and those of
// other categories than `categories`, if there are any.
std::vector<Error> complete(TuneFile& file, const std::vector<Category>& categories = {});

// What readers of tuning's files share: single values, and a workload with its options.

class TuneSections : protected TomlSections {
 protected:
  using TomlSections::TomlSections;

  // What a workload has beside the options of `sim run`.
  struct OwnKeys {
    std::string_view section;  // "[[objective]]"
    std::string_view weight;   // "weight", "count"
    bool has_stage = false;
  };
  TuneObjective objective_of(const toml::table& table, const OwnKeys& own);

  void read_text(const toml::node& node, std::string& into);
  // A number above 0, neither tiny nor huge.
  void read_positive(const toml::node& node, double& into);
  bool read_whole(const toml::node& node, std::int64_t& into, std::int64_t least,
                  std::int64_t most);
  // A part from 0 to 1: "5%" or 0.05.
  void read_part(const toml::node& node, double& into);

 private:
  void check_product(const TuneObjective& objective);
};

// The combinations of a file's parameters. One whose condition does not hold keeps its default: it
// has no effect then. `file` outlives it.
Space space_of(const TuneFile& file);

// The same where rules choose algorithms by message size: what they choose has its default alone.
Space space_without_choices(const TuneFile& file);
// A combination of that space as one of space_of.
Combination with_default_choices(const TuneFile& file, Combination combination);

// Whether the parameter of that number makes sense in a combination.
bool applies(const TuneFile& file, std::size_t parameter, const Combination& combination);

// An aggregate's value in a combination.
std::string text_of(const TuneFile& file, const TuneAggregate& aggregate,
                    const Combination& combination);

}  // namespace tutti::studies::tuning
