// SPDX-License-Identifier: BSD-3-Clause
// The study of `sim tune`, a TOML file. Values remain text with their position; `sim run`'s own
// readers interpret them.
//
//   [study]        name, description
//                  otpo     a file of OTPO's parameters, in addition to [[parameter]]
//                  profile  a file of an application's calls (below)
//   [base]         options of `sim run` that all objectives and the profile share, and their
//                  workload; without an objective, that workload is the only one
//   [matrix]       as in a study: options of the problem (message_size, procs, ...) with several
//                  values make several points of each objective, other options and keys of --set
//                  are parameters
//   [[objective]]  or [objective]: workload, and options of `sim run` as in a study; lists and
//                  ranges make several points, whose times are added
//                  weight   how often it is done; default 1
//                  name     shown in reports instead of the workload
//                  stage    1 (default), 2, ...: good combinations of a stage reach the next
//   [[parameter]]  name     an option of `sim run`, of one collective ("bcast/algorithm"), a key
//                           of --set, Open MPI's name, or a hint of ROMIO ("cb_nodes"), which the
//                           value "default" leaves unset
//                  values   a list, or a range "1.5KiB:48KiB:*2"
//                  default  one of them; default: the first
//                  when     a condition over other parameters: "algorithm = chain"; if it is
//                           false the parameter is not set
//   [search]       method   of search.hpp, or a list of them
//                  seed, budget, confidence, threshold, keep_one_of, batch
//                  levels   of halving: numbers of processes, "16,64"; the whole problem is last
//                  survivors  maximum excess over the best to reach the next stage: "5%"
//                  without_effect  "leave" (default) parameters that no simulation models at their
//                           default, or "search" them as if they had an effect
//   [constraint]   memory   of a process' buffers: "64MiB"
// A study of `sim sweep` with [base] and [matrix] can be tuned as it is.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/studies/condition.hpp"
#include "sim/studies/study_file.hpp"
#include "sim/studies/toml.hpp"
#include "sim/studies/workloads/workload.hpp"
#include "sim/tune/search.hpp"
#include "sim/tune/space.hpp"

namespace tutti::studies::tuning {

struct TuneObjective {
  TextSpot spot;
  StudyGroup base;                  // options with one value
  std::vector<StudyGroup> product;  // options with several values
  std::string name;
  double weight = 1;
  std::int64_t stage = 1;
};

// The combinations to which a parameter applies.
struct TuneCondition {
  std::function<bool(const CellsOf&)> holds;
  std::set<std::string> names;
};

struct TuneParameter {
  std::string given;  // name in the file
  std::string full;   // name in known_parameter; `given` if no simulation models it
  StudyAxis axis;     // under the name of the option in simulations
  std::string workload;
  std::optional<std::size_t> default_value;
  std::optional<TuneCondition> when;
  std::string without_effect;  // why no simulation models it; empty: simulations model it
  bool is_virtual = false;     // a parameter of OTPO that only others depend on
  bool is_left = false;        // keeps its default: its category is not searched
  bool is_hint = false;        // of MPI-IO, a part of the option `hints`

  bool is_simulated() const { return without_effect.empty() && !is_virtual; }
  // An algorithm, or a parameter that belongs to it: rules of Open MPI can choose it by message
  // size.
  bool is_choice() const;
  std::size_t default_number() const { return default_value.value_or(0); }
};

// The index of the parameter's value that equals the cell; unset: no value equals it.
std::optional<std::size_t> find_value(const TuneParameter& parameter, const Cell& cell);

// The value of a hint that is not set by the study.
inline constexpr std::string_view unset_hint = "default";

// An aggregate of OTPO: its value is a text of other parameters' values.
struct TuneAggregate {
  std::string given;
  std::string full;
  std::string option;  // empty: no simulation models it
  std::string workload;
  std::string text;
  TextSpot spot;
};

struct TuneFile {
  // Indexed by TextSpot::source: the study, its profile, OTPO's file.
  std::vector<StudySource> sources;
  std::string name;
  std::string description;
  std::string application;  // from the profile
  std::string category;
  std::optional<double> problem_size;
  std::optional<StudyValue> otpo_file;  // paths in the file, relative to the study's folder
  std::optional<StudyValue> profile_file;
  StudyGroup job;
  std::vector<TuneObjective> objectives;
  std::vector<TuneParameter> parameters;
  std::vector<TuneAggregate> aggregates;
  std::vector<Method> methods = {Method::model};
  SearchOptions search;
  std::vector<std::int64_t> levels;  // numbers of processes, smaller than the whole problem's
  double survivors = 0.05;
  bool searches_without_effect = false;
  std::optional<Bytes> memory_bytes;
  TextSpot memory_spot;
  std::vector<std::string> notes;  // notes for the user
  PointInputs inputs = {};         // inputs of its points that are already read
};

// `path` is the place of errors, and the default name. Reports all errors at once. The files that
// the study names (OTPO's file, the profile) are not read yet.
Result<TuneFile> read_tune_file(const std::string& text, const std::string& path,
                                const std::vector<StudyOption>& options);

// An error at a position of one of the sources.
Error error_at(const TuneFile& file, TextSpot spot, std::string message, std::string hint = "");

// To be called after all sources are added: checks completeness and the names in conditions.
// Parameters that no simulation models keep only their default value unless they are to be
// searched, and so do those outside of `categories` if that is not empty.
std::vector<Error> complete(TuneFile& file, const std::vector<Category>& categories = {});

// True for options that define the problem and cannot be tuned: "message_size", "procs", ...
bool defines_problem(std::string_view option);

// Shared by readers of tuning's files: single values, and a workload with its options.

class TuneSections : protected TomlSections {
 protected:
  using TomlSections::TomlSections;

