// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/schematics/topology_text.hpp"

#include "sim/reports/schematics/parts.hpp"

namespace tutti::reports::schematics {
namespace {

std::string product(std::string_view sizes, char separator = ',') {
  return fmt::format("{}", fmt::join(split(sizes, separator), " x "));
}

// "with 8 rails (planes)", the last part of a kind.
std::string rails_text(std::string_view text) {
  const auto order = text.find(" (");
  const auto rails = text.substr(0, order);  // " with 8 rails"
  if (text.ends_with("(planes)")) return fmt::format("{}, each with a network of its own", rails);
  if (text.ends_with("(leaves)"))
    return fmt::format("{}, each with leaf switches of its own", rails);
  return fmt::format("{}, the NICs of a node next to each other", rails);
}

std::string tofu_text(std::string_view parameters) {
  const auto as = parameters.find(" as ");
  const auto axes = split(parameters.substr(0, as), ',');
  if (axes.size() != 6) return std::string(parameters);
  auto text = fmt::format("Tofu of {} x {} x {} units with {} x {} x {} nodes each", axes[0],
                          axes[1], axes[2], axes[3], axes[4], axes[5]);
  if (as != std::string_view::npos)
    text += fmt::format(", a job of {}", product(parameters.substr(as + 4), 'x'));
  return text;
}

std::optional<std::string> dragonfly_text(std::string_view kind, const NumberFields& fields) {
  if (fields.size() < 2 || fields[0].size() != 2) return std::nullopt;
  const auto groups = fields[0][0];
  if (kind == "dragonfly+" && fields[1].size() == 3)
    return fmt::format("{} of {} with {} leaf and {} spine switches each", kind,
                       counted(groups, "cell"), fields[1][0], fields[1][1]);
  if (kind == "1D dragonfly" && fields[1].size() == 2)
    return fmt::format("{} of {} with {} each", kind, counted(groups, "group"),
                       counted(fields[1][0], "switch"));
  return std::nullopt;
}

}  // namespace

std::string topology_text(std::string_view kind, std::string_view parameters) {
  if (const auto rails = kind.find(" with "); rails != std::string_view::npos)
    return topology_text(kind.substr(0, rails), parameters) + rails_text(kind.substr(rails));
  const auto fields = number_fields(parameters);
  if (kind == "fat tree" && !fields[0].empty())
    return fmt::format("{} of {}", kind, counted(fields[0][0], "level"));
  if (kind == "HyperX" && !fields[0].empty())
    return fmt::format("{} of {} switches", kind, fmt::join(fields[0], " x "));
  if (kind == "Tofu") return tofu_text(parameters);
  if (kind.ends_with("torus")) return fmt::format("{} of {}", kind, product(parameters));
  if (const auto text = dragonfly_text(kind, fields)) return *text;
  return fmt::format("{}{}{}", kind, parameters.empty() ? "" : " ", parameters);
}

}  // namespace tutti::reports::schematics
