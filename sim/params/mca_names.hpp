// SPDX-License-Identifier: BSD-3-Clause
// The names of Open MPI's (MCA) parameters in the versions that are told apart, and which of our
// parameters they are: lookups in mca_names.toml.
//
// Ours are those of --set ("mpi/eager_limit"), of collectives ("bcast/algorithm",
// "bcast/segment_size", "bcast/fanout", "bcast/max_requests") and of collective I/O ("aggregators",
// "buffer_size", "implementation"), "map"; README.md has the table.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::tuning {

enum class OpenMpi : unsigned char { v1_8, v4_1, v5_0 };
inline constexpr OpenMpi open_mpi_versions[] = {OpenMpi::v1_8, OpenMpi::v4_1, OpenMpi::v5_0};

std::string_view version_name(OpenMpi version);            // "4.1"
std::optional<OpenMpi> version_of(std::string_view name);  // of "4.1"
// The components (btl) that can carry messages between nodes; the first is the usual one.
const std::vector<std::string>& networks_of(OpenMpi version);
const std::string& romio_of(OpenMpi version);  // its component of MPI-IO: "romio321"

// All names of that version that are known here, sorted: the parameters of point-to-point
// components, coll_tuned, io_ompio, fcoll.
const std::vector<std::string>& mca_names(OpenMpi version);
bool is_mca_name(OpenMpi version, std::string_view name);
bool is_mca_name(std::string_view name);  // of any version

// By its framework; nothing: that is not known here.
std::optional<Category> mca_category(std::string_view name);

// "btl_openib_eager_rdma_num" for "btl_openib_rdma_num", as the dissertation's Table 3.1 has it;
// other names stay.
std::string whole_mca_name(const std::string& name);

// Of our parameter that is no collective's; empty where that version has none. Nothing: Open MPI
// has no such parameter.
std::optional<std::string> mca_name(std::string_view ours, OpenMpi version,
                                    std::string_view network);
// Our name for Open MPI's of any version; nothing where the simulation has no such parameter.
std::optional<std::string> our_name(std::string_view mca_name);

// What is mapped: ours, and the name in each version (empty: has none).
struct MappedName {
  std::string ours;
  std::vector<std::string> theirs;  // by open_mpi_versions
};
std::vector<MappedName> mapped_names();

// The table, as it is written.
std::string_view mca_names_toml();

}  // namespace tutti::studies::tuning

namespace tutti::studies::params {

// Open MPI's mca-params.conf: lines "name = value", '#' comments.

// `comments`: lines for its head, without '#'.
std::string mca_file_text(const std::vector<store::NamedText>& settings,
                          const std::vector<std::string>& comments);
// A name that stands again has the later value, as in Open MPI.
Result<std::vector<store::NamedText>> read_mca_file(std::string_view text, std::string_view file);

// Assignments for a shell: export OMPI_MCA_name=value.
std::string mca_variable(const std::string& name);

}  // namespace tutti::studies::params

namespace tutti::studies::tuning {

// Our parameters as those that a version of Open MPI reads. Only names that it has are ever given.

using store::NamedText;

// A value that Open MPI reads: sizes as bytes ("24KiB" is "24576"), others as they are.
std::string mca_value(const std::string& value);

struct McaExport {
  std::vector<NamedText> settings;  // for that version, each name once
  std::vector<NamedText> omitted;   // name, and why
  std::vector<std::string> notes;   // what was written under another name or value
};

// What of `parameters` that version can be told. `network` is one of networks_of.
McaExport mca_settings(const std::vector<NamedText>& parameters, OpenMpi version,
                       std::string_view network);

}  // namespace tutti::studies::tuning
