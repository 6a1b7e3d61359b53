// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/parameters/keys.hpp"

#include "platforms/parameters/simgrid_keys.hpp"
#include "platforms/topologies/fat_tree.hpp"

namespace tutti::platforms {
namespace {

struct Key {
  std::string_view name;
  ValueKind kind;
};

// mpi/NAME between nodes, mpi/intra_NAME inside a node.
constexpr std::array protocol_keys = {
    Key{"eager_limit", ValueKind::limit},
    Key{"detached_limit", ValueKind::limit},
    Key{"send_overhead", ValueKind::overhead},
    Key{"isend_overhead", ValueKind::overhead},
    Key{"recv_overhead", ValueKind::overhead},
    Key{"gap", ValueKind::overhead},
    Key{"gap_per_byte", ValueKind::time_per_byte},
    Key{"nic_order", ValueKind::nic_order},
    Key{"latency_factor", ValueKind::latency_factor},
    Key{"bandwidth_factor", ValueKind::bandwidth_factor},
    Key{"efficiency", ValueKind::bandwidth_factor},
    Key{"envelope", ValueKind::bytes},
    Key{"window", ValueKind::fragment},
    Key{"rendezvous", ValueKind::rendezvous},
    Key{"rendezvous_overhead", ValueKind::surcharge},
    Key{"extra_latency", ValueKind::curve},
    Key{"scale_latency", ValueKind::surcharge},
    Key{"copy_bandwidth", ValueKind::optional_bandwidth},
    Key{"copy_limit", ValueKind::limit},
    Key{"eager_credits", ValueKind::optional_count},
    Key{"fragment_size", ValueKind::fragment},
    Key{"pipeline_depth", ValueKind::optional_count},
    Key{"fragment_overhead", ValueKind::overhead},
};
constexpr std::array other_keys = {
    Key{"mpi/ppn", ValueKind::count},
    Key{"mpi/job_nodes", ValueKind::name},
    Key{"mpi/intra_node", ValueKind::intra_node},
    Key{"mpi/intra_bandwidth", ValueKind::bandwidth},
    Key{"mpi/rank_bandwidth", ValueKind::optional_bandwidth},
    Key{"mpi/rank_receive_bandwidth", ValueKind::optional_bandwidth},
    Key{"mpi/bus_bandwidth", ValueKind::rate},
    Key{"mpi/bus_limit", ValueKind::limit},
    Key{"mpi/bus_latency", ValueKind::time},
    Key{"mpi/sockets", ValueKind::count},
    Key{"mpi/socket_bandwidth", ValueKind::bandwidth},
    Key{"mpi/socket_link_bandwidth", ValueKind::optional_bandwidth},
    Key{"mpi/socket_link_latency", ValueKind::time},
    Key{"mpi/rail_sockets", ValueKind::name},
    Key{"mpi/routing", ValueKind::name},
    Key{"mpi/adaptive_paths", ValueKind::name},
    Key{"mpi/rails", ValueKind::name},
    Key{"mpi/background", ValueKind::name},
    Key{"mpi/combine_bandwidth", ValueKind::rate},
    Key{"mpi/local_copy_bandwidth", ValueKind::rate},
    Key{"mpi/allocation_bandwidth", ValueKind::rate},
    Key{"mpi/memory_bandwidth", ValueKind::rate},
    Key{"mpi/piece_overhead", ValueKind::time},
    Key{"mpi/arrival_skew", ValueKind::time},
    Key{"mpi/hardware_collectives", ValueKind::collectives},
    Key{"mpi/hardware_latency", ValueKind::time},
    Key{"mpi/hardware_bandwidth", ValueKind::bandwidth},
    Key{"mpi/hardware_barrier", ValueKind::time},
    Key{"link/bandwidth", ValueKind::bandwidth},
    Key{"link/latency", ValueKind::time},
    Key{"topology/rails", ValueKind::count},
    Key{"topology/rail_order", ValueKind::rail_order},
    Key{"torus/dimensions", ValueKind::name},
    Key{"torus/network_axes", ValueKind::count},
    Key{"backbone/bandwidth", ValueKind::bandwidth},
    Key{"backbone/latency", ValueKind::time},
    Key{"accuracy/nodes", ValueKind::count},
    Key{"accuracy/ppn", ValueKind::count},
    Key{"accuracy/runs", ValueKind::count},
    Key{"accuracy/message_size", ValueKind::limit},
    Key{"model/hockney/latency", ValueKind::time},
    Key{"model/hockney/bandwidth", ValueKind::bandwidth},
    Key{"model/loggp", ValueKind::name},
    Key{"smpi/async-small-thresh", ValueKind::threshold},
    Key{"smpi/send-is-detached-thresh", ValueKind::threshold},
    Key{"smpi/os", ValueKind::smpi_overhead},
    Key{"smpi/ois", ValueKind::smpi_overhead},
    Key{"smpi/or", ValueKind::smpi_overhead},
    Key{"smpi/lat-factor", ValueKind::smpi_latency_factor},
    Key{"smpi/bw-factor", ValueKind::smpi_bandwidth_factor},
    Key{"network/latency-factor", ValueKind::smpi_latency_factor},
    Key{"network/loopback-bw", ValueKind::bandwidth},
    Key{"network/loopback-lat", ValueKind::time},
    Key{"network/bandwidth-factor", ValueKind::smpi_bandwidth_factor},
    Key{"network/TCP-gamma", ValueKind::tcp_window},
    Key{"network/crosstraffic", ValueKind::yes_or_no},
};
// link/LEVEL/NAME. A level is one of these, or one of the numbered ones with a number from 1 on.
constexpr std::array level_parameters = {Key{"bandwidth", ValueKind::bandwidth},
                                         Key{"latency", ValueKind::time}};
constexpr std::array<std::string_view, 3> named_levels = {"node", "local", "global"};
constexpr std::array<std::string_view, 2> numbered_levels = {"level", "dimension"};

constexpr std::array loggp_parameters = {Key{"L", ValueKind::time}, Key{"o", ValueKind::time},
                                         Key{"g", ValueKind::overhead},
                                         Key{"G", ValueKind::time_per_byte}};

constexpr std::array accuracy_of = {
    "all",      "bcast",     "allgather", "allgatherv",     "allreduce",
    "alltoall", "alltoallv", "barrier",   "gather",         "gatherv",
    "scatter",  "scatterv",  "reduce",    "reduce_scatter", "reduce_scatter_block",
    "scan",     "exscan"};

constexpr std::string_view inter_prefix = "mpi/";
constexpr std::string_view intra_prefix = "mpi/intra_";
constexpr std::string_view loggp_prefix = "model/loggp/";
constexpr std::string_view accuracy_prefix = "accuracy/";
constexpr std::string_view link_prefix = "link/";
constexpr std::string_view info_prefix = "info/";  // informational: description, source

template <class Table>
std::optional<ValueKind> look_up(const Table& table, std::string_view name) {
  for (const auto& key : table)
    if (key.name == name) return key.kind;
  return std::nullopt;
}

bool is_level(std::string_view level) {
  if (std::ranges::find(named_levels, level) != named_levels.end()) return true;
  return std::ranges::any_of(numbered_levels, [&](std::string_view prefix) {
    if (!level.starts_with(prefix)) return false;
    const auto number = parse_integer(level.substr(prefix.size()));
    return number && *number >= 1 && *number <= std::int64_t{most_levels};
  });
}

// Of a level of links; unset for other keys.
std::optional<ValueKind> level_kind(std::string_view key) {
  if (!key.starts_with(link_prefix)) return std::nullopt;
  key.remove_prefix(link_prefix.size());
  const auto slash = key.find('/');
  if (slash == std::string_view::npos || !is_level(key.substr(0, slash))) return std::nullopt;
  return look_up(level_parameters, key.substr(slash + 1));
}

bool looks_like_ours(std::string_view key) {
  constexpr std::array prefixes = {"mpi/",   "link/",  "backbone/",           "topology/",
                                   "torus/", "model/", accuracy_prefix.data()};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return key.starts_with(prefix); });
}

