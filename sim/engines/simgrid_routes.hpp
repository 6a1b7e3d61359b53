// SPDX-License-Identifier: BSD-3-Clause
// A platform file as SimGrid itself reads it: its hosts, links and routes.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::engines {

class SimgridRoutes {
 public:
  virtual ~SimgridRoutes() = default;
  virtual std::size_t host_count() const = 0;
  virtual bool has_host(const std::string& name) const = 0;
  // Replaces `links` by the numbers of the route's links, in order, and gives its latency. Numbers
  // count from 0 in the order in which links are met first. Both hosts exist. If there is no route
  // between them, `links` is empty, or SimGrid aborts the process (on a torus: from a host to
  // itself).
  virtual Seconds route(const std::string& source, const std::string& destination,
                        std::vector<std::uint32_t>& links) = 0;
  virtual platforms::Link link(std::uint32_t number) const = 0;
  virtual std::string link_name(std::uint32_t number) const = 0;
};

// Once per process, and not beside run_simgrid. SimGrid aborts the process where it does not accept
// the file. Keys of <config> that are in `known_keys` do no harm; SimGrid refuses all that it does
// not know. Throws if the module cannot be loaded.
std::unique_ptr<SimgridRoutes> open_simgrid_routes(const std::string& file,
                                                   const std::vector<std::string>& known_keys);

}  // namespace tutti::engines
