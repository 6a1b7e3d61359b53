// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/by_size.hpp"

#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

std::string quantity_words(std::string_view value, bool is_factor) {
  if (is_factor) return std::string(value);
  if (const auto time_s = parse_seconds(value)) return format_seconds(*time_s);
  if (const auto rate_Bps = parse_rate(value)) return format_rate(*rate_Bps);
  return std::string(value);
}

// "16KiB:2us:0.5ns": the size, the value, and the time per byte, which may be missing.
std::optional<std::string> step_words(std::string_view step, bool is_factor) {
  const auto parts = split(step, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  const auto from = parse_bytes(parts[0]);
  if (!from) return std::nullopt;
  std::string words = *from == 0 ? "" : fmt::format("from {}: ", format_bytes(*from));
  words += quantity_words(parts[1], is_factor);
  const auto per_byte_s = parts.size() == 3 ? parse_seconds(parts[2]) : Result<Seconds>(0);
  if (per_byte_s && *per_byte_s > 0) words += fmt::format(" + {:.3g} ns/B", *per_byte_s * 1e9);
  return words;
}

}  // namespace

bool is_by_size(std::string_view value) { return value.find(';') != std::string_view::npos; }

std::string by_size_text(const std::string& value, bool is_factor) {
  if (value.find(':') == std::string::npos) return value;
  std::string text;
  for (const auto& step : split(value, ';')) {
    const auto words = step_words(step, is_factor);
    if (!words) return value;
    text += (text.empty() ? "" : "; ") + *words;
  }
  return text;
}

}  // namespace tutti::reports
