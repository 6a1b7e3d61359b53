// SPDX-License-Identifier: BSD-3-Clause
// Keys and values as they stand in a platform file or after --set, before anybody reads them.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/result.hpp"

namespace tutti::platforms {

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

}  // namespace tutti::platforms
