// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/options.hpp"

#include <CLI/CLI.hpp>
#include <cctype>

#include "sim/base/output_file.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/named_files.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/reports/wrap.hpp"
#include "sim/studies/toml.hpp"

namespace tutti::commands {
namespace {

constexpr std::size_t help_column = 27;

Error needs_value(const OptionSpec* spec, std::string_view name) {
  return usage_error(std::string(name), "needs a value",
                     spec == nullptr ? "" : fmt::format("write {} {}", name, spec->value));
}

// For "--procs=" CLI11 would use the next word as the value.
std::optional<Error> check_equals_sign(std::span<const OptionSpec> specs, const std::string& word) {
  const auto equals = word.find('=');
  if (!word.starts_with("--") || equals == std::string::npos) return std::nullopt;
  const std::string name = word.substr(0, equals);
  const OptionSpec* spec = find_option(specs, name);
  if (spec == nullptr) return std::nullopt;
  if (spec->value.empty())
    return usage_error(name, "takes no value", fmt::format("write {} alone", name));
  if (equals + 1 == word.size()) return needs_value(spec, name);
  return std::nullopt;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0;
  };
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if (!is_letter(at - 1) && !is_letter(at + word.size())) return true;
  return false;
}

// Returns a hint for a name that is similar to no option: the options that have the word in their
// name, or else in their help.
std::string options_about(std::span<const OptionSpec> specs, std::string_view name) {
  constexpr std::size_t most = 4;  // a longer list does not help
  const std::string word =
      lower_case(name.substr(std::min(name.find_first_not_of('-'), name.size())));
  std::vector<std::string_view> by_name, by_help;
  for (const auto& spec : specs) {
    if (has_word(spec.name(), word)) by_name.push_back(spec.name());
    if (has_word(lower_case(spec.summary()), word)) by_help.push_back(spec.name());
  }
  const auto& related = by_name.empty() ? by_help : by_name;
  if (word.size() < 3 || related.empty() || related.size() > most)
    return "--help lists all options";
  return fmt::format("--help lists all options; related: {}", fmt::join(related, ", "));
}

Error unknown_option(std::span<const OptionSpec> specs, const std::string& word) {
  std::vector<std::string> names;
  for (const auto& spec : specs)
    for (auto& name : spec.all_names()) names.push_back(std::move(name));
  const std::string name = word.substr(0, word.find('='));
  if (find_option(specs, name) != nullptr)
    return usage_error("", fmt::format("option {} is given after '--'", in_quotes(name)),
                       "omit the '--'");
  const std::string otherwise = options_about(specs, name);
  return usage_error("", fmt::format("unknown option {}", in_quotes(name)),
                     name.size() > 2 ? did_you_mean(name, names, otherwise) : otherwise);
}

// Sorts the words that CLI11 did not recognize: appends arguments to those of `parsed`, and returns
// an error for each unknown option.
std::vector<Error> sort_rest(std::span<const OptionSpec> specs,
                             const std::vector<std::string>& rest, OptionValues& parsed) {
  std::vector<Error> errors;
  for (const auto& word : rest) {
    if (word == "--") continue;  // separates options from arguments
    const bool option = word.size() > 1 && word.front() == '-';
    if (option)
      errors.push_back(unknown_option(specs, word));
    else
      parsed.arguments.push_back(word);
  }
  return errors;
}

// Collects the values of one option from all of its names. Each name is an option of its own in
// CLI11, so that errors can use the name that was typed.
std::optional<Error> take_option(const CLI::App& app, const OptionSpec& spec,
                                 OptionValues& parsed) {
  std::vector<std::string> values;
  std::vector<std::string> typed;
  for (const auto& name : spec.all_names()) {
    const auto& results = app.get_option(name)->results();
    values.insert(values.end(), results.begin(), results.end());
    if (!results.empty()) typed.push_back(name);
  }
  if (values.empty()) return std::nullopt;
  parsed.set_typed(spec.name(), typed.back());
  if (spec.value == "FILE" && std::count(values.begin(), values.end(), "") > 0)
    return usage_error(typed.back(), "needs the name of a file",
                       "the name is empty; is a variable of the shell unset?");
  const std::size_t given = values.size();
  parsed.set(spec.name(), std::move(values));
  if (given == 1 || spec.repeats) return std::nullopt;
  std::string hint;
  if (typed.size() > 1)
    hint = fmt::format("{} and {} are the same option", typed.front(), typed.back());
  else if (spec.takes_list())
    hint =
        "give several values as a list: " + std::string(spec.value == "NAMES" ? "a,b,c" : "1,3,5");
  return usage_error(typed.back(), "is given more than once", hint);
}

std::string names_and_value(const OptionSpec& spec) {
  std::string left;
  for (const auto& name : spec.all_names()) left += (left.empty() ? "  " : ", ") + name;
  return spec.value.empty() ? left : fmt::format("{} {}", left, spec.value);
}

// The user's defaults of options: environment variables, and a configuration file in TOML.

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Options that may have a default.
constexpr OptionSpec configurable[] = {job_option::platform, jobs_option};

using Defaults = std::map<std::string, std::string>;  // by the option's key

std::optional<std::string> value_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  return std::nullopt;
}

