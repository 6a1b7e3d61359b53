// SPDX-License-Identifier: BSD-3-Clause
// The rules of Open MPI's component han (coll_han_dynamic_file.c): a count before each level.
// Collectives; of each the levels; of each the configurations; of each the message sizes, with a
// component and, for han itself, an algorithm. All searches go from the end: sizes are minima.
#include "algorithms/rules_files/readers.hpp"

namespace tutti::algorithms::rules_files {
namespace {

constexpr std::string_view must_be_sorted =
    "sort them: han applies the last one that is not larger";
constexpr std::string_view han_ignored = "han then ignores the whole file";

class HanReader : CountedReader {
 public:
  HanReader(std::string_view text, RulesFile& file) : CountedReader(text, file, han_ignored) {}

  void read() {
    std::int64_t count = 0;
    if (!read_count("number of collectives", count)) return;
    if (count == 0) {
      ignore("the number of collectives is 0", "count the collectives that follow");
      return;
    }
    for (std::int64_t i = 0; i < count; ++i)
      if (!read_collective()) return;
    if (tokens_.number() || !tokens_.take_skipped().empty())
      findings_.error(tokens_.spot(), "text after the last rule is not read",
                      "correct the counts before the rules");
    check_reach(file_, findings_);
  }

 private:
  bool read_count(std::string_view what, std::int64_t& value) {
    if (!read_any(what, value)) return false;
    constexpr std::int64_t most = 1'000'000;
    return (value >= 0 && value <= most) || out_of_range(what, value, most);
  }

  // The index of a name or of a number in a list.
  template <class Names>
  std::optional<std::size_t> find_index(std::string_view word, const Names& names) const {
    const auto position = std::ranges::find(names, word);
    if (position != std::end(names)) return static_cast<std::size_t>(position - std::begin(names));
    if (word.empty() || word.find_first_not_of("0123456789") != word.npos || word.size() > 3)
      return std::nullopt;
    const auto number = static_cast<std::size_t>(std::atoi(std::string(word).c_str()));
    if (number >= std::size(names)) return std::nullopt;
    return number;
  }

  bool read_collective() {
    const auto word = tokens_.word();
    if (!word) return ends_before("collective");
    const Spot spot = tokens_.spot();
    std::vector<std::string_view> names;
    for (int i = 0; i < most_collectives; ++i) names.push_back(open_mpi_collective(i));
    auto index = find_index(*word, names);
    for (std::size_t i = 0; !index && i < names.size(); ++i)
      if (may_go_on(names[i]) && word->starts_with(names[i])) index = i;
    if (!index)
      return ignore(fmt::format("unknown collective {}", in_quotes(*word)),
                    suggest_word(*word, names));
    const std::string name(names[*index]);
    if (!is_one_of(name, han_collectives))
      findings_.warning(spot, fmt::format("han does not apply rules to {}", name),
                        "han has rules for: " + join_words(han_collectives));
    forget_rules(file_, findings_, name, spot);
    file_.collectives.push_back({name, {}, spot.line});
    std::int64_t count = 0;
    if (!read_count("number of levels", count)) return false;
    for (std::int64_t i = 0; i < count; ++i)
      if (!read_level()) return false;
    return true;
  }

  bool read_level() {
    auto& collective = file_.collectives.back();
    const auto word = tokens_.word();
    if (!word) return ends_before("level");
    const Spot spot = tokens_.spot();
    const auto index = find_index(*word, han_levels);
    if (!index)
      return ignore(fmt::format("unknown level {}", in_quotes(*word)),
                    suggest_word(*word, han_levels));
    const std::string level(han_levels[*index]);
    if (std::erase_if(collective.procs,
                      [&](const ProcsRules& procs) { return procs.scope == level; }) > 0)
      findings_.warning(spot, fmt::format("level {} occurs again", level),
                        "merge them: the last one applies");
    std::int64_t count = 0;
    if (!read_count("number of configurations", count)) return false;
    std::vector<std::int64_t> sizes;
    const std::size_t first = collective.procs.size();
    for (std::int64_t i = 0; i < count; ++i)
      if (!read_configuration(level, sizes)) return false;
    const auto ranges = ranges_from_the_end(sizes);
    for (std::size_t i = 0; i < sizes.size(); ++i) collective.procs[first + i].procs = ranges[i];
    return true;
  }

