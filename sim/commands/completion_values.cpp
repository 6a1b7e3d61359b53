// SPDX-License-Identifier: BSD-3-Clause
// Values of options and arguments that can be told beforehand: registries' names, words that the
// option's own help names, files.
#include <algorithm>
#include <cctype>
#include <set>

#include "algorithms/guidelines/mockup.hpp"
#include "io_models/implementations/implementation.hpp"
#include "platforms/parameters/keys.hpp"
#include "platforms/reader.hpp"
#include "sim/base/split.hpp"
#include "sim/commands/completion.hpp"
#include "sim/commands/run_workload.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::commands {
namespace {

// All words that options of one name take anywhere. Which of them a command takes stands in its
// help, and only those are offered.
struct Vocabulary {
  std::string_view option;
  std::string_view words;
};
constexpr Vocabulary vocabularies[] = {
    {"--color", "auto always never"},
    {"--format", "text csv json jsonl md osu props options rules hpp repro"},
    {"--map", "block round-robin file:"},
    {"--engine", "auto flow simgrid ideal"},
    {"--contention", "on off both private pooled"},
    {"--extrapolate", "auto off"},
    {"--setup", "on off"},
    {"--algorithm", "auto all auto:best auto:ompi-3.1 auto:rules= hierarchical:inter="},
    {"--selection", "auto auto:ompi-3.1 auto:rules= hardware"},
    {"--counts", "equal linear random: file:"},
    {"--benchmark", "none osu imb pico reprompi"},
    {"--skew", "none uniform: exponential: file:"},
    {"--noise", "none multiplicative: additive:"},
    {"--sync", "window barrier"},
    {"--repetitions", "nrep"},
    {"--decomposition", "1d 2d tiles file:"},
    {"--partitioning", "even static"},
    {"--implementation", "all"},
    {"--aggregators", "auto per-node"},
    {"--aggregator-placement", "groups spread first nodes file:"},
    {"--storage", "none targets="},
    {"--path", "inter intra"},
    {"--pattern", "pingpong bidirectional stream all"},
    {"--part",
     "errors ranking choices points summary rules between hierarchical times guidelines "
     "monotony split left-out cells worst"},
    {"--parameters", "platform protocol measured"},
    {"--models", "hockney loggp"},
    {"--model", "recorded loggp platform"},
    {"--kind", "lines winner"},
    {"--log", "x y xy none"},
    {"--relative", "best"},
    {"--rerun", "failed all"},
    {"--method", "brute-force attribute factorial halving model all"},
    {"--open-mpi", "1.8 4.1 5.0"},
    {"--network", "openib tcp ofi"},
    {"--export", "text mca rules env otpo toml json"},
    {"--how", "union intersection"},
    {"--objective", "max mean"},
    {"--order", "intra-first inter-first"},
    {"--samples", "all grid:"},
    {"--form", "linear huber split bottleneck"},
    {"--experiment", "alone gather"},
    {"--terms", "extended published"},
    {"--collective", "all"},
    {"--fail-below", "paper"},
    {"--topology", "FAT_TREE: TORUS:"},
    {"--table", "5.1 4.2 II"},
};

bool is_inside_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// As a word of its own; one that ends in ':' or '=' may go on.
bool names(std::string_view help, std::string_view word) {
  for (auto at = help.find(word); at != help.npos; at = help.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool begins = at == 0 || (!is_inside_word(help[at - 1]) && help[at - 1] != '-');
    const bool open = word.ends_with(':') || word.ends_with('=');
    const bool ends = end == help.size() || (!is_inside_word(help[end]) && help[end] != '-');
    if (begins && (open || ends)) return true;
  }
  return false;
}

class Values {
 public:
  Values(const OptionSpec& spec, const Arguments& words) : spec_(spec), words_(words) {}

