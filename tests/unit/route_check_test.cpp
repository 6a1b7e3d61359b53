// SPDX-License-Identifier: BSD-3-Clause
// The comparison of routes finds differences. (tests/cli/platform_test verifies that there are
// none.)
#include "sim/commands/route_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::commands;
using platforms::HostId;
using platforms::Link;

namespace {

// Returns the machine's own routes with modifications. A host's name is "h" and its number.
class FakeSimgrid : public engines::SimgridRoutes {
 public:
  explicit FakeSimgrid(const platforms::Machine& machine) : machine_(machine) {}

  std::size_t host_count() const override { return machine_.host_count() + more_hosts; }
  bool has_host(const std::string& name) const override { return name != missing_host; }
  Seconds route(const std::string& source, const std::string& destination,
                std::vector<std::uint32_t>& links) override {
    links.clear();
    const auto from = static_cast<HostId>(std::stoul(source.substr(1)));
    const auto to = static_cast<HostId>(std::stoul(destination.substr(1)));
    requested.insert({from, to});
    machine_.topology->route(from, to, links);
    if (from == swapped_from) links.front() = 2;
    if (reverse) std::reverse(links.begin(), links.end());
    if (from == longer_from) links.push_back(0);
    return 2e-6 * latency_factor;
  }
  Link link(std::uint32_t number) const override {
    Link link = machine_.topology->link(number);
    if (number == slow_link) link.bandwidth_Bps /= 2;
    return link;
  }
  std::string link_name(std::uint32_t number) const override {
    return prefix + machine_.topology->link_name(number);
  }

  static constexpr std::uint32_t none = UINT32_MAX;
  std::size_t more_hosts = 0;
  std::string missing_host;
  std::string prefix;
  double latency_factor = 1;
  bool reverse = false;
  HostId swapped_from = none;
  HostId longer_from = none;
  std::uint32_t slow_link = none;
  std::set<std::pair<HostId, HostId>> requested;

 private:
  const platforms::Machine& machine_;
};

RouteCheck compare(const platforms::Machine& machine, FakeSimgrid& simgrid,
                   const RouteCheckRequest& request = {}) {
  return compare_routes(machine, simgrid, request, [](std::uint64_t) {});
}

}  // namespace

TEST_CASE("a machine that exceeds the memory is rejected with the number and a hint") {
  const platforms::Machine machine = tests::test_machine(1'000'000);
  const RouteCheckRequest request;
  const Bytes need = memory_of_check(machine, request);
  CHECK(need >= 2'900'000'000);  // what SimGrid took
  CHECK_FALSE(check_memory(machine, request, need));
  const auto error = check_memory(machine, request, need - 1);
  REQUIRE(error);
  CHECK(error->kind == ErrorKind::usage);
  CHECK(error->message ==
        "SimGrid needs about 5165 MiB of memory for 1000000 nodes and 2000000 links; 5165 MiB are "
        "free");
  CHECK(error->hint == "check a smaller machine of the same shape; --force tries it anyway");
}

TEST_CASE("equal routes are recognized, for any link names of SimGrid") {
  const auto machine = tests::test_machine(5);
  FakeSimgrid simgrid(machine);
  simgrid.prefix = "other_";
  const RouteCheck check = compare(machine, simgrid);
  CHECK(check.differences == 0);
  CHECK(check.all_pairs);
  CHECK(check.pairs == 20);
  CHECK(check.links == 10);
  CHECK(check.renamed == 10);
  CHECK(check.same_host_omitted.find("in a test") != std::string::npos);
  CHECK(!simgrid.requested.contains({0, 0}));  // SimGrid might abort
}

TEST_CASE("the order of a route's links does not matter, but is reported") {
  const auto machine = tests::test_machine(5);
  FakeSimgrid simgrid(machine);
  simgrid.reverse = true;
  const RouteCheck check = compare(machine, simgrid);
  CHECK(check.differences == 0);
  CHECK(check.reordered > 0);
  CHECK(check.renamed == 0);
}

TEST_CASE("a different bandwidth, link, length or latency is a difference") {
  const auto machine = tests::test_machine(5);
  FakeSimgrid slow(machine);
  slow.slow_link = 4;
  CHECK(compare(machine, slow).first_reported.at(0) ==
        "h2 to h0: link 1 is l4 (1000000000 B/s, 1e-06 s, shared), SimGrid's l4 (500000000 B/s, "
        "1e-06 s, shared)");
  FakeSimgrid swapped(machine);
  swapped.swapped_from = 2;
  CHECK(compare(machine, swapped).first_reported.at(0) ==
        "h2 to h0: link 1 is l4, SimGrid's l2; elsewhere l2 corresponds to l2");
  FakeSimgrid longer(machine);
  longer.longer_from = 4;
  const RouteCheck check = compare(machine, longer);
  CHECK(check.differences == 4);
  CHECK(check.first_reported.at(0) == "h4 to h0: 2 links (l8 l1), SimGrid 3 (l8 l1 l0)");
  FakeSimgrid later(machine);
  later.latency_factor = 1 + 1e-8;
  CHECK(compare(machine, later).differences == 20);
  CHECK(compare(machine, later).first_reported.size() == 10);
}

TEST_CASE("differences in hosts are reported before routes are compared") {
  const auto machine = tests::test_machine(5);
  FakeSimgrid more(machine);
  more.more_hosts = 1;
  CHECK(compare(machine, more).first_reported.at(0) == "5 hosts, SimGrid 6");
  FakeSimgrid missing(machine);
  missing.missing_host = "h3";
  CHECK(compare(machine, missing).first_reported.at(0) == "SimGrid has no host 'h3'");
  CHECK(missing.requested.empty());
}

TEST_CASE("a sample has the requested size and depends only on the seed") {
  const auto machine = tests::test_machine(100);
  FakeSimgrid first(machine), again(machine), other(machine);
  const RouteCheck check = compare(machine, first, {.most_pairs = 50, .seed = 7});
  CHECK(!check.all_pairs);
  CHECK(check.pairs == 50);
  compare(machine, again, {.most_pairs = 50, .seed = 7});
  compare(machine, other, {.most_pairs = 50, .seed = 8});
  CHECK(first.requested == again.requested);
  CHECK(first.requested != other.requested);
}
