// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

#include "sim/base/text.hpp"

namespace tutti {

std::string format_rate(double Bps) {
  constexpr const char* units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s", "EB/s"};
  if (std::isinf(Bps)) return "no limit";
  std::size_t unit = 0;
  for (; Bps >= 999.95 && unit + 1 < std::size(units); ++unit) Bps /= 1000;
  return fmt::format("{:.4g} {}", Bps, units[unit]);
}

std::string rounded_bytes(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

namespace {

struct Unit {
  std::string_view name;
  long double factor;
};
constexpr std::array byte_units = {
    Unit{"", 1},          Unit{"B", 1},         Unit{"kB", 1e3L},     Unit{"KB", 1e3L},
    Unit{"MB", 1e6L},     Unit{"GB", 1e9L},     Unit{"TB", 1e12L},    Unit{"PB", 1e15L},
    Unit{"K", 0x1p10L},   Unit{"M", 0x1p20L},   Unit{"G", 0x1p30L},   Unit{"T", 0x1p40L},
    Unit{"P", 0x1p50L},   Unit{"KiB", 0x1p10L}, Unit{"MiB", 0x1p20L}, Unit{"GiB", 0x1p30L},
    Unit{"TiB", 0x1p40L}, Unit{"PiB", 0x1p50L}};
constexpr std::array time_units = {
    Unit{"", 1},        Unit{"s", 1},  Unit{"ms", 1e-3L}, Unit{"us", 1e-6L}, Unit{"ns", 1e-9L},
    Unit{"ps", 1e-12L}, Unit{"m", 60}, Unit{"h", 3600},   Unit{"d", 86400},  Unit{"w", 604800}};
constexpr std::array rate_units = {Unit{"", 1},
                                   Unit{"Bps", 1},
                                   Unit{"kBps", 1e3L},
                                   Unit{"MBps", 1e6L},
                                   Unit{"GBps", 1e9L},
                                   Unit{"TBps", 1e12L},
                                   Unit{"KiBps", 0x1p10L},
                                   Unit{"MiBps", 0x1p20L},
                                   Unit{"GiBps", 0x1p30L},
                                   Unit{"TiBps", 0x1p40L},
                                   Unit{"bps", 0.125L},
                                   Unit{"kbps", 125},
                                   Unit{"Mbps", 125e3L},
                                   Unit{"Gbps", 125e6L},
                                   Unit{"Tbps", 125e9L},
                                   Unit{"Kibps", 0x1p7L},
                                   Unit{"Mibps", 0x1p17L},
                                   Unit{"Gibps", 0x1p27L},
                                   Unit{"Tibps", 0x1p37L}};

struct Quantity {
  std::string_view what;  // "a size"
  std::string_view hint;
  std::span<const Unit> units;
};
constexpr Quantity size_quantity{
    "a size",
    "units of sizes: B; KiB MiB GiB TiB PiB and K M G T P (powers of 1024); kB MB GB TB PB "
    "(powers of 1000)",
    byte_units};
constexpr Quantity time_quantity{
    "a time", "units of times: ps ns us ms s m h d w; a bare number is seconds", time_units};
constexpr Quantity rate_quantity{"a rate",
                                 "units of rates: Bps kBps MBps GBps TBps, KiBps MiBps GiBps TiBps "
                                 "(bytes/s); bps kbps Mbps Gbps Tbps, Kibps Mibps Gibps Tibps "
                                 "(bits/s); a bare number is bytes/s",
                                 rate_units};
constexpr Quantity number_quantity{"a number", "for example 1.5 or 1e-6", {}};
constexpr Quantity integer_quantity{"a whole number", "for example 12", {}};

Error reject(std::string_view text, const Quantity& quantity, std::string_view why) {
  return make_error(ErrorKind::usage, "",
                    fmt::format("{} is not {}: {}", in_quotes(text), quantity.what, why),
                    std::string(quantity.hint));
}

// Normalizes a unit's name for suggestions: "KB", "kb" and "KiB" are equal.
std::string plain_letters(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (c != 'i' && c != 'I') letters += c;
  return lower_case(letters);
}

// ": did you mean kB or KiB?"; empty if no unit is similar. KB, another name of kB, is not listed.
std::string units_like(std::string_view name, const Quantity& quantity) {
  std::string text;
  for (const auto& unit : quantity.units)
    if (!name.empty() && unit.name != "KB" && plain_letters(unit.name) == plain_letters(name))
      text += fmt::format("{}{}", text.empty() ? ": did you mean " : " or ", unit.name);
  return text.empty() ? text : text + '?';
}

// The number in "1.5 MiB" times the factor of its unit. Rejects negative, NaN and infinite numbers.
// long double represents every 63-bit integer, and makes 0.4us the same double as 0.4e-6.
Result<long double> measure(std::string_view text, const Quantity& quantity) {
  if (text.empty()) return reject(text, quantity, "it is empty");
  // Checked before from_chars: libstdc++ 12 reads past the end of "nan" and "inf" as long double.
  const char first = text[text.front() == '-' && text.size() > 1 ? 1 : 0];
  if (first == 'n' || first == 'N' || first == 'i' || first == 'I')
    return reject(text, quantity, "it is not finite");
  long double number = 0;
  const char* end = text.data() + text.size();
  const auto [after, status] = std::from_chars(text.data(), end, number);
  if (status == std::errc::result_out_of_range)
    return reject(text, quantity, "the number is out of range");
  if (status != std::errc{}) return reject(text, quantity, "it does not begin with a number");
  if (!std::isfinite(number)) return reject(text, quantity, "it is not finite");
  if (std::signbit(number)) return reject(text, quantity, "it is negative");
  std::string_view name(after, static_cast<std::size_t>(end - after));
  if (name.size() > 1 && name.front() == ' ') name.remove_prefix(1);
  for (const auto& unit : quantity.units)
    if (unit.name == name) return number * unit.factor;
  return reject(text, quantity,
                fmt::format("unknown unit {}{}", in_quotes(name), units_like(name, quantity)));
}

Result<double> measure_finite(std::string_view text, const Quantity& quantity) {
  const auto number = static_cast<double>(TUTTI_TRY(measure(text, quantity)));
  if (!std::isfinite(number)) return reject(text, quantity, "the number is out of range");
  return number;
}

}  // namespace

Result<Bytes> parse_bytes(std::string_view text) {
  const auto bytes = TUTTI_TRY(measure(text, size_quantity));
  const long double whole = std::round(bytes);
  if (whole >= 0x1p63L) return reject(text, size_quantity, "it is more than 2^63 - 1 bytes");
  // 2.3MB has no exact binary representation, so rounding errors are tolerated.
  if (std::fabs(bytes - whole) > whole * 4 * std::numeric_limits<long double>::epsilon())
    return reject(text, size_quantity, "it is not a whole number of bytes");
  return static_cast<Bytes>(whole);
}

Result<Seconds> parse_seconds(std::string_view text) { return measure_finite(text, time_quantity); }

Result<double> parse_rate(std::string_view text) {
  const auto rate_Bps = TUTTI_TRY(measure_finite(text, rate_quantity));
  if (rate_Bps <= 0) return reject(text, rate_quantity, "it must be above 0");
  return rate_Bps;
}

Result<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [after, status] = std::from_chars(text.data(), end, number);
  if (text.empty()) return reject(text, integer_quantity, "it is empty");
  if (status == std::errc::result_out_of_range)
    return reject(text, integer_quantity, "the number is out of range");
  if (status != std::errc{} || after != end)
    return reject(text, integer_quantity, "only digits are allowed");
  return number;
}

Result<double> parse_number(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [after, status] = std::from_chars(text.data(), end, number);
  if (text.empty()) return reject(text, number_quantity, "it is empty");
  if (status == std::errc::result_out_of_range)
    return reject(text, number_quantity, "the number is out of range");
  if (status != std::errc{})
    return reject(text, number_quantity, "it does not begin with a number");
  if (after != end)
    return reject(text, number_quantity,
                  fmt::format("{} follows the number", in_quotes({after, end})));
  if (!std::isfinite(number)) return reject(text, number_quantity, "it is not finite");
  return number;
}

std::string format_bytes(Bytes bytes) {
  constexpr std::array names = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  std::string text = fmt::format("{} B", bytes);
  for (std::size_t i = 0; i < names.size() && bytes != 0 && bytes % 1024 == 0; ++i) {
    bytes /= 1024;
    text = fmt::format("{} {}", bytes, names[i]);
  }
  return text;
}

std::string format_seconds(Seconds seconds) {
  struct Scale {
    double below;  // in seconds; above it, three digits would round up to the next unit
    double factor;
    const char* name;
  };
  constexpr std::array scales = {Scale{999.5e-9, 1e9, "ns"}, Scale{999.5e-6, 1e6, "us"},
                                 Scale{999.5e-3, 1e3, "ms"},
                                 Scale{std::numeric_limits<double>::infinity(), 1, "s"}};
  if (seconds == 0) return "0 s";
  if (!std::isfinite(seconds)) return fmt::format("{} s", seconds);
  for (const auto& scale : scales) {
    if (std::fabs(seconds) >= scale.below) continue;
    const double value = seconds * scale.factor;
    const double size = std::fabs(value);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, decimals, scale.name);
  }
  return fmt::format("{} s", seconds);
}

}  // namespace tutti