  Candidates all() {
    add_vocabulary();
    const std::string_view name = spec_.name();
    if (name == "--platform" || name == "--like") add_platforms(found_);
    if (name == "--algorithm") add_algorithms();
    if (name == "--collective")
      for (auto& each : studies::collective_names()) add(std::move(each));
    if (name == "--set")
      for (auto& key : platforms::all_keys()) add(key + '=');
    if (name == "--implementation")
      for (const auto* each : io_models::all_implementations()) add(std::string(each->name));
    if (name == "--guideline") add_guidelines();
    found_.files |= spec_.value == "FILE";
    found_.folders |= spec_.value == "DIR";
    return std::move(found_);
  }

  static void add_platforms(Candidates& found) {
    if (const auto entries = platforms::catalog())
      for (const auto& entry : *entries) found.words.push_back({entry.name, {}});
    found.files = true;
  }

 private:
  void add(std::string word, std::string about = {}) {
    if (std::ranges::find(found_.words, word, &Candidate::word) == found_.words.end())
      found_.words.push_back({std::move(word), std::move(about)});
  }

  void add_vocabulary() {
    const auto found = std::ranges::find(vocabularies, spec_.name(), &Vocabulary::option);
    if (found == std::end(vocabularies)) return;
    for (const auto word : split(found->words, ' '))
      if (names(spec_.help, word)) add(std::string(word));
  }

  // Those that the command line names; none: any.
  std::set<std::string> collectives() const {
    if (words_.size() > 1 && words_.front() == "run") return {words_[1]};
    std::set<std::string> named;
    for (std::size_t i = 0; i + 1 < words_.size(); ++i)
      if (words_[i] == "--collective")
        for (const auto part : split(words_[i + 1], ',')) named.emplace(part);
    if (named.contains("all")) named.clear();
    return named;
  }

  void add_algorithms() {
    const auto asked_for = collectives();
    for (const auto& algorithm : algorithms::all_algorithms())
      if (asked_for.empty() || asked_for.contains(std::string(algorithm.collective)))
        add(std::string(algorithm.name),
            asked_for.size() == 1 ? std::string(algorithm.summary) : std::string());
  }

  void add_guidelines() {
    for (const auto* mockup : algorithms::guidelines::all_mockups())
      add(std::string(mockup->guideline));
  }

  const OptionSpec& spec_;
  const Arguments& words_;
  Candidates found_;
};

// "NAME" of "check NAME"; the last one holds for all further words if it ends in "...".
std::string_view placeholder_of(std::string_view usage, std::size_t n) {
  std::vector<std::string_view> all;
  bool is_value = false;
  for (const auto word : split(usage, ' ')) {
    if (!is_value && !word.starts_with('-')) all.push_back(word);
    is_value = word.starts_with('-');
  }
  ++n;  // behind the subcommand's own name
  if (n >= all.size() && !all.empty() && all.back().ends_with("...")) n = all.size() - 1;
  return n > 0 && n < all.size() ? all[n] : std::string_view();
}

Candidates listed(std::string_view words) {
  Candidates found;
  for (const auto word : split(words, ' ')) found.words.push_back({std::string(word), {}});
  return found;
}

Candidates papers() {
  Candidates found;
  for (const auto& paper : studies::papers::all_papers())
    found.words.push_back({std::string(paper.name), {}});
  return found;
}

}  // namespace

Candidates values_of(const OptionSpec& spec, const Arguments& words) {
  return Values(spec, words).all();
}

Candidates argument_of(std::string_view command, std::string_view usage, std::size_t n) {
  Candidates found;
  const std::string_view what = placeholder_of(usage, n);
  const auto is = [&](std::string_view name) { return names(what, name); };
  if (what.empty() || is("NUMBER")) return found;
  if (is("WHAT")) return listed("algorithms mockups platforms tunables study-schema");
  if (is("KIND")) return listed("flat fat-tree torus dragonfly");
  if (is("PAPER")) return papers();
  if (is("NAME")) Values::add_platforms(found);
  const bool nodes = command == "platform" && (is("A") || is("B"));
  found.files = !nodes;
  return found;
}

}  // namespace tutti::commands
