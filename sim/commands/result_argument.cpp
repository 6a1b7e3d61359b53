// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/result_argument.hpp"

#include <fmt/format.h>

#include "sim/base/error_list.hpp"
#include "sim/base/line_reader.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/split.hpp"

namespace tutti::commands {

int run_simple(std::span<const OptionSpec> specs, std::string (*help)(),
               int (*run)(const Parsed&, Diagnostics&), const Arguments& arguments,
               Diagnostics& diagnostics) {
  const auto parsed = parse_options(specs, arguments);
  if (!parsed) return diagnostics.fail(parsed.errors());
  if (parsed->has("--help")) return print(help(), diagnostics);
  if (parsed->has("--quiet")) diagnostics.be_quiet();
  return run(*parsed, diagnostics);
}

std::vector<std::string> list_of(const std::string& text) {
  std::vector<std::string> items;
  for (const auto part : split(text, ','))
    if (const auto item = trim(part); !item.empty()) items.emplace_back(item);
  return items;
}

Result<reports::PlotSpec> plot_spec(const Parsed& parsed) {
  reports::PlotWords words;
  for (const char* name : {"--x", "--y", "--series", "--facet", "--relative", "--log", "--kind"})
    if (parsed.has(name)) words.emplace_back(name + 2, parsed.value(name));
  return reports::plot_spec(words);
}

Result<std::string> only_argument(const Parsed& parsed, const std::string& what) {
  if (parsed.arguments.empty()) return usage_error("", fmt::format("{} is needed", what));
  if (parsed.arguments.size() > 1)
    return usage_error("", fmt::format("unexpected argument {}", in_quotes(parsed.arguments[1])));
  return parsed.arguments.front();
}

}  // namespace tutti::commands