// The parameters of the LogGP set that `like` names; empty for an invalid name.
std::vector<std::string> keys_of_set(std::string_view like) {
  std::vector<std::string> keys;
  for (const auto& parameter : loggp_parameters) {
    auto key = std::string(like.substr(0, like.rfind('/') + 1)).append(parameter.name);
    if (loggp_key(key)) keys.push_back(std::move(key));
  }
  return keys;
}

struct PiecewiseSyntax {
  ValueKind kind;
  PiecewiseKind value;
  SectionOrder order = SectionOrder::ascending;
};
constexpr PiecewiseSyntax piecewise_kinds[] = {
    {ValueKind::overhead, PiecewiseKind::overhead},
    {ValueKind::smpi_overhead, PiecewiseKind::overhead, SectionOrder::any},
    {ValueKind::surcharge, PiecewiseKind::surcharge},
    {ValueKind::curve, PiecewiseKind::curve},
    {ValueKind::latency_factor, PiecewiseKind::latency_factor},
    {ValueKind::smpi_latency_factor, PiecewiseKind::latency_factor, SectionOrder::any},
    {ValueKind::bandwidth_factor, PiecewiseKind::bandwidth_factor},
    {ValueKind::smpi_bandwidth_factor, PiecewiseKind::bandwidth_factor, SectionOrder::any},
    {ValueKind::rate, PiecewiseKind::rate},
    {ValueKind::accuracy, PiecewiseKind::accuracy}};

