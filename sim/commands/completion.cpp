// SPDX-License-Identifier: BSD-3-Clause
// sim completion: the scripts of shells; sim complete: what these ask. Nothing that stands on a
// command line is a list here: all comes from the tables that parse it.

#include "sim/commands/completion.hpp"

#include <cctype>

#include "algorithms/guidelines/mockup.hpp"
#include "io_models/implementations/implementation.hpp"
#include "platforms/parameters/keys.hpp"
#include "platforms/reader.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::commands {
namespace {

// The words of commands without subcommands; those of others stand in Subcommand::usage.
std::string_view usage_of(std::string_view command) {
  if (command == "list") return "list WHAT";
  if (command == "export" || command == "sweep" || command == "tune" || command == "replay" ||
      command == "plot")
    return "command FILE";
  if (command == "compare") return "compare FILE FILE";
  return command == "report" ? "report FILE..." : "";
}

std::string first_sentence(std::string_view help) {
  return std::string(help.substr(0, help.find_first_of(";:(")));
}

// What the words before the cursor have said: the command, its options, how many arguments.
struct Context {
  std::string_view command;
  std::string_view usage;
  std::span<const OptionSpec> specs;
  std::size_t next = 1;  // first word behind the command's name
  const Subcommand* subcommand = nullptr;
};

class Completing {
 public:
  explicit Completing(const Arguments& words) : words_(words) {
    if (!words_.empty()) {
      current_ = words_.back();
      words_.pop_back();
    }
  }

  Candidates all() {
    if (words_.empty()) {
      add_commands();
    } else if (words_[0] == "help" || words_[0] == "completion") {
      if (words_.size() == 1) add_topics(words_[0]);
    } else if (find_context()) {
      complete_in_context();
    }
    std::erase_if(found_.words,
                  [&](const Candidate& each) { return !each.word.starts_with(current_); });
    return std::move(found_);
  }

 private:
  void add(std::string_view word, std::string about = {}) {
    found_.words.push_back({std::string(word), std::move(about)});
  }

  void add_commands() {
    for (const auto& command : all_commands())
      if (!command.summary.empty()) add(command.name, std::string(command.summary));
    if (current_.starts_with('-'))
      for (const auto* option : {"--help", "--version"}) add(option);
  }

  void add_topics(std::string_view command) {
    if (command == "completion") {
      for (const auto& script : completion_scripts()) add(script.shell);
      return;
    }
    for (const auto& topic : help_topics()) add(topic);
    for (const auto& collective : studies::collective_names()) add(collective);
  }

  bool find_context() {
    const auto command = std::ranges::find(all_commands(), words_[0], &Command::name);
    if (command == all_commands().end() || command->summary.empty()) return false;
    const CommandShape shape = command->shape();
    context_ = {.command = command->name,
                .usage = usage_of(command->name),
                .specs = shape.specs,
                .next = 1};
    if (command->name == "run") {
      context_.specs = specs_of_workload(words_.size() > 1 ? words_[1] : "");
      subcommands_ = workload_candidates();
    }
    for (const auto* each : shape.subcommands) {
      if (words_.size() > 1 && each->name() == words_[1])
        context_ = {command->name, each->usage, each->specs, 2, each};
      subcommands_.push_back({std::string(each->name()), std::string(each->summary)});
    }
    return true;
  }

  static std::vector<Candidate> workload_candidates() {
    std::vector<Candidate> all;
    for (auto& name : studies::collective_names()) all.push_back({std::move(name), {}});
    for (auto& name : studies::other_workload_names(true)) all.push_back({std::move(name), {}});
    return all;
  }

  const OptionSpec* find(std::string_view name) const {
    for (const auto& spec : context_.specs)
      for (const auto& each : names_of(spec))
        if (each == name) return &spec;
    return nullptr;
  }

  void complete_in_context() {
    if (context_.subcommand != nullptr && context_.subcommand->starts_program &&
        std::ranges::find(words_, "--") != words_.end()) {
      found_.files = true;
      return;
    }
    if (const auto equals = current_.find('=');
        current_.starts_with("--") && equals != std::string::npos) {
      const OptionSpec* spec = find(current_.substr(0, equals));
      if (spec != nullptr && !spec->value.empty()) add_values(*spec, equals + 1);
      return;
    }
    const OptionSpec* before = find(words_.back());
    if (before != nullptr && !before->value.empty() && words_.size() > context_.next)
      return add_values(*before, 0);
    if (current_.starts_with('-')) return add_options();
    add_arguments();
  }

