// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/implementations/implementation.hpp"

namespace tutti::io_models {

namespace {

constexpr const Implementation* all[] = {&generic, &vulcan,       &dynamic_gen2, &two_phase,
                                         &romio,   &romio_lustre, &independent,  &data_sieving};
constexpr std::size_t independent_ones = 2;

}  // namespace

std::span<const Implementation* const> all_implementations() { return all; }

std::span<const Implementation* const> collective_implementations() {
  return std::span(all).first(std::size(all) - independent_ones);
}

const Implementation* find_implementation(std::string_view name) {
  for (const Implementation* implementation : all_implementations())
    if (implementation->name == name) return implementation;
  return nullptr;
}

}  // namespace tutti::io_models
