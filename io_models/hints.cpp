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
  if (value.empty() || value.front() == '=' || std::ranges::any_of(text, is_control))
    return std::nullopt;
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

using Values = HintedValues;
constexpr auto romio_hint = HintLibrary::of_romio;
constexpr auto open_mpi_hint = HintLibrary::of_open_mpi;
constexpr std::optional<bool> of_writes = true;
constexpr std::optional<bool> of_reads = false;

// Of ROMIO and its drivers (MPICH 4.0), PnetCDF, the MPI standard's reserved ones, and OMPIO 4.1. A
// name of ROMIO is before that of Open MPI with the same meaning.
constexpr HintSpec simulated_specs[] = {
    {"cb_nodes", romio_hint, HintKind::count, &Values::aggregators},
    {"cb_buffer_size", romio_hint, HintKind::size, &Values::buffer_bytes},
    {"cb_config_list", romio_hint, HintKind::word, &Values::config_list, "*:1 *:*"},
    {"striping_factor", romio_hint, HintKind::count, &Values::stripe_count},
    {"striping_unit", romio_hint, HintKind::size, &Values::stripe_bytes},
    {"romio_cb_write", romio_hint, HintKind::on_off, &Values::collective_buffering, "", of_writes},
    {"romio_cb_read", romio_hint, HintKind::on_off, &Values::collective_buffering, "", of_reads},
    {"romio_ds_write", romio_hint, HintKind::on_off, &Values::data_sieving, "", of_writes},
    {"romio_ds_read", romio_hint, HintKind::on_off, &Values::data_sieving, "", of_reads},
    {"ind_wr_buffer_size", romio_hint, HintKind::size, &Values::sieve_bytes, "", of_writes},
    {"ind_rd_buffer_size", romio_hint, HintKind::size, &Values::sieve_bytes, "", of_reads},
    {"romio_lustre_co_ratio", romio_hint, HintKind::count, &Values::aggregators_per_target},
    {"romio_no_indep_rw", romio_hint, HintKind::on_off, &Values::no_independent_opens,
     "false true"},
    {"nc_num_aggrs_per_node", romio_hint, HintKind::count, &Values::node_leaders},
    {"fcoll", open_mpi_hint, HintKind::word, &Values::component, "vulcan dynamic_gen2 two_phase"},
    {"io_ompio_num_aggregators", open_mpi_hint, HintKind::count, &Values::aggregators},
    {"num_aggregators", open_mpi_hint, HintKind::count, &Values::aggregators},
    {"io_ompio_bytes_per_agg", open_mpi_hint, HintKind::size, &Values::buffer_bytes},
    {"fs_lustre_stripe_size", open_mpi_hint, HintKind::size, &Values::stripe_bytes},
    {"fs_lustre_stripe_width", open_mpi_hint, HintKind::count, &Values::stripe_count}};

// Hints without an effect here.
constexpr std::string_view romio_words =
    "access_style cb_block_size chunked collective_buffering deferred_open direct_io direct_read "
    "direct_write file_perm nb_proc no_locks num_io_nodes romio_cb_alltoall romio_cb_ds_threshold "
    "romio_cb_fr_alignment romio_cb_fr_types romio_cb_pfr romio_lustre_coll_threshold "
    "romio_lustre_ds_in_coll romio_lustre_start_iodevice romio_min_fdomain_size "
    "romio_synchronized_flush romio_visibility_immediate start_iodevice";
constexpr std::string_view open_mpi_words =
    "io io_ompio_cycle_buffer_size io_ompio_grouping_option io_ompio_max_aggregators_ratio "
    "io_ompio_aggregators_cutoff_threshold io_ompio_sharedfp_lazy_open io_ompio_overwrite_amode "
    "fcoll_dynamic_gen2_write_chunksize fcoll_vulcan_write_chunksize fcoll_vulcan_async_io "
    "fs_ufs_lock_algorithm";

std::optional<HintSwitch> switch_of(std::string_view value) {
  if (value == "enable" || value == "true") return HintSwitch::on;
  if (value == "disable" || value == "false") return HintSwitch::off;
  if (value == "automatic") return HintSwitch::automatic;
  return std::nullopt;
}

