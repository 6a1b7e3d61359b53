// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/open_mpi.hpp"

#include "sim/base/common.hpp"

namespace tutti::studies::select {
namespace {

using algorithms::selection::WrittenRule;

WrittenRule written(const TimeTable& table, const Rule& rule) {
  if (!rule.choice) return {.from_bytes = rule.from_bytes, .comment = "Open MPI's own rules"};
  const Candidate& candidate = table.candidates[*rule.choice];
  // Other algorithms would abort the job.
  TUTTI_CHECK(candidate.in_rules_file && candidate.id > 0, "no algorithm of a rules file");
  return {.from_bytes = rule.from_bytes,
          .algorithm = candidate.id,
          .fanout = candidate.fanout,
          .segment_bytes = candidate.segment_bytes,
          .max_requests = candidate.max_requests,
          .comment = label_of(candidate)};
}

}  // namespace

RuleSpec spec_of_rules_file(const std::string& collective, double most_loss) {
  const auto seen = [collective](int procs, Bytes message_bytes) {
    return algorithms::selection::rules_file_bytes({.collective = collective,
                                                    .procs = procs,
                                                    .message_bytes = message_bytes,
                                                    .elements = message_bytes});
  };
  return {.most_loss = most_loss, .seen = seen, .rivals = Rivals::in_rules_file};
}

algorithms::selection::WrittenCollective written(const TimeTable& table, const RuleSet& rules) {
  algorithms::selection::WrittenCollective file{table.collective, {}};
  for (const auto& of_procs : rules) {
    auto& size = file.sizes.emplace_back();
    size.from_procs = of_procs.from_procs;
    for (const auto& rule : of_procs.rules) size.rules.push_back(written(table, rule));
  }
  return file;
}

}  // namespace tutti::studies::select
