// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/dynamic_rules.hpp"

#include "algorithms/selection/algorithm_sets.hpp"
#include "algorithms/selection/write_rules.hpp"

namespace tutti::algorithms::selection {
namespace {

using rules_files::Finding;
using rules_files::Format;
using rules_files::Library;
using rules_files::ProcsRules;
using rules_files::RulesFile;
using rules_files::SizeRule;

constexpr std::int64_t most_fanout = std::numeric_limits<int>::max();

// Open MPI passes segment sizes as unsigned 32-bit numbers: a negative one exceeds most messages.
Bytes segment_seen(Bytes bytes) { return static_cast<std::uint32_t>(bytes); }

RulesFile read(std::string_view text) {
  switch (rules_files::recognize(text).value_or(Format::ompi_classic)) {
    case Format::ompi_json:
      return read_rules(text, Format::ompi_json, Library::ompi_6);
    case Format::ompi_classic_2:
      return read_rules(text, Format::ompi_classic_2, Library::ompi_50);
    default:
      return read_rules(text, Format::ompi_classic, Library::ompi_41);
  }
}

Error error_of(const Finding& finding, const std::string& file) {
  Error error = make_error(ErrorKind::input, file, finding.message, finding.fix);
  error.line = finding.line;
  return error;
}

}  // namespace

DynamicRules::DynamicRules(std::string_view text, std::string file)
    : file_(std::move(file)), rules_(read(text)) {
  constexpr std::size_t most_warnings = 5;
  if (const Finding* reason = rules_.discarded()) {
    ignored_ = error_of(*reason, file_);
    return;
  }
  // An invalid algorithm is an error of the calls that reach it.
  for (const Finding& each : rules_.findings)
    if (each.severity == rules_files::Severity::error && !each.aborts &&
        warnings_.size() < most_warnings)
      warnings_.push_back(error_of(each, file_));
  for (const auto& collective : rules_.collectives)
    for (const ProcsRules& procs : collective.procs)
      if (!procs.scope.empty() && warnings_.size() < most_warnings)
        warnings_.push_back(
            error_of({.line = procs.line,
                      .message = fmt::format("rules of {} for the distribution {} are skipped",
                                             collective.collective, procs.scope),
                      .fix = "Tutti applies rules for any distribution of the ranks only"},
                     file_));
}

const ProcsRules* DynamicRules::find_procs(std::string_view collective, int procs) const {
  const auto* found = applies_rules_file(collective) ? rules_.find(collective) : nullptr;
  if (found == nullptr) return nullptr;
  for (const ProcsRules& each : found->procs)
    if (each.scope.empty() && each.procs.holds(procs)) return &each;
  return nullptr;
}

const SizeRule* DynamicRules::find(const Query& query) const {
  const ProcsRules* procs = find_procs(query.collective, query.procs);
  if (procs == nullptr) return nullptr;
  const Bytes bytes = rules_file_bytes(query);
  for (const SizeRule& each : procs->rules)
    if (each.bytes.holds(bytes)) return &each;
  return nullptr;
}

bool DynamicRules::decides(std::string_view collective) const {
  const auto* found = applies_rules_file(collective) ? rules_.find(collective) : nullptr;
  return found != nullptr && std::ranges::any_of(found->procs, [](const ProcsRules& procs) {
           return std::ranges::any_of(procs.rules,
                                      [](const SizeRule& rule) { return rule.id != 0; });
         });
}

// The algorithm with this number in the version of Open MPI that reads the file; null if none.
const Algorithm* DynamicRules::algorithm_of(std::string_view collective, std::int64_t id) const {
  for (const Algorithm* each : algorithms_of(collective))
    if (each->id == id && is_in_set(rules_files::name_of(rules_.library), *each)) return each;
  return nullptr;
}

Result<std::optional<Choice>> DynamicRules::choose(const Query& query) const {
  const SizeRule* rule = find(query);
  if (rule == nullptr || rule->id == 0) return std::optional<Choice>();
  const Algorithm* algorithm = algorithm_of(query.collective, rule->id);
  if (algorithm == nullptr) return no_such_algorithm(query.collective, *rule);
  Choice choice{algorithm, algorithm->segmented ? segment_seen(rule->segment_bytes) : 0, 0,
                rule->line};
  // The radix of knomial is a separate MCA parameter.
  if (algorithm->name == "knomial")
    choice.fanout = algorithm->default_fanout;
  else if (algorithm->default_fanout > 0)
    choice.fanout = static_cast<int>(std::clamp<std::int64_t>(rule->fanout, 1, most_fanout));
  if (algorithm->limits_requests)
    choice.max_requests =
        static_cast<int>(std::clamp<std::int64_t>(rule->max_requests.value_or(0), 0, most_fanout));
  return std::optional(choice);
}

std::optional<Error> DynamicRules::wrong_of(std::string_view collective, int procs) const {
  const ProcsRules* found = find_procs(collective, procs);
  if (found == nullptr) return std::nullopt;
  for (const SizeRule& rule : found->rules)
    if (rule.id != 0 && algorithm_of(collective, rule.id) == nullptr)
      return no_such_algorithm(collective, rule);
  return std::nullopt;
}

std::optional<Error> DynamicRules::wrong_inside(int procs,
                                                std::span<const std::string_view> others) const {
  for (const std::string_view collective : {"bcast", "gather", "reduce", "scatter"})
    if (auto wrong = wrong_of(collective, procs)) return wrong;
  for (const std::string_view collective : others)
    if (auto wrong = wrong_of(collective, procs)) return wrong;
  return std::nullopt;
}

Error DynamicRules::no_such_algorithm(std::string_view collective, const SizeRule& rule) const {
  const std::string hint =
      rule.algorithm.empty()
          ? "Open MPI aborts a job that reaches this rule with MPI_ERR_ARG"
          : fmt::format("it is {}, which Tutti does not simulate", rule.algorithm);
  Error error = make_error(ErrorKind::input, file_,
                           fmt::format("{} has no algorithm number {}", collective, rule.id), hint);
  error.line = rule.line;
  return error;
}

}  // namespace tutti::algorithms::selection
