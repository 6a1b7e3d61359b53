// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/selection_spec.hpp"

#include "algorithms/hardware/hardware.hpp"
#include "sim/base/text_file.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::workloads {
namespace {

using algorithms::selection::DynamicRules;
using algorithms::selection::Selection;

constexpr std::string_view option = "--selection";
constexpr std::string_view as_in = "expected for example auto:ompi-3.1,bcast=binomial";

class Parser {
 public:
  explicit Parser(const platforms::Machine& machine) : machine_(machine) {}

  Result<SelectionSpec> parse(std::string_view text) {
    for (const auto part : split(text, ',')) add(part);
    if (!errors_.empty()) return errors_.errors();
    return SelectionSpec{std::string(text), std::make_shared<const Selection>(selection_),
                         warnings_};
  }

 private:
  void wrong(std::string message, std::string hint) {
    errors_.add(usage_error(std::string(option), std::move(message), std::move(hint)));
  }

  void add(std::string_view part) {
    const bool is_first = !std::exchange(has_any_, true);
    if (is_automatic(part) && is_first) return add_rules(part);
    if (part == algorithms::hardware::name) return add_hardware();
    const auto parts = split(part, '=');
    if (parts.size() == 2) return add_named(parts[0], parts[1]);
    wrong(is_automatic(part) ? fmt::format("{} must come first and only once", in_quotes(part))
                             : fmt::format("invalid selection {}", in_quotes(part)),
          std::string(as_in));
  }

  void add_rules(std::string_view part) {
    if (part == "auto") return;
    if (const auto file = rules_file_of(part)) return add_file(std::string(*file));
    const std::string_view name = part.substr(part.find(':') + 1);
    const auto known = algorithms::selection::rule_sets();
    const auto set = algorithms::selection::find_rule_set(name);
    if (!set)
      return wrong(fmt::format("unknown decision rules {}", in_quotes(part)),
                   did_you_mean(name, {known.begin(), known.end()}, std::string(as_in)));
    selection_.rule_set = *set;
    if (algorithms::selection::has_han(*set)) warn_of_nodes(fmt::format("{} {}", option, part));
  }

  void warn_of_nodes(const std::string& place) {
    warnings_.push_back(
        fmt::format("{}: the nodes of the ranks are not considered: the rules of coll/tuned "
                    "choose, as with coll_han_priority 0",
                    place));
  }

  void add_file(const std::string& file) {
    const auto text = read_text_file(file);
    if (!text) {
      for (const Error& error : text.errors()) errors_.add(error);
      return;
    }
    auto rules = std::make_shared<const DynamicRules>(*text, file);
    if (const auto& ignored = rules->ignored()) warn(*ignored);
    for (const Error& warning : rules->warnings()) warn(warning);
    if (rules->depends_on_nodes())
      warnings_.push_back(fmt::format(
          "{}: the nodes of the ranks are not considered: rules for a distribution of the ranks "
          "are skipped",
          file));
    else if (algorithms::selection::has_han(rules->fixed_rules()))
      warn_of_nodes(file);
    selection_.rule_set = rules->fixed_rules();
    selection_.rules = std::move(rules);
  }

  void warn(const Error& error) {
    warnings_.push_back(
        fmt::format("{}:{}: {}: {}", error.place, error.line, error.message, error.hint));
  }

  void add_hardware() {
    int added = 0;
    for (const auto& collective : algorithms::all_collectives()) {
      if (!algorithms::hardware::is_there(machine_, collective.name)) continue;
      ++added;
      add_named(collective.name, algorithms::hardware::name);
    }
    if (added == 0)
      wrong(fmt::format("the network of {} has no hardware collectives", machine_.name),
            "mpi/hardware_collectives of the platform lists the supported collectives");
  }

  void add_named(std::string_view collective, std::string_view name) {
    if (algorithms::find_collective(collective) == nullptr)
      return wrong(fmt::format("unknown collective {}", in_quotes(collective)), std::string(as_in));
    const auto* algorithm = algorithms::find_algorithm(collective, name);
    const auto is_selectable = [](const algorithms::Algorithm& candidate) {
      return candidate.levels.inter.empty() && !candidate.by_nodes;
    };
    if (algorithm == nullptr || !is_selectable(*algorithm)) {
      std::vector<std::string> names;
      for (const auto* candidate : algorithms::algorithms_of(collective))
        if (is_selectable(*candidate)) names.emplace_back(candidate->name);
      return wrong(fmt::format("{} has no selectable algorithm {}", collective, in_quotes(name)),
                   did_you_mean(name, names, "`sim list algorithms` lists the names"));
    }
    if (name == algorithms::hardware::name && !algorithms::hardware::is_there(machine_, collective))
      return wrong(fmt::format("the network of {} has no hardware {}", machine_.name, collective),
                   "mpi/hardware_collectives of the platform lists the supported collectives");
    selection_.named.insert_or_assign(
        std::string(collective),
        algorithms::selection::Choice{.algorithm = algorithm, .fanout = algorithm->default_fanout});
  }

  const platforms::Machine& machine_;
  bool has_any_ = false;
  Selection selection_;
  std::vector<std::string> warnings_;
  ErrorList errors_;
};

}  // namespace

Result<SelectionSpec> parse_selection(std::string_view text, const platforms::Machine& machine) {
  return Parser(machine).parse(text);
}

}  // namespace tutti::workloads