// Collects the values.
class HintReader {
 public:
  // `by`: null if unknown.
  HintReader(bool writes, const Implementation* by) : writes_(writes), by_(by) {}

  void take(const Hint& hint) {
    if (hint.name == "io" && hint.value == "ompio") return;
    const HintSpec* spec = find_hint(hint.name);
    if (spec == nullptr) {
      const auto near = did_you_mean(hint.name, collect_names(hint_specs(), &HintSpec::name));
      return ignore(hint, near.empty() ? "unknown" : fmt::format("unknown, {}", near));
    }
    if (!spec->is_simulated()) return ignore(hint, "not simulated");
    if (!spec->changes(writes_)) return ignore(hint, writes_ ? "of reads" : "of writes");
    if (is_unread(*spec)) return ignore(hint, fmt::format("with {}", by_->name));
    switch (spec->kind) {
      case HintKind::count:
      case HintKind::size:
        return take_number(hint, *spec);
      case HintKind::on_off:
        return take_switch(hint, *spec);
      default:
        return take_word(hint, *spec);
    }
  }

  Result<HintedValues> result() {
    if (!errors_.empty()) return errors_.errors();
    values_.has_first_ranks = values_.config_list == "*:*";
    values_.has_aggregator_per_node = values_.config_list == "*:1";
    values_.only_aggregators_open = values_.no_independent_opens == HintSwitch::on;
    const auto& sieving = values_.data_sieving;
    const char* by_itself = sieving == HintSwitch::off ? "independent" : "data_sieving";
    if (values_.collective_buffering == HintSwitch::off)
      values_.without_buffering = by_itself;
    else if (values_.collective_buffering == HintSwitch::automatic)
      values_.unless_interleaved = by_itself;
    else if (sieving && sieving != HintSwitch::automatic)
      ignore(sieving.hint);
    return values_;
  }

 private:
  void ignore(const Hint& hint, const std::string& why = "") {
    const std::string place =
        hint.line > 0 ? fmt::format("{}:{}: ", hint.place, hint.line) : std::string();
    values_.unused.push_back(place + hint.name + (why.empty() ? "" : fmt::format(" ({})", why)));
  }

  // Whether the library of the implementation does not read a hint that others do.
  bool is_unread(const HintSpec& spec) const {
    if (by_ == &romio || by_ == &romio_lustre)
      return spec.library == open_mpi_hint && spec.name != "fcoll";
    if (by_ == &dynamic_gen2 && spec.name == "cb_nodes") return true;
    return by_ != nullptr && is_of_open_mpi(*by_) &&
           (spec.name == "cb_config_list" || spec.name == "romio_no_indep_rw");
  }

  void wrong(const Hint& hint, const std::string& what) {
    errors_.add(at(hint.place, hint.line,
                   fmt::format("{}: invalid value {}", hint.name, in_quotes(hint.value)),
                   "expected " + what));
  }

  template <class Value>
  void set(const Hint& hint, const HintSpec& spec, Value value) {
    auto& into = values_.*std::get<Hinted<Value> HintedValues::*>(spec.sets);
    const bool replaces = replaces_earlier(into.hint, hint);
    if (into && *into != value) {
      const Hint& unused = replaces ? into.hint : hint;
      const Hint& used = replaces ? hint : into.hint;
      ignore(unused, fmt::format("{} {} {}={}", unused.value, replaces ? "before" : "after",
                                 used.name, used.value));
    }
    if (into && !replaces) return;
    into.emplace(std::move(value));
    into.hint = hint;
  }

  void take_number(const Hint& hint, const HintSpec& spec) {
    const bool is_size = spec.kind == HintKind::size;
    const auto number = is_size ? parse_bytes(hint.value) : parse_integer(hint.value);
    const std::int64_t most = is_size ? Bytes{1} << 50 : platforms::most_procs;
    if (number && *number >= 1 && *number <= most) return set(hint, spec, *number);
    wrong(hint, is_size ? "a size from 1 B to 1 PiB" : fmt::format("a number from 1 to {}", most));
  }

  void take_switch(const Hint& hint, const HintSpec& spec) {
    if (const auto value = switch_of(hint.value)) return set(hint, spec, *value);
    wrong(hint, "enable, disable or automatic");
  }

