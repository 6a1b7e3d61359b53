// SPDX-License-Identifier: BSD-3-Clause
// Hints of MPI-IO by their names: those of ROMIO (cb_nodes, romio_cb_write, ...; its user's guide
// and MPICH 4.0, adio/common/ad_hints.c) and the MCA parameters of Open MPI's OMPIO.
#pragma once

#include <span>
#include <variant>

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

// The value of a hint; unset: not given.
template <class Value>
struct Hinted : std::optional<Value> {
  Hint hint = {};  // that set it
};
enum class HintSwitch : std::uint8_t { off, on, automatic };

// The meaning of hints in the simulation.
struct HintedValues {
  Hinted<std::int64_t> aggregators;
  Hinted<std::string> config_list;
  Hinted<Bytes> buffer_bytes;
  Hinted<Bytes> sieve_bytes;  // of the operation
  Hinted<std::int64_t> stripe_count;
  Hinted<Bytes> stripe_bytes;
  Hinted<std::int64_t> node_leaders;
  Hinted<std::int64_t> aggregators_per_target;
  Hinted<HintSwitch> collective_buffering;
  Hinted<HintSwitch> data_sieving;
  Hinted<HintSwitch> no_independent_opens;
  Hinted<std::string> component;  // of Open MPI
  // Follow from the others:
  bool has_first_ranks = false;          // cb_config_list *:*
  bool has_aggregator_per_node = false;  // cb_config_list *:1
  bool only_aggregators_open = false;
  // ROMIO's way of access without collective buffering.
  std::optional<std::string> without_buffering;
  // ROMIO's if the accesses of the ranks do not interleave: romio_cb_write or romio_cb_read is
  // automatic.
  std::optional<std::string> unless_interleaved;
  std::vector<std::string> unused;  // hints without an effect here, and why
};

enum class HintLibrary : std::uint8_t { of_romio, of_open_mpi };
enum class HintKind : std::uint8_t { not_simulated, count, size, on_off, word };

// A hint of ROMIO, or an MCA parameter of Open MPI's OMPIO. Hints that set the same value have the
// same meaning.
struct HintSpec {
  std::string_view name;
  HintLibrary library = HintLibrary::of_romio;
  HintKind kind = HintKind::not_simulated;
  // The member that the hint sets, sizes in bytes; monostate for hints that are not simulated.
  std::variant<std::monostate, Hinted<std::int64_t> HintedValues::*,
               Hinted<HintSwitch> HintedValues::*, Hinted<std::string> HintedValues::*>
      sets = {};
  // The values of a word that mean something here; off and on of a switch, unless disable, enable.
  std::string_view words = {};
  std::optional<bool> writes = {};  // the only operation that it changes; unset: both

  bool is_simulated() const { return kind != HintKind::not_simulated; }
  bool changes(bool a_write) const { return is_simulated() && writes.value_or(a_write) == a_write; }
};

// All known hints. Names do not have prefixes.
std::span<const HintSpec> hint_specs();
// The hint of this name; null if it is unknown.
const HintSpec* find_hint(std::string_view name);
// Whether Open MPI's OMPIO has this hint, as an MCA parameter, instead of ROMIO.
bool is_mca_hint(std::string_view name);
// Of two hints with one meaning, the first one counts, as in ROMIO; but the last of two values of
// an MCA parameter, as in Open MPI's files.
bool replaces_earlier(const Hint& earlier, const Hint& later);
// The components of Open MPI, which the hint `fcoll` names; others are those of ROMIO.
bool is_of_open_mpi(const Implementation& implementation);
// A hint's name in ROMIO or in Open MPI, if both have hints with its meaning.
std::string name_in_library(std::string_view name, bool is_for_open_mpi);

// A switch in ROMIO's words; other values, also invalid ones, as they are.
std::string normal_value(const HintSpec& spec, const std::string& value);
// Whether the simulation knows the value, or it is not a word.
bool is_simulated_word(const HintSpec& spec, std::string_view value);

// `writes`: the operation. `given`: the implementation, if any, which may ignore hints of another
// library. Errors: invalid values.
Result<HintedValues> values_of(const std::vector<Hint>& hints, bool writes,
                               std::string_view given = {});

// The implementation that hints choose within the library of an implementation (empty: none is
// given, and a component of Open MPI counts); unset: none. Those of the other library are unused.
std::optional<std::string> chosen_implementation(HintedValues& values, std::string_view given);

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
