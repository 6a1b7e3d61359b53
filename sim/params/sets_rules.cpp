// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/sets_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "algorithms/selection/rules_file_terms.hpp"
#include "sim/params/our_parameters.hpp"

namespace tutti::studies::params {
namespace {

using algorithms::selection::WrittenRule;
using store::NamedText;
using store::ParameterSet;

constexpr std::string_view ending = "/algorithm";
// A job of one process sends nothing.
constexpr int fewest_procs = 2;

// By collective, processes, bytes in the file.
using Rules = std::map<std::string, std::map<int, std::map<Bytes, WrittenRule>>>;

const std::string* value_of(const ParameterSet& set, const std::string& name) {
  const auto found = std::ranges::find(set.parameters, name, &NamedText::name);
  return found == set.parameters.end() ? nullptr : &found->value;
}

// 0 where it is not told.
Bytes bytes_of(const ParameterSet& set, const std::string& name) {
  const auto* text = value_of(set, name);
  return text == nullptr ? 0 : parse_bytes(*text).value();
}

class Collecting {
 public:
  void add(const ParameterSet& set) {
    for (const auto& each : set.parameters)
      if (each.name.ends_with(ending))
        add(set, each.name.substr(0, each.name.size() - ending.size()), each.value);
  }

  SetsRules written() {
    for (const auto& [collective, sizes] : rules_) {
      algorithms::selection::WrittenCollective each{collective, {}};
      // A communicator smaller than the first size would take that one's rules.
      if (sizes.begin()->first > fewest_procs) each.sizes.push_back({fewest_procs, {own_rules()}});
      for (const auto& [procs, rules] : sizes) each.sizes.push_back({procs, in_order(rules)});
      made_.collectives.push_back(std::move(each));
    }
    return std::move(made_);
  }

 private:
  static WrittenRule own_rules() {
    WrittenRule rule;
    rule.comment = "Open MPI's own rules";
    return rule;
  }
  static std::vector<WrittenRule> in_order(const std::map<Bytes, WrittenRule>& rules) {
    std::vector<WrittenRule> all;
    if (rules.begin()->first > 0) all.push_back(own_rules());
    for (const auto& [bytes, rule] : rules) all.push_back(rule);
    return all;
  }

  void leave_out(const ParameterSet& set, const std::string& collective, const char* why) {
    made_.left_out.push_back({fmt::format("set {}: {}{}", set.number, collective, ending), why});
  }

  // Whatever the database came to have.
  static bool has_good_values(const ParameterSet& set, const std::string& collective) {
    return std::ranges::none_of(set.parameters, [&](const auto& each) {
      return each.name.starts_with(collective + '/') && tuning::check_parameter(each);
    });
  }

  void add(const ParameterSet& set, const std::string& collective, const std::string& name) {
    if (!has_good_values(set, collective))
      return leave_out(set, collective, "its parameters have values that are none");
    const auto& use = set.key.use;
    const auto* algorithm = algorithms::find_algorithm(collective, name);
    if (algorithm == nullptr || algorithm->id <= 0)
      return leave_out(set, collective, "no algorithm of Open MPI");
    if (!algorithms::selection::obeys_rules_file(collective))
      return leave_out(set, collective, "rules files have no such collective");
    if (!use.collective.empty() && use.collective != collective)
      return leave_out(set, collective, "the set was found for another collective");
    const int procs = static_cast<int>(
        std::min<std::int64_t>(use.procs.value_or(fewest_procs), std::numeric_limits<int>::max()));
    const Bytes bytes = use.message_bytes.value_or(0);
    WrittenRule rule;
    rule.from_bytes = algorithms::selection::rules_file_bytes(
        {.collective = collective, .procs = procs, .message_bytes = bytes, .elements = bytes});
    rule.algorithm = algorithm->id;
    // A fan-out of 0 would be one of 1 to Open MPI, not its default.
    const auto fanout = static_cast<int>(bytes_of(set, collective + "/fanout"));
    if (name != "knomial")
      rule.fanout = fanout > 0 ? fanout : algorithm->default_fanout;
    else if (value_of(set, collective + "/fanout") != nullptr)
      made_.left_out.push_back({fmt::format("set {}: {}/fanout", set.number, collective),
                                "rules have no radix; --export mca has"});
    rule.segment_bytes = bytes_of(set, collective + "/segment_size");
    rule.max_requests = static_cast<int>(bytes_of(set, collective + "/max_requests"));
    rule.comment = fmt::format("{}: set {}", name, set.number);
    rules_[collective][procs].try_emplace(rule.from_bytes, std::move(rule));
  }

  Rules rules_;
  SetsRules made_;
};

}  // namespace

SetsRules rules_of(const std::vector<ParameterSet>& sets) {
  Collecting collecting;
  for (const auto& set : sets) collecting.add(set);
  return collecting.written();
}

}  // namespace tutti::studies::params
