// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/command/params.hpp"

#include <cstdlib>

#include "algorithms/collective.hpp"
#include "platforms/placement.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/store.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::commands {
namespace {

namespace fs = std::filesystem;
using store::ParameterDatabase;
using studies::params::Spec;

const Subcommand* const params_subcommands[] = {&params_put,    &params_get,    &params_exec,
                                                &params_list,   &params_rm,     &params_merge,
                                                &params_export, &params_import, &params_names};

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

std::optional<std::string> usual_path() {
  // The XDG Base Directory Specification requires ignoring a relative path.
  if (const char* data = environment("XDG_DATA_HOME"); data != nullptr && *data == '/')
    return std::string(data) + "/tutti/params.db";
  if (const char* home = environment("HOME"))
    return std::string(home) + "/.local/share/tutti/params.db";
  return std::nullopt;
}

constexpr auto in_key = options::under(&Spec::key);
constexpr auto in_use = options::under(in_key(&store::SetKey::use));

template <class Place>
auto name(Place place) {
  return [place](OptionReader& read, std::string_view option, Spec& spec) {
    auto& text = std::invoke(place, spec);
    text = read.values().value(option);
    if (text.empty() || printable(text) != text || first_not_utf8(text))
      read.wrong(option, fmt::format("invalid name {}", in_quotes(text)),
                 "expected one line of printable UTF-8 text");
  };
}

void read_collective(OptionReader& read, std::string_view option, Spec& spec) {
  const auto collective = in_use(&store::Characteristics::collective);
  name(collective)(read, option, spec);
  auto names = studies::collective_names();
  names.insert(names.end(), {"write", "read"});  // collective I/O
  const auto& word = collective(spec);
  if (!word.empty() && std::ranges::find(names, word) == names.end())
    read.wrong(
        option, fmt::format("unknown collective {}", in_quotes(word)),
        did_you_mean(word, names, fmt::format("expected one of: {}", fmt::join(names, ", "))));
}

void read_message_size(OptionReader& read, std::string_view option, Spec& spec) {
  const auto bytes = parse_bytes(read.values().value(option));
  if (bytes)
    spec.key.use.message_bytes = *bytes;
  else
    read.wrong(option, bytes.error().message, std::string(units_hint));
}

void read_problem_size(OptionReader& read, std::string_view option, Spec& spec) {
  const auto number = parse_number(read.values().value(option));
  if (number && *number > 0)
    spec.key.use.problem_size = *number;
  else
    read.wrong(option, fmt::format("invalid problem size {}: expected a positive number",
                                   in_quotes(read.values().value(option))));
}

const options::OptionTable<Spec> spec_options{
    {params_option::host, name(in_key(&store::SetKey::host))},
    {params_option::application, name(in_key(&store::SetKey::application))},
    {params_option::category, name(&Spec::category)},
    {params_option::collective, read_collective},
    {params_option::procs,
     options::count(platforms::most_procs, in_use(&store::Characteristics::procs))},
    {params_option::nodes,
     options::count(platforms::most_procs, in_use(&store::Characteristics::nodes))},
    {params_option::message_size, read_message_size},
    {params_option::problem_size, read_problem_size}};

// Replaces auto:EXE by the name of the file, and sets the build to a hash of its content.
std::optional<Error> name_application(Spec& spec, const OptionValues& parsed,
                                      const Diagnostics& diagnostics) {
  auto& [host, application, build, use] = spec.key;
  constexpr std::string_view automatic = "auto:";
  if (!application.starts_with(automatic)) return std::nullopt;
  const std::string path = application.substr(automatic.size());
  application = fs::path(path).filename().string();
  if (application.empty())
    return usage_error(parsed.typed("--app"), "auto: requires the path of a program",
                       "for example auto:./sweep3d");
  if (const auto hash = content_key_of_file(path))
    build = hash->substr(0, 16);
  else
    diagnostics.warning(
        fmt::format("{}: {}; the application is identified by its name, {}, so its builds are not "
                    "distinguished",
                    printable(path), hash.error().message, application));
  return std::nullopt;
}

// Rejects a category that no stored set has: it is most likely misspelled.
std::optional<Error> unknown_category(const Spec& spec,
                                      const std::vector<store::ParameterSet>& sets,
                                      const OptionValues& parsed) {
  if (spec.category.empty()) return std::nullopt;
  std::set<std::string> known;
  for (const auto& set : sets)
    if (!set.category.empty()) known.insert(set.category);
  if (known.contains(spec.category)) return std::nullopt;
  const std::vector<std::string> names(known.begin(), known.end());
  return usage_error(
      parsed.typed("--category"), fmt::format("unknown category {}", in_quotes(spec.category)),
      names.empty() ? "no parameter set of the database has a category"
                    : did_you_mean(spec.category, names,
                                   fmt::format("expected one of: {}", fmt::join(names, ", "))));
}

}  // namespace

Result<std::vector<studies::tuning::Category>> read_categories(const OptionValues& parsed) {
  std::vector<studies::tuning::Category> categories;
  if (!parsed.has("--parameters")) return categories;
  const auto names = studies::tuning::category_names();
  for (const auto word : split(std::string_view(parsed.value("--parameters")), ',')) {
    const auto category = studies::tuning::parse_category(trim(word));
    if (!category)
      return usage_error(parsed.typed("--parameters"),
                         fmt::format("unknown category {}", in_quotes(word)),
                         did_you_mean(std::string(word), names,
                                      fmt::format("expected one of: {}", fmt::join(names, ", "))));
    categories.push_back(*category);
  }
  return categories;
}

