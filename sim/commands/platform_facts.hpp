// SPDX-License-Identifier: BSD-3-Clause
// What `sim platform show` tells about a machine.
#pragma once

#include "platforms/analysis/distances.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::commands {

// Links that do not differ.
struct LinkKind {
  platforms::Link link;
  std::uint64_t count = 0;
};

// A parameter: its value as a text, and where that comes from ("line 12", "--set", "default").
struct Fact {
  std::string value;
  std::string from;
};

// How messages travel, between nodes and inside one.
struct MessageFact {
  std::string name;  // "send_overhead"
  Fact between;
  Fact inside;
};

struct PlatformFacts {
  const platforms::Machine& machine;
  platforms::Diameter diameter;
  std::vector<LinkKind> links{};          // most frequent first
  std::optional<std::size_t> switches{};  // unset: too large a network
  std::optional<double> bisection_Bps{};  // unset: one node, or too large a network
  std::vector<MessageFact> messages{};
};

PlatformFacts facts_of(const platforms::Machine& machine);

std::string facts_text(const PlatformFacts& facts);  // 80 columns wide
std::string facts_json(const PlatformFacts& facts);

// What `key` gives on this machine; unset if neither the file nor --set has it.
std::optional<Fact> given_fact(const platforms::Machine& machine,
                               const std::vector<std::string>& keys);

}  // namespace tutti::commands
