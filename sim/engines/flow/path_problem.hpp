// SPDX-License-Identifier: BSD-3-Clause
// Flows that share links and may be divided over several paths.
//
// A class of n flows has columns. A column is a path or a fixed division over paths: it states the
// capacity that it uses on each link per unit of its rate. The rate of a flow is the sum over its
// columns. Links that every column uses at the whole rate may be given once, as the trunk of the
// class.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::engines {

struct PathProblem {
  struct Use {
    std::uint32_t link = 0;
    double weight = 0;  // capacity per unit of the column's rate, above 0
  };
  struct Column {
    std::uint32_t first_use = 0;
    std::uint32_t end_use = 0;
    std::uint32_t owner = 0;  // index of its class
  };
  struct Class {
    double flows = 1;
    double limit = 0;  // maximum rate of a flow; if it is infinite, the class must cross a link
    std::uint32_t first_column = 0;
    std::uint32_t end_preferred = 0;
    std::uint32_t end_column = 0;
    std::uint32_t first_trunk = 0;
    std::uint32_t end_trunk = 0;
  };
  std::vector<double> capacity;  // by link
  std::vector<std::uint32_t> trunk_links;
  std::vector<Use> uses;
  std::vector<Column> columns;
  std::vector<Class> classes;

  void clear();
  void add_class(double flows, double limit, std::span<const std::uint32_t> trunk = {});
  // Adds a column to the last class; preferred columns come first. The weights of repeated links
  // add up.
  void add_column(std::span<const Use> links, bool is_preferred = true);
  // Ends a column whose uses, of different links, were added to `uses` from `first_use` on.
  void end_column(std::size_t first_use, bool is_preferred);
  std::span<const Use> uses_of(std::uint32_t column) const {
    const Column& used = columns[column];
    return {uses.data() + used.first_use, uses.data() + used.end_use};
  }
  std::span<const std::uint32_t> trunk_of(const Class& owner) const {
    return {trunk_links.data() + owner.first_trunk, trunk_links.data() + owner.end_trunk};
  }
  // The same problem without trunks: their links are in all columns.
  PathProblem without_trunks() const;
};

}  // namespace tutti::engines
