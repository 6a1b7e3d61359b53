// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/command/changed_machines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/error_list.hpp"

namespace tutti::commands {
namespace {

using platforms::Override;
using studies::ChangedMachine;

constexpr std::size_t most_changed_machines = 256;

std::vector<Override> combination(const std::vector<WantedChange>& changes, std::size_t number) {
  std::vector<Override> set(changes.size());
  for (std::size_t i = changes.size(); i-- > 0;) {
    const auto& [key, values] = changes[i];
    set[i] = {key, values[number % values.size()]};
    number /= values.size();
  }
  return set;
}

std::string change_name(const std::vector<Override>& set) {
  if (set.size() == 1) return set.front().value;
  std::vector<std::string> words;
  for (const auto& each : set) words.push_back(fmt::format("{}={}", each.key, each.value));
  return fmt::format("{}", fmt::join(words, " "));
}

// A change replaces what --set says of its key.
Result<ChangedMachine> changed_machine(const ImprovementRequest& request,
                                       const std::vector<Override>& set) {
  std::vector<Override> overrides = request.overrides;
  std::erase_if(overrides, [&](const Override& one) {
    return std::ranges::find(set, one.key, &Override::key) != set.end();
  });
  overrides.insert(overrides.end(), set.begin(), set.end());
  auto machine = platforms::load_machine(request.platform, overrides);
  if (machine)
    return ChangedMachine{change_name(set),
                          std::make_shared<const platforms::Machine>(*std::move(machine))};
  auto errors = machine.errors();
  for (auto& error : errors)
    if (error.place == "--set") error.place = "--change";
  return errors;
}

}  // namespace

Result<std::vector<ChangedMachine>> changed_machines(const ImprovementRequest& request,
                                                     const std::vector<WantedChange>& changes) {
  std::size_t count = 1;
  for (const auto& change : changes) {
    count *= change.values.size();
    if (count > most_changed_machines)
      return usage_error("--change",
                         fmt::format("more than {} combinations", most_changed_machines),
                         "try fewer values at a time");
  }
  std::vector<ChangedMachine> machines;
  for (std::size_t number = 0; number < count; ++number) {
    auto machine = TUTTI_TRY(changed_machine(request, combination(changes, number)));
    machines.push_back(std::move(machine));
  }
  return machines;
}

}  // namespace tutti::commands