  bool read_configuration(const std::string& level, std::vector<std::int64_t>& sizes) {
    std::int64_t size = 0;
    std::int64_t count = 0;
    if (!read_any("configuration size", size)) return false;
    const Spot spot = tokens_.spot();
    if (size < 1 || (sizes.empty() && size > 1))
      return ignore(sizes.empty() ? fmt::format("the first configuration size is {}, not 1", size)
                                  : fmt::format("configuration size {} is less than 1", size),
                    "begin each level with size 1");
    check_order(sizes, size, "configuration size", tokens_.spot(), must_be_sorted);
    sizes.push_back(size);
    if (!read_count("number of message sizes", count)) return false;
    auto& procs = file_.collectives.back().procs.emplace_back();
    procs.scope = level;
    procs.line = spot.line;
    std::vector<std::int64_t> bytes;
    for (std::int64_t i = 0; i < count; ++i)
      if (!read_rule(procs, bytes)) return false;
    if (count == 0)
      findings_.warning(spot, "a configuration without message sizes",
                        "add a rule for size 0, or remove the configuration");
    const auto ranges = ranges_from_the_end(bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) procs.rules[i].bytes = ranges[i];
    return true;
  }

  bool read_rule(ProcsRules& procs, std::vector<std::int64_t>& sizes) {
    SizeRule rule;
    std::int64_t bytes = 0;
    if (!take(tokens_.size(), "message size", bytes)) return false;
    rule.line = tokens_.spot().line;
    if (sizes.empty() && (bytes < 0 || bytes > 1))
      return ignore(fmt::format("the first message size is {}, not 0 or 1", bytes),
                    "add a rule for size 0 before it and count it");
    check_order(sizes, bytes, "message size", tokens_.spot(), must_be_sorted);
    sizes.push_back(bytes);
    if (!read_component(procs, rule)) return false;
    if (tokens_.take('[')) {
      findings_.note({rule.line}, "han skips the segment lengths in brackets", "remove them");
      while (!tokens_.take(']') && !tokens_.has_ended())
        if (!tokens_.number()) return ends_before("bracket ]");
    }
    procs.rules.push_back(std::move(rule));
    return true;
  }

  std::span<const std::string_view> components() const {
    const std::span<const std::string_view> all(han_components);
    return file_.library == Library::ompi_6 ? all : all.first(all.size() - 1);
  }

  bool read_component(const ProcsRules& procs, SizeRule& rule) {
    const auto word = tokens_.word();
    if (!word) return ends_before("component");
    const auto known = components();
    if (!is_one_of(*word, known)) {
      const auto index = find_index(*word, known);
      return ignore(
          index ? fmt::format("component {} is a number", *word)
                : fmt::format("unknown component {}", in_quotes(*word)),
          index ? fmt::format("write its name, {}", known[*index]) : suggest_word(*word, known));
    }
    rule.algorithm = *word;
    if (*word != "han") return true;
    if (procs.scope != han_levels.back())
      findings_.error(tokens_.spot(), fmt::format("component han is not valid on {}", procs.scope),
                      fmt::format("use it on {} only", han_levels.back()));
    return !tokens_.take('@') || read_algorithm(rule);
  }

  bool read_algorithm(SizeRule& rule) {
    const auto word = tokens_.word();
    if (!word) return ends_before("algorithm");
    std::vector<std::string_view> names{"default"};
    for (const auto name : han_algorithms(file_.collectives.back().collective))
      names.push_back(name);
    const auto index = find_index(*word, names);
    if (!index)
      return ignore(fmt::format("han has no algorithm {} of {}", in_quotes(*word),
                                file_.collectives.back().collective),
                    suggest_word(*word, names));
    rule.algorithm += fmt::format(" @{}", names[*index]);
    return true;
  }
};

}  // namespace

void read_han(std::string_view text, RulesFile& file) { HanReader(text, file).read(); }

}  // namespace tutti::algorithms::rules_files
