// SPDX-License-Identifier: BSD-3-Clause
// What `sim list`, `sim platform` and `sim store info` print: documents without provenance.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/studies/route_check.hpp"
#include "sim/studies/study_file.hpp"

namespace tutti::reports {

// All algorithms of all collectives, without those that stand for performance guidelines.
Document algorithms_listing();
// The mock-ups of performance guidelines.
Document mockups_listing();
// What of the message protocol one tunes, and Open MPI's parameters.
Document tunables_listing();

// "1.2 MiB"; "unknown size" where the file cannot be looked at.
std::string file_size_of(const std::string& path);

// What the store in the file `path` holds, and what it took to compute. Errors: it cannot be read.
Result<Document> store_listing(const std::string& path);

// "crill: 16 nodes x 48 cores, flat cluster".
std::string headline(const platforms::Machine& machine);
// "shared" or "fat pipe".
std::string_view sharing_of(const platforms::Link& link);

// The platforms of the catalog. Errors: it cannot be read; a file that cannot is listed with its
// own.
Result<Document> catalog_listing();

// What a machine is made of, and where the numbers come from.
Document machine_listing(const platforms::Machine& machine);

// The links from one node to another.
struct Route {
  const platforms::Machine& machine;
  platforms::HostId from = 0;
  platforms::HostId to = 0;
  std::vector<platforms::LinkId> links{};
  platforms::Path path{};

  // JSON and CSV have so many.
  static constexpr std::size_t most_listed = 100'000;
  std::string from_name() const { return machine.topology->host_name(from); }
  std::string to_name() const { return machine.topology->host_name(to); }
};
Route route_of(const platforms::Machine& machine, platforms::HostId from, platforms::HostId to);

// For people: of long routes the two ends.
Document routes_listing(const std::vector<Route>& routes, bool text_columns);
std::string routes_json(const std::vector<Route>& routes);

// A file whose machine was read, and its routes compared with those of SimGrid.
struct CheckedMachine {
  const platforms::Machine& machine;
  studies::RouteCheckRequest request;
  std::string unconnected{};  // a sentence; empty: every node reaches every other
  std::optional<studies::RouteCheck> routes{};

  // SimGrid reads the torus that is folded.
  bool has_own_network() const { return machine.topology->kind() == "folded torus"; }
  bool good() const {
    return unconnected.empty() && (has_own_network() || (routes && routes->differences == 0));
  }
};
Document check_listing(const CheckedMachine& checked);
constexpr std::string_view differences_part = "routes.first_differences";

// The JSON Schema (draft 2020-12) of study files, from the declarations of their options: for
// editors that complete and check TOML, as Taplo and Even Better TOML do. Ends with a newline.
std::string study_schema(const std::vector<studies::StudyOption>& options);

}  // namespace tutti::reports
