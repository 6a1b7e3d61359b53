// SPDX-License-Identifier: BSD-3-Clause
// Short platform files for the tests of their reader.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "platforms/reader.hpp"

namespace tutti::platforms {

// A cluster of 4 hosts with `attributes` instead of its bandwidth and latency, and with `props`.
inline std::string platform(const std::string& attributes, const std::string& props = "",
                            const std::string& config = "") {
  return "<?xml version='1.0'?>\n<platform version=\"4.1\">\n" + config +
         "<cluster id=\"c\" prefix=\"h\" suffix=\"\" speed=\"1Gf\" radical=\"0-3\"\n  " +
         attributes + ">\n" + props + "</cluster>\n</platform>\n";
}
inline std::string with_props(const std::string& props, const std::string& config = "") {
  return platform("bw=\"1GBps\" lat=\"1us\" core=\"2\"", props, config);
}
inline std::string prop(const std::string& key, const std::string& value) {
  return "<prop id=\"" + key + "\" value=\"" + value + "\"/>\n";
}
inline std::string config(const std::string& props) { return "<config>\n" + props + "</config>\n"; }

inline Machine good(const std::string& xml, const std::vector<Override>& overrides = {}) {
  auto machine = read_machine(xml, "dir/my.xml", overrides);
  if (!machine) FAIL(machine.error().message);
  return *std::move(machine);
}

inline std::vector<Error> bad(const std::string& xml, const std::vector<Override>& overrides = {}) {
  auto machine = read_machine(xml, "my.xml", overrides);
  if (machine) FAIL("accepted: " << xml);
  return machine.errors();
}

}  // namespace tutti::platforms
