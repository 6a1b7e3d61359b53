// SPDX-License-Identifier: BSD-3-Clause
// A network with several paths and NICs: hosts 0 and 1 on the left, 2 and 3 on the right. Between
// the sides are `middle` links that are shortest paths, and `detours` longer paths of two links.
// Only messages from the left to the right.
#pragma once

#include "tests/support/test_machine.hpp"

namespace tutti::tests {

class ParallelPaths : public platforms::Topology {
 public:
  struct Shape {
    std::uint32_t rails = 1;
    std::uint32_t middle = 2;
    std::uint32_t detours = 1;
    double nic_Bps = 4e9;
    double middle_Bps = 1e9;
  };
  explicit ParallelPaths(Shape shape) : shape_(shape) {}

  std::string kind() const override { return "parallel paths"; }
  platforms::HostId host_count() const override { return 4; }
  platforms::LinkId link_count() const override {
    return first_middle() + shape_.middle + 2 * shape_.detours;
  }
  platforms::Link link(platforms::LinkId id) const override {
    return {.bandwidth_Bps = id < first_middle() ? shape_.nic_Bps : shape_.middle_Bps,
            .latency_s = 1e-6};
  }
  std::string host_name(platforms::HostId id) const override { return fmt::format("h{}", id); }
  std::string link_name(platforms::LinkId id) const override { return fmt::format("l{}", id); }
  void route(platforms::HostId source, platforms::HostId destination,
             std::vector<platforms::LinkId>& links) const override {
    shortest_path({.source = source, .destination = destination}, 0, links);
  }
  std::uint32_t rails() const override { return shape_.rails; }
  void rail_route(const platforms::RouteEnds& ends,
                  std::vector<platforms::LinkId>& links) const override {
    shortest_path(ends, 0, links);
  }
  std::uint32_t shortest_paths(const platforms::RouteEnds&) const override { return shape_.middle; }
  void shortest_path(const platforms::RouteEnds& ends, std::uint32_t number,
                     std::vector<platforms::LinkId>& links) const override {
    links.insert(links.end(), {ends.source * shape_.rails + ends.source_rail,
                               first_middle() + number, nic_of_destination(ends)});
  }
  std::uint64_t detours(const platforms::RouteEnds&) const override { return shape_.detours; }
  void detour(const platforms::RouteEnds& ends, std::uint64_t number,
              std::vector<platforms::LinkId>& links) const override {
    const auto first = first_middle() + shape_.middle + 2 * static_cast<platforms::LinkId>(number);
    links.insert(links.end(), {ends.source * shape_.rails + ends.source_rail, first, first + 1,
                               nic_of_destination(ends)});
  }
  platforms::Graph graph() const override { return {.hosts = 4, .switches = {}, .edges = {}}; }

 private:
  platforms::LinkId first_middle() const { return 4 * shape_.rails; }
  platforms::LinkId nic_of_destination(const platforms::RouteEnds& ends) const {
    return ends.destination * shape_.rails + ends.destination_rail;
  }

  Shape shape_;
};

}  // namespace tutti::tests
