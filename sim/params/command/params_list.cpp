// SPDX-License-Identifier: BSD-3-Clause
// sim params list and export: the stored parameter sets.

#include "sim/base/common.hpp"
#include "sim/commands/store.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/report/reports.hpp"

namespace tutti::commands {
namespace {

constexpr auto params_list_specs =
    joined(params_option::of_use,
           std::to_array<OptionSpec>({params_option::history, params_option::parameters,
                                      params_option::format, params_option::output_by_format}),
           params_option::of_all);

// Whether the set has all requested values.
bool is_wanted(const store::ParameterSet& set, const studies::params::Spec& spec) {
  bool has_all = true;
  store::visit_keys(spec, set, [&](const char*, const auto& requested, const auto& value) {
    has_all &= !store::has_value(requested) || requested == value;
  });
  return has_all;
}

Result<int> run_params_list(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto format = TUTTI_TRY(chosen_format(parsed, params_option::format));
  const auto spec = TUTTI_TRY(read_spec(parsed, diagnostics));
  auto all = TUTTI_TRY(read_sets(parsed));
  auto sets = TUTTI_TRY(select_categories(std::move(all), parsed));
  std::erase_if(sets, [&](const auto& set) {
    return !is_wanted(set, spec) || (!set.is_current && !parsed.has("--history"));
  });
  return write_result(parsed, reports::render_sets(sets, format));
}

constexpr OptionSpec exported_format =
    taking("jsonl text csv json md",
           {option_group, "--format", "FORMAT",
            "Format: jsonl (default; for `sim params import`), text, csv, json, md"});

constexpr auto params_export_specs =
    joined(std::array{params_option::history, exported_format, params_option::output_by_format},
           params_option::of_all);

Result<int> run_params_export(const OptionValues& parsed, const Diagnostics&) {
  const auto format = TUTTI_TRY(chosen_format(parsed, exported_format));
  auto sets = TUTTI_TRY(read_sets(parsed));
  if (!parsed.has("--history"))
    std::erase_if(sets, [](const auto& set) { return !set.is_current; });
  return write_result(parsed, reports::render_sets(sets, format));
}

}  // namespace

const Subcommand params_list{.usage = "list",
                             .summary = "list the stored sets",
                             .help = texts::params["list"],
                             .specs = params_list_specs,
                             .run = run_params_list};

const Subcommand params_export{
    .usage = "export",
    .summary = "write the database as lines of JSON",
    .help = "Writes all parameter sets, one per line, for other programs and `sim params import`.",
    .specs = params_export_specs,
    .run = run_params_export};

// sim params names: Tutti's parameters and Open MPI's names for them.

namespace {

namespace tuning = studies::tuning;

constexpr OptionSpec params_names_specs[] = {
    taking("1.8 4.1 5.0", {option_group, "--open-mpi", "VERSION",
                           "Print all known parameter names of this version: 1.8, 4.1 or 5.0"}),
    color_option, quiet_option, help_option};

// "COLLECTIVE/algorithm" represents this parameter of every collective.
std::string_view mapped_category(const tuning::MappedName& name) {
  constexpr std::string_view any_collective = "COLLECTIVE/";
  const bool is_of_all = name.ours.starts_with(any_collective);
  return tuning::category_name(
      *tuning::parameter_category(name.ours.substr(is_of_all ? any_collective.size() : 0)));
}

std::string mapped_text() {
  std::string text;
  for (const auto& name : tuning::mapped_names()) {
    text += fmt::format("{}  ({})\n", name.ours, mapped_category(name));
    for (std::size_t i = 0; i < name.theirs.size(); ++i)
      text += fmt::format("    {}  {}\n", tuning::version_name(tuning::open_mpi_versions[i]),
                          name.theirs[i].empty() ? "-" : name.theirs[i]);
  }
  return text;
}

Result<int> run_params_names(const OptionValues& parsed, const Diagnostics&) {
  if (!parsed.has("--open-mpi")) return print(mapped_text());
  const auto version = TUTTI_TRY(read_choice(parsed, "--open-mpi", {"1.8", "4.1", "5.0"}));
  return print(
      fmt::format("{}\n", fmt::join(tuning::mca_names(*tuning::parse_version(version)), "\n")));
}

}  // namespace

const Subcommand params_names{.usage = "names",
                              .summary = "print Open MPI's names of the parameters",
                              .help = texts::params["names"],
                              .specs = params_names_specs,
                              .run = run_params_names};

}  // namespace tutti::commands
