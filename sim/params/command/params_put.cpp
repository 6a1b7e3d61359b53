// SPDX-License-Identifier: BSD-3-Clause
// sim params put and rm: add a parameter set to the database, and remove sets from it.

#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/process.hpp"
#include "sim/commands/store.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/keeping.hpp"
#include "sim/params/mca_names.hpp"
#include "sim/params/otpo_result.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/params/settings_file.hpp"
#include "sim/reports/version.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

using store::NamedText;
using store::ParameterSet;
using studies::params::Kept;

constexpr std::string_view contents = "Contents of the parameter set";

constexpr auto params_put_specs =
    joined(params_option::of_use,
           std::to_array<OptionSpec>(
               {taking(options::assigned_keys,
                       {contents, "--value", "NAME=VALUE", texts::params["--value"], true}),
                {contents, "--metric", "NAME=NUMBER", texts::params["--metric"]},
                {contents, "--about", "NAME=TEXT", "How the set was found: search=halving", true},
                {contents, "--note", "TEXT", "Note in free text"},
                {contents, "--within", "PERCENT", texts::params["--within"]},
                {contents, "--replace", "", "Replace a better set of the same key"}}),
           params_option::of_all);

// Splits the NAME=VALUE of an option.
Result<NamedText> parse_assignment(std::string_view option, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size())
    return usage_error(std::string(option),
                       fmt::format("expected NAME=VALUE, not {}", in_quotes(text)),
                       "for example mpi/eager_limit=64KiB");
  return NamedText{text.substr(0, equals), text.substr(equals + 1)};
}

bool is_line(const std::string& text) { return printable(text) == text && !first_not_utf8(text); }

class ParamsPutOptionReader {
 public:
  ParamsPutOptionReader(const OptionValues& parsed, const Diagnostics& diagnostics)
      : parsed_(parsed), diagnostics_(diagnostics) {}

  // The best set first.
  Result<std::vector<ParameterSet>> read() {
    auto sets = TUTTI_TRY(read_file());
    const auto spec = TUTTI_TRY(read_spec(parsed_, diagnostics_));
    for (auto& set : sets) {
      complete(set, spec);
      check(set);
      if (!errors_.empty()) return errors_.errors();
    }
    return sets;
  }

 private:
  void wrong(std::string place, std::string message, std::string hint = "") {
    errors_.add(usage_error(std::move(place), std::move(message), std::move(hint)));
  }

  Result<std::vector<ParameterSet>> read_file() {
    if (parsed_.arguments.size() > 1)
      return usage_error("", "at most one FILE is allowed", "put the files one after the other");
    if (parsed_.arguments.empty()) return std::vector<ParameterSet>(1);
    const std::string& path = parsed_.arguments.front();
    const auto text = TUTTI_TRY(read_text_file(path));
    if (studies::params::is_otpo_result(text)) return read_otpo(text, path);
    ParameterSet set;
    if (studies::params::is_settings_file(text) || path.ends_with(".toml")) {
      set = TUTTI_TRY(studies::params::read_settings_file(text, path));
    } else {
      set.parameters = TUTTI_TRY(studies::params::read_mca_file(text, path));
    }
    return std::vector{std::move(set)};
  }

  // OTPO's values have no unit. Values of Netpipe are in us; others depend on the test.
  Result<std::vector<ParameterSet>> read_otpo(const std::string& text, const std::string& path) {
    auto combinations = TUTTI_TRY(studies::params::read_otpo_result(text, path));
    const auto within = TUTTI_TRY(read_fraction(parsed_, "--within"));
    std::ranges::stable_sort(combinations, {}, &studies::params::OtpoCombination::value);
    const double most = combinations.front().value * (1 + within.value_or(0));
    std::vector<ParameterSet> sets;
    for (auto& [value, parameters] : combinations) {
      if (!sets.empty() && (!within || value > most)) break;
      ParameterSet set;
      set.parameters = std::move(parameters);
      set.metric = "otpo";
      set.metric_value = value;
      set.about = {{"found_by", "OTPO"}, {"file", path}};
      sets.push_back(std::move(set));
    }
    return sets;
  }

