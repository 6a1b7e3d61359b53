// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/collective_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "algorithms/segments.hpp"
#include "algorithms/selection/decision.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"

namespace tutti::workloads {
namespace {

using algorithms::Algorithm;
using algorithms::CollectiveArgs;

constexpr std::string_view automatic = "auto";

// Sums of payloads stay far below 2^63, also where an algorithm sends everything twice.
constexpr Bytes most_wire_bytes = Bytes{1} << 61;
// Every segment is a message to each rank: more take days, and no memory holds them.
constexpr std::int64_t most_segments = std::int64_t{1} << 24;
constexpr std::int64_t most_segment_messages = std::int64_t{1} << 31;

Error unknown_algorithm(const CallRequest& request) {
  std::vector<std::string> names{"all", std::string(automatic)};
  for (const auto rules : algorithms::selection::rule_sets())
    names.push_back(fmt::format("{}:{}", automatic, rules));
  for (const auto* algorithm : algorithms::algorithms_of(request.collective))
    names.emplace_back(algorithm->name);
  return usage_error(
      "--algorithm",
      fmt::format("{} has no algorithm {}", request.collective, in_quotes(request.algorithm)),
      did_you_mean(request.algorithm, names,
                   "`sim list algorithms` names them; auto and all work too"));
}

std::vector<Error> check_arguments(const CallRequest& request) {
  std::vector<Error> errors;
  if (request.root < 0 || request.root >= request.procs)
    errors.push_back(usage_error("--root", fmt::format("root {} is out of range", request.root),
                                 fmt::format("with {} process{} the roots are 0..{}", request.procs,
                                             request.procs == 1 ? "" : "es", request.procs - 1)));
  if (request.message_bytes % request.element_bytes != 0)
    errors.push_back(usage_error("--message-size",
                                 fmt::format("{} B are not a whole number of elements of {} B",
                                             request.message_bytes, request.element_bytes),
                                 "give multiples of --element-bytes"));
  if (request.message_bytes > most_wire_bytes / std::max(1, request.procs))
    errors.push_back(usage_error("--message-size",
                                 fmt::format("{} B to each of {} processes are more than 2^61 B",
                                             request.message_bytes, request.procs),
                                 "take smaller messages, or fewer processes"));
  return errors;
}

Result<CollectiveCall> check_segments(const CallRequest& request, const CollectiveCall& call) {
  const std::int64_t count = segments_of(call);
  if (count <= most_segments && count <= most_segment_messages / request.procs) return call;
  const std::string message =
      fmt::format("{} segments to each of {} processes are too many: {}", count, request.procs,
                  count > most_segments ? "a message has at most 2^24" : "a job has at most 2^31");
  if (is_automatic(request.algorithm))
    return usage_error("--message-size", message, "take smaller messages, or name an algorithm");
  return usage_error("--segment-size", message, "take a larger --segment-size");
}

Result<CollectiveCall> resolve_automatic(const CallRequest& request, CollectiveArgs args) {
  namespace selection = algorithms::selection;
  if (request.segment_bytes || request.fanout)
    return usage_error(
        request.segment_bytes ? "--segment-size" : "--fanout",
        fmt::format("has no effect with --algorithm {}: the rules decide it", request.algorithm),
        "leave it out, or name an algorithm");
  const std::string_view asked = request.algorithm;
  const std::string_view rules = asked == automatic ? "ompi-4.1" : asked.substr(5);
  // All collectives so far have rules that look at the whole vector.
  auto choice =
      selection::choose(rules, {.collective = request.collective,
                                .procs = request.procs,
                                .rule_bytes = request.message_bytes,
                                .elements = request.message_bytes / request.element_bytes});
  if (!choice) {
    auto errors = choice.errors();
    for (auto& error : errors)
      if (error.place.empty()) error.place = "--algorithm";
    return errors;
  }
  args.segment_bytes = choice->segment_bytes;
  args.fanout = choice->fanout;
  return CollectiveCall{choice->algorithm, args};
}

}  // namespace

bool is_automatic(std::string_view algorithm) {
  return algorithm == automatic || algorithm.starts_with("auto:");
}

std::int64_t segments_of(const CollectiveCall& call) {
  return algorithms::segments_of(call.args).count();
}

Result<CollectiveCall> resolve(const CallRequest& request) {
  if (auto errors = check_arguments(request); !errors.empty()) return errors;
  CollectiveArgs args{.message_bytes = request.message_bytes,
                      .root = request.root,
                      .element_bytes = request.element_bytes};
  if (is_automatic(request.algorithm)) {
    const auto call = resolve_automatic(request, args);
    return call ? check_segments(request, *call) : call;
  }
  const Algorithm* algorithm = algorithms::find_algorithm(request.collective, request.algorithm);
  if (algorithm == nullptr) return unknown_algorithm(request);
  if (algorithm->segmented) args.segment_bytes = request.segment_bytes.value_or(0);
  if (algorithm->default_fanout > 0)
    args.fanout = request.fanout.value_or(algorithm->default_fanout);
  if (algorithm->default_fanout > 0 && args.fanout < algorithm->least_fanout)
    return usage_error("--fanout",
                       fmt::format("{} is no radix for {}", args.fanout, algorithm->name),
                       fmt::format("a radix is at least {}", algorithm->least_fanout));
  return check_segments(request, {algorithm, args});
}

std::int64_t expected_messages(const CollectiveCall& call, int procs) {
  return segments_of(call) * (procs - 1);
}

runtime::Program program_of(const CollectiveCall& call) {
  return [program = call.algorithm->program, args = call.args](runtime::Rank& me) {
    return program(me, args);
  };
}

}  // namespace tutti::workloads
