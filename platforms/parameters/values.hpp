// SPDX-License-Identifier: BSD-3-Clause
// The values of message and model parameters, from text. Errors have no place: the caller adds it.
#pragma once

#include <initializer_list>

#include "platforms/message_protocol.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Keys and values as they stand in a platform file or after --set, before anybody reads them.

struct Setting {
  std::string key;
  std::string value;
  Error where;  // kind and place for errors about it; no message yet

  Error error(std::string message, std::string hint = "") const;
};

// Two tiers: an override wins over everything that the file says.
class Settings {
 public:
  using Tier = std::map<std::string, Setting, std::less<>>;

  // A later setting of the same tier and key wins.
  void add_from_file(Setting setting) { put(file_, std::move(setting)); }
  void add_override(Setting setting) { put(overrides_, std::move(setting)); }

  // The first of `keys` that an override gives, else the first that the file gives, else null.
  const Setting* find(std::initializer_list<std::string_view> keys) const;
  const Setting* find(std::string_view key) const { return find({key}); }
  // In the file alone, or in the overrides alone.
  const Setting* find_in_file(std::string_view key) const;
  const Setting* find_override(std::string_view key) const;

  const Tier& file() const { return file_; }
  const Tier& overrides() const { return overrides_; }

 private:
  static void put(Tier& tier, Setting setting) {
    auto key = setting.key;
    tier.insert_or_assign(std::move(key), std::move(setting));
  }
  Tier file_;
  Tier overrides_;
};

// Bounds of what is believed; beyond them sums and quotients would leave a double's range.
inline constexpr Seconds longest_time_s = 1e6;
inline constexpr double least_rate_Bps = 1;
inline constexpr double greatest_rate_Bps = 1e18;

Result<Seconds> parse_time(std::string_view text);          // 0 .. longest_time_s
Result<double> parse_bandwidth(std::string_view text);      // least .. greatest rate
Result<double> parse_time_per_byte(std::string_view text);  // "0.5ns", or a rate: its inverse
Result<Bytes> parse_limit(std::string_view text);           // "none" is -1
Result<Bytes> parse_threshold(std::string_view text);       // SMPI's: first size beyond; minus 1

enum class SectionOrder {
  ascending,  // ours: descending or equal limits are errors
  any         // SMPI's: sorted here, equal limits are errors
};

// What a piecewise value says, and what holds up to the first limit.
enum class PiecewiseKind {
  overhead,          // times; the first section also holds for smaller sizes
  surcharge,         // times; 0 up to the first limit
  curve,             // times at sizes, joined by lines; the first and the last hold beyond them
  latency_factor,    // 0, or 1e-9 to 1e9; 1 up to the first limit
  bandwidth_factor,  // 1e-9 to 1e9; 1 up to the first limit
  accuracy,          // from 1 to 1e9; the first section also holds for smaller sizes
  rate,              // B/s, or none (infinite); the first section also holds for smaller sizes
};

// "VALUE" for all sizes, or sections "LIMIT:A" or "LIMIT:A:B" (a + b * bytes for sizes > LIMIT)
// joined by ';'. Factors have no B.
Result<Piecewise> parse_piecewise(std::string_view text, PiecewiseKind kind, SectionOrder order);

}  // namespace tutti::platforms
