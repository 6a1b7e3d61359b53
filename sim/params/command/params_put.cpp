// SPDX-License-Identifier: BSD-3-Clause
// sim params put and rm: add a parameter set to the database, and remove sets from it.

#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/process.hpp"
#include "sim/commands/store.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/command/params_put.help.hpp"
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
                       {contents, "--value", "NAME=VALUE", texts::params_put["--value"], true}),
                {contents, "--metric", "NAME=NUMBER", texts::params_put["--metric"]},
                {contents, "--about", "NAME=TEXT", "How the set was found: search=halving", true},
                {contents, "--note", "TEXT", "Note in free text"},
                {contents, "--within", "PERCENT", texts::params_put["--within"]},
                {contents, "--replace", "", "Replace a better set of the same key"}}),
           params_option::of_all);

struct Assignment {
  std::string name;
  std::string value;
};

// Splits the NAME=VALUE of an option.
Result<Assignment> assignment_of(std::string_view option, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size())
    return usage_error(std::string(option),
                       fmt::format("expected NAME=VALUE, not {}", in_quotes(text)),
                       "for example mpi/eager_limit=64KiB");
  return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

bool is_line(const std::string& text) { return printable(text) == text && !first_not_utf8(text); }

class ParamsPutOptionReader {
 public:
  ParamsPutOptionReader(const OptionValues& parsed, const Diagnostics& diagnostics)
      : parsed_(parsed), diagnostics_(diagnostics) {}

  // The best set first.
  Result<std::vector<ParameterSet>> read() {
    auto read = TUTTI_TRY(from_file());
    std::vector<ParameterSet> sets = std::move(read);
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

  Result<std::vector<ParameterSet>> from_file() {
    if (parsed_.arguments.size() > 1)
      return usage_error("", "at most one FILE is allowed", "put the files one after the other");
    if (parsed_.arguments.empty()) return std::vector<ParameterSet>(1);
    const std::string& path = parsed_.arguments.front();
    const auto text = TUTTI_TRY(read_text_file(path));
    if (studies::params::is_otpo_result(text)) return from_otpo(text, path);
    ParameterSet set;
    if (studies::params::is_settings_file(text) || path.ends_with(".toml")) {
      set = TUTTI_TRY(studies::params::read_settings_file(text, path));
    } else {
      set.parameters = TUTTI_TRY(studies::params::read_mca_file(text, path));
    }
    return std::vector{std::move(set)};
  }

  // OTPO's values have no unit. Those of Netpipe are in us, others depend on the test.
  Result<std::vector<ParameterSet>> from_otpo(const std::string& text, const std::string& path) {
    auto found = TUTTI_TRY(studies::params::read_otpo_result(text, path));
    const auto within = TUTTI_TRY(part_of(parsed_, "--within"));
    std::ranges::stable_sort(found, {}, &studies::params::OtpoCombination::value);
    const double most = found.front().value * (1 + within.value_or(0));
    std::vector<ParameterSet> sets;
    for (auto& each : found) {
      if (!sets.empty() && (!within || each.value > most)) break;
      ParameterSet set;
      set.parameters = std::move(each.parameters);
      set.metric = "otpo";
      set.metric_value = each.value;
      set.about = {{"found_by", "OTPO"}, {"file", path}};
      sets.push_back(std::move(set));
    }
    return sets;
  }

  // Options take precedence over the file.
  void complete(ParameterSet& set, const studies::params::Spec& spec) {
    const auto take = [](auto& into, const auto& from) {
      if (from) into = from;
    };
    const auto take_text = [](std::string& into, const std::string& from) {
      if (!from.empty()) into = from;
    };
    take_text(set.key.host, spec.key.host);
    if (!spec.key.application.empty()) set.key.build = spec.key.build;
    take_text(set.key.application, spec.key.application);
    take_text(set.category, spec.category);
    auto& use = set.key.use;
    take_text(use.collective, spec.key.use.collective);
    take(use.procs, spec.key.use.procs);
    take(use.nodes, spec.key.use.nodes);
    take(use.message_bytes, spec.key.use.message_bytes);
    take(use.problem_size, spec.key.use.problem_size);
    add_all("--value", set.parameters);
    add_all("--about", set.about);
    if (parsed_.has("--note")) put(set.about, {"note", parsed_.value("--note")});
    read_metric(set);
    put(set.about, {"tutti", fmt::format("{} ({})", reports::version(), reports::commit())});
    set.stored = utc_now();
    for (auto& each : set.parameters)
      each.name = studies::tuning::full_name(each.name, use.collective);
  }

  static void put(std::vector<NamedText>& into, NamedText entry) {
    const auto same = std::ranges::find(into, entry.name, &NamedText::name);
    if (same != into.end())
      same->value = std::move(entry.value);
    else
      into.push_back(std::move(entry));
  }

  void add_all(std::string_view option, std::vector<NamedText>& into) {
    std::vector<std::string> given;
    for (const auto& text : parsed_.values(option)) {
      const auto each = assignment_of(option, text);
      if (!each) {
        errors_.add(each.error());
        continue;
      }
      if (std::ranges::find(given, each->name) != given.end())
        wrong(std::string(option), fmt::format("duplicate name {}", in_quotes(each->name)));
      given.push_back(each->name);
      put(into, {each->name, each->value});
    }
  }

  void read_metric(ParameterSet& set) {
    if (!parsed_.has("--metric")) return;
    const auto metric = assignment_of("--metric", parsed_.value("--metric"));
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
    for (const auto& each : set.parameters) {
      if (const auto error = studies::tuning::check_kept_parameter(each)) errors_.add(*error);
      if (!names.insert(each.name).second)
        wrong(each.name, "duplicate parameter",
              "with --collective, \"algorithm\" means COLLECTIVE/algorithm");
    }
    std::vector<std::string> texts{set.key.host, set.key.application, set.category, set.metric};
    for (const auto& each : set.about) texts.insert(texts.end(), {each.name, each.value});
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
  for (const auto& each : set.parameters) {
    if (!looks_like_mca(each.name)) continue;
    const bool known = std::ranges::any_of(open_mpi_versions, [&](OpenMpi version) {
      const auto network = networks_of(version).front();
      return !mca_settings({each}, version, network).settings.empty();
    });
    if (!known)
      diagnostics.warning(
          fmt::format("{} is stored, but exports omit it: no supported version of Open MPI has "
                      "this parameter",
                      each.name));
  }
}

std::string reported(const ParameterSet& set, const studies::params::KeptSet& kept) {
  std::string text = fmt::format("set {}: {}", kept.number, place_of(set.key));
  const auto use = use_of(set.key.use);
  if (!use.empty()) text += ", " + use;
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
    text += reported(set, kept);
  }
  return print(text);
}

}  // namespace

