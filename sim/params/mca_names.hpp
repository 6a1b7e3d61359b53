// SPDX-License-Identifier: BSD-3-Clause
// The names of Open MPI's (MCA) parameters in the supported versions, and the parameters of Tutti
// that they correspond to: lookups in mca_names.toml.
//
// Tutti's parameters are the keys of --set ("mpi/eager_limit"), parameters of collectives
// ("bcast/algorithm", "bcast/segment_size", "bcast/fanout", "bcast/max_requests") and of collective
// I/O ("aggregators", "buffer_size", "implementation"), and "map". `sim params names` prints the
// table.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::tuning {

enum class OpenMpi : unsigned char { v1_8, v4_1, v5_0 };
inline constexpr OpenMpi open_mpi_versions[] = {OpenMpi::v1_8, OpenMpi::v4_1, OpenMpi::v5_0};

std::string_view version_name(OpenMpi version);               // "4.1"
std::optional<OpenMpi> parse_version(std::string_view name);  // "4.1"
// The BTL components that can transfer messages between nodes; the first is the default.
const std::vector<std::string>& network_components(OpenMpi version);

// All known names of that version, sorted: the parameters of the point-to-point components,
// coll_tuned, io_ompio and fcoll.
const std::vector<std::string>& mca_names(OpenMpi version);
bool is_mca_name(OpenMpi version, std::string_view name);
bool is_mca_name(std::string_view name);  // in any version

// The category of a parameter's framework; nothing if the framework is unknown.
std::optional<Category> mca_category(std::string_view name);

// Expands the abbreviations of Table 3.1 of Jha's dissertation: "btl_openib_eager_rdma_num" for
// "btl_openib_rdma_num". Other names are unchanged.
std::string whole_mca_name(const std::string& name);

// Open MPI's name of one of Tutti's parameters, except parameters of collectives. Empty if that
// version does not have the parameter; nothing if no version has it.
std::optional<std::string> mca_name(std::string_view ours, OpenMpi version,
                                    std::string_view network);
// Tutti's name for a parameter of any version of Open MPI; nothing if the simulation does not model
// it.
std::optional<std::string> our_name(std::string_view mca_name);

// A parameter of Tutti, and its name in each version of Open MPI.
struct MappedName {
  std::string ours;
  std::vector<std::string> theirs;  // by open_mpi_versions; empty: the version does not have it
};
std::vector<MappedName> mapped_names();

}  // namespace tutti::studies::tuning

namespace tutti::studies::params {

// Open MPI's mca-params.conf: lines "name = value", '#' comments.

// `comments` are lines of the file's head, without '#'.
std::string mca_file_text(const std::vector<store::NamedText>& settings,
                          const std::vector<std::string>& comments);
// If a name has several values, the last one is used, as in Open MPI.
Result<std::vector<store::NamedText>> read_mca_file(std::string_view text, std::string_view file);

// The environment variable that sets a parameter: OMPI_MCA_name.
std::string mca_variable(const std::string& name);

}  // namespace tutti::studies::params

namespace tutti::studies::tuning {

// Translates Tutti's parameters into parameters of a version of Open MPI. The result contains only
// names that this version has.

using store::NamedText;

// The value in Open MPI's notation: sizes in bytes ("24KiB" becomes "24576"), others unchanged.
std::string mca_value(const std::string& value);

struct McaExport {
  std::vector<NamedText> settings;  // for that version, each name once
  std::vector<NamedText> omitted;   // name and reason, see omission_text
  std::vector<std::string> notes;   // parameters that were written under another name or value
};

// The parameters that this version supports. `network` is one of its network components.
McaExport mca_settings(const std::vector<NamedText>& parameters, OpenMpi version,
                       std::string_view network);

// "bcast/algorithm is omitted: Open MPI 1.8 has no algorithm han".
inline std::string omission_text(const NamedText& omission) {
  return fmt::format("{} is omitted: {}", omission.name, omission.value);
}

}  // namespace tutti::studies::tuning
