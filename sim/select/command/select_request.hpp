// SPDX-License-Identifier: BSD-3-Clause
// What the options of `sim select rules` ask for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/selection/write_rules.hpp"
#include "sim/commands/document_output.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/model_file.hpp"
#include "sim/select/rule_study.hpp"

namespace tutti::commands {

// A file that is written, or standard output.
struct RulesOutput {
  enum class Kind : unsigned char { document, rules_file, function, picture };
  Kind kind = Kind::document;
  std::optional<std::string> path;  // unset: standard output
  DocumentOutput document = {};     // of Kind::document
  std::optional<PictureOutput> picture = {};
};

struct RulesRequest : JobRequest {
  studies::select::RuleStudy study;
  std::string models_path;  // whose predictions take the place of simulations; empty: none
  std::optional<studies::ModelFile> models;
  algorithms::selection::RulesFormat rules_format;
  int jobs = 1;
  std::vector<RulesOutput> outputs;  // one of them standard output, at most

  bool writes(RulesOutput::Kind kind) const;
};

extern const std::span<const OptionSpec> select_rules_specs;

// What `rules` and `evaluate` read alike: which cells, and which algorithms compete.
class CellsReading : protected OptionReader {
 protected:
  using OptionReader::OptionReader;

  // Without a default of --procs. Elements that do not divide the messages have fewer of them.
  void read_axes(studies::select::CellAxes& axes, std::string_view default_sizes);
  void read_placements(std::vector<platforms::PlacementRequest>& placements);
  void read_candidates(studies::select::CandidateWish& wish);
};

namespace select_option {
inline constexpr std::string_view collectives = "The collectives";
inline constexpr OptionSpec procs{job_option::machine, "--procs", "N",
                                  "numbers of processes, as in 4,8,16 (required)"};
inline constexpr OptionSpec ppn{job_option::machine, "--ppn", "N",
                                "processes per node; of several, all count"};
inline constexpr OptionSpec map{job_option::machine, "--map", "HOW",
                                "block (default), round-robin, file:PATH; of several, all count"};
inline constexpr OptionSpec force{job_option::machine, "--force", "",
                                  "simulate although the memory seems too small"};
inline constexpr OptionSpec element_bytes{collectives, "--element-bytes", "SIZES",
                                          "sizes of the datatype's elements; default: 1,4,8,16"};
inline constexpr OptionSpec segment_size{collectives, "--segment-size", "SIZES",
                                         "default: 0,1KiB,4KiB,16KiB,64KiB; 0: not segmented"};
inline constexpr OptionSpec fanout{collectives, "--fanout", "N", "of chains; default: 2,4,8"};
}  // namespace select_option

Result<RulesRequest> rules_request(const OptionValues& parsed);

}  // namespace tutti::commands
