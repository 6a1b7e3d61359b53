// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/parameters/values.hpp"

namespace tutti::platforms {
namespace {

const Setting* find_in(const Settings::Tier& tier, std::string_view key) {
  const auto found = tier.find(key);
  return found == tier.end() ? nullptr : &found->second;
}

}  // namespace

Error Setting::error(std::string message, std::string hint) const {
  return reported(where, printable(key) + ": " + message, std::move(hint));
}

const Setting* Settings::find(std::initializer_list<std::string_view> keys) const {
  for (const Tier* tier : {&overrides_, &file_, &defaults_})
    for (const auto key : keys)
      if (const auto* found = key.empty() ? nullptr : find_in(*tier, key)) return found;
  return nullptr;
}

const Setting* Settings::find_in_file(std::string_view key) const { return find_in(file_, key); }

const Setting* Settings::find_override(std::string_view key) const {
  return find_in(overrides_, key);
}

namespace {

constexpr std::size_t most_sections = 1000;
constexpr double least_factor = 1e-9;  // except 0
constexpr double greatest_factor = 1e9;
constexpr double greatest_time_per_byte = 1;

Error reject(std::string message, std::string hint = "") {
  return make_error(ErrorKind::input, "", std::move(message), std::move(hint));
}

// Whether sections have no term proportional to the size.
bool is_constant(PiecewiseKind kind) {
  return kind == PiecewiseKind::rate || kind == PiecewiseKind::curve ||
         kind == PiecewiseKind::accuracy || kind == PiecewiseKind::latency_factor ||
         kind == PiecewiseKind::bandwidth_factor;
}

Result<double> parse_factor(std::string_view text, PiecewiseKind kind) {
  auto factor = parse_number(text);
  if (!factor) return factor;
  const bool may_be_0 = kind == PiecewiseKind::latency_factor;
  const double least = kind == PiecewiseKind::accuracy ? 1 : least_factor;
  if (may_be_0 && *factor == 0) return 0.0;  // including -0
  if (*factor >= least && *factor <= greatest_factor) return factor;
  return reject(fmt::format("invalid factor {}: expected {}{:g} to {:g}", in_quotes(text),
                            may_be_0 ? "0 or " : "", least, greatest_factor));
}

Result<double> parse_constant(std::string_view text, PiecewiseKind kind) {
  switch (kind) {
    case PiecewiseKind::rate:
      if (text == "none") return std::numeric_limits<double>::infinity();
      return parse_bandwidth(text);
    case PiecewiseKind::accuracy:
    case PiecewiseKind::latency_factor:
    case PiecewiseKind::bandwidth_factor:
      return parse_factor(text, kind);
    case PiecewiseKind::overhead:
    case PiecewiseKind::surcharge:
    case PiecewiseKind::curve:
      break;
  }
  return parse_time(text);
}

// A hint with the syntax of a section.
std::string section_hint(PiecewiseKind kind) {
  switch (kind) {
    case PiecewiseKind::rate:
      return "expected LIMIT:RATE, for example 32MiB:5GBps";
    case PiecewiseKind::accuracy:
      return "expected LIMIT:FACTOR, for example 64KiB:1.2";
    case PiecewiseKind::latency_factor:
    case PiecewiseKind::bandwidth_factor:
      return "expected LIMIT:FACTOR, for example 64KiB:0.9";
    case PiecewiseKind::curve:
      return "expected SIZE:TIME, for example 4KiB:1.4us";
    case PiecewiseKind::overhead:
    case PiecewiseKind::surcharge:
      break;
  }
  return "expected LIMIT:TIME or LIMIT:TIME:TIME_PER_BYTE, for example 12KiB:1us:0.5ns";
}

Result<Piecewise::Section> parse_section(std::string_view text, PiecewiseKind kind,
                                         SectionOrder order) {
  auto parts = split(text, ':');
  const std::size_t most = is_constant(kind) ? 2 : 3;
  if (order == SectionOrder::any) parts.resize(std::min(parts.size(), most));  // "0:0:0:0:0"
  if (parts.size() < 2 || parts.size() > most)
    return reject(fmt::format("invalid section {}", in_quotes(text)), section_hint(kind));
  const auto above = TUTTI_TRY(parse_bytes(parts[0]));
  const auto a = TUTTI_TRY(parse_constant(parts[1], kind));
  Piecewise::Section section{.above = above, .a = a, .b = 0};
  if (parts.size() == 3) {
    section.b = TUTTI_TRY(parse_time_per_byte(parts[2]));
  }
  return section;
}

Piecewise::Section below_first(const Piecewise::Section& first, PiecewiseKind kind) {
  switch (kind) {
    case PiecewiseKind::overhead:
    case PiecewiseKind::rate:
    case PiecewiseKind::accuracy:
    case PiecewiseKind::curve:
      return {.above = 0, .a = first.a, .b = first.b};
    case PiecewiseKind::surcharge:
      return {};
    case PiecewiseKind::latency_factor:
    case PiecewiseKind::bandwidth_factor:
      break;
  }
  return {.above = 0, .a = 1, .b = 0};
}

// Replaces each point by the line to the next one.
void join_by_lines(std::vector<Piecewise::Section>& points) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    auto& here = points[i];
    const auto& next = points[i + 1];
    here.b = (next.a - here.a) / static_cast<double>(next.above - here.above);
    here.a -= here.b * static_cast<double>(here.above);
  }
}

}  // namespace