  // Options take precedence over the file.
  void complete(ParameterSet& set, const studies::params::Spec& spec) {
    // Another application has other builds.
    if (!spec.key.application.empty()) set.key.build.clear();
    store::visit_keys(set, spec, [](const char*, auto& value, const auto& requested) {
      if (store::has_value(requested)) value = requested;
    });
    add_all("--value", set.parameters);
    add_all("--about", set.about);
    if (parsed_.has("--note")) store::set_text(set.about, {"note", parsed_.value("--note")});
    read_metric(set);
    store::set_text(set.about,
                    {"tutti", fmt::format("{} ({})", reports::version(), reports::commit())});
    set.stored = utc_now();
    for (auto& parameter : set.parameters)
      parameter.name = studies::tuning::full_name(parameter.name, set.key.use.collective);
  }

  void add_all(std::string_view option, std::vector<NamedText>& list) {
    std::set<std::string> given;
    for (const auto& text : parsed_.values(option)) {
      const auto entry = parse_assignment(option, text);
      if (!entry) {
        errors_.add(entry.error());
        continue;
      }
      if (!given.insert(entry->name).second)
        wrong(std::string(option), fmt::format("duplicate name {}", in_quotes(entry->name)));
      store::set_text(list, *entry);
    }
  }

  void read_metric(ParameterSet& set) {
    if (!parsed_.has("--metric")) return;
    const auto metric = parse_assignment("--metric", parsed_.value("--metric"));
    if (!metric) return errors_.add(metric.error());
    const auto number = parse_number(metric->value);
    if (!number)
      return wrong("--metric", fmt::format("invalid number {}", in_quotes(metric->value)),
                   "use the unit of the name, for example time_s=0.0012");
    if (*number < 0 && studies::params::is_never_negative(metric->name))
      return wrong("--metric", fmt::format("{} must not be negative", in_quotes(metric->value)),
                   "times, rates and sizes are at least 0, for example time_s=0.0012");
    set.metric = metric->name;
    set.metric_value = *number;
  }

  void check(const ParameterSet& set) {
    if (set.key.host.empty()) wrong("--host", "is required", "give the machine a name");
    if (set.key.application.empty())
      wrong("--app", "is required", "name the application or benchmark");
    if (set.parameters.empty())
      wrong("--value", "is required", "use --value NAME=VALUE, or a FILE that contains parameters");
    std::set<std::string> names;
    for (const auto& parameter : set.parameters) {
      if (const auto error = studies::tuning::check_kept_parameter(parameter)) errors_.add(*error);
      if (!names.insert(parameter.name).second)
        wrong(parameter.name, "duplicate parameter",
              "with --collective, \"algorithm\" means COLLECTIVE/algorithm");
    }
    std::vector<std::string> texts{set.key.host, set.key.application, set.category, set.metric};
    for (const auto& [name, value] : set.about) texts.insert(texts.end(), {name, value});
    for (const auto& text : texts)
      if (!is_line(text))
        wrong("", fmt::format("invalid text {}", in_quotes(text)),
              "expected one line of printable UTF-8 text");
  }

  const OptionValues& parsed_;
  const Diagnostics& diagnostics_;
  ErrorList errors_;
};

// Warns about names that no version has: misspelled, or of a component that Tutti does not know.
void warn_unknown(const ParameterSet& set, const Diagnostics& diagnostics) {
  using namespace studies::tuning;
  for (const auto& parameter : set.parameters) {
    if (!looks_like_mca(parameter.name)) continue;
    const bool known = std::ranges::any_of(open_mpi_versions, [&](OpenMpi version) {
      const auto network = network_components(version).front();
      return !mca_settings({parameter}, version, network).settings.empty();
    });
    if (!known)
      diagnostics.warning(
          fmt::format("{} is stored, but exports omit it: no supported version of Open MPI has "
                      "this parameter",
                      parameter.name));
  }
}

