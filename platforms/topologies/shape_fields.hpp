// SPDX-License-Identifier: BSD-3-Clause
// Parts of the parsers of `topo_parameters`. Errors have no place; the caller adds it. `form` is
// the expected syntax.
#pragma once

#include "platforms/topologies/family.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms::shape_fields {

using Counts = std::vector<std::uint32_t>;

Error reject(std::string message, std::string hint);

// The fields of `text`, which must be `count`.
Result<std::vector<std::string_view>> parse_fields(std::string_view text, std::size_t count,
                                                   const char* kind, const char* form);
// An integer from 1 on.
Result<std::uint32_t> parse_count(std::string_view text, const char* form);
Result<Counts> parse_counts(std::string_view text, const char* form);
// "COUNT,LINKS"
Result<Counts> parse_pair(std::string_view text, const char* form);

// Checks a network of the given size, which is the result of `product`; unset if valid.
std::optional<Error> misfit(const NetworkSize& size, const ClusterSpec& spec,
                            const std::string& product);

// The plan of a network that is constructed from a spec and this shape.
template <class Network, class Shape>
Result<NetworkPlan> plan(const Shape& shape, std::vector<std::string> levels,
                         const ClusterSpec& spec, const std::string& product) {
  const NetworkSize size = size_of(shape);
  if (auto error = misfit(size, spec, product)) return *error;
  const auto build = [shape](ClusterSpec of_file, const Settings&) {
    return std::unique_ptr<const Topology>(std::make_unique<Network>(std::move(of_file), shape));
  };
  return NetworkPlan{size, std::move(levels), build};
}

}  // namespace tutti::platforms::shape_fields
