// SPDX-License-Identifier: BSD-3-Clause
// Our parameters as Open MPI's (MCA) parameters, and back, for the versions that are told apart.
// Only names that a version has are ever given; where they come from says mca_names.cpp.
//
// Ours are those of --set ("mpi/eager_limit"), of collectives ("bcast/algorithm",
// "bcast/segment_size", "bcast/fanout", "bcast/max_requests") and of collective I/O ("aggregators",
// "buffer_size", "implementation"), "map"; README.md has the table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/params/category.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::tuning {

using store::NamedText;

enum class OpenMpi : unsigned char { v1_8, v4_1, v5_0 };
inline constexpr OpenMpi open_mpi_versions[] = {OpenMpi::v1_8, OpenMpi::v4_1, OpenMpi::v5_0};

std::string_view version_name(OpenMpi version);            // "4.1"
std::optional<OpenMpi> version_of(std::string_view name);  // of "4.1"
// The components (btl) that can carry messages between nodes; the first is the usual one.
std::vector<std::string> networks_of(OpenMpi version);

// Whether the name is one of that version's, of those known here: the parameters of point-to-point
// components, coll_tuned, io_ompio, fcoll.
bool is_mca_name(OpenMpi version, std::string_view name);
// All of them.
std::vector<std::string> mca_names(OpenMpi version);
// Whether it is a name of Open MPI's by its form (ours have a '/' or are single words known here).
bool looks_like_mca(std::string_view name);

// By its framework; nothing: that is not known here.
std::optional<Category> mca_category(std::string_view name);

// A value that Open MPI reads: sizes as bytes ("24KiB" is "24576"), others as they are.
std::string mca_value(const std::string& value);

struct McaExport {
  std::vector<NamedText> settings;  // for that version, each name once
  std::vector<NamedText> left_out;  // name, and why
  std::vector<std::string> notes;   // what was written under another name or value
};

// What of `parameters` that version can be told. `network` is one of networks_of.
McaExport mca_settings(const std::vector<NamedText>& parameters, OpenMpi version,
                       std::string_view network);

// "btl_openib_eager_rdma_num" for "btl_openib_rdma_num", as the dissertation's Table 3.1 has it;
// other names stay.
std::string whole_mca_name(const std::string& name);

// Our name for Open MPI's of any version; nothing where the simulation has no such parameter.
std::optional<std::string> our_name(std::string_view mca_name);

// What is mapped: ours, and the name in each version (empty: has none).
struct MappedName {
  std::string ours;
  std::vector<std::string> theirs;  // by open_mpi_versions
};
std::vector<MappedName> mapped_names();

}  // namespace tutti::studies::tuning