Result<std::optional<double>> parse_optional_bandwidth(std::string_view text) {
  if (text == "none") return std::optional<double>();
  return std::optional(TUTTI_TRY(parse_bandwidth(text)));
}

Result<int> parse_count(std::string_view text) {
  constexpr std::int64_t greatest_count = 1'000'000;
  const auto count = TUTTI_TRY(parse_integer(text));
  if (count < 1 || count > greatest_count)
    return make_error(ErrorKind::input, "",
                      fmt::format("{} is out of range: 1 to {}", count, greatest_count));
  return static_cast<int>(count);
}

// "none": 0.
Result<int> parse_optional_count(std::string_view text) {
  if (text == "none") return 0;
  const auto count = parse_count(text);
  if (count) return count;
  return make_error(ErrorKind::input, "", count.error().message, "'none' sets no limit");
}

Result<Bytes> parse_fragment(std::string_view text) {
  const auto bytes = parse_limit(text);
  if (bytes && *bytes == 0)
    return make_error(ErrorKind::input, "", "it must have at least 1 byte", "'none' sets no limit");
  return bytes;
}

Result<Bytes> parse_envelope(std::string_view text) {
  constexpr Bytes most = Bytes{1} << 30;
  const Bytes bytes = TUTTI_TRY(parse_bytes(text));
  if (bytes <= most) return bytes;
  return make_error(
      ErrorKind::input, "",
      fmt::format("{} is out of range: 0 to {}", in_quotes(text), format_bytes(most)));
}

template <class T>
using Choices = std::initializer_list<std::pair<const char*, T>>;

template <class T>
Result<T> parse_choice(std::string_view text, Choices<T> choices) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (text == name) return value;
    names.emplace_back(name);
  }
  const auto but_last = std::span(names).first(names.size() - 1);
  return make_error(ErrorKind::input, "",
                    fmt::format("invalid value {}: expected {} or {}", in_quotes(text),
                                fmt::join(but_last, ", "), names.back()),
                    did_you_mean(text, names));
}

Result<bool> parse_yes_or_no(std::string_view text) {
  return parse_choice<bool>(text, {{"yes", true},
                                   {"no", false},
                                   {"on", true},
                                   {"off", false},
                                   {"true", true},
                                   {"false", false},
                                   {"1", true},
                                   {"0", false}});
}

