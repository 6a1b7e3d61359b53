// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/hints.hpp"

#include "sim/base/text_file.hpp"

namespace tutti::io_models {
namespace {

constexpr std::string_view prefixes[] = {"OMPI_MCA_", "IOR_HINT__MPI__", "IOR_HINT__GPFS__"};

std::string without_prefix(std::string_view name) {
  for (const std::string_view prefix : prefixes)
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return std::string(name);
}

// "NAME = VALUE" or "NAME VALUE": the name ends at a blank or at =.
std::optional<Hint> hint_of(std::string_view text, const std::string& place, int line) {
  text = trim(text);
  auto end = text.find_first_of("= \t");
  if (end != std::string_view::npos) {
    const auto next = text.find_first_not_of(" \t", end);
    if (next != std::string_view::npos && text[next] == '=') end = next;
  }
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  const std::string_view value = trim(text.substr(end + 1));
  const auto is_control = [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7f; };
  if (value.empty() || std::ranges::any_of(text, is_control)) return std::nullopt;
  const std::string_view name = trim(text.substr(0, text.find_first_of("= \t")));
  return Hint{without_prefix(name), std::string(value), place, line};
}

constexpr const char* expected = "expected NAME=VALUE, for example cb_nodes=8";

Error at(const std::string& place, int line, std::string message, std::string hint) {
  Error error = make_error(line > 0 ? ErrorKind::input : ErrorKind::usage, place,
                           std::move(message), std::move(hint));
  error.line = line;
  return error;
}

bool is_size(std::string_view name) {
  return name == "cb_buffer_size" || name == "io_ompio_bytes_per_agg" || name == "striping_unit" ||
         name == "fs_lustre_stripe_size" || name == "ind_wr_buffer_size" ||
         name == "ind_rd_buffer_size";
}

// Collects the values; of several hints of one name, the first one counts.
class HintReader {
 public:
  explicit HintReader(bool writes) : writes_(writes) {}

  void take(const Hint& hint) {
    if (hint.name == "cb_nodes" || hint.name == "io_ompio_num_aggregators" ||
        hint.name == "num_aggregators")
      return take_count(hint, values_.aggregators, &values_.aggregators_name);
    if (hint.name == "cb_buffer_size" || hint.name == "io_ompio_bytes_per_agg")
      return take_size(hint, values_.buffer_bytes, &values_.buffer_name);
    if (hint.name == (writes_ ? "ind_wr_buffer_size" : "ind_rd_buffer_size"))
      return take_size(hint, values_.sieve_bytes);
    if (hint.name == "striping_factor" || hint.name == "fs_lustre_stripe_width")
      return take_count(hint, values_.stripe_count, &values_.stripe_count_name);
    if (hint.name == "striping_unit" || hint.name == "fs_lustre_stripe_size")
      return take_size(hint, values_.stripe_bytes, &values_.stripe_bytes_name);
    if (hint.name == "nc_num_aggrs_per_node") return take_count(hint, values_.node_leaders);
    if (hint.name == "romio_lustre_co_ratio")
      return take_count(hint, values_.aggregators_per_target);
    if (hint.name == "cb_config_list") return take_config_list(hint);
    if (hint.name == "fcoll") return take_component(hint);
    if (hint.name == (writes_ ? "romio_cb_write" : "romio_cb_read")) return take_collective(hint);
    if (hint.name == (writes_ ? "romio_ds_write" : "romio_ds_read"))
      return take_switch(hint, sieves_);
    if (hint.name == "romio_no_indep_rw") return take_switch(hint, only_aggregators_open_);
    if (hint.name != "io" || hint.value != "ompio") values_.unused.push_back(hint.name);
  }

  Result<HintedValues> result() {
    if (!errors_.empty()) return errors_.errors();
    values_.only_aggregators_open = only_aggregators_open_ == true;
    const char* by_itself = sieves_ == false ? "independent" : "data_sieving";
    if (is_collective_ == false)
      values_.implementation = by_itself;
    else if (chooses_)
      values_.unless_interleaved = by_itself;
    else if (sieves_)
      values_.unused.push_back(writes_ ? "romio_ds_write" : "romio_ds_read");
    return values_;
  }

 private:
  void wrong(const Hint& hint, const std::string& what) {
    errors_.add(at(hint.place, hint.line,
                   fmt::format("{}: invalid value {}", hint.name, in_quotes(hint.value)),
                   "expected " + what));
  }

