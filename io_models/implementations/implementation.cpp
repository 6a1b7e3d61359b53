// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/implementations/implementation.hpp"

namespace tutti::io_models {

std::span<const Implementation* const> all_implementations() {
  static constexpr const Implementation* all[] = {&generic, &vulcan, &dynamic_gen2, &two_phase,
                                                  &romio};
  return all;
}

const Implementation* find_implementation(std::string_view name) {
  for (const Implementation* each : all_implementations())
    if (each->name == name) return each;
  return nullptr;
}

}  // namespace tutti::io_models
