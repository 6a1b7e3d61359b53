// SPDX-License-Identifier: BSD-3-Clause
// Reads the options that all workloads of `sim run` share: machine, placement, engine, output.
#pragma once

#include <initializer_list>

#include "platforms/placement.hpp"
#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/options/axis.hpp"
#include "sim/options/option_values.hpp"
#include "sim/options/shared_options.hpp"
#include "workloads/benchmark.hpp"

namespace tutti::options {

// The values of --set KEY=VALUE in the order given, and the value of --background.
Result<std::vector<platforms::Override>> read_overrides(const OptionValues& parsed);

// The harness that --benchmark names; null if there is none.
Result<const workloads::Harness*> read_harness(const OptionValues& parsed);

// The nodes that a value of --nodes names. Errors of the value have no place; errors in the file
// that it names have one.
Result<platforms::Allocation> read_allocation(const std::string& value);

// Reads options into variables of the caller, and collects errors.
class OptionReader {
 public:
  // `parsed` must outlive the object.
  explicit OptionReader(const OptionValues& parsed) : parsed_(parsed) {}

  const OptionValues& values() const { return parsed_; }
  const ErrorList& errors() const { return errors_; }

  void wrong(std::string_view place, std::string message, std::string hint = {}) {
    errors_.add(usage_error(parsed_.typed(place), std::move(message), std::move(hint)));
  }
  void add(const std::vector<Error>& errors) { errors_.add(errors); }
  // Adds the errors, with the option as the place of errors without a place.
  void add(std::string_view option, std::vector<Error> errors);

  // Stores the value of the result in `variable`, or adds its errors, with the option as the place
  // of errors without a place.
  template <class Value, class Variable>
  void take(std::string_view option, Result<Value> result, Variable& variable) {
    if (result)
      variable = *std::move(result);
    else
      add(option, result.errors());
  }

  // Adds an error if there are arguments; for commands that take only options.
  void reject_arguments();
  // Adds an error if there are arguments after the word of a workload.
  void reject_more_words();
  // The distinct words of a list. Each word must be one of `names`; "all" means all of them if
  // `has_all`.
  std::vector<std::string> names_of(std::string_view option, std::string otherwise,
                                    const std::vector<std::string>& names, bool has_all = false);

  // The file to be written; it cannot be standard output. Unset: the option is not given.
  std::optional<std::string> file_of(std::string_view option);
  void read_machine(MachineRequest& request);
  // Leaves `axis` unchanged if the option is not given.
  void read_axis(std::string_view name, const AxisKind& kind, std::vector<std::int64_t>& axis);
  // The only value of an option; `otherwise` if the option is not given.
  std::int64_t single(std::string_view option, const AxisKind& kind, std::int64_t otherwise) {
    return single(option, kind).value_or(otherwise);
  }
  std::optional<std::int64_t> single(std::string_view option, const AxisKind& kind);
  // The two numbers of an option ROWSxCOLS that is given; unset if they are invalid.
  std::optional<std::pair<Bytes, Bytes>> pair_of(std::string_view option, Bytes least, Bytes most);
  // Reads --map, --nodes, --allocation and --oversubscribe.
  void read_placement(platforms::PlacementRequest& placement);
  // Reads the same options, with `map` as the value of --map.
  void read_placement(platforms::PlacementRequest& placement, const std::string& map);
  // Reads --nodes and --allocation.
  void read_nodes(platforms::PlacementRequest& placement);
  void read_contention(engines::Contention& contention);
  // The kind of the engine that --engine names; unset for auto, or after an error.
  std::optional<engines::EngineKind> read_engine_name();
  // Reads --engine and --contention of a point; `engine_is_chosen` if the engine is auto.
  template <class Point>
  void read_engine(Point& point) {
    read_contention(point.contention);
    const auto engine = read_engine_name();
    point.engine_is_chosen = !engine;
    if (engine) point.engine = *engine;
    reject_what_only_flow_does(point.engine, point.contention);
  }
  void reject_what_only_flow_does(engines::EngineKind engine, engines::Contention contention);
  // Rejects options that need a simulation if --model-only is given; returns whether it is given.
  bool model_only(std::span<const OptionSpec> options);
  // Rejects options that need times if --engine ideal is given.
  void reject_untimed(std::span<const OptionSpec> options);
  // Reads --benchmark, --repetitions, --skew, --noise.
  void read_measurement(workloads::Benchmark& benchmark);
  // Adds an error for each of the options that is given.
  void reject(std::initializer_list<std::string_view> options, const std::string& why,
              const std::string& hint);
  // Rejects options that show a single call if several calls are run.
  void reject_repetitions(const workloads::Benchmark& benchmark,
                          std::span<const OptionSpec> options);

 private:
  void reject(std::span<const OptionSpec> options, bool OptionNeeds::*need, const std::string& why,
              const std::string& hint);

  const OptionValues& parsed_;
  ErrorList errors_;
};

// Base class of the readers of workloads. It reads options into a request. Both arguments must
// outlive the object.
template <class Request>
class RequestReader {
 public:
  RequestReader(OptionReader& reader, Request& request)
      : reader_(reader), values_(reader.values()), request_(request) {}

 protected:
  void wrong(std::string_view place, std::string message, std::string hint = {}) {
    reader_.wrong(place, std::move(message), std::move(hint));
  }

  OptionReader& reader_;
  const OptionValues& values_;
  Request& request_;
};

}  // namespace tutti::options