Result<Seconds> parse_time(std::string_view text) {
  auto time = parse_seconds(text);
  if (time && *time > longest_time_s)
    return reject(fmt::format("{} is too long: at most {:g} s", in_quotes(text), longest_time_s));
  return time;
}

Result<double> parse_bandwidth(std::string_view text) {
  auto rate = parse_rate(text);
  if (rate && (*rate < least_rate_Bps || *rate > greatest_rate_Bps))
    return reject(fmt::format("{} is out of range: {:g} to {:g} bytes/s", in_quotes(text),
                              least_rate_Bps, greatest_rate_Bps));
  return rate;
}

Result<double> parse_time_per_byte(std::string_view text) {
  if (text.ends_with("Bps") || text.ends_with("bps")) {
    const auto rate = parse_bandwidth(text);
    if (!rate) return rate;
    return 1 / *rate;
  }
  auto time = parse_seconds(text);
  if (time && *time > greatest_time_per_byte)
    return reject(fmt::format("{} is too long for one byte: at most {:g} s", in_quotes(text),
                              greatest_time_per_byte));
  return time;
}

Result<Bytes> parse_limit(std::string_view text) {
  if (text == "none") return Bytes{-1};
  return parse_bytes(text);
}

Result<Bytes> parse_threshold(std::string_view text) {
  const auto first_beyond = parse_bytes(text);
  if (!first_beyond) return first_beyond;
  return *first_beyond - 1;
}

Result<Piecewise> parse_piecewise(std::string_view text, PiecewiseKind kind, SectionOrder order) {
  if (text.find_first_of(":;") == std::string_view::npos) {
    return Piecewise(TUTTI_TRY(parse_constant(text, kind)));
  }
  std::vector<Piecewise::Section> sections;
  const auto count = 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ';'));
  if (count > most_sections)
    return reject(fmt::format("too many sections ({}): at most {}", count, most_sections));
  for (const auto part : split(text, ';')) {
    if (part.empty() && order == SectionOrder::any) continue;  // SMPI allows "0:1us;"
    const auto section = TUTTI_TRY(parse_section(part, kind, order));
    sections.push_back(section);
  }
  if (sections.empty()) return reject(fmt::format("{} contains no section", in_quotes(text)));
  const auto by_limit = [](const auto& a, const auto& b) { return a.above < b.above; };
  if (order == SectionOrder::any) std::stable_sort(sections.begin(), sections.end(), by_limit);
  for (std::size_t i = 1; i < sections.size(); ++i)
    if (sections[i].above <= sections[i - 1].above)
      return reject(
          fmt::format("section {} begins at {}, the previous section at {}", i + 1,
                      format_bytes(sections[i].above), format_bytes(sections[i - 1].above)),
          "limits must be unique and in ascending order");
  const auto below = below_first(sections.front(), kind);
  if (kind == PiecewiseKind::curve) join_by_lines(sections);
  return Piecewise(below, std::move(sections));
}

}  // namespace tutti::platforms
