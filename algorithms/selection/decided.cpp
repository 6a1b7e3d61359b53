// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/decided.hpp"

#include <limits>
#include <tuple>

#include "algorithms/selection/selection.hpp"

namespace tutti::algorithms::selection {
namespace {

Decided decide(std::string_view collective, int procs, const CollectiveArgs& args) {
  static const Selection by_default;
  const Selection& selection = args.selection == nullptr ? by_default : *args.selection;
  const Query query{.collective = collective,
                    .procs = procs,
                    .message_bytes = args.message_bytes,
                    .elements = args.message_bytes / args.element_bytes,
                    .commutative = args.commutative};
  Decided decided{nullptr, args};
  if (const auto* replacements = selection.replacements) {
    if (const auto found = replacements->find(query)) {
      decided.algorithm = found->algorithm;
      decided.args.selection = found->inside;
      return decided;
    }
    decided.args.selection = &replacements->of_mpi();
  }
  const Choice choice = selection.choose(query);
  decided.algorithm = choice.algorithm;
  decided.args.segment_bytes = choice.segment_bytes;
  decided.args.fanout = choice.fanout;
  return decided;
}

}  // namespace

Decided decided(std::string_view collective, int procs, const CollectiveArgs& args) {
  // Another selection may lie at the same place later.
  if (args.selection != nullptr) return decide(collective, procs, args);
  // Every rank of a job asks the same.
  struct Last {
    std::string_view collective;
    std::tuple<int, Bytes, Bytes, bool> asked;
    Decided decided;
  };
  thread_local Last last;
  const std::tuple asked{procs, args.message_bytes, args.element_bytes, args.commutative};
  if (last.collective != collective || last.asked != asked)
    last = {collective, asked, decide(collective, procs, args)};
  Decided found = last.decided;
  found.args.root = args.root;
  found.args.counts = args.counts;
  return found;
}

runtime::Task run_decided(std::string_view collective, runtime::Rank& me,
                          const CollectiveArgs& args) {
  const Decided call = decided(collective, me.size(), args);
  return call.algorithm->program(me, call.args);
}

std::string name_of_decided(std::string_view collective, const ModelArgs& args) {
  const Decided call = decided(collective, args.procs, args.call);
  const std::string other = runs_as(*call.algorithm, {args.procs, call.args});
  return other.empty() ? std::string(call.algorithm->name) : other;
}

std::int64_t messages_of_decided(std::string_view collective, const ModelArgs& args) {
  const Decided call = decided(collective, args.procs, args.call);
  return call.algorithm->messages({args.procs, call.args, args.combine_Bps});
}

Seconds cost_of_decided(std::string_view collective, const ModelArgs& args,
                        const models::MessageCost& cost) {
  if (args.procs == 1) return 0;
  const Decided call = decided(collective, args.procs, args.call);
  if (call.algorithm->cost == nullptr) return std::numeric_limits<double>::quiet_NaN();
  return call.algorithm->cost({args.procs, call.args, args.combine_Bps}, cost);
}

}  // namespace tutti::algorithms::selection
