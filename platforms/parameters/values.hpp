// SPDX-License-Identifier: BSD-3-Clause
// Parses the values of message and model parameters. Errors have no place; the caller adds it.
#pragma once

#include <initializer_list>

#include "platforms/message_protocol.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Keys and unparsed values from a platform file or from --set.

struct Setting {
  std::string key;
  std::string value;
  Error where;  // kind and place for errors about it, without a message
  bool is_default = false;

  Error error(std::string message, std::string hint = "") const;
};

// Three tiers: an override takes precedence over the file, and the file over defaults.
class Settings {
 public:
  using Tier = std::map<std::string, Setting, std::less<>>;

  // A later setting of the same tier and key wins.
  void add_from_file(Setting setting) { put(file_, std::move(setting)); }
  void add_override(Setting setting) { put(overrides_, std::move(setting)); }
  void add_default(Setting setting) {
    setting.is_default = true;
    put(defaults_, std::move(setting));
  }

  // Returns the first of `keys` that an override sets, else the first that the file sets, else the
  // first with a default, else null. Empty keys are skipped.
  const Setting* find(std::initializer_list<std::string_view> keys) const;
  const Setting* find(std::string_view key) const { return find({key}); }
  // Search only the file, or only the overrides.
  const Setting* find_in_file(std::string_view key) const;
  const Setting* find_override(std::string_view key) const;

  const Tier& file() const { return file_; }
  const Tier& overrides() const { return overrides_; }
  const Tier& defaults() const { return defaults_; }

 private:
  static void put(Tier& tier, Setting setting) {
    auto key = setting.key;
    tier.insert_or_assign(std::move(key), std::move(setting));
  }
  Tier file_;
  Tier overrides_;
  Tier defaults_;
};

// Limits of accepted values; beyond them, sums and quotients would exceed the range of a double.
inline constexpr Seconds longest_time_s = 1e6;
inline constexpr double least_rate_Bps = 1;
inline constexpr double greatest_rate_Bps = 1e18;

Result<Seconds> parse_time(std::string_view text);          // 0 .. longest_time_s
Result<double> parse_bandwidth(std::string_view text);      // least .. greatest rate
Result<double> parse_time_per_byte(std::string_view text);  // "0.5ns", or a rate: its inverse
Result<Bytes> parse_limit(std::string_view text);           // "none": -1
Result<Bytes> parse_threshold(std::string_view text);       // SMPI's first size beyond, minus 1

enum class SectionOrder {
  ascending,  // Tutti's keys: descending or equal limits are errors
  any         // SMPI's keys: sections are sorted; equal limits are errors, further values ignored
};

// The contents of a piecewise value, and its value up to the first limit.
enum class PiecewiseKind {
  overhead,          // times; the first section also applies to smaller sizes
  surcharge,         // times; 0 up to the first limit
  curve,             // times at sizes, interpolated linearly, constant outside the points
  latency_factor,    // 0, or 1e-9 to 1e9; 1 up to the first limit
  bandwidth_factor,  // 1e-9 to 1e9; 1 up to the first limit
  accuracy,          // from 1 to 1e9; the first section also applies to smaller sizes
  rate,              // B/s, or none (infinite); the first section also applies to smaller sizes
};

// Parses "VALUE" for all sizes, or sections "LIMIT:A" or "LIMIT:A:B" (A + B * bytes for sizes >
// LIMIT) separated by ';'. Factors have no B.
Result<Piecewise> parse_piecewise(std::string_view text, PiecewiseKind kind, SectionOrder order);

}  // namespace tutti::platforms
