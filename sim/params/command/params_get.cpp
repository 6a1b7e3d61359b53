// SPDX-License-Identifier: BSD-3-Clause
// sim params get: the set that suits a use, as text or as files that Open MPI reads.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/store.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/command/params_exports.hpp"

namespace tutti::commands {
namespace {

constexpr auto params_get_specs = joined(
    params_option::of_use,
    std::to_array<OptionSpec>({params_option::exact,
                               params_option::parameters,
                               {option_group, "--export", "WHAT",
                                "text (default), mca (mca-params.conf), rules (of coll_tuned), env "
                                "(a shell's), otpo, toml, json"},
                               params_option::open_mpi,
                               params_option::network,
                               params_option::output}),
    params_option::of_all);

// Open MPI's names are in some exports only, and a network's in fewer.
std::optional<Error> idle_export_option(const OptionValues& parsed, const std::string& what) {
  const bool has_mca = what == "mca" || what == "env" || what == "otpo";
  const auto idle = [&](const char* option, bool is_used, std::string_view of) {
    return parsed.has(option) && !is_used
               ? std::optional(usage_error(parsed.typed(option),
                                           fmt::format("has no effect on --export {}", what),
                                           fmt::format("it is for --export {}", of)))
               : std::nullopt;
  };
  if (auto error = idle("--open-mpi", has_mca || what == "rules", "mca, rules, env or otpo"))
    return error;
  return idle("--network", has_mca, "mca, env or otpo");
}

Result<int> run_params_get(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (auto error = unexpected_argument(parsed)) return *error;
  const auto what = TUTTI_TRY(choice_of(parsed, "--export", export_names()));
  const auto target = TUTTI_TRY(read_target(parsed));
  if (const auto error = idle_export_option(parsed, what)) return *error;
  const auto found = TUTTI_TRY(matched(parsed, diagnostics));
  const auto text = TUTTI_TRY(exported(found, what, target, diagnostics));
  const bool to_file = parsed.has("--output") && parsed.value("--output") != "-";
  if (to_file || !tells_its_match(what)) diagnostics.note(words_of(found.match));
  return write_result(parsed, text);
}

}  // namespace

const Subcommand params_get{
    .usage = "get",
    .summary = "the set that suits a use; as a file for Open MPI",
    .help =
        "Finds the set of parameters for an application on a machine: the exact one, else that of "
        "the application with the nearest characteristics, else of an application of its category, "
        "else of any for the same collective; and says which one it took. Exit code 1 where there "
        "is none.",
    .specs = params_get_specs,
    .run = run_params_get};

}  // namespace tutti::commands
