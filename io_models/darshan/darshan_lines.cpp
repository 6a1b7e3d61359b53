// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/darshan/darshan_lines.hpp"

#include <charconv>

namespace tutti::io_models {
namespace {

constexpr std::int64_t most_amount = std::int64_t{1} << 60;
constexpr const char* intact_hint = "copy the output of the Darshan tool unchanged";

// The number that the whole text represents; nothing if it does not fit.
template <class Number>
std::optional<Number> whole(std::string_view text) {
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::size_t DarshanLines::file_of(std::uint64_t id, std::string_view name) {
  const auto [found, is_new] = files_.try_emplace(id, log_.files.size());
  if (is_new) {
    DarshanFile file;
    file.id = id;
    file.name = name;
    log_.files.push_back(std::move(file));
  }
  return found->second;
}

std::optional<std::int64_t> DarshanLines::amount(std::string_view what, std::string_view text) {
  const auto value = whole<std::int64_t>(text);
  if (value && *value >= 0 && *value <= most_amount) return value;
  if (value ? *value > most_amount : is_digits(text))
    reject(fmt::format("{} {} exceeds 2^60", what, printable(text)), intact_hint);
  else if (value || (text.starts_with("-") && is_digits(text.substr(1))))
    reject(fmt::format("{} {} is negative", what, printable(text)),
           "a call of more than 2 GiB overflows in Darshan; such a log cannot be used");
  else
    reject(fmt::format("{}: {} is not a whole number", what, in_quotes(text)), intact_hint);
  return std::nullopt;
}

std::optional<Seconds> DarshanLines::seconds(std::string_view what, std::string_view text) {
  const auto value = whole<double>(text);
  if (!value || !std::isfinite(*value))
    reject(fmt::format("{}: {} is not a finite number", what, in_quotes(text)), intact_hint);
  else if (*value < 0)
    reject(fmt::format("{} {} is negative", what, printable(text)), intact_hint);
  else
    return value;
  return std::nullopt;
}

std::optional<RankId> DarshanLines::rank(std::string_view text, bool or_shared) {
  const auto value = whole<std::int64_t>(text);
  if (!value) {
    reject(fmt::format("rank: {} is not a whole number", in_quotes(text)), intact_hint);
  } else if (*value < (or_shared ? -1 : 0) || *value >= log_.procs) {
    reject(
        fmt::format("rank {} is out of range: the job has ranks 0 to {}", *value, log_.procs - 1),
        "check '# nprocs:' in the header");
  } else {
    return static_cast<RankId>(*value);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> DarshanLines::record_id(std::string_view text) {
  if (const auto value = whole<std::uint64_t>(text)) return value;
  if (const auto value = whole<std::int64_t>(text)) return static_cast<std::uint64_t>(*value);
  reject(fmt::format("record id: {} is not a whole number", in_quotes(text)), intact_hint);
  return std::nullopt;
}

}  // namespace tutti::io_models
