// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/writer/platform_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "sim/base/error_list.hpp"
#include "sim/base/line_reader.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/split.hpp"
#include "sim/base/utf8.hpp"

namespace tutti::platforms {
namespace {

// What XML has no characters for is spelled out.
std::string sayable(std::string_view text) {
  std::string said = printable(text);
  for (std::size_t i = 0; i < said.size();) {
    const auto length = utf8_length(said, i);
    if (length == 0) said[i] = '?';
    i += std::max<std::size_t>(1, length);
  }
  return said;
}

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

// "--" may not stand in a comment.
std::string comment(std::string text) {
  text = sayable(text);
  for (std::size_t at; (at = text.find("--")) != std::string::npos;) text.replace(at, 2, "- -");
  return text;
}

std::string prop(const std::string& key, const std::string& value) {
  return fmt::format("    <prop id=\"{}\" value=\"{}\"/>\n", escaped(key), escaped(value));
}

// Used where no other machine is named: round numbers of a present-day network.
std::string default_parameters() {
  return "    <!-- Messages: assumed, round numbers of a present-day 100 Gb/s network; not\n"
         "         measured anywhere. Replace them by your machine's (platforms/README.md). -->\n" +
         prop("mpi/eager_limit", "16KiB") + prop("mpi/send_overhead", "0.3us") +
         prop("mpi/recv_overhead", "0.3us") + prop("mpi/copy_bandwidth", "8GBps") +
         "    <!-- Inside a node: assumed as well. -->\n" + prop("mpi/intra_node", "bus") +
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
    for (const auto& each : parameters) text += prop(each.key, each.value);
  }
  return text;
}

std::string parameters_of(const PlatformFile& file) {
  if (!file.groups.empty()) return groups_of(file);
  if (file.like.empty()) return default_parameters();
  std::string text = fmt::format(
      "    <!-- Messages: those of {}. Parameters of its network are left out; those of the\n"
      "         analytic models are derived from this network and these messages. -->\n",
      comment(file.like));
  for (const auto& each : file.parameters) text += prop(each.key, each.value);
  return text;
}

}  // namespace

std::optional<Error> check_platform_name(const std::string& name, const std::string& option) {
  const bool is_empty = trim(name).empty();
  if (!is_empty && printable(name) == name && !first_not_utf8(name)) return std::nullopt;
  return usage_error(option,
                     is_empty ? "the name of a machine is empty"
                              : fmt::format("{} is not the name of a machine", in_quotes(name)),
                     "letters and digits: the file's links have it in their names");
}

std::string platform_xml(const PlatformFile& file) {
  const std::string topology =
      file.topology.empty() ? ""
                            : fmt::format("\n           topology=\"{}\" topo_parameters=\"{}\"",
                                          file.topology, file.topo_parameters);
  const std::string backbone =
      file.backbone.empty() ? ""
                            : fmt::format("\n           bb_bw=\"{}\" bb_lat=\"0\"", file.backbone);
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<!-- Written by: {} -->\n"
      "<platform version=\"4.1\">\n"
      "  <cluster id=\"{}\" prefix=\"node-\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" "
      "core=\"{}\"\n"
      "           bw=\"{}\" lat=\"{}\" sharing_policy=\"{}\"{}{}>\n{}{}  </cluster>\n"
      "</platform>\n",
      comment(file.made_by), escaped(file.id), file.nodes - 1, file.cores, escaped(file.bandwidth),
      escaped(file.latency), file.half_duplex ? "SHARED" : "SPLITDUPLEX", topology, backbone,
      prop("info/description", file.description) +
          (file.source.empty() ? "" : prop("info/source", file.source)),
      parameters_of(file));
}

}  // namespace tutti::platforms