  void take_word(const Hint& hint, const HintSpec& spec) {
    if (is_simulated_word(spec, hint.value)) return set(hint, spec, hint.value);
    ignore(hint,
           fmt::format("{}, other than {}", hint.value, fmt::join(split(spec.words, ' '), ", ")));
  }

  bool writes_;
  const Implementation* by_;
  HintedValues values_;
  ErrorList errors_;
};

}  // namespace

std::span<const HintSpec> hint_specs() {
  static const std::vector<HintSpec> specs = [] {
    std::vector<HintSpec> all(std::begin(simulated_specs), std::end(simulated_specs));
    for (const std::string_view name : split(romio_words, ' ')) all.push_back({name});
    for (const std::string_view name : split(open_mpi_words, ' '))
      all.push_back({name, open_mpi_hint});
    return all;
  }();
  return specs;
}

const HintSpec* find_hint(std::string_view name) {
  const auto specs = hint_specs();
  const auto spec = std::ranges::find(specs, name, &HintSpec::name);
  return spec == specs.end() ? nullptr : &*spec;
}

bool is_mca_hint(std::string_view name) {
  const auto* spec = find_hint(name);
  return spec != nullptr && spec->library == open_mpi_hint;
}

bool replaces_earlier(const Hint& earlier, const Hint& later) {
  return earlier.name == later.name && is_mca_hint(later.name);
}

bool is_of_open_mpi(const Implementation& implementation) {
  return &implementation == &vulcan || &implementation == &dynamic_gen2 ||
         &implementation == &two_phase;
}

std::string name_in_library(std::string_view name, bool is_for_open_mpi) {
  const auto* given = find_hint(name);
  if (given == nullptr || !given->is_simulated()) return std::string(name);
  const auto* same = std::ranges::find_if(simulated_specs, [&](const HintSpec& spec) {
    return spec.sets == given->sets && (spec.library == open_mpi_hint) == is_for_open_mpi &&
           spec.writes == given->writes;
  });
  return std::string(same == std::end(simulated_specs) ? name : same->name);
}

std::string normal_value(const HintSpec& spec, const std::string& value) {
  const auto set = switch_of(value);
  if (spec.kind != HintKind::on_off || !set) return value;
  if (set == HintSwitch::automatic) return "automatic";
  const auto words = split(spec.words.empty() ? "disable enable" : spec.words, ' ');
  return std::string(words.at(set == HintSwitch::on ? 1 : 0));
}

bool is_simulated_word(const HintSpec& spec, std::string_view value) {
  return spec.kind != HintKind::word || std::ranges::count(split(spec.words, ' '), value) > 0;
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

Result<HintedValues> values_of(const std::vector<Hint>& hints, bool writes,
                               std::string_view given) {
  const auto last = std::ranges::find(hints.rbegin(), hints.rend(), "fcoll", &Hint::name);
  if (given.empty() && last != hints.rend()) given = last->value;
  HintReader reader(writes, find_implementation(given));
  for (const Hint& hint : hints) reader.take(hint);
  return reader.result();
}

std::optional<std::string> chosen_implementation(HintedValues& values, std::string_view given) {
  const auto& component = values.component;
  const auto& way = values.without_buffering;
  if (given.empty() && component) given = *component;
  const Implementation* library = given.empty() ? &romio : find_implementation(given);
  const bool is_open_mpi = library != nullptr && is_of_open_mpi(*library);
  const bool is_romio = library != nullptr && !is_open_mpi;
  const auto drop = [&](const Hint& hint) {
    values.unused.push_back(
        fmt::format("{} {} (with --implementation {})", hint.name, hint.value, given));
  };
  if (component && !is_open_mpi) drop(component.hint);
  if (way && !is_romio) {
    drop(values.collective_buffering.hint);
    if (values.data_sieving) drop(values.data_sieving.hint);
  }
  if (component && is_open_mpi) return *component;
  return is_romio ? way : std::nullopt;
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
    const HintSpec* spec = find_hint(hint.name);
    const bool is_size = spec != nullptr && spec->kind == HintKind::size;
    const auto bytes = is_size ? parse_bytes(hint.value) : Result<Bytes>(Bytes{0});
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