  void take_count(const Hint& hint, std::optional<std::int64_t>& into,
                  std::string* name = nullptr) {
    const auto number = parse_integer(hint.value);
    if (!number || *number < 1 || *number > platforms::most_procs)
      return wrong(hint, fmt::format("a number from 1 to {}", platforms::most_procs));
    if (!into && name != nullptr) *name = hint.name;
    if (!into) into = *number;
  }

  void take_size(const Hint& hint, std::optional<Bytes>& into, std::string* name = nullptr) {
    const auto size = parse_bytes(hint.value);
    if (!size || *size < 1 || *size > Bytes{1} << 50)
      return wrong(hint, "a size from 1 B to 1 PiB");
    if (!into && name != nullptr) *name = hint.name;
    if (!into) into = *size;
  }

  void take_collective(const Hint& hint) {
    const bool is_first = !is_collective_ && !chooses_;
    take_switch(hint, is_collective_);
    if (is_first && hint.value == "automatic") chooses_ = true;
    if (chooses_) is_collective_.reset();
  }

  // on, off or automatic, which means the default here.
  void take_switch(const Hint& hint, std::optional<bool>& into) {
    std::optional<bool> is_on;
    if (hint.value == "enable" || hint.value == "true")
      is_on = true;
    else if (hint.value == "disable" || hint.value == "false")
      is_on = false;
    else if (hint.value != "automatic")
      wrong(hint, "enable, disable or automatic");
    if (!into) into = is_on;
  }

  void take_config_list(const Hint& hint) {
    if (hint.value == "*:1")
      values_.has_aggregator_per_node = true;
    else if (hint.value == "*:*")
      values_.has_first_ranks = true;
    else
      values_.unused.push_back(hint.name + " (other than *:1 and *:*)");
  }

  void take_component(const Hint& hint) {
    const Implementation* found = find_implementation(hint.value);
    if (found == nullptr || !is_of_open_mpi(*found))
      values_.unused.push_back("fcoll " + hint.value);
    else if (!values_.implementation)
      values_.implementation = hint.value;
  }

