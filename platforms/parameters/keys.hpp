// SPDX-License-Identifier: BSD-3-Clause
// The known keys of <prop> and --set, and the syntax of their values.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/parameters/values.hpp"
#include "platforms/topologies/rail_network.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

bool is_known_key(std::string_view key);
// Whether the values of the key are sizes of messages: limits, thresholds, fragments.
bool is_size_key(std::string_view key);
// All keys except the parameters of LogGP sets: the file defines the names of these sets.
std::vector<std::string> all_keys();

// "accuracy/bcast" etc. for every collective, and "accuracy/all".
std::vector<std::string> accuracy_keys();

// Whether SMPI's key chooses the algorithms of collectives (smpi/coll-selector, smpi/bcast, ...).
// Only replays of time-independent traces follow it.
bool is_for_replays(std::string_view key);

// "model/loggp/io/L" -> {"io", "L"}; unset for other keys.
struct LogGPKey {
  std::string_view set;
  std::string_view parameter;  // L, o, g or G
};
std::optional<LogGPKey> loggp_key(std::string_view key);

// Adds an error for every unknown key with one of Tutti's prefixes, every unknown key of an
// override and every invalid value. Returns the keys of the file that are ignored.
std::vector<std::string> check_settings(const Settings& settings, ErrorList& errors);

// The value of a setting that has passed check_settings. Its type follows from its key: Bytes of
// limits and sizes (-1: none), double of times and rates, Piecewise of all piecewise values.
using SettingValue =
    std::variant<Bytes, double, std::optional<double>, int, bool, Piecewise, IntraNode, NicOrder,
                 Rendezvous, RailOrder, DeviceLinks, std::vector<std::string>, std::string>;
SettingValue value_of(const Setting& setting);

template <class T>
T value_of(const Setting& setting) {
  return std::get<T>(value_of(setting));
}

// Sets `target` to the value of a setting; null: `target` keeps its value.
template <class T>
void set_if_given(const Setting* setting, T& target) {
  if (setting != nullptr) target = value_of<T>(*setting);
}
template <class T>
void set_if_given(const Setting* setting, std::optional<T>& target) {
  if (setting != nullptr) target = value_of<T>(*setting);
}
// A rate may be "none".
void set_if_given(const Setting* setting, std::optional<double>& target);

}  // namespace tutti::platforms