const Subcommand params_put{.usage = "put [FILE]",
                            .summary = "store a parameter set",
                            .help = texts::params_put["put"],
                            .specs = params_put_specs,
                            .run = run_params_put};

namespace {

constexpr OptionSpec params_rm_specs[] = {
    {option_group, "--history", "", "Remove all superseded sets, instead of NUMBERs"},
    params_option::database,
    color_option,
    quiet_option,
    help_option};

// The requested numbers. All must exist, so that a mistyped command removes nothing.
Result<std::vector<std::int64_t>> numbers_of(const OptionValues& parsed,
                                             const std::vector<store::ParameterSet>& sets) {
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
        number && std::ranges::find(sets, *number, &store::ParameterSet::number) != sets.end();
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
  const auto before = TUTTI_TRY(sets_of(parsed));
  const auto numbers = TUTTI_TRY(numbers_of(parsed, before));
  auto database = TUTTI_TRY(open_database(parsed));
  if (const auto error = studies::params::discard(database, numbers)) return *error;
  const auto after = TUTTI_TRY(database.sets());
  std::string text = counted(before.size() - after.size(), "set") + " removed\n";
  for (const auto& set : after) {
    const auto was = std::ranges::find(before, set.number, &store::ParameterSet::number);
    if (set.is_current && was != before.end() && !was->is_current)
      text += fmt::format("set {} is current again\n", set.number);
  }
  return print(text);
}

}  // namespace

const Subcommand params_rm{.usage = "rm NUMBER...",
                           .summary = "remove sets",
                           .help = texts::params_put["rm"],
                           .specs = params_rm_specs,
                           .run = run_params_rm,
                           .operands = Operands::names};

}  // namespace tutti::commands
