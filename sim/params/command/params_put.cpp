// SPDX-License-Identifier: BSD-3-Clause
// sim params put: a set of parameters comes into the database.

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

namespace tutti::commands {
namespace {

using store::NamedText;
using store::ParameterSet;
using studies::params::Kept;

constexpr std::string_view contents = "The set";

constexpr auto params_put_specs = joined(
    params_option::of_use,
    std::to_array<OptionSpec>(
        {taking(options::assigned_keys,
                {contents, "--set", "NAME=VALUE",
                 "a parameter, ours or Open MPI's: mpi/eager_limit=24KiB, btl_tcp_links=2", true}),
         {contents, "--metric", "NAME=NUMBER",
          "what it achieves: time_s=0.0012; less is better, but of ..._Bps"
          "\nWhat the set achieves. Of two sets for the same the one with less is current, "
          "or with more where the name ends in _Bps, _bps or _per_s; the newer one where "
          "metrics differ or are missing, or with `--replace`. The other one becomes "
          "history, which `--history` shows."},
         {contents, "--about", "NAME=TEXT", "how it was found: search=halving", true},
         {contents, "--note", "TEXT", "the same, in words"},
         {contents, "--within", "PERCENT",
          "of OTPO's results also those so much behind the best"
          "\nFILE is a mca-params.conf, a result of OTPO (its best combination, and as "
          "history those up to so much behind), or TOML:"},
         {contents, "--replace", "", "takes the place of a better set of the same key"}}),
    params_option::of_all);

struct Assignment {
  std::string name;
  std::string value;
};

// Errors of --OPTION NAME=VALUE.
Result<Assignment> assignment_of(std::string_view option, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size())
    return usage_error(std::string(option), fmt::format("{} is not NAME=VALUE", in_quotes(text)));
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
    if (parsed_.arguments.size() > 1) return usage_error("", "one FILE at a time");
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

  // OTPO's values have no unit: Netpipe's are us, those of other tests what they print.
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

  // What options say wins over the file.
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
    add_all("--set", set.parameters);
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
        wrong(std::string(option), fmt::format("{} is given twice", in_quotes(each->name)));
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
      return wrong("--metric", fmt::format("{} is no number", in_quotes(metric->value)),
                   "in SI units, as the name says: time_s=0.0012");
    if (*number < 0 && studies::params::is_never_negative(metric->name))
      return wrong("--metric", fmt::format("{} is below 0", in_quotes(metric->value)),
                   "times, rates and sizes are 0 or more: time_s=0.0012");
    set.metric = metric->name;
    set.metric_value = *number;
  }

  void check(const ParameterSet& set) {
    if (set.key.host.empty()) wrong("--host", "is required", "the machine, as you call it");
    if (set.key.application.empty())
      wrong("--app", "is required", "an application, a benchmark, or a name of yours");
    if (set.parameters.empty())
      wrong("--set", "is required", "--set NAME=VALUE, or a FILE that has parameters");
    std::set<std::string> names;
    for (const auto& each : set.parameters) {
      if (const auto error = studies::tuning::check_kept_parameter(each)) errors_.add(*error);
      if (!names.insert(each.name).second)
        wrong(each.name, "is given twice",
              "with --collective, \"algorithm\" is COLLECTIVE/algorithm");
    }
    std::vector<std::string> texts{set.key.host, set.key.application, set.category, set.metric};
    for (const auto& each : set.about) texts.insert(texts.end(), {each.name, each.value});
    for (const auto& text : texts)
      if (!is_line(text)) wrong("", fmt::format("{} is no line of text", in_quotes(text)));
  }

  const OptionValues& parsed_;
  const Diagnostics& diagnostics_;
  ErrorList errors_;
};

// No version has it: it may be misspelt, or of a component that is not known here.
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
          fmt::format("{} is kept, but no export will have it: no Open MPI known "
                      "here has such a parameter",
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
      text += fmt::format("; takes the place of set {}", kept.before);
      break;
    case Kept::known:
      text += "; was there already";
      break;
    case Kept::worse:
      text += fmt::format("; set {} is better and stays (--replace)", kept.before);
  }
  return text + '\n';
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

const Subcommand params_put{
    .usage = "put [FILE]",
    .summary = "keeps a set of parameters",
    .help =
        "Keeps a set of parameters for an application on a machine. FILE has them: OTPO's results "
        "(the best combination), a mca-params.conf, or TOML as `man sim` describes; --set adds to "
        "it. Of two sets of the same key and metric the better one is current, else the newer; the "
        "other stays as history.",
    .specs = params_put_specs,
    .run = run_params_put};

// sim params rm: sets of parameters go.

namespace {

constexpr OptionSpec params_rm_specs[] = {
    {option_group, "--history", "", "all that is history, in place of NUMBERs"},
    params_option::database,
    color_option,
    quiet_option,
    help_option};

// The numbers that are asked for; all must be there, so that a slip removes nothing.
Result<std::vector<std::int64_t>> numbers_of(const OptionValues& parsed,
                                             const std::vector<store::ParameterSet>& sets) {
  std::vector<std::int64_t> numbers;
  if (parsed.has("--history")) {
    if (!parsed.arguments.empty()) return usage_error("--history", "takes no numbers beside it");
    for (const auto& set : sets)
      if (!set.is_current) numbers.push_back(set.number);
    return numbers;
  }
  if (parsed.arguments.empty())
    return usage_error("", "which sets?", "their numbers: `sim params list` has them");
  std::vector<Error> errors;
  for (const auto& word : parsed.arguments) {
    const auto number = parse_integer(word);
    const bool is_there =
        number && std::ranges::find(sets, *number, &store::ParameterSet::number) != sets.end();
    if (is_there)
      numbers.push_back(*number);
    else
      errors.push_back(usage_error("", fmt::format("there is no set {}", in_quotes(word)),
                                   "`sim params list --history` has the numbers"));
  }
  if (!errors.empty()) return errors;
  return numbers;
}

Result<int> run_params_rm(const OptionValues& parsed, const Diagnostics&) {
  // Not made for that.
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

const Subcommand params_rm{
    .usage = "rm NUMBER...",
    .summary = "sets go; what they had replaced is current again",
    .help =
        "Removes sets of parameters. Where the current one of a key goes, the best of its history "
        "takes its place.",
    .specs = params_rm_specs,
    .run = run_params_rm,
    .operands = Operands::names};

}  // namespace tutti::commands