std::string kept_text(const ParameterSet& set, const studies::params::KeptSet& kept) {
  std::string text = fmt::format("set {}: {}", kept.number, key_text(set.key));
  if (const auto use = use_text(set.key.use); !use.empty()) text += ", " + use;
  text += ": " + counted(set.parameters.size(), "parameter");
  switch (kept.kept) {
    case Kept::added:
      break;
    case Kept::replaces:
      text += fmt::format("; replaces set {}", kept.before);
      break;
    case Kept::known:
      text += "; already stored";
      break;
    case Kept::worse:
      text += fmt::format("; stored as history because set {} is better (--replace overrides)",
                          kept.before);
  }
  return reports::paragraph(text, 0);
}

Result<int> run_params_put(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto sets = TUTTI_TRY(ParamsPutOptionReader(parsed, diagnostics).read());
  warn_unknown(sets.front(), diagnostics);
  auto database = TUTTI_TRY(open_database(parsed));
  std::string text;
  for (const auto& set : sets) {
    const bool replaces = parsed.has("--replace") && &set == &sets.front();
    const auto kept = TUTTI_TRY(studies::params::keep(database, set, replaces));
    text += kept_text(set, kept);
  }
  return print(text);
}

}  // namespace

const Subcommand params_put{.usage = "put [FILE]",
                            .summary = "store a parameter set",
                            .help = texts::params["put"],
                            .specs = params_put_specs,
                            .run = run_params_put};

namespace {

constexpr auto params_rm_specs =
    joined(std::array{OptionSpec{option_group, "--history", "",
                                 "Remove all superseded sets, instead of NUMBERs"}},
           params_option::of_all);

// The requested numbers. All must exist, so that a mistyped command removes nothing.
Result<std::vector<std::int64_t>> read_numbers(const OptionValues& parsed,
                                               const std::vector<ParameterSet>& sets) {
  std::vector<std::int64_t> numbers;
  if (parsed.has("--history")) {
    if (!parsed.arguments.empty())
      return usage_error("--history", "cannot be combined with numbers");
    for (const auto& set : sets)
      if (!set.is_current) numbers.push_back(set.number);
    return numbers;
  }
  if (parsed.arguments.empty())
    return usage_error("", "the number of a set is required",
                       "`sim params list` shows the numbers");
  std::vector<Error> errors;
  for (const auto& word : parsed.arguments) {
    const auto number = parse_integer(word);
    const bool is_there =
        number && std::ranges::find(sets, *number, &ParameterSet::number) != sets.end();
    if (is_there)
      numbers.push_back(*number);
    else
      errors.push_back(usage_error("", fmt::format("unknown set {}", in_quotes(word)),
                                   "`sim params list --history` shows the numbers"));
  }
  if (!errors.empty()) return errors;
  return numbers;
}

Result<int> run_params_rm(const OptionValues& parsed, const Diagnostics&) {
  // Reads first, so that a missing database is not created.
  const auto before = TUTTI_TRY(read_sets(parsed));
  const auto numbers = TUTTI_TRY(read_numbers(parsed, before));
  auto database = TUTTI_TRY(open_database(parsed));
  if (const auto error = studies::params::discard(database, numbers)) return *error;
  const auto after = TUTTI_TRY(database.sets());
  std::string text = counted(before.size() - after.size(), "set") + " removed\n";
  for (const auto& set : after) {
    const auto was = std::ranges::find(before, set.number, &ParameterSet::number);
    if (set.is_current && was != before.end() && !was->is_current)
      text += fmt::format("set {} is current again\n", set.number);
  }
  return print(text);
}

}  // namespace

const Subcommand params_rm{.usage = "rm NUMBER...",
                           .summary = "remove sets",
                           .help = texts::params["rm"],
                           .specs = params_rm_specs,
                           .run = run_params_rm,
                           .operands = Operands::names};

}  // namespace tutti::commands