// 0 bytes: -1, no limit.
Result<Bytes> parse_tcp_window(std::string_view text) {
  const double bytes = TUTTI_TRY(parse_number(text));
  if (bytes < 0 || bytes > greatest_rate_Bps)
    return make_error(
        ErrorKind::input, "",
        fmt::format("{} is out of range: 0 to {:g}", in_quotes(text), greatest_rate_Bps));
  return bytes == 0 ? Bytes{-1} : static_cast<Bytes>(std::ceil(bytes));
}

Result<std::vector<std::string>> parse_collectives(std::string_view text) {
  const std::vector<std::string> known{"bcast", "reduce", "allreduce", "barrier"};
  std::vector<std::string> names;
  for (std::string_view part : split(text, ',')) {
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (std::ranges::find(known, part) == known.end())
      return make_error(
          ErrorKind::input, "", fmt::format("unknown hardware collective {}", in_quotes(part)),
          did_you_mean(part, known, "expected a list of bcast, reduce, allreduce, barrier"));
    if (std::ranges::find(names, part) == names.end()) names.emplace_back(part);
  }
  return names;
}

template <class T>
Result<SettingValue> any_value(Result<T> parsed) {
  return SettingValue(TUTTI_TRY(std::move(parsed)));
}

Result<SettingValue> parse_value(ValueKind kind, std::string_view text) {
  for (const auto& syntax : piecewise_kinds)
    if (syntax.kind == kind) return any_value(parse_piecewise(text, syntax.value, syntax.order));
  switch (kind) {
    case ValueKind::limit:
      return any_value(parse_limit(text));
    case ValueKind::bytes:
      return any_value(parse_envelope(text));
    case ValueKind::threshold:
      return any_value(parse_threshold(text));
    case ValueKind::tcp_window:
      return any_value(parse_tcp_window(text));
    case ValueKind::yes_or_no:
      return any_value(parse_yes_or_no(text));
    case ValueKind::time:
      return any_value(parse_time(text));
    case ValueKind::bandwidth:
      return any_value(parse_bandwidth(text));
    case ValueKind::optional_bandwidth:
      return any_value(parse_optional_bandwidth(text));
    case ValueKind::time_per_byte:
      return any_value(parse_time_per_byte(text));
    case ValueKind::count:
      return any_value(parse_count(text));
    case ValueKind::optional_count:
      return any_value(parse_optional_count(text));
    case ValueKind::fragment:
      return any_value(parse_fragment(text));
    case ValueKind::intra_node:
      return any_value(parse_choice<IntraNode>(
          text, {{"bus", IntraNode::bus}, {"network", IntraNode::network}}));
    case ValueKind::nic_order:
      return any_value(parse_choice<NicOrder>(
          text,
          {{"shared", NicOrder::shared}, {"fifo", NicOrder::fifo}, {"free", NicOrder::free}}));
    case ValueKind::rendezvous:
      return any_value(parse_choice<Rendezvous>(
          text,
          {{"put", Rendezvous::put}, {"get", Rendezvous::get}, {"direct", Rendezvous::direct}}));
    case ValueKind::rail_order:
      return any_value(parse_choice<RailOrder>(text, {{"planes", RailOrder::planes},
                                                      {"leaves", RailOrder::leaves},
                                                      {"node", RailOrder::node}}));
    case ValueKind::collectives:
      return any_value(parse_collectives(text));
    default:  // a name: its reader checks it
      return SettingValue(std::string(text));
  }
}

void check_value(const Setting& setting, ValueKind kind, ErrorList& errors) {
  const auto value = parse_value(kind, setting.value);
  if (value) return;
  for (const auto& error : value.errors()) errors.add(setting.error(error.message, error.hint));
}

Error unknown_key(const Setting& setting) {
  Error where = setting.where;
  where.is_of_key = true;
  return reported(std::move(where), fmt::format("unknown key {}", in_quotes(setting.key)),
                  setting.key.starts_with(loggp_prefix)
                      ? did_you_mean(setting.key, keys_of_set(setting.key),
                                     "a LogGP set is model/loggp/SET/L, /o, /g and /G")
                      : did_you_mean(setting.key, all_keys(), "see PLATFORM KEYS in `man sim`"));
}

}  // namespace

