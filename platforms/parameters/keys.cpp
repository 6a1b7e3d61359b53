// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/parameters/keys.hpp"

#include "platforms/parameters/simgrid_keys.hpp"
#include "platforms/topologies/fat_tree.hpp"

namespace tutti::platforms {
namespace {

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

Result<IntraNode> parse_intra_node(std::string_view text) {
  return parse_choice<IntraNode>(text, {{"bus", IntraNode::bus}, {"network", IntraNode::network}});
}

Result<NicOrder> parse_nic_order(std::string_view text) {
  return parse_choice<NicOrder>(
      text, {{"shared", NicOrder::shared}, {"fifo", NicOrder::fifo}, {"free", NicOrder::free}});
}

Result<Rendezvous> parse_rendezvous(std::string_view text) {
  return parse_choice<Rendezvous>(
      text, {{"put", Rendezvous::put}, {"get", Rendezvous::get}, {"direct", Rendezvous::direct}});
}

Result<DeviceLinks> parse_device_links(std::string_view text) {
  return parse_choice<DeviceLinks>(
      text, {{"switch", DeviceLinks::switched}, {"mesh", DeviceLinks::mesh}});
}

Result<double> parse_device_efficiency(std::string_view text) {
  const double efficiency = TUTTI_TRY(parse_number(text));
  if (efficiency > 0 && efficiency <= 1) return efficiency;
  return make_error(ErrorKind::input, "",
                    fmt::format("{} is out of range: above 0, at most 1", in_quotes(text)));
}

Result<RailOrder> parse_rail_order(std::string_view text) {
  return parse_choice<RailOrder>(
      text,
      {{"planes", RailOrder::planes}, {"leaves", RailOrder::leaves}, {"node", RailOrder::node}});
}

// The reader of the key checks the text.
Result<std::string> keep_text(std::string_view text) { return std::string(text); }

template <auto parse>
Result<SettingValue> as(std::string_view text) {
  return SettingValue(TUTTI_TRY(parse(text)));
}

// The parsers of piecewise values; those of SMPI's keys take sections in any order.
template <PiecewiseKind kind, SectionOrder order = SectionOrder::ascending>
Result<SettingValue> sections(std::string_view text) {
  return SettingValue(TUTTI_TRY(parse_piecewise(text, kind, order)));
}
constexpr SectionOrder any_order = SectionOrder::any;

// Parses a value; its error has no place.
using Parser = Result<SettingValue> (*)(std::string_view text);

struct Key {
  std::string_view name;
  Parser parse;
};

// mpi/NAME between nodes, mpi/intra_NAME inside a node.
constexpr std::array protocol_keys = {
    Key{"eager_limit", as<parse_limit>},
    Key{"detached_limit", as<parse_limit>},
    Key{"send_overhead", sections<PiecewiseKind::overhead>},
    Key{"isend_overhead", sections<PiecewiseKind::overhead>},
    Key{"recv_overhead", sections<PiecewiseKind::overhead>},
    Key{"gap", sections<PiecewiseKind::overhead>},
    Key{"gap_per_byte", as<parse_time_per_byte>},
    Key{"nic_order", as<parse_nic_order>},
    Key{"latency_factor", sections<PiecewiseKind::latency_factor>},
    Key{"bandwidth_factor", sections<PiecewiseKind::bandwidth_factor>},
    Key{"efficiency", sections<PiecewiseKind::bandwidth_factor>},
    Key{"envelope", as<parse_envelope>},
    Key{"window", as<parse_fragment>},
    Key{"rendezvous", as<parse_rendezvous>},
    Key{"rendezvous_overhead", sections<PiecewiseKind::surcharge>},
    Key{"extra_latency", sections<PiecewiseKind::curve>},
    Key{"scale_latency", sections<PiecewiseKind::surcharge>},
    Key{"copy_bandwidth", as<parse_optional_bandwidth>},
    Key{"copy_limit", as<parse_limit>},
    Key{"eager_credits", as<parse_optional_count>},
    Key{"fragment_size", as<parse_fragment>},
    Key{"pipeline_depth", as<parse_optional_count>},
    Key{"fragment_overhead", sections<PiecewiseKind::overhead>},
};
constexpr std::array other_keys = {
    Key{"mpi/ppn", as<parse_count>},
    Key{"mpi/job_nodes", as<keep_text>},
    Key{"mpi/intra_node", as<parse_intra_node>},
    Key{"mpi/intra_bandwidth", as<parse_bandwidth>},
    Key{"mpi/rank_bandwidth", as<parse_optional_bandwidth>},
    Key{"mpi/rank_receive_bandwidth", as<parse_optional_bandwidth>},
    Key{"mpi/bus_bandwidth", sections<PiecewiseKind::rate>},
    Key{"mpi/bus_limit", as<parse_limit>},
    Key{"mpi/bus_latency", as<parse_time>},
    Key{"mpi/sockets", as<parse_count>},
    Key{"mpi/socket_bandwidth", as<parse_bandwidth>},
    Key{"mpi/socket_link_bandwidth", as<parse_optional_bandwidth>},
    Key{"mpi/socket_link_latency", as<parse_time>},
    Key{"mpi/rail_sockets", as<keep_text>},
    Key{"mpi/routing", as<keep_text>},
    Key{"mpi/adaptive_paths", as<keep_text>},
    Key{"mpi/rails", as<keep_text>},
    Key{"mpi/background", as<keep_text>},
    Key{"mpi/combine_bandwidth", sections<PiecewiseKind::rate>},
    Key{"mpi/local_copy_bandwidth", sections<PiecewiseKind::rate>},
    Key{"mpi/allocation_bandwidth", sections<PiecewiseKind::rate>},
    Key{"mpi/memory_bandwidth", sections<PiecewiseKind::rate>},
    Key{"mpi/piece_overhead", as<parse_time>},
    Key{"mpi/arrival_skew", as<parse_time>},
    Key{"mpi/hardware_collectives", as<parse_collectives>},
    Key{"mpi/hardware_latency", as<parse_time>},
    Key{"mpi/hardware_bandwidth", as<parse_bandwidth>},
    Key{"mpi/hardware_barrier", as<parse_time>},
    Key{"link/bandwidth", as<parse_bandwidth>},
    Key{"link/latency", as<parse_time>},
    Key{"topology/rails", as<parse_count>},
    Key{"topology/rail_order", as<parse_rail_order>},
    Key{"torus/dimensions", as<keep_text>},
    Key{"torus/network_axes", as<parse_count>},
    Key{"backbone/bandwidth", as<parse_bandwidth>},
    Key{"backbone/latency", as<parse_time>},
    Key{"accuracy/nodes", as<parse_count>},
    Key{"accuracy/ppn", as<parse_count>},
    Key{"accuracy/runs", as<parse_count>},
    Key{"accuracy/message_size", as<parse_limit>},
    Key{"model/hockney/latency", as<parse_time>},
    Key{"model/hockney/bandwidth", as<parse_bandwidth>},
    Key{"model/loggp", as<keep_text>},
    Key{"smpi/async-small-thresh", as<parse_threshold>},
    Key{"smpi/send-is-detached-thresh", as<parse_threshold>},
    Key{"smpi/os", sections<PiecewiseKind::overhead, any_order>},
    Key{"smpi/ois", sections<PiecewiseKind::overhead, any_order>},
    Key{"smpi/or", sections<PiecewiseKind::overhead, any_order>},
    Key{"smpi/lat-factor", sections<PiecewiseKind::latency_factor, any_order>},
    Key{"smpi/bw-factor", sections<PiecewiseKind::bandwidth_factor, any_order>},
    Key{"network/latency-factor", sections<PiecewiseKind::latency_factor, any_order>},
    Key{"network/loopback-bw", as<parse_bandwidth>},
    Key{"network/loopback-lat", as<parse_time>},
    Key{"network/bandwidth-factor", sections<PiecewiseKind::bandwidth_factor, any_order>},
    Key{"network/TCP-gamma", as<parse_tcp_window>},
    Key{"network/crosstraffic", as<parse_yes_or_no>},
};
// gpu/NAME.
constexpr std::array device_keys = {
    Key{"count", as<parse_count>},
    Key{"links", as<parse_device_links>},
    Key{"link_bandwidth", as<parse_bandwidth>},
    Key{"nic_bandwidth", as<parse_bandwidth>},
    Key{"domain_nodes", as<parse_count>},
    Key{"multicast", as<parse_yes_or_no>},
    Key{"launch", as<parse_time>},
    Key{"channels", as<parse_count>},
    Key{"architecture", as<keep_text>},
};
// gpu/PROTOCOL/NAME.
constexpr std::array device_protocol_keys = {
    Key{"link_latency", as<parse_time>},
    Key{"latency", as<parse_time>},
    Key{"efficiency", as<parse_device_efficiency>},
    Key{"channel_bandwidth", as<parse_optional_bandwidth>},
};
// link/LEVEL/NAME. A level is one of these, or one of the numbered ones with a number from 1 on.
constexpr std::array level_parameters = {Key{"bandwidth", as<parse_bandwidth>},
                                         Key{"latency", as<parse_time>}};
constexpr std::array<std::string_view, 3> named_levels = {"node", "local", "global"};
constexpr std::array<std::string_view, 2> numbered_levels = {"level", "dimension"};

constexpr std::array loggp_parameters = {Key{"L", as<parse_time>}, Key{"o", as<parse_time>},
                                         Key{"g", sections<PiecewiseKind::overhead>},
                                         Key{"G", as<parse_time_per_byte>}};

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
constexpr std::string_view device_prefix = "gpu/";
constexpr std::string_view info_prefix = "info/";  // informational: description, source

// Null if the table has no such name.
template <class Table>
Parser look_up(const Table& table, std::string_view name) {
  for (const auto& key : table)
    if (key.name == name) return key.parse;
  return nullptr;
}

bool is_level(std::string_view level) {
  if (std::ranges::find(named_levels, level) != named_levels.end()) return true;
  return std::ranges::any_of(numbered_levels, [&](std::string_view prefix) {
    if (!level.starts_with(prefix)) return false;
    const auto number = parse_integer(level.substr(prefix.size()));
    return number && *number >= 1 && *number <= std::int64_t{most_levels};
  });
}

// Of a level of links; null for other keys.
Parser level_parser(std::string_view key) {
  if (!key.starts_with(link_prefix)) return nullptr;
  key.remove_prefix(link_prefix.size());
  const auto slash = key.find('/');
  if (slash == std::string_view::npos || !is_level(key.substr(0, slash))) return nullptr;
  return look_up(level_parameters, key.substr(slash + 1));
}

// Of gpu/NAME and gpu/PROTOCOL/NAME; null for other keys.
Parser device_parser(std::string_view key) {
  if (!key.starts_with(device_prefix)) return nullptr;
  key.remove_prefix(device_prefix.size());
  const auto slash = key.find('/');
  if (slash == std::string_view::npos) return look_up(device_keys, key);
  if (std::ranges::find(device_protocol_names, key.substr(0, slash)) == device_protocol_names.end())
    return nullptr;
  return look_up(device_protocol_keys, key.substr(slash + 1));
}

bool looks_like_ours(std::string_view key) {
  constexpr std::array prefixes = {"mpi/",
                                   "link/",
                                   "backbone/",
                                   "topology/",
                                   "torus/",
                                   "model/",
                                   accuracy_prefix.data(),
                                   device_prefix.data()};
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

void check_value(const Setting& setting, Parser parse, ErrorList& errors) {
  const auto value = parse(setting.value);
  if (value) return;
  for (const auto& error : value.errors()) errors.add(setting.error(error.message, error.hint));
}

// Null for an unknown key.
Parser parser_of(std::string_view key) {
  if (const Parser parse = look_up(other_keys, key)) return parse;
  if (is_for_replays(key)) return as<keep_text>;
  if (key.starts_with(accuracy_prefix) &&
      std::ranges::find(accuracy_of, key.substr(accuracy_prefix.size())) != std::end(accuracy_of))
    return sections<PiecewiseKind::accuracy>;
  if (const Parser parse = level_parser(key)) return parse;
  if (const Parser parse = device_parser(key)) return parse;
  if (const auto loggp = loggp_key(key)) return look_up(loggp_parameters, loggp->parameter);
  for (const auto prefix : {inter_prefix, intra_prefix})
    if (key.starts_with(prefix))
      if (const Parser parse = look_up(protocol_keys, key.substr(prefix.size()))) return parse;
  return nullptr;
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
  for (const auto& key : device_keys) keys.push_back(std::string(device_prefix).append(key.name));
  for (const auto protocol : device_protocol_names)
    for (const auto& key : device_protocol_keys)
      keys.push_back(fmt::format("{}{}/{}", device_prefix, protocol, key.name));
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

bool is_known_key(std::string_view key) { return parser_of(key) != nullptr; }

bool is_size_key(std::string_view key) {
  const Parser parse = parser_of(key);
  return parse == as<parse_limit> || parse == as<parse_threshold> || parse == as<parse_fragment>;
}

std::vector<std::string> check_settings(const Settings& settings, ErrorList& errors) {
  std::vector<std::string> ignored;
  for (const auto& [key, setting] : settings.file()) {
    check_for_simgrid(setting, errors);
    if (const Parser parse = parser_of(key))
      check_value(setting, parse, errors);
    else if (const auto renamed = renamed_key(setting))
      errors.add(*renamed);
    else if (looks_like_ours(key))
      errors.add(unknown_key(setting));
    else if (!key.starts_with(info_prefix))
      ignored.push_back(key);
  }
  for (const auto& [key, setting] : settings.overrides()) {
    if (const Parser parse = parser_of(key))
      check_value(setting, parse, errors);
    else if (const auto renamed = renamed_key(setting))
      errors.add(*renamed);
    else
      errors.add(unknown_key(setting));
  }
  return ignored;
}

SettingValue value_of(const Setting& setting) {
  const Parser parse = parser_of(setting.key);
  TUTTI_CHECK(parse != nullptr, "unchecked key " + setting.key);
  return parse(setting.value).value();
}

void set_if_given(const Setting* setting, std::optional<double>& target) {
  if (setting == nullptr) return;
  const auto value = value_of(*setting);
  const auto* number = std::get_if<double>(&value);
  target = number != nullptr ? *number : std::get<std::optional<double>>(value);
}

}  // namespace tutti::platforms
