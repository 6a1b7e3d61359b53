// SPDX-License-Identifier: BSD-3-Clause
// The options that all workloads of `sim run` share: machine, placement, engine, output.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/base/error_list.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/engines/engine.hpp"
#include "sim/studies/inside.hpp"
#include "sim/studies/option_axes.hpp"
#include "workloads/benchmark.hpp"

namespace tutti::commands {

// The parts of a list, as they stand there.
std::vector<std::string> words_of(const std::string& text);

using studies::bytes_axis;
using studies::count_axis;
using studies::fanout_axis;
using studies::limit_axis;
using studies::most_bytes;
using studies::some_bytes_axis;
using studies::units_hint;

// What --benchmark names; null: it is not given.
Result<const workloads::Harness*> harness_of(const Parsed& parsed);

// Reads options into what the caller keeps them in; collects what is wrong with them.
class JobReading {
 protected:
  explicit JobReading(const Parsed& parsed) : parsed_(parsed) {}

  void wrong(const std::string& place, std::string message, std::string hint = {}) {
    errors_.add(usage_error(parsed_.typed(place), std::move(message), std::move(hint)));
  }
  void add(const std::vector<Error>& errors) {
    for (const Error& error : errors) errors_.add(error);
  }
  // The same with the option as their place.
  void add(std::string_view option, std::vector<Error> errors);

  // Of commands that have options alone.
  void refuse_arguments();
  std::string value_of(std::string_view name, const std::string& otherwise) const {
    return parsed_.has(name) ? parsed_.value(name) : otherwise;
  }
  // The words of a list: each once, and one of `names`; "all" is all of them if `has_all`.
  std::vector<std::string> names_of(std::string_view option, std::string otherwise,
                                    const std::vector<std::string>& names, bool has_all = false);

  void read_machine(JobRequest& request);
  // Stays as it is if the option is not given.
  void read_axis(std::string_view name, const studies::AxisKind& kind,
                 std::vector<std::int64_t>& axis);
  // One value; `otherwise` if the option is not given.
  std::int64_t single(std::string_view option, const studies::AxisKind& kind,
                      std::int64_t otherwise);
  // ROWSxCOLS of an option that is given; nothing: it is wrong.
  std::optional<std::pair<Bytes, Bytes>> pair_of(std::string_view option, Bytes least, Bytes most);
  void read_placement(platforms::PlacementRequest& placement);
  // `map` as --map takes it.
  void read_placement(platforms::PlacementRequest& placement, const std::string& map);
  void read_contention(engines::Contention& contention);
  // The engine's kind; unset: auto, or what was given is none.
  std::optional<engines::EngineKind> read_engine_name();
  // 0 if the option is not given.
  double read_merge_window();
  void refuse_what_only_flow_does(engines::EngineKind engine, engines::Contention contention,
                                  double merge_window);
  // --model-only; `of_simulations`: options that it leaves without effect, which are refused then.
  bool model_only(std::initializer_list<const char*> of_simulations);
  // --benchmark, --repetitions, --skew, --noise.
  void read_measurement(workloads::Benchmark& benchmark);
  // --trace, --trace-ranks, --critical-path, of jobs with these numbers of processes.
  void read_trace(const std::vector<std::int64_t>& procs, JobRequest& request,
                  studies::InsideRequest& inside);
  void check_path_format(reports::Format format);
  // Those of the options that are given are wrong.
  void refuse(std::initializer_list<const char*> options, const std::string& why,
              const std::string& hint);
  // For options that show one call: there would be no telling which.
  void refuse_repetitions(const workloads::Benchmark& benchmark,
                          std::initializer_list<const char*> options);
  // Of an option whose value is a file to be written, and not standard output.
  std::optional<std::string> file_of(std::string_view name);
  // All of the request about the output but its format.
  void read_output_files(JobRequest& request);
  reports::Format read_format(const std::optional<std::string>& output);

  const Parsed& parsed_;
  ErrorList errors_;
};

}  // namespace tutti::commands
