// SPDX-License-Identifier: BSD-3-Clause
// A platform file as SimGrid's own parser reads it: hosts, links and routes.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::engines {

class SimgridRoutes {
 public:
  virtual ~SimgridRoutes() = default;
  virtual std::size_t host_count() const = 0;
  virtual bool has_host(const std::string& name) const = 0;
  // Sets `links` to the numbers of the route's links, in order, and returns its latency. Numbers
  // count from 0 in the order of first use. Both hosts must exist. If there is no route between
  // them, `links` is empty, or SimGrid aborts the process (on a torus: from a host to itself).
  virtual Seconds route(const std::string& source, const std::string& destination,
                        std::vector<std::uint32_t>& links) = 0;
  virtual platforms::Link link(std::uint32_t number) const = 0;
  virtual std::string link_name(std::uint32_t number) const = 0;
};

// May be called once per process, and not together with run_simgrid. SimGrid aborts the process or
// throws if it rejects the file; the exception names the key of <config> whose value is invalid:
// "KEY: REASON". The keys of `given` are accepted; SimGrid rejects other unknown keys. Throws if
// the module cannot be loaded.
std::unique_ptr<SimgridRoutes> open_simgrid_routes(
    const std::string& file, const std::vector<platforms::GivenParameter>& given);

}  // namespace tutti::engines