Result<std::string> database_path(const OptionValues& parsed) {
  if (parsed.has("--db")) return parsed.value("--db");
  if (const auto path = usual_path()) return *path;
  return usage_error("--db", "is required: neither XDG_DATA_HOME nor HOME is set");
}

Result<ParameterDatabase> open_database(const OptionValues& parsed) {
  const auto path = TUTTI_TRY(database_path(parsed));
  std::error_code failed;
  if (!parsed.has("--db")) fs::create_directories(fs::path(path).parent_path(), failed);
  return ParameterDatabase::open(path, ParameterDatabase::Access::write);
}

Result<std::vector<store::ParameterSet>> read_sets(const OptionValues& parsed) {
  const auto path = TUTTI_TRY(database_path(parsed));
  if (parsed.has("--output") && same_file(parsed.value("--output"), path))
    return usage_error("--output", "must not be the database itself",
                       "choose another file; nothing was written");
  std::error_code failed;
  if (!fs::exists(path, failed))
    return make_error(ErrorKind::input, path, "the parameter database does not exist",
                      "`sim params put` creates it");
  const auto database = TUTTI_TRY(ParameterDatabase::open(path, ParameterDatabase::Access::read));
  return database.sets();
}

Result<Spec> read_spec(const OptionValues& parsed, const Diagnostics& diagnostics) {
  OptionReader read(parsed);
  Spec spec;
  spec_options.read(read, spec);
  if (!read.errors().empty()) return read.errors().errors();
  if (auto error = name_application(spec, parsed, diagnostics)) return *std::move(error);
  return spec;
}

Result<ExportTarget> read_target(const OptionValues& parsed) {
  const auto version = TUTTI_TRY(read_choice(parsed, "--open-mpi", {"4.1", "1.8", "5.0"}));
  ExportTarget target{*studies::tuning::parse_version(version), ""};
  target.network = TUTTI_TRY(
      read_choice(parsed, "--network", studies::tuning::network_components(target.version)));
  return target;
}

studies::tuning::McaExport export_settings(const store::ParameterSet& set,
                                           const ExportTarget& target,
                                           const Diagnostics& diagnostics) {
  auto mca = studies::tuning::mca_settings(set.parameters, target.version, target.network);
  for (const auto& omission : mca.omitted)
    diagnostics.warning(studies::tuning::omission_text(omission));
  for (const auto& note : mca.notes) diagnostics.note(note);
  return mca;
}

Result<std::vector<store::ParameterSet>> select_categories(std::vector<store::ParameterSet> sets,
                                                           const OptionValues& parsed) {
  const auto wanted = TUTTI_TRY(read_categories(parsed));
  if (wanted.empty()) return sets;
  for (auto& set : sets)
    std::erase_if(set.parameters, [&](const store::NamedText& parameter) {
      const auto category = studies::tuning::parameter_category(parameter.name);
      return !category || std::ranges::find(wanted, *category) == wanted.end();
    });
  std::erase_if(sets, [](const store::ParameterSet& set) { return set.parameters.empty(); });
  return sets;
}

Result<MatchedSet> find_set(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto spec = TUTTI_TRY(read_spec(parsed, diagnostics));
  if (spec.key.host.empty())
    return usage_error("--host", "is required", "`sim params list` shows the stored hosts");
  auto all = TUTTI_TRY(read_sets(parsed));
  if (auto error = unknown_category(spec, all, parsed)) return *std::move(error);
  auto sets = TUTTI_TRY(select_categories(std::move(all), parsed));
  auto match = studies::params::find_match(sets, spec);
  const auto none = [&](std::string hint) {
    return make_error(ErrorKind::run, key_text(spec.key), "no parameter set matches",
                      std::move(hint));
  };
  if (!match) return none("`sim params list` shows the stored sets");
  if (parsed.has("--exact") && match->tier != studies::params::Tier::exact)
    return none("without --exact: " + match_text(*match));
  return MatchedSet{*std::move(match), std::move(sets)};
}

std::string key_text(const store::SetKey& key) {
  if (key.application.empty()) return key.host;
  return fmt::format("{} / {}", key.host, key.application);
}

std::string use_text(const store::Characteristics& use) {
  std::vector<std::string> words;
  if (!use.collective.empty()) words.push_back(use.collective);
  if (use.procs) words.push_back(counted(*use.procs, "process"));
  if (use.nodes) words.push_back(counted(*use.nodes, "node"));
  if (use.message_bytes) words.push_back(format_bytes(*use.message_bytes));
  if (use.problem_size) words.push_back(fmt::format("problem size {}", *use.problem_size));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string match_text(const studies::params::Match& match) {
  std::string text = fmt::format("set {} of {}, {}", match.set.number, key_text(match.set.key),
                                 studies::params::tier_words(match));
  if (!match.differences.empty()) text += fmt::format(": {}", fmt::join(match.differences, ", "));
  if (match.distance > 0) text += fmt::format(" (distance {:.2f})", match.distance);
  if (match.equals > 0)
    text += fmt::format("; the newest of {} sets that match equally well", match.equals + 1);
  return text;
}

extern const Command params_command{.name = "params",
                                    .summary = "store parameter sets and export them to MPI",
                                    .help = texts::params["params"],
                                    .subcommands = params_subcommands};

}  // namespace tutti::commands
