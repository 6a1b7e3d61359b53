// SPDX-License-Identifier: BSD-3-Clause
// Changes of a program: what a hypothesis only supposes, done in its source.
#pragma once

#include <optional>

#include "tests/support/truth/program.hpp"

namespace tutti::tests::truth {

struct Change {
  std::optional<std::string> balance = {};  // a region: the n-th instances get their mean
  std::optional<std::string> scale = {};    // a region or kernel
  double factor = 1;
  bool cuts_empty_messages = false;
  std::optional<std::string> cut = {};  // a region with all that is in it
};

namespace detail {

template <class Do>
void each_compute(Program& program, const std::string& region, const Do& act) {
  for (Script& script : program.scripts) {
    std::size_t n = 0;
    for (Action& action : script.actions)
      if (auto* compute = std::get_if<Compute>(&action); compute && compute->region == region)
        act(n++, compute->duration);
  }
}

inline void balance(Program& program, const std::string& region) {
  std::vector<Time> sums, counts;
  each_compute(program, region, [&](std::size_t n, Time duration) {
    sums.resize(std::max(sums.size(), n + 1));
    counts.resize(sums.size());
    sums[n] += duration;
    ++counts[n];
  });
  each_compute(program, region,
               [&](std::size_t n, Time& duration) { duration = sums[n] / counts[n]; });
}

inline void scale(Program& program, const std::string& region, double factor) {
  const auto scaled = [&](Time& duration) {
    duration = static_cast<Time>(static_cast<double>(duration) * factor);
  };
  each_compute(program, region, [&](std::size_t, Time& duration) { scaled(duration); });
  for (Script& script : program.scripts)
    for (Action& action : script.actions)
      if (auto* launch = std::get_if<Launch>(&action); launch && launch->kernel == region)
        scaled(launch->duration);
      else if (auto* draw = std::get_if<Draw>(&action); draw && draw->region == region)
        for (Time& duration : draw->durations) scaled(duration);
      else if (auto* task = std::get_if<Create>(&action); task && task->region == region)
        scaled(task->duration);
      else if (auto* loop = std::get_if<Iterate>(&action))
        for (auto& [name, duration] : loop->iterations)
          if (name == region) scaled(duration);
}

inline void cut_empty_messages(Program& program) {
  for (Script& script : program.scripts)
    std::erase_if(script.actions, [](const Action& action) {
      const auto* send = std::get_if<Send>(&action);
      const auto* recv = std::get_if<Recv>(&action);
      return (send && send->bytes == 0) || (recv && recv->bytes == 0);
    });
}

inline void cut(Program& program, const std::string& region) {
  for (Script& script : program.scripts) {
    bool is_inside = false;
    std::erase_if(script.actions, [&](const Action& action) {
      const auto* mark = std::get_if<Mark>(&action);
      if (mark == nullptr || mark->region != region) return is_inside;
      is_inside = mark->enters;
      return true;
    });
  }
}

}  // namespace detail

inline Program changed(Program program, const Change& change) {
  if (change.balance) detail::balance(program, *change.balance);
  if (change.scale) detail::scale(program, *change.scale, change.factor);
  if (change.cuts_empty_messages) detail::cut_empty_messages(program);
  if (change.cut) detail::cut(program, *change.cut);
  return program;
}

}  // namespace tutti::tests::truth