  // Keys of a workload in addition to the options of `sim run`.
  struct OwnKeys {
    std::string_view section;  // "[[objective]]"
    std::string_view weight;   // "weight", "count"
    bool has_stage = false;
  };
  // `workload` applies to an objective that names none; null: every objective must name one.
  TuneObjective make_objective(const toml::table& table, const OwnKeys& own,
                               const StudyAxis* workload = nullptr);

  struct KeyReader {
    std::string_view key;
    std::function<void(const toml::node&)> read;
  };
  // Reads the keys of a section by their readers, and rejects others. `section` is its name in
  // errors.
  void read_keys(const toml::table& table, std::string_view section,
                 const std::vector<KeyReader>& readers);
  // Calls `read` for each member of a list, or for a single value.
  template <class Read>
  static void read_values(const toml::node& node, const Read& read) {
    const auto* array = node.as_array();
    if (array == nullptr) return read(node);
    for (const auto& value : *array) read(value);
  }

  void read_text(const toml::node& node, std::string& into);
  // Reads a number above 0, neither tiny nor huge.
  void read_positive(const toml::node& node, double& into);
  template <class Number>
  void read_whole(const toml::node& node, Number& into, std::int64_t least, std::int64_t most) {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < least || *value > most)
      return wrong(spot_of(node),
                   fmt::format("expected a whole number from {} to {}", least, most));
    into = static_cast<Number>(*value);
  }
  // Reads a fraction from 0 to 1: "5%" or 0.05.
  void read_part(const toml::node& node, double& into);

 private:
  void check_product(const TuneObjective& objective);
};

// The combinations of a file's parameters. A parameter with a false condition keeps its default,
// since it has no effect then. `file` must outlive the result.
Space make_space(const TuneFile& file);

// The space if rules choose algorithms by message size: parameters that rules choose have only
// their default.
Space space_without_choices(const TuneFile& file);
// Converts a combination of that space to one of make_space.
Combination with_default_choices(const TuneFile& file, Combination combination);

// Whether the parameter with that index applies in a combination.
bool applies(const TuneFile& file, std::size_t parameter, const Combination& combination);

// Value of an aggregate in a combination.
std::string aggregate_text(const TuneFile& file, const TuneAggregate& aggregate,
                           const Combination& combination);

// Parts of a study from other files: OTPO's parameters, and an application's profile, its
// calls and their counts, as a TOML file:
//
//   format = "tutti-profile/1"
//   [profile]   application = "sweep3d", category = "wavefront", problem_size = 150
//   [[call]]    workload = "allreduce", message_size = "8B", count = 120
//               and other options of `sim run`; missing ones come from the study's [base]

// Adds a profile's calls to the objectives, and the application's name. `path` is the place of
// errors.
std::vector<Error> add_profile(TuneFile& file, const std::string& text, const std::string& path,
                               const std::vector<StudyOption>& options);

// Adds the parameters of the file `file.otpo_file` with content `text`. `path` is the place of
// errors.
std::vector<Error> add_otpo_parameters(TuneFile& file, const std::string& text,
                                       const std::string& path,
                                       const std::vector<StudyOption>& options);

}  // namespace tutti::studies::tuning
