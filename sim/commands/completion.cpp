// SPDX-License-Identifier: BSD-3-Clause
// sim completion prints the completion scripts of shells; sim complete answers their queries. All
// candidates come from the tables that parse the command line.

#include "sim/commands/completion.hpp"

#include "sim/commands/completion_scripts.texts.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/pages.texts.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/studies/workloads/job_file.hpp"

namespace tutti::commands {
namespace {

// What the name of a file follows in a value.
constexpr std::string_view file_heads[] = {
    "file:", "hostfile:", "rankfile:", "slurm:arbitrary=", "auto:rules=", platforms::jobs_prefix};

std::string first_sentence(std::string_view help) {
  return std::string(help.substr(0, help.find_first_of(";:(")));
}

// The context given by the words before the cursor: the command, its options, its first argument.
struct Context {
  std::span<const OptionSpec> specs;
  std::size_t next = 1;  // index of the first word after the command's name
  // The subcommand, or the command without one; null: unknown, or `sim run`.
  const Subcommand* subcommand = nullptr;
};

// The arguments of a usage in order, "NAME" of "check NAME"; a word after an option is its value.
std::vector<std::string_view> usage_placeholders(std::string_view usage) {
  std::vector<std::string_view> all;
  bool is_value = true;  // the command's own name
  for (const auto word : split(usage, ' ')) {
    if (!is_value && !word.starts_with('-')) all.push_back(word);
    is_value = word.starts_with('-');
  }
  return all;
}

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
    } else if (words_.size() == 1 && (words_[0] == "help" || words_[0] == "completion")) {
      add_topics(words_[0]);
    } else if (find_context()) {
      complete_in_context();
    }
    std::erase_if(found_.words, [&](const Candidate& candidate) {
      return !candidate.word.starts_with(current_);
    });
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
      for (const auto& script : texts::completion_scripts.all) add(script.key);
      return;
    }
    for (const auto& topic : help_topics()) add(topic);
    for (const auto& collective : studies::collective_names()) add(collective);
  }

  bool find_context() {
    const auto command = std::ranges::find(all_commands(), words_[0], &Command::name);
    if (command == all_commands().end() || command->summary.empty()) return false;
    context_ = {.specs = command->specs(), .next = 1, .subcommand = command->alone};
    if (command->name == "run") {
      context_.specs = specs_of_workload(words_.size() > 1 ? words_[1] : "");
      subcommands_ = workload_candidates();
    }
    for (const auto* subcommand : command->subcommands) {
      if (words_.size() > 1 && subcommand->name() == words_[1])
        context_ = {subcommand->specs, 2, subcommand};
      subcommands_.push_back({std::string(subcommand->name()), std::string(subcommand->summary)});
    }
    return true;
  }

  static std::vector<Candidate> workload_candidates() {
    std::vector<Candidate> all;
    for (auto& name : studies::collective_names()) all.push_back({std::move(name), {}});
    for (auto& name : studies::other_workload_names(true)) all.push_back({std::move(name), {}});
    return all;
  }

  void complete_in_context() {
    if (context_.subcommand != nullptr && context_.subcommand->starts_program &&
        std::ranges::find(words_, "--") != words_.end()) {
      found_.files = true;
      return;
    }
    if (const auto equals = current_.find('=');
        current_.starts_with("--") && equals != std::string::npos) {
      const OptionSpec* spec = find_option(context_.specs, current_.substr(0, equals));
      if (spec != nullptr && !spec->value.empty()) add_values(*spec, equals + 1);
      return;
    }
    const OptionSpec* before = find_option(context_.specs, words_.back());
    if (before != nullptr && !before->value.empty() && words_.size() > context_.next)
      return add_values(*before, 0);
    if (current_.starts_with('-')) return add_options();
    add_arguments();
  }

  // The value begins at offset `at` of the word; candidates include the text before it.
  void add_values(const OptionSpec& spec, std::size_t at) {
    Candidates values = complete_value(spec, words_);
    const std::string_view typed = std::string_view(current_).substr(at);
    const auto names_file = [&](std::string_view head) { return typed.starts_with(head); };
    if (std::ranges::any_of(file_heads, names_file)) {
      found_.files = true;
      return;
    }
    if (spec.takes_list())
      if (const auto comma = current_.rfind(','); comma != std::string::npos && comma >= at)
        at = comma + 1;
    for (auto& value : values.words)
      add(current_.substr(0, at) + value.word, std::move(value.about));
    found_.files |= values.files;
    found_.folders |= values.folders;
  }

  bool is_given(const OptionSpec& spec) const {
    return std::ranges::any_of(spec.all_names(), [&](const std::string& name) {
      return std::ranges::find(words_, name) != words_.end();
    });
  }

  void add_options() {
    for (const auto& spec : context_.specs)
      if (spec.repeats || !is_given(spec))
        for (const auto& name : spec.all_names()) add(name, first_sentence(spec.summary()));
  }

  // Number of words that are neither options nor their values.
  std::size_t arguments() const {
    std::size_t count = 0;
    for (std::size_t i = context_.next; i < words_.size(); ++i) {
      const OptionSpec* spec = find_option(context_.specs, words_[i]);
      if (spec != nullptr && !spec->value.empty())
        ++i;
      else if (!words_[i].starts_with('-'))
        ++count;
    }
    return count;
  }

  // The TOML files in the folder of the current word, and folders once a word has begun.
  void add_job_files() {
    const auto folder = std::filesystem::path(current_).parent_path();
    std::error_code failed;
    std::filesystem::directory_iterator it(folder.empty() ? "." : folder, failed);
    for (const std::filesystem::directory_iterator end; !failed && it != end; it.increment(failed))
      if (studies::is_job_file(it->path().filename().string()))
        add((folder / it->path().filename()).string());
    found_.folders = !current_.empty();
  }

  void add_arguments() {
    if (words_.size() == 1) {
      found_.words = subcommands_;
      if (words_[0] == "run") add_job_files();
    }
    if (context_.subcommand != nullptr) add_subcommand_arguments(*context_.subcommand);
    if (found_.words.empty() && !found_.files && current_.empty()) add_options();
  }

  // Candidates of the n-th argument; names from a registry may also be files.
  void add_subcommand_arguments(const Subcommand& subcommand) {
    const std::size_t n = arguments();
    const auto all = usage_placeholders(subcommand.usage);
    const bool repeats = !all.empty() && all.back().ends_with("...");
    if (n >= all.size() && !repeats) return;
    if (subcommand.words != nullptr && n > 0 && !repeats) return;
    if (subcommand.words != nullptr)
      for (const auto& word : subcommand.words()) add(word);
    found_.files = subcommand.operands == Operands::files;
  }

  Arguments words_;
  std::string current_;
  Context context_;
  std::vector<Candidate> subcommands_;
  Candidates found_;
};

