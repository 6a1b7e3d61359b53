// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/element.hpp"

#include <charconv>

namespace tutti::platforms {
namespace {

constexpr std::uint32_t greatest_number = 2'147'483'647;  // SimGrid stores them as int

Error reject_radical(std::string message, std::string hint = "for example radical=\"0-15,20\"") {
  return make_error(ErrorKind::input, "", std::move(message), std::move(hint));
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<std::uint32_t> host_number(std::string_view text) {
  text = trim(text);
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [after, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc{} || after != end || number > greatest_number) return std::nullopt;
  return number;
}

// The digits of a number with leading zeros, at most 10; 1 for others.
std::uint32_t least_digits(std::string_view number) {
  number = trim(number);
  if (number.size() < 2 || number.front() != '0') return 1;
  return static_cast<std::uint32_t>(std::min<std::size_t>(number.size(), 10));
}

Result<IdRange> parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto first = host_number(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : host_number(text.substr(dash + 1));
  if (!first || !last)
    return reject_radical(fmt::format("invalid host number or range {}", in_quotes(text)));
  if (*last < *first)
    return reject_radical(fmt::format("the range {} is reversed", in_quotes(text)),
                          fmt::format("write {}-{}", *last, *first));
  return IdRange{*first, *last - *first + 1, least_digits(text.substr(0, dash))};
}

void append(std::vector<IdRange>& ranges, IdRange range) {
  if (!ranges.empty() && ranges.back().first + ranges.back().count == range.first &&
      ranges.back().digits == range.digits)
    ranges.back().count += range.count;
  else
    ranges.push_back(range);
}

std::optional<std::uint32_t> repeated_number(std::vector<IdRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].first - ranges[i - 1].first < ranges[i - 1].count) return ranges[i].first;
  return std::nullopt;
}

}  // namespace

Result<std::vector<IdRange>> parse_radical(std::string_view text) {
  std::vector<IdRange> ranges;
  std::uint64_t hosts = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto range = TUTTI_TRY(parse_range(text.substr(begin, end - begin)));
    hosts += range.count;
    if (hosts > most_hosts)
      return reject_radical(fmt::format("more than {} hosts", most_hosts),
                            "this is the limit of a cluster");
    append(ranges, range);
    begin = end + 1;
  }
  if (const auto repeated = repeated_number(ranges))
    return reject_radical(fmt::format("host number {} is given twice", *repeated));
  return ranges;
}

namespace {

constexpr std::int64_t most_cores = 1'000'000;

// "8.4Gf" or "8.4gigaflops", an entry of SimGrid's comma-separated list, in flop/s; blanks are
// trimmed. 0 is the speed of a host that is off or boots, in one of its states. Unset if it is
// invalid.
std::optional<double> parse_speed(std::string_view text) {
  constexpr std::array units = {"f", "kf", "Mf", "Gf", "Tf", "Pf", "Ef", "Zf", "Yf"};
  constexpr std::array long_units = {"flops",     "kiloflops",  "megaflops",
                                     "gigaflops", "teraflops",  "petaflops",
                                     "exaflops",  "zettaflops", "yottaflops"};
  while (!text.empty() && xml_blanks.find(text.front()) != text.npos) text.remove_prefix(1);
  while (!text.empty() && xml_blanks.find(text.back()) != text.npos) text.remove_suffix(1);
  const auto number = text.substr(0, text.find_last_of("0123456789.") + 1);
  const auto unit = text.substr(number.size());
  const auto speed = parse_number(number);
  if (!speed || *speed < 0) return std::nullopt;
  if (unit.empty()) return *speed;
  for (const auto& names : {units, long_units})
    if (const auto name = std::ranges::find(names, unit); name != names.end())
      return *speed * std::pow(1000.0, name - names.begin());
  return std::nullopt;
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
      errors.add(reported(source.at_name(element, attribute.name()),
                          fmt::format("attribute {} of <{}> is given twice",
                                      in_quotes(attribute.name()), printable(element.name())),
                          "remove one of them"));
    else if (std::find(known.begin(), known.end(), attribute.name()) == known.end())
      errors.add(reported(source.at_name(element, attribute.name()),
                          fmt::format("unknown attribute {} of <{}>", in_quotes(attribute.name()),
                                      printable(element.name())),
                          did_you_mean(attribute.name(), known)));
  }
  for (const auto& name : rules.required)
    if (!errors.full() && !given.contains(name))
      errors.add(
          reported(source.at(element),
                   fmt::format("<{}> has no attribute '{}'", printable(element.name()), name),
                   fmt::format("it requires: {}", fmt::join(rules.required, ", "))));
}

int ElementReader::cores() {
  const auto count = value<std::int64_t>("core", &parse_integer, 1);
  if (count >= 1 && count <= most_cores) return static_cast<int>(count);
  reject("core", fmt::format("{} cores: expected 1 to {}", count, most_cores));
  return 1;
}

void ElementReader::check_speed() {
  if (!has("speed")) return;
  const auto all = text("speed");
  for (std::size_t begin = 0; begin <= all.size();) {
    const auto end = std::min(all.find(',', begin), all.size());
    const auto entry = all.substr(begin, end - begin);
    if (!parse_speed(entry))
      return reject("speed", fmt::format("invalid speed {}", in_quotes(entry)),
                    "expected a number with a unit: f kf Mf Gf Tf Pf Ef Zf Yf");
    begin = end + 1;
  }
  if (!has("pstate")) return;
  const auto states = std::ranges::count(all, ',') + 1;
  const auto state = value<std::int64_t>("pstate", &parse_integer, 0);
  if (state < 0 || state >= states)
    reject("pstate", fmt::format("{}: expected 0 to {}", state, states - 1),
           "the speed of the host has one entry per pstate");
}

double core_speed(pugi::xml_node element) {
  const auto entries = split(element.attribute("speed").value(), ',');
  const auto state = parse_integer(element.attribute("pstate").as_string("0"));
  if (!state || *state < 0 || *state >= std::ssize(entries)) return 0;
  return parse_speed(entries[static_cast<std::size_t>(*state)]).value_or(0);
}

}  // namespace tutti::platforms