Result<Defaults> read_config(const std::string& path) {
  const auto content = TUTTI_TRY(read_text_file(path));
  const studies::TomlText text(content, path);
  const auto root = TUTTI_TRY(text.parse());
  std::vector<std::string> keys;
  for (const auto& spec : configurable) keys.push_back(options::key_of(spec.name()));
  Defaults defaults;
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    if (std::ranges::find(keys, name) == keys.end())
      return text.error_at(text.spot_of(key), fmt::format("unknown key {}", in_quotes(name)),
                           suggest_valid(name, keys));
    const auto value = value_text(node);
    if (!value) return text.error_at(text.spot_of(node), "expected a string or an integer");
    defaults.emplace(name, *value);
  }
  return defaults;
}

// Path of the configuration file: $SIM_CONFIG, else $XDG_CONFIG_HOME/tutti/config.toml, else
// ~/.config/tutti/config.toml. Empty if none of these variables is set, or SIM_CONFIG is empty.
std::string config_file() {
  if (const char* named = std::getenv("SIM_CONFIG")) return named;
  if (const auto folder = variable("XDG_CONFIG_HOME"); !folder.empty())
    return folder + "/tutti/config.toml";
  const auto home = variable("HOME");
  return home.empty() ? "" : home + "/.config/tutti/config.toml";
}

// Only a file named by SIM_CONFIG must exist.
Result<Defaults> config() {
  const std::string path = config_file();
  const bool is_named = !variable("SIM_CONFIG").empty();
  if (path.empty() || (!is_named && !exists(path))) return Defaults{};
  return read_config(path);
}

// Sets the options of `specs` that were not given and have a default. The option's environment
// variable (OptionSpec::variable) takes precedence over the configuration file. The key of an
// option in that file is its name ("platform"). Errors: a file that cannot be read, is not TOML, or
// has other keys.
std::optional<Error> add_defaults(std::span<const OptionSpec> specs, OptionValues& parsed) {
  const auto lacks = [&](const OptionSpec& spec) {
    return !spec.variable.empty() && !parsed.has(spec.name());
  };
  if (std::ranges::none_of(specs, lacks)) return std::nullopt;
  const auto defaults = config();
  if (!defaults) return defaults.error();
  for (const auto& spec : specs) {
    if (!lacks(spec)) continue;
    const std::string name(spec.variable);
    const auto configured = defaults->find(options::key_of(spec.name()));
    if (auto value = variable(name.c_str()); !value.empty()) {
      parsed.set(spec.name(), {std::move(value)});
      parsed.set_typed(spec.name(), name);
    } else if (configured != defaults->end()) {
      parsed.set(spec.name(), {configured->second});
      parsed.set_typed(spec.name(), fmt::format("{}: {}", config_file(), configured->first));
    }
  }
  return std::nullopt;
}

}  // namespace

Result<OptionValues> parse_options(std::span<const OptionSpec> specs,
                                   const std::vector<std::string>& arguments, Operands operands) {
  for (const auto& word : arguments)
    if (auto error = check_equals_sign(specs, word)) return *error;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  OptionValues parsed;
  for (const auto& spec : specs)
    for (const auto& name : spec.all_names())
      if (spec.value.empty())
        app.add_flag(name)->take_all();
      else
        app.add_option(name)->expected(1)->allow_extra_args(false)->take_all();
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ArgumentMismatch&) {
    // Only the last word can lack its value.
    return needs_value(find_option(specs, arguments.back()), arguments.back());
  } catch (const CLI::ParseError& error) {
    return usage_error("", error.what());
  }
  auto errors = sort_rest(specs, app.remaining(), parsed);
  for (const auto& spec : specs)
    if (auto error = take_option(app, spec, parsed)) errors.push_back(std::move(*error));
  if (!parsed.has("--help"))
    if (auto error = add_defaults(specs, parsed)) errors.push_back(std::move(*error));
  if (errors.empty() && !parsed.has("--help")) errors = check_named_files(specs, parsed, operands);
  if (!errors.empty()) return errors;
  return parsed;
}

void note_decimal_sizes(std::span<const OptionSpec> specs, const OptionValues& parsed,
                        const Diagnostics& diagnostics) {
  for (const auto& spec : specs)
    if (spec.value == "SIZE" || spec.value == "SIZES")
      for (const auto& value : parsed.values(spec.name()))
        if (value.find("KB") != std::string::npos)
          return diagnostics.note(
              fmt::format("{} {}: 1 KB is 1000 bytes; 1 KiB is 1024 bytes", spec.name(), value));
}

std::string options_help(std::span<const OptionSpec> specs) {
  std::string text;
  std::string_view group;
  for (const auto& spec : specs) {
    if (spec.group != group) text += fmt::format("\n{}:\n", spec.group);
    group = spec.group;
    std::string left = names_and_value(spec);
    if (left.size() + 2 > help_column) {
      text += left + '\n';
      left.clear();
    }
    for (const auto& line : reports::wrap(spec.summary(), reports::page_width - help_column)) {
      text += fmt::format("{:<{}}{}\n", left, help_column, line);
      left.clear();
    }
  }
  return text;
}

}  // namespace tutti::commands
