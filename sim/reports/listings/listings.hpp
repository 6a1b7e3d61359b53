// SPDX-License-Identifier: BSD-3-Clause
// Output of `sim list`, `sim platform` and `sim store info`: documents without provenance.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/studies/study_file.hpp"

namespace tutti::reports {

// All algorithms of all collectives, except the mock-ups of performance guidelines.
Document algorithms_listing();
// The mock-ups of performance guidelines.
Document mockups_listing();
// The tunable parameters of the message protocol and their names in Open MPI.
Document tunables_listing();

// "1.2 MiB"; "unknown size" if the size cannot be read.
std::string file_size_of(const std::string& path);

// The contents of the store in the file `path` and the cost of computing them. Errors: the store
// cannot be read.
Result<Document> store_listing(const std::string& path);

// "crill: 16 nodes x 48 cores, flat cluster".
std::string headline(const platforms::Machine& machine);
// "shared" or "fat pipe".
std::string_view sharing_of(const platforms::Link& link);

// The platforms of the catalog. A file that cannot be read is listed with its error. Errors: the
// catalog cannot be read.
Result<Document> catalog_listing();

// The storage systems that --storage accepts by name.
Document storage_listing();

// The parts of a machine and the origin of its numbers.
Document machine_listing(const platforms::Machine& machine);

// The links from one node to another.
struct Route {
  const platforms::Machine& machine;
  platforms::HostId from = 0;
  platforms::HostId to = 0;
  std::vector<platforms::LinkId> links{};
  platforms::Path path{};
  std::string which{};  // "shortest path 1 of 8", "detour 1 of 18"; empty: the route

  // Maximum number of links of a route in JSON and CSV.
  static constexpr std::size_t most_listed = 100'000;
  std::string from_name() const { return machine.topology->host_name(from); }
  std::string to_name() const { return machine.topology->host_name(to); }
};
Route route_of(const platforms::Machine& machine, platforms::HostId from, platforms::HostId to);

// The route, the first shortest paths and the first detours, between the first NICs of two
// different nodes.
struct Alternatives {
  std::uint64_t shortest = 0;  // number of all
  std::uint64_t detours = 0;
  std::vector<Route> routes{};
  static constexpr std::uint64_t most_listed = 8;  // of each
};
Alternatives alternatives_of(const platforms::Machine& machine, platforms::HostId from,
                             platforms::HostId to);

// `text_columns`: for text and Markdown, which show only the two ends of long routes.
Document routes_listing(const std::vector<Route>& routes, bool text_columns);
std::string routes_json(const std::vector<Route>& routes);
Document alternatives_listing(const Alternatives& alternatives, bool text_columns);
std::string alternatives_json(const Alternatives& alternatives);

// The JSON Schema (draft 2020-12) of study files, derived from the declarations of their options.
// Editors use it to complete and check TOML (Taplo, Even Better TOML). Ends with a newline.
std::string study_schema(const std::vector<studies::StudyOption>& options);

}  // namespace tutti::reports