  // The value begins at `at` of the word; what stands before is part of the candidates.
  void add_values(const OptionSpec& spec, std::size_t at) {
    Candidates values = values_of(spec, words_);
    const std::string_view typed = std::string_view(current_).substr(at);
    if (typed.starts_with("file:") || typed.starts_with("auto:rules=")) {
      found_.files = true;
      return;
    }
    if (spec.takes_list())
      if (const auto comma = current_.rfind(','); comma != std::string::npos && comma >= at)
        at = comma + 1;
    for (auto& each : values.words) add(current_.substr(0, at) + each.word, std::move(each.about));
    found_.files |= values.files;
    found_.folders |= values.folders;
  }

  bool is_given(const OptionSpec& spec) const {
    return std::ranges::any_of(names_of(spec), [&](const std::string& name) {
      return std::ranges::find(words_, name) != words_.end();
    });
  }

  void add_options() {
    for (const auto& spec : context_.specs)
      if (spec.repeats || !is_given(spec))
        for (const auto& name : names_of(spec)) add(name, first_sentence(spec.help));
  }

  // Words that are neither options nor their values.
  std::size_t arguments() const {
    std::size_t count = 0;
    for (std::size_t i = context_.next; i < words_.size(); ++i) {
      const OptionSpec* spec = find(words_[i]);
      if (spec != nullptr && !spec->value.empty())
        ++i;
      else if (!words_[i].starts_with('-'))
        ++count;
    }
    return count;
  }

  void add_arguments() {
    if (words_.size() == 1) found_.words = subcommands_;
    Candidates arguments_here = argument_of(context_.command, context_.usage, arguments());
    found_.words.insert(found_.words.end(), arguments_here.words.begin(),
                        arguments_here.words.end());
    found_.files |= arguments_here.files;
    if (found_.words.empty() && !found_.files && current_.empty()) add_options();
  }

  Arguments words_;
  std::string current_;
  Context context_;
  std::vector<Candidate> subcommands_;
  Candidates found_;
};

Result<std::string> script_of(const Arguments& arguments) {
  std::vector<std::string> shells;
  for (const auto& script : completion_scripts()) {
    if (arguments.size() == 1 && script.shell == arguments.front()) return std::string(script.text);
    shells.emplace_back(script.shell);
  }
  const std::string all = fmt::format("there are: {}", fmt::join(shells, ", "));
  if (arguments.empty()) return usage_error("", "completion: which shell?", all);
  if (arguments.size() > 1) return usage_error("", "completion: one shell at a time", all);
  return usage_error("", fmt::format("there is no completion of {}", in_quotes(arguments.front())),
                     did_you_mean(arguments.front(), shells, all));
}

}  // namespace

Candidates candidates_of(const Arguments& words) { return Completing(words).all(); }

std::string completion_help() {
  return R"(Usage: sim completion bash|zsh

Prints a script that lets the shell complete commands, options, and values:
names of algorithms, platforms, keys. It asks this program, so it is never out
of date. `cmake --install` puts it where these shells look; by hand:
  source <(sim completion bash)      for this shell; in ~/.bashrc for all
  sim completion zsh > DIR/_sim      DIR: one of $fpath, before compinit
)";
}

Result<int> run_completion_command(const Arguments& arguments, Diagnostics&) {
  if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h"))
    return print(completion_help());
  const auto text = TUTTI_TRY(script_of(arguments));
  return print(text);
}

// A line for each candidate, its explanation behind a tab; ":files", ":folders": those may follow.
Result<int> run_complete_command(const Arguments& arguments, Diagnostics&) {
  const bool marked = !arguments.empty() && arguments.front() == "--";
  const Candidates found = candidates_of({arguments.begin() + (marked ? 1 : 0), arguments.end()});
  std::string text;
  for (const auto& each : found.words)
    text += each.about.empty() ? each.word + '\n' : fmt::format("{}\t{}\n", each.word, each.about);
  if (found.files) text += ":files\n";
  if (found.folders && !found.files) text += ":folders\n";
  return print(text);
}

extern const Command completion_command{.name = "completion",
                                        .summary = "print the completion of bash or zsh",
                                        .help = completion_help,
                                        .run = run_completion_command};

extern const Command complete_command{.name = "complete", .run = run_complete_command};

// Values of options and arguments that can be told beforehand: registries' names, words that the
// option's own help names, files.

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
      if (names(spec_.summary(), word)) add(std::string(word));
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
