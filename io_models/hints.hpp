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

// What hints mean here. Unset: not given.
struct HintedValues {
  std::optional<std::int64_t> aggregators;
  bool has_first_ranks = false;          // cb_config_list *:*
  bool has_aggregator_per_node = false;  // cb_config_list *:1
  std::optional<Bytes> buffer_bytes;
  std::optional<std::int64_t> stripe_count;
  std::optional<Bytes> stripe_bytes;
  std::optional<std::int64_t> aggregators_per_target;
  std::optional<std::string> implementation;
  bool only_aggregators_open = false;  // romio_no_indep_rw
  std::vector<std::string> unused;     // hints without an effect here
};
// `writes`: the operation. Of several hints of one name, the first one counts. Errors: invalid
// values.
Result<HintedValues> values_of(const std::vector<Hint>& hints, bool writes);

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
