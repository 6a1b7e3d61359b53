// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/writer/platform_file.hpp"

#include <cstdlib>

#include "platforms/parameters/values.hpp"
#include "platforms/writer/xml_text.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::platforms {
namespace {

std::string sayable(std::string_view text) {
  std::string said = printable(text);
  for (std::size_t i = 0; i < said.size();) {
    const auto length = utf8_length(said, i);
    if (length == 0) said[i] = '?';
    i += std::max<std::size_t>(1, length);
  }
  return said;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string xml;
  for (const char c : sayable(text)) switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        xml += c;
    }
  return xml;
}

namespace {

// XML comments must not contain "--".
std::string comment(std::string text) {
  text = sayable(text);
  for (std::size_t at; (at = text.find("--")) != std::string::npos;) text.replace(at, 2, "- -");
  return text;
}

std::string prop(const std::string& key, const std::string& value) {
  return fmt::format("    <prop id=\"{}\" value=\"{}\"/>\n", escaped(key), escaped(value));
}

// Defaults without --like: round numbers of a current network.
std::string default_parameters() {
  return "    <!-- Messages: assumed round numbers of a current 100 Gb/s network, not measured.\n"
         "         Replace them with those of your machine (platforms/README.md). -->\n" +
         prop("mpi/eager_limit", "16KiB") + prop("mpi/send_overhead", "0.3us") +
         prop("mpi/recv_overhead", "0.3us") + prop("mpi/copy_bandwidth", "8GBps") +
         "    <!-- Inside a node: also assumed. -->\n" + prop("mpi/intra_node", "bus") +
         prop("mpi/bus_bandwidth", "100GBps") + prop("mpi/bus_latency", "0.2us") +
         prop("mpi/intra_bandwidth", "8GBps") + prop("mpi/intra_eager_limit", "4KiB") +
         prop("mpi/intra_copy_bandwidth", "none");
}

std::string groups_of(const PlatformFile& file) {
  std::string text;
  for (const auto& [origin, parameters] : file.groups) {
    std::vector<std::string> lines;
    for (const auto line : split(origin, '\n')) lines.push_back(comment(std::string(line)));
    text += fmt::format("    <!-- {} -->\n", fmt::join(lines, "\n"));
    for (const auto& parameter : parameters) text += prop(parameter.key, parameter.value);
  }
  return text;
}

std::string parameters_of(const PlatformFile& file) {
  if (!file.groups.empty()) return groups_of(file);
  if (file.like.empty()) return default_parameters();
  std::string text = fmt::format(
      "    <!-- Messages: those of {}. Parameters of its network are omitted; those of the\n"
      "         analytic models are derived from this network and these messages. -->\n",
      comment(file.like));
  for (const auto& parameter : file.parameters) text += prop(parameter.key, parameter.value);
  return text;
}

}  // namespace

std::optional<Error> check_platform_name(const std::string& name, const std::string& option) {
  const bool is_empty = trim(name).empty();
  if (!is_empty && printable(name) == name && !first_not_utf8(name)) return std::nullopt;
  return usage_error(option,
                     is_empty ? "the machine name is empty"
                              : fmt::format("invalid machine name {}", in_quotes(name)),
                     "use letters and digits: the name becomes part of the link names");
}

namespace {

std::string tree_xml(const PlatformFile& file, const std::string& props) {
  return zone_xml(*file.tree,
                  {.id = file.id,
                   .cores = file.cores,
                   .bandwidth_Bps = parse_bandwidth(file.bandwidth).value(),
                   .latency = file.latency,
                   .oversubscription = file.oversubscription},
                  props);
}

std::string cluster_xml(const PlatformFile& file, const std::string& props) {
  const std::string topology =
      file.topology.empty() ? ""
                            : fmt::format("\n           topology=\"{}\" topo_parameters=\"{}\"",
                                          file.topology, file.topo_parameters);
  const std::string backbone =
      file.backbone.empty() ? ""
                            : fmt::format("\n           bb_bw=\"{}\" bb_lat=\"0\"", file.backbone);
  return fmt::format(
      "  <cluster id=\"{}\" prefix=\"{}\" suffix=\"\" radical=\"{}-{}\" speed=\"1Gf\" "
      "core=\"{}\"\n"
      "           bw=\"{}\" lat=\"{}\" sharing_policy=\"{}\"{}{}>\n{}  </cluster>\n",
      escaped(file.id), escaped(file.prefix), file.first_node, file.first_node + file.nodes - 1,
      file.cores, escaped(file.bandwidth), escaped(file.latency),
      file.half_duplex ? "SHARED" : "SPLITDUPLEX", topology, backbone, props);
}

}  // namespace

std::string platform_xml(const PlatformFile& file) {
  std::string props = prop("info/description", file.description) +
                      (file.source.empty() ? "" : prop("info/source", file.source));
  for (const auto& parameter : file.network) props += prop(parameter.key, parameter.value);
  props += parameters_of(file);
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<!-- Written by: {} -->\n"
      "<platform version=\"4.1\">\n{}</platform>\n",
      comment(file.made_by), file.tree ? tree_xml(file, props) : cluster_xml(file, props));
}

}  // namespace tutti::platforms
