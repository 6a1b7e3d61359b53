// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/element.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "sim/base/suggest.hpp"
#include "sim/base/units.hpp"

namespace tutti::platforms {
namespace {

constexpr std::int64_t most_cores = 1'000'000;

// "8.4Gf", one of the comma list that SimGrid allows; it trims blanks.
bool is_speed(std::string_view text) {
  constexpr std::array units = {"", "f", "kf", "Mf", "Gf", "Tf", "Pf", "Ef"};
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  auto number = text;
  while (!number.empty() && (number.back() < '0' || number.back() > '9')) number.remove_suffix(1);
  const auto unit = text.substr(number.size());
  const auto speed = parse_number(number);
  return speed && *speed > 0 && std::find(units.begin(), units.end(), unit) != units.end();
}

}  // namespace

void check_attributes(const XmlSource& source, pugi::xml_node element, const AttributeRules& rules,
                      ErrorList& errors) {
  auto known = rules.required;
  known.insert(known.end(), rules.optional.begin(), rules.optional.end());
  std::set<std::string_view> given;
  for (const auto attribute : element.attributes()) {
    if (errors.full()) return;  // looking up the place of an attribute is not free
    if (!given.insert(attribute.name()).second)
      errors.add(told(source.at_name(element, attribute.name()),
                      fmt::format("attribute {} of <{}> is given twice",
                                  in_quotes(attribute.name()), printable(element.name()))));
    else if (std::find(known.begin(), known.end(), attribute.name()) == known.end())
      errors.add(told(source.at_name(element, attribute.name()),
                      fmt::format("unknown attribute {} of <{}>", in_quotes(attribute.name()),
                                  printable(element.name())),
                      did_you_mean(attribute.name(), known)));
  }
  for (const auto& name : rules.required)
    if (!errors.full() && !given.contains(name))
      errors.add(told(source.at(element),
                      fmt::format("<{}> has no attribute '{}'", printable(element.name()), name)));
}

int ElementReader::cores() {
  const auto count = value<std::int64_t>("core", &parse_integer, 1);
  if (count >= 1 && count <= most_cores) return static_cast<int>(count);
  refuse("core", fmt::format("{} cores: it must be 1 to {}", count, most_cores));
  return 1;
}

void ElementReader::check_speed() {
  if (!has("speed")) return;
  const auto all = text("speed");
  for (std::size_t begin = 0; begin <= all.size();) {
    const auto end = std::min(all.find(',', begin), all.size());
    const auto entry = all.substr(begin, end - begin);
    if (!is_speed(entry))
      return refuse("speed", fmt::format("{} is not a speed", in_quotes(entry)),
                    "units of speeds: f kf Mf Gf Tf Pf Ef; above 0");
    begin = end + 1;
  }
}

}  // namespace tutti::platforms