Result<std::string> find_script(const Arguments& arguments) {
  const auto& scripts = texts::completion_scripts.all;
  const auto shells = collect_names(scripts, &HelpText::key);
  for (const auto& script : scripts)
    if (arguments.size() == 1 && script.key == arguments.front()) return std::string(script.text);
  const std::string all = fmt::format("expected one of: {}", fmt::join(shells, ", "));
  if (arguments.empty()) return usage_error("", "completion requires a shell", all);
  if (arguments.size() > 1) return usage_error("", "expected one shell", all);
  return unknown_name("", "shell", arguments.front(), shells);
}

// Candidates for values of options: the words and names of their rows, files.

class Values {
 public:
  Values(const OptionSpec& spec, const Arguments& words) : spec_(spec), words_(words) {}

  Candidates all() {
    for (const auto word : split(spec_.words, ' '))
      if (!word.empty()) add(std::string(word));
    if (spec_.registered != nullptr)
      for (auto& name : spec_.registered()) add(std::move(name));
    if (spec_.name() == "--algorithm") add_algorithms();
    if (spec_.value.starts_with("KEY="))
      for (auto& key : options::assigned_keys()) add(std::move(key));
    found_.files |= spec_.value == "FILE" || spec_.name() == "--background" ||
                    spec_.registered == options::platform_names;
    found_.folders |= spec_.value == "DIR";
    return std::move(found_);
  }

 private:
  void add(std::string word, std::string about = {}) {
    if (std::ranges::find(found_.words, word, &Candidate::word) == found_.words.end())
      found_.words.push_back({std::move(word), std::move(about)});
  }

  // The collectives that the command line names; empty: any.
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
    const auto requested_for = collectives();
    for (const auto& algorithm : algorithms::all_algorithms())
      if (requested_for.empty() || requested_for.contains(std::string(algorithm.collective)))
        add(std::string(algorithm.name),
            requested_for.size() == 1 ? std::string(algorithm.summary) : std::string());
  }

  const OptionSpec& spec_;
  const Arguments& words_;
  Candidates found_;
};

}  // namespace

Candidates complete_words(const Arguments& words) { return Completing(words).all(); }

std::string completion_help() { return std::string(texts::pages["completion"]); }

Result<int> run_completion_command(const Arguments& arguments, Diagnostics&) {
  if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h"))
    return print(completion_help());
  const auto text = TUTTI_TRY(find_script(arguments));
  return print(text);
}

// Prints a line per candidate, with its explanation after a tab. The lines ":files" and ":folders"
// allow names of files or folders, too.
Result<int> run_complete_command(const Arguments& arguments, Diagnostics&) {
  const bool marked = !arguments.empty() && arguments.front() == "--";
  const Candidates candidates =
      complete_words({arguments.begin() + (marked ? 1 : 0), arguments.end()});
  std::string text;
  for (const auto& candidate : candidates.words)
    text += candidate.about.empty() ? candidate.word + '\n'
                                    : fmt::format("{}\t{}\n", candidate.word, candidate.about);
  if (candidates.files) text += ":files\n";
  if (candidates.folders && !candidates.files) text += ":folders\n";
  return print(text);
}

extern const Command completion_command{.name = "completion",
                                        .summary = "print the completion script of bash or zsh",
                                        .own_help = completion_help,
                                        .run = run_completion_command};

extern const Command complete_command{.name = "complete", .run = run_complete_command};

Candidates complete_value(const OptionSpec& spec, const Arguments& words) {
  return Values(spec, words).all();
}

}  // namespace tutti::commands
