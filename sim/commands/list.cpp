// SPDX-License-Identifier: BSD-3-Clause
// sim list algorithms|mockups|platforms|storage|tunables|study-schema.

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/list.help.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/reports/listings/listings.hpp"
#include "sim/studies/study_points.hpp"

namespace tutti::commands {
namespace {

constexpr OptionSpec list_specs[] = {part_option, document_format, job_option::output_file,
                                     color_option, help_option};

struct List {
  std::string_view name;
  Result<reports::Document> (*make)();  // null: the schema; its format is always JSON
};
constexpr List lists[] = {{"algorithms", [] { return Result(reports::algorithms_listing()); }},
                          {"mockups", [] { return Result(reports::mockups_listing()); }},
                          {"platforms", reports::catalog_listing},
                          {"storage", [] { return Result(reports::storage_listing()); }},
                          {"tunables", [] { return Result(reports::tunables_listing()); }},
                          {"study-schema", nullptr}};

std::vector<std::string> list_names() { return collect_names(lists, &List::name); }

Result<int> run_list(const OptionValues& parsed, const Diagnostics&) {
  const std::string there = fmt::format("expected one of: {}", fmt::join(list_names(), ", "));
  if (parsed.arguments.size() != 1)
    return usage_error("", "list requires the name of a list", there);
  const std::string& what = parsed.arguments.front();
  const auto* list = std::ranges::find(lists, what, &List::name);
  if (list == std::end(lists))
    return usage_error("", fmt::format("unknown list {}", in_quotes(what)),
                       did_you_mean(what, list_names(), algorithm_hint(what, there)));
  if (list->make == nullptr &&
      (parsed.has("--part") || parsed.value_or("--format", "json") != "json"))
    return usage_error(parsed.typed(parsed.has("--part") ? "--part" : "--format"),
                       "has no effect: the schema is always JSON", "omit it");
  if (list->make == nullptr)
    return write_result(parsed, reports::study_schema(studies::study_options()));
  return write_document(TUTTI_TRY(list->make()), parsed);
}

const Subcommand list_alone{.usage = "list WHAT",
                            .help = texts::list["list"],
                            .specs = list_specs,
                            .run = run_list,
                            .operands = Operands::names,
                            .words = list_names};

}  // namespace

extern const Command list_command{
    .name = "list",
    .summary = "list algorithms, mock-ups, platforms, storage, tunables",
    .alone = &list_alone};

}  // namespace tutti::commands
