// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/dynamic_rules.hpp"

#include "algorithms/rules_files/mpich_default.hpp"
#include "algorithms/rules_files/mpich_tree.hpp"
#include "algorithms/selection/algorithm_sets.hpp"
#include "algorithms/selection/rules.hpp"
#include "algorithms/selection/write_rules.hpp"

namespace tutti::algorithms::selection {
namespace {

using rules_files::Finding;
using rules_files::Format;
using rules_files::Library;
using rules_files::MpichLeaf;
using rules_files::ProcsRules;
using rules_files::RulesFile;
using rules_files::SizeRule;

constexpr std::int64_t most_fanout = std::numeric_limits<int>::max();
constexpr std::size_t most_warnings = 5;

// Open MPI passes segment sizes as unsigned 32-bit numbers: a negative one exceeds most messages.
Bytes segment_seen(Bytes bytes) { return static_cast<std::uint32_t>(bytes); }

RulesFile read(std::string_view text) {
  const Format format = rules_files::recognize(text).value_or(Format::ompi_classic);
  const bool names_algorithms = format != Format::han;
  const Format read_as = names_algorithms ? format : Format::ompi_classic;
  return read_rules(text, read_as, rules_files::format_facts(read_as).libraries.front());
}

bool fits(std::string_view distribution, const NodeShape& nodes) {
  if (distribution.empty()) return true;
  return distribution == "single-node" ? nodes.is_one_node() : nodes.is_disjoint();
}

// Segments that the library's fixed rules use with the algorithm.
Bytes usual_segment(const Algorithm& algorithm) {
  const RuleSet& mpich = *rule_set_named(rules_files::mpich_rule_set);
  if (const RuleTable* table = mpich.find_table(algorithm.collective))
    for (const Rule& rule : table->rules())
      if (rule.algorithm == algorithm.name) return rule.segment_bytes;
  return algorithm.default_segment;
}

}  // namespace

std::string one_line(const Error& error) {
  std::string place = fmt::format("{}:{}", printable(error.place), error.line);
  if (error.column > 0) place += fmt::format(":{}", error.column);
  return fmt::format("{}: {}: {}", place, error.message, error.hint);
}

DynamicRules::DynamicRules(std::string_view text, std::string file)
    : file_(std::move(file)), rules_(read(text)) {
  const auto format = rules_files::recognize(text);
  is_of_nccl_ = format == Format::nccl;
  if (format == Format::han || format == Format::nccl) {
    ignored_ = make_error(ErrorKind::input, file_,
                          fmt::format("{}{} do not name algorithms of MPI calls",
                                      format == Format::nccl ? "rows of the " : "",
                                      rules_files::format_facts(*format).title),
                          "`sim rules convert` writes other formats");
    ignored_->line = 1;
    if (!is_of_nccl_) rules_.collectives.clear();
    if (is_of_nccl_) add_warnings();
    return;
  }
  if (const Finding* reason = rules_.discarded()) {
    ignored_ = finding_error(*reason, file_);
    return;
  }
  add_warnings();
}

void DynamicRules::add_warnings() {
  // An invalid algorithm is an error of the calls that reach it.
  for (const Finding& finding : rules_.findings) {
    const bool is_error = finding.severity == rules_files::Severity::error &&
                          finding.effect != rules_files::Effect::aborts;
    if ((is_error || finding.effect == rules_files::Effect::not_simulated) &&
        warnings_.size() < most_warnings)
      warnings_.push_back(finding_error(finding, file_));
  }
}

std::optional<NcclRow> DynamicRules::find_nccl_row(std::string_view collective, Bytes bytes,
                                                   int nodes, int ranks) const {
  // NCCL's reduce_scatter has equal blocks.
  const bool is_block = collective == "reduce_scatter";
  const auto* rules =
      is_of_nccl_ ? rules_.find(is_block ? "reduce_scatter_block" : collective) : nullptr;
  if (rules == nullptr) return std::nullopt;
  // A call alone, of buffers that are not registered.
  constexpr std::int64_t any = -1, operations = 1, registered = 0;
  for (const ProcsRules& entry : rules->procs) {
    const rules_files::NcclConditions& conditions = *entry.nccl;
    const SizeRule& rule = entry.rules.front();
    const auto fits = [](std::int64_t condition, std::int64_t value) {
      return condition == any || condition == value;
    };
    if (!entry.procs.holds(ranks) || !rule.bytes.holds(bytes) || !fits(conditions.nodes, nodes) ||
        !fits(conditions.pipe_ops, operations) || !fits(conditions.registered, registered))
      continue;
    const auto index = [](std::string_view word, const auto& words) {
      return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
    };
    return NcclRow{
        .algorithm =
            static_cast<NcclAlgorithm>(index(rule.algorithm, rules_files::nccl_algorithms)),
        .protocol =
            static_cast<NcclProtocol>(index(conditions.protocol, rules_files::nccl_protocols)),
        .channels = static_cast<int>(std::max<std::int64_t>(0, conditions.channels)),
        .line = rule.line};
  }
  return std::nullopt;
}

std::string_view DynamicRules::fixed_rules() const {
  if (is_of_nccl_) return default_rule_set();
  return rules_.format == Format::mpich_json ? rules_files::mpich_rule_set : library();
}

bool DynamicRules::depends_on_nodes() const {
  if (is_of_nccl_) return false;
  if (rules_.tree) return rules_.tree->depends_on_nodes();
  return std::ranges::any_of(rules_.collectives, [](const auto& collective) {
    return std::ranges::any_of(collective.procs,
                               [](const ProcsRules& procs) { return !procs.scope.empty(); });
  });
}

const ProcsRules* DynamicRules::find_procs(const Query& query) const {
  const auto* rules = !is_of_nccl_ && applies_rules_file(query.collective)
                          ? rules_.find(query.collective)
                          : nullptr;
  if (rules == nullptr) return nullptr;
  for (const ProcsRules& procs : rules->procs)
    if (fits(procs.scope, query.nodes) && procs.procs.holds(query.procs)) return &procs;
  return nullptr;
}

const SizeRule* DynamicRules::find(const Query& query) const {
  const ProcsRules* procs = find_procs(query);
  if (procs == nullptr) return nullptr;
  const Bytes bytes = rules_file_bytes(query);
  for (const SizeRule& rule : procs->rules)
    if (rule.bytes.holds(bytes)) return &rule;
  return nullptr;
}

bool DynamicRules::decides(std::string_view collective) const {
  if (is_of_nccl_) return false;
  if (rules_.tree) return rules_.tree->has(collective);
  const auto* rules = applies_rules_file(collective) ? rules_.find(collective) : nullptr;
  return rules != nullptr && std::ranges::any_of(rules->procs, [](const ProcsRules& procs) {
           return std::ranges::any_of(procs.rules,
                                      [](const SizeRule& rule) { return rule.id != 0; });
         });
}

namespace {

// The algorithm with this number in the version of Open MPI that reads the file; null if none.
const Algorithm* algorithm_numbered(std::string_view collective, std::int64_t id, Library library) {
  for (const Algorithm* algorithm : algorithms_of(collective))
    if (algorithm->id == id && is_in_set(rules_files::library_name(library), *algorithm))
      return algorithm;
  return nullptr;
}

}  // namespace

std::optional<Choice> effect_of(std::string_view collective, const SizeRule& rule,
                                Library library) {
  if (rule.id == 0 || !applies_rules_file(collective) ||
      !rules_files::tuned_applies(collective, library))
    return std::nullopt;
  const Algorithm* algorithm = algorithm_numbered(collective, rule.id, library);
  if (algorithm == nullptr) return Choice{.line = rule.line};
  Choice choice{algorithm, algorithm->segmented ? segment_seen(rule.segment_bytes) : 0, 0,
                rule.line};
  // The radix of knomial is a separate MCA parameter.
  if (algorithm->name == "knomial")
    choice.fanout = algorithm->default_fanout;
  else if (algorithm->default_fanout > 0)
    choice.fanout = static_cast<int>(std::clamp<std::int64_t>(rule.fanout, 1, most_fanout));
  if (algorithm->limits_requests)
    choice.max_requests =
        static_cast<int>(std::clamp<std::int64_t>(rule.max_requests.value_or(0), 0, most_fanout));
  return choice;
}

std::optional<Choice> DynamicRules::choose_in_tree(const Query& query) const {
  const MpichLeaf* leaf = rules_.tree->find(query);
  if (leaf == nullptr || leaf->algorithm == nullptr) return std::nullopt;
  const Algorithm& algorithm = *leaf->algorithm;
  Choice choice{.algorithm = &algorithm, .line = leaf->line};
  if (algorithm.segmented)
    choice.segment_bytes = leaf->chunk_bytes > 0 ? leaf->chunk_bytes : usual_segment(algorithm);
  if (algorithm.default_fanout > 0)
    choice.fanout = leaf->radix >= algorithm.least_fanout && leaf->radix > 0
                        ? leaf->radix
                        : algorithm.default_fanout;
  return choice;
}

Result<std::optional<Choice>> DynamicRules::choose(const Query& query) const {
  if (rules_.tree) return choose_in_tree(query);
  const SizeRule* rule = find(query);
  if (rule == nullptr) return std::optional<Choice>();
  auto choice = effect_of(query.collective, *rule, rules_.library);
  if (choice && choice->algorithm == nullptr) return no_such_algorithm(query.collective, *rule);
  return choice;
}

std::optional<Error> DynamicRules::wrong_of(std::string_view collective, int procs) const {
  if (is_of_nccl_) return std::nullopt;
  const auto* rules = applies_rules_file(collective) ? rules_.find(collective) : nullptr;
  if (rules == nullptr) return std::nullopt;
  for (const ProcsRules& entry : rules->procs) {
    if (!entry.procs.holds(procs)) continue;
    for (const SizeRule& rule : entry.rules)
      if (const auto choice = effect_of(collective, rule, rules_.library);
          choice && choice->algorithm == nullptr)
        return no_such_algorithm(collective, rule);
    if (entry.scope.empty()) break;
  }
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
