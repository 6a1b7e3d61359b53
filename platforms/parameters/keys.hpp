// SPDX-License-Identifier: BSD-3-Clause
// Every key of a <prop> or of --set that has a meaning here, and what its value looks like.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/parameters/values.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

enum class ValueKind : std::uint8_t {
  limit,                  // largest size of a class, or "none"
  threshold,              // SMPI's: first size beyond the class
  overhead,               // piecewise time; SMPI's allows any order of sections
  smpi_overhead,          //
  surcharge,              // piecewise time, 0 up to the first limit
  curve,                  // times at sizes, joined by lines
  latency_factor,         // piecewise
  smpi_latency_factor,    //
  bandwidth_factor,       //
  smpi_bandwidth_factor,  //
  rate,                   // piecewise bandwidth, or "none"
  accuracy,               // piecewise factor from 1 on
  time,                   //
  bandwidth,              //
  optional_bandwidth,     // "none": takes no time
  time_per_byte,          // or a rate: its inverse
  count,                  // 1 .. 1,000,000
  optional_count,         // or "none": 0
  fragment,               // at least 1 byte, or "none"
  intra_node,             // bus | network
  nic_order,              // shared | fifo
  rendezvous,             // put | get
  collectives,            // a list of those that hardware may do
  name,                   // of a set of model parameters
};

// Unset: no such key.
std::optional<ValueKind> kind_of(std::string_view key);

// All keys, but for those of LogGP sets, whose names are the file's.
std::vector<std::string> all_keys();

// "accuracy/bcast", ... of every collective, and "accuracy/all".
std::vector<std::string> accuracy_keys();

// "model/loggp/io/L" -> {"io", "L"}; unset for every other key.
struct LogGPKey {
  std::string_view set;
  std::string_view parameter;  // L, o, g or G
};
std::optional<LogGPKey> loggp_key(std::string_view key);

// Adds an error for every unknown key that looks like ours, every unknown key of an override and
// every value that cannot be read. Returns the keys of the file that mean nothing here.
std::vector<std::string> check_settings(const Settings& settings, ErrorList& errors);

// The values of settings that check_settings found good.
Bytes limit_value(const Setting& setting);          // limit, threshold, fragment
Piecewise piecewise_value(const Setting& setting);  // every kind that is piecewise
Seconds time_value(const Setting& setting);
double bandwidth_value(const Setting& setting);
std::optional<double> optional_bandwidth_value(const Setting& setting);
double time_per_byte_value(const Setting& setting);
IntraNode intra_node_value(const Setting& setting);
NicOrder nic_order_value(const Setting& setting);
Rendezvous rendezvous_value(const Setting& setting);
int count_value(const Setting& setting);  // count, optional_count
std::vector<std::string> collectives_value(const Setting& setting);

}  // namespace tutti::platforms
