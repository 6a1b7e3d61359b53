// SPDX-License-Identifier: BSD-3-Clause
// Hints of MPI-IO by their names: those of ROMIO (cb_nodes, romio_cb_write, ...; its user's guide
// and MPICH 4.0, adio/common/ad_hints.c) and the MCA parameters of Open MPI's OMPIO.
#pragma once

#include "io_models/implementations/plan.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

struct Hint {
  std::string name;
  std::string value;
  std::string place;  // of errors
  int line = 0;       // of a file
};

// Parses "cb_nodes=8;romio_cb_write=disable" (separated by ; or ,) or the lines of a file: "NAME
// VALUE" as ROMIO reads it (ROMIO_HINTS), or "NAME = VALUE" as in Open MPI's MCA parameter files.
// Prefixes such as OMPI_MCA_ and IOR_HINT__MPI__ are removed. `place`: of errors.
Result<std::vector<Hint>> parse_hints(std::string_view text, const std::string& place);
// Reads a file, or a list if the text contains =, whose errors name `option`.
Result<std::vector<Hint>> read_hint_file(const std::string& path);
Result<std::vector<Hint>> read_hints(const std::string& list_or_file, const std::string& option);
// "NAME=VALUE;" for each.
std::string hint_list(const std::vector<Hint>& hints);

// The names of hints that mean something here, each once; prefixes are removed.
const std::vector<std::string>& hint_names();
// Whether Open MPI's OMPIO has this hint, as an MCA parameter, instead of ROMIO.
bool is_mca_hint(std::string_view name);
// The components of Open MPI, which the hint `fcoll` names; others are those of ROMIO.
bool is_of_open_mpi(const Implementation& implementation);
// A hint's name in ROMIO or in Open MPI, if both have hints with its meaning.
std::string name_in_library(std::string_view name, bool is_for_open_mpi);

// What hints mean here. Unset: not given. The names are those of the hints that set a value.
struct HintedValues {
  std::optional<std::int64_t> aggregators;
  std::string aggregators_name;
  bool has_first_ranks = false;          // cb_config_list *:*
  bool has_aggregator_per_node = false;  // cb_config_list *:1
  std::optional<Bytes> buffer_bytes;
  std::string buffer_name;
  std::optional<Bytes> sieve_bytes;  // of the operation: ind_wr_buffer_size, ind_rd_buffer_size
  std::optional<std::int64_t> stripe_count;
  std::string stripe_count_name;
  std::optional<Bytes> stripe_bytes;
  std::string stripe_bytes_name;
  std::optional<std::int64_t> node_leaders;
  std::optional<std::int64_t> aggregators_per_target;
  std::optional<std::string> implementation;
  // ROMIO's if the accesses of the ranks do not interleave: romio_cb_write or romio_cb_read is
  // automatic.
  std::optional<std::string> unless_interleaved;
  bool only_aggregators_open = false;  // romio_no_indep_rw
  std::vector<std::string> unused;     // hints without an effect here
};
// `writes`: the operation. Of several hints of one name, the first one counts. Errors: invalid
// values.
Result<HintedValues> values_of(const std::vector<Hint>& hints, bool writes);

// Hints as a file: for ROMIO_HINTS, or for Open MPI an MCA parameter file. Sizes become numbers.
std::string hints_file_text(const std::vector<Hint>& hints, bool is_for_open_mpi);

// The hints that make a library do what was simulated: a file for ROMIO_HINTS, or for Open MPI's
// components an MCA parameter file.
struct HintedJob {
  PlanArgs plan;
  StorageSpec storage = {};
  bool writes = true;
  std::string aggregator_placement = {};  // as in placement_names; other texts have no hint
  std::int64_t nodes = 1;
  int node_leaders = 0;
  int aggregators_per_target = 1;
  bool only_aggregators_open = false;
};
std::string hints_text(const HintedJob& job);

}  // namespace tutti::io_models