bool is_for_replays(std::string_view key) {
  constexpr std::string_view prefix = "smpi/";
  if (!key.starts_with(prefix)) return false;
  key.remove_prefix(prefix.size());
  return key == "coll-selector" || std::ranges::find(accuracy_of, key) != accuracy_of.end();
}

std::optional<LogGPKey> loggp_key(std::string_view key) {
  if (!key.starts_with(loggp_prefix)) return std::nullopt;
  key.remove_prefix(loggp_prefix.size());
  const auto slash = key.find('/');
  if (slash == 0 || slash == std::string_view::npos) return std::nullopt;
  const LogGPKey found{key.substr(0, slash), key.substr(slash + 1)};
  if (!look_up(loggp_parameters, found.parameter)) return std::nullopt;
  return found;
}

std::vector<std::string> all_keys() {
  std::vector<std::string> keys;
  for (const auto& key : protocol_keys) {
    keys.push_back(std::string(inter_prefix).append(key.name));
    keys.push_back(std::string(intra_prefix).append(key.name));
  }
  for (const auto& key : other_keys) keys.emplace_back(key.name);
  for (const auto level : named_levels)
    for (const auto& key : level_parameters)
      keys.push_back(fmt::format("{}{}/{}", link_prefix, level, key.name));
  for (const auto level : numbered_levels)  // the first of each
    for (const auto& key : level_parameters)
      keys.push_back(fmt::format("{}{}1/{}", link_prefix, level, key.name));
  for (auto& key : accuracy_keys()) keys.push_back(std::move(key));
  return keys;
}

std::vector<std::string> accuracy_keys() {
  std::vector<std::string> keys;
  for (const char* name : accuracy_of) keys.push_back(std::string(accuracy_prefix).append(name));
  return keys;
}

std::optional<ValueKind> kind_of(std::string_view key) {
  if (const auto kind = look_up(other_keys, key)) return kind;
  if (is_for_replays(key)) return ValueKind::name;
  if (key.starts_with(accuracy_prefix) &&
      std::ranges::find(accuracy_of, key.substr(accuracy_prefix.size())) != std::end(accuracy_of))
    return ValueKind::accuracy;
  if (const auto level = level_kind(key)) return level;
  if (const auto loggp = loggp_key(key)) return look_up(loggp_parameters, loggp->parameter);
  for (const auto prefix : {inter_prefix, intra_prefix})
    if (key.starts_with(prefix))
      if (const auto kind = look_up(protocol_keys, key.substr(prefix.size()))) return kind;
  return std::nullopt;
}

std::vector<std::string> check_settings(const Settings& settings, ErrorList& errors) {
  std::vector<std::string> ignored;
  for (const auto& [key, setting] : settings.file()) {
    check_for_simgrid(setting, errors);
    if (const auto kind = kind_of(key))
      check_value(setting, *kind, errors);
    else if (const auto renamed = renamed_key(setting))
      errors.add(*renamed);
    else if (looks_like_ours(key))
      errors.add(unknown_key(setting));
    else if (!key.starts_with(info_prefix))
      ignored.push_back(key);
  }
  for (const auto& [key, setting] : settings.overrides()) {
    if (const auto kind = kind_of(key))
      check_value(setting, *kind, errors);
    else if (const auto renamed = renamed_key(setting))
      errors.add(*renamed);
    else
      errors.add(unknown_key(setting));
  }
  return ignored;
}

SettingValue value_of(const Setting& setting) {
  const auto kind = kind_of(setting.key);
  TUTTI_CHECK(kind.has_value(), "unchecked key " + setting.key);
  return parse_value(*kind, setting.value).value();
}

void set_if_given(const Setting* setting, std::optional<double>& target) {
  if (setting == nullptr) return;
  const auto value = value_of(*setting);
  const auto* number = std::get_if<double>(&value);
  target = number != nullptr ? *number : std::get<std::optional<double>>(value);
}

}  // namespace tutti::platforms
