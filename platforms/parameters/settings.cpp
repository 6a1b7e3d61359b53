// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/parameters/settings.hpp"

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"

namespace tutti::platforms {
namespace {

const Setting* find_in(const Settings::Tier& tier, std::string_view key) {
  const auto found = tier.find(key);
  return found == tier.end() ? nullptr : &found->second;
}

}  // namespace

Error Setting::error(std::string message, std::string hint) const {
  return told(where, printable(key) + ": " + message, std::move(hint));
}

const Setting* Settings::find(std::initializer_list<std::string_view> keys) const {
  for (const Tier* tier : {&overrides_, &file_})
    for (const auto key : keys)
      if (const auto* found = find_in(*tier, key)) return found;
  return nullptr;
}

const Setting* Settings::find_in_file(std::string_view key) const { return find_in(file_, key); }

const Setting* Settings::find_override(std::string_view key) const {
  return find_in(overrides_, key);
}

}  // namespace tutti::platforms
