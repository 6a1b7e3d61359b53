// SPDX-License-Identifier: BSD-3-Clause
// sim params names: our parameters beside Open MPI's.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/params/command/params.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

namespace tuning = studies::tuning;

constexpr OptionSpec params_names_specs[] = {
    {option_group, "--open-mpi", "VERSION", "all names of 1.8, 4.1 or 5.0 that are known here"},
    color_option,
    quiet_option,
    help_option};

// "COLLECTIVE/algorithm" stands for those of all collectives.
std::string_view category_of_mapped(const tuning::MappedName& name) {
  const auto slash = name.ours.find('/');
  const bool is_of_all = name.ours.starts_with("COLLECTIVE/");
  return tuning::category_name(
      *tuning::category_of(is_of_all ? name.ours.substr(slash + 1) : name.ours));
}

std::string mapped_text() {
  std::string text;
  for (const auto& name : tuning::mapped_names()) {
    text += fmt::format("{}  ({})\n", name.ours, category_of_mapped(name));
    for (std::size_t i = 0; i < name.theirs.size(); ++i)
      text += fmt::format("    {}  {}\n", tuning::version_name(tuning::open_mpi_versions[i]),
                          name.theirs[i].empty() ? "-" : name.theirs[i]);
  }
  return text;
}

Result<int> run_params_names(const OptionValues& parsed, const Diagnostics&) {
  if (!parsed.has("--open-mpi")) return print(mapped_text());
  const auto version = TUTTI_TRY(choice_of(parsed, "--open-mpi", {"1.8", "4.1", "5.0"}));
  return print(
      fmt::format("{}\n", fmt::join(tuning::mca_names(*tuning::version_of(version)), "\n")));
}

}  // namespace

const Subcommand params_names{
    .usage = "names",
    .summary = "our parameters, and what Open MPI calls them",
    .help =
        "Prints our parameters that Open MPI has too, with its names in each version; with "
        "--open-mpi the names of that version that an export may have.",
    .specs = params_names_specs,
    .run = run_params_names};

}  // namespace tutti::commands