  bool writes_;
  HintedValues values_;
  std::optional<bool> is_collective_;
  bool chooses_ = false;  // by the accesses
  std::optional<bool> sieves_;
  std::optional<bool> only_aggregators_open_;
  ErrorList errors_;
};

}  // namespace

const std::vector<std::string>& hint_names() {
  static const std::vector<std::string> names{"cb_nodes",
                                              "cb_buffer_size",
                                              "cb_config_list",
                                              "striping_factor",
                                              "striping_unit",
                                              "romio_cb_write",
                                              "romio_cb_read",
                                              "romio_ds_write",
                                              "romio_ds_read",
                                              "romio_lustre_co_ratio",
                                              "romio_no_indep_rw",
                                              "nc_num_aggrs_per_node",
                                              "fcoll",
                                              "io_ompio_num_aggregators",
                                              "io_ompio_bytes_per_agg",
                                              "num_aggregators",
                                              "fs_lustre_stripe_size",
                                              "fs_lustre_stripe_width"};
  return names;
}

bool is_mca_hint(std::string_view name) {
  return name == "fcoll" || name == "num_aggregators" || name.starts_with("io_ompio_") ||
         name.starts_with("fs_lustre_");
}

bool is_of_open_mpi(const Implementation& implementation) {
  return &implementation == &vulcan || &implementation == &dynamic_gen2 ||
         &implementation == &two_phase;
}

std::string name_in_library(std::string_view name, bool is_for_open_mpi) {
  constexpr std::pair<std::string_view, std::string_view> same[] = {
      {"cb_nodes", "io_ompio_num_aggregators"},
      {"cb_buffer_size", "io_ompio_bytes_per_agg"},
      {"striping_factor", "fs_lustre_stripe_width"},
      {"striping_unit", "fs_lustre_stripe_size"}};
  if (name == "num_aggregators") name = "io_ompio_num_aggregators";
  for (const auto& [of_romio, of_open_mpi] : same)
    if (name == of_romio || name == of_open_mpi) name = is_for_open_mpi ? of_open_mpi : of_romio;
  return std::string(name);
}

Result<std::vector<Hint>> parse_hints(std::string_view text, const std::string& place) {
  std::vector<Hint> hints;
  ErrorList errors;
  const auto take = [&](std::string_view part, int line) {
    if (auto hint = hint_of(part, place, line))
      hints.push_back(*std::move(hint));
    else
      errors.add(at(place, line, "invalid hint " + in_quotes(trim(part)), expected));
  };
  if (place.starts_with("--")) {
    for (const std::string_view part : split(text, text.find(';') != text.npos ? ';' : ','))
      if (!trim(part).empty()) take(part, 0);
  } else {
    LineReader lines(text, place);
    while (const auto line = lines.next()) take(line->substr(0, line->find('#')), lines.number());
  }
  if (!errors.empty()) return errors.errors();
  return hints;
}

Result<std::vector<Hint>> read_hint_file(const std::string& path) {
  return parse_hints(TUTTI_TRY(read_text_file(path)), path);
}

Result<std::vector<Hint>> read_hints(const std::string& list_or_file, const std::string& option) {
  return list_or_file.find('=') != std::string::npos ? parse_hints(list_or_file, option)
                                                     : read_hint_file(list_or_file);
}

std::string hint_list(const std::vector<Hint>& hints) {
  std::string list;
  for (const Hint& hint : hints) list += fmt::format("{}={};", hint.name, hint.value);
  return list;
}

Result<HintedValues> values_of(const std::vector<Hint>& hints, bool writes) {
  HintReader reader(writes);
  for (const Hint& hint : hints) reader.take(hint);
  return reader.result();
}

namespace {

constexpr std::string_view for_open_mpi =
    "# For Open MPI: export OMPI_MCA_mca_base_param_files=FILE\nio = ompio\n";
constexpr std::string_view for_romio = "# For ROMIO: export ROMIO_HINTS=FILE\n";

std::string open_mpi_text(const HintedJob& job) {
  std::string text = fmt::format(
      "{}fcoll = {}\nio_ompio_num_aggregators = {}\nio_ompio_bytes_per_agg = {}\n", for_open_mpi,
      job.plan.implementation->name, job.plan.aggregators, job.plan.buffer_bytes);
  if (job.storage.exists())
    text += fmt::format("fs_lustre_stripe_size = {}\nfs_lustre_stripe_width = {}\n",
                        job.storage.stripe_bytes, job.storage.file_targets());
  return text;
}

// Hints of a shuffle: the aggregators and their buffers.
std::string aggregator_text(const HintedJob& job) {
  std::string text = fmt::format("cb_nodes {}\n", job.plan.aggregators);
  if (job.aggregator_placement == "first")
    text += "cb_config_list *:*\n";
  else if (job.aggregator_placement == "nodes")
    text += fmt::format("cb_config_list *:{}\n", (job.plan.aggregators + job.nodes - 1) /
                                                     std::max<std::int64_t>(1, job.nodes));
  else
    text += fmt::format("# no hint places aggregators as {}\n", job.aggregator_placement);
  if (job.plan.implementation->slices != Slices::of_units)
    text += fmt::format("cb_buffer_size {}\n", job.plan.buffer_bytes);
  else if (job.aggregators_per_target != 1)
    text += fmt::format("romio_lustre_co_ratio {}\n", job.aggregators_per_target);
  return text;
}

}  // namespace

std::string hints_file_text(const std::vector<Hint>& hints, bool is_for_open_mpi) {
  std::string text(is_for_open_mpi ? for_open_mpi : for_romio);
  for (const Hint& hint : hints) {
    const auto bytes = is_size(hint.name) ? parse_bytes(hint.value) : Result<Bytes>(Bytes{0});
    text += fmt::format("{}{}{}\n", hint.name, is_for_open_mpi ? " = " : " ",
                        bytes && *bytes > 0 ? fmt::format("{}", *bytes) : hint.value);
  }
  return text;
}

std::string hints_text(const HintedJob& job) {
  const Implementation& implementation = *job.plan.implementation;
  std::string text;
  if (job.node_leaders > 0)
    text += fmt::format("# leaders of nodes are a hint of PnetCDF: nc_num_aggrs_per_node={}\n",
                        job.node_leaders);
  if (is_of_open_mpi(implementation)) return text + open_mpi_text(job);
  const char* operation = job.writes ? "write" : "read";
  text += for_romio;
  if (&implementation == &generic)
    text += "# generic is the model of a dissertation; ROMIO differs in its set-up and domains\n";
  text += fmt::format("romio_cb_{} {}\n", operation,
                      implementation.is_collective ? "enable" : "disable");
  if (implementation.is_collective)
    text += aggregator_text(job);
  else
    text += fmt::format("romio_ds_{} {}\n", operation,
                        &implementation == &data_sieving ? "enable" : "disable");
  if (&implementation == &data_sieving)
    text += fmt::format("ind_{}_buffer_size {}\n", job.writes ? "wr" : "rd", job.plan.buffer_bytes);
  if (job.only_aggregators_open) text += "romio_no_indep_rw true\n";
  if (job.storage.exists())
    text += fmt::format("striping_factor {}\nstriping_unit {}\n", job.storage.file_targets(),
                        job.storage.stripe_bytes);
  return text;
}

}  // namespace tutti::io_models
