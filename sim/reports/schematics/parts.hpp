// SPDX-License-Identifier: BSD-3-Clause
// Parts that the schematics of machines share: the page, texts, boxes, rows of switches, links.
// Positions are in pixels from the upper left corner.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::reports::schematics {

inline constexpr double left_px = 40;
inline constexpr double drawn_px = 640;  // width of switches and boxes
inline constexpr double words_px = 730;  // where the texts about them begin
inline constexpr double page_px = 1120;
inline constexpr double head_px = 100;
inline constexpr double line_px = 18;  // between two lines of text
inline constexpr std::string_view node_fill = "#2b6cb0";
inline constexpr std::string_view switch_fill = "#dd6b20";
inline constexpr std::string_view link_style =
    "fill=\"none\" stroke=\"#718096\" stroke-width=\"1.2\" stroke-opacity=\"0.6\"";
// The frame of a part that is shown in detail, and boxes that represent the other parts.
inline constexpr std::string_view frame_style = "fill=\"#f7fafc\" stroke=\"#cbd5e0\"";
inline constexpr std::string_view part_style = "fill=\"#ebf4ff\" stroke=\"#2b6cb0\"";

// Styles of texts.
inline constexpr std::string_view plain_text = "font-size=\"13\" fill=\"#4a5568\"";
inline constexpr std::string_view dark_text = "font-size=\"13\" fill=\"#1a202c\"";
inline constexpr std::string_view bold_text =
    "font-size=\"13\" fill=\"#1a202c\" font-weight=\"bold\"";
inline constexpr std::string_view warning_text = "font-size=\"13\" fill=\"#c53030\"";
inline constexpr std::string_view centered_text =
    "font-size=\"12\" fill=\"#4a5568\" text-anchor=\"middle\"";
inline constexpr std::string_view white_text =
    "font-size=\"12\" fill=\"#ffffff\" text-anchor=\"middle\"";

struct Place {
  double x = 0;
  double y = 0;
};

// A box around its center.
struct SvgBox {
  Place center;
  double width = 0;
  double height = 0;
  double rounding = 3;
};

std::string svg_text(Place at, std::string_view text, std::string_view style);
// Lines of text below each other; the first is bold.
std::string svg_lines(Place at, const std::vector<std::string>& lines);
std::string svg_line(Place from, Place to);
std::string svg_group(std::string_view style, const std::string& body);
// `title` appears under the mouse.
std::string svg_box(const SvgBox& box, std::string_view style, const std::string& title = {});
std::string svg_switch(Place center, const std::string& title, double width = 34);
// "160 nodes" in a box.
std::string svg_nodes(Place center, std::size_t count, double width = 64);

struct PageSize {
  double width = page_px;
  double height = 0;
};

// Adds a title and, if nodes have several sockets, a node below the body.
std::string svg_page(const platforms::Machine& machine, PageSize size, const std::string& body);

// Vertices next to each other. If there are more than `first` + `last` + 1, only these are shown,
// with the number of the others between them.
struct Row {
  std::size_t count = 0;
  double y = 0;
  double left = left_px;
  double width = drawn_px;
  std::size_t first = 6;
  std::size_t last = 2;

  bool is_cut() const { return count > first + last + 1; }
  std::size_t slots() const { return is_cut() ? first + last + 1 : count; }
  double step() const { return width / static_cast<double>(std::max<std::size_t>(slots(), 1)); }
  Place place_of_slot(std::size_t slot) const {
    return {left + step() * (static_cast<double>(slot) + 0.5), y};
  }
  std::vector<std::size_t> shown() const;
  std::optional<Place> at(std::size_t number) const;  // unset if it is not shown
  std::string dots() const;                           // "... 12 more"; empty if all are shown
};

// Arcs between every two shown vertices of a row, up to `height` above them.
std::string mesh_arcs(const Row& row, double height);

// Links of one purpose, by bandwidth and latency.
struct LinkBand {
  std::size_t links = 0;
  double Bps = 0;  // total, in one direction
  std::map<std::pair<double, double>, std::size_t> kinds = {};

  void add(const platforms::Link& link);
  std::string each() const;  // "25 GB/s, 130 ns", of the first kind
};

// One line per kind of links: "1024 links of 49 GB/s, 250 ns"; of many kinds only the first.
std::vector<std::string> describe(const LinkBand& band);
// Compares the bandwidth of the links below switches with that of the links above them:
// "oversubscribed 1.25:1", "not oversubscribed".
std::string oversubscription(const LinkBand& below, const LinkBand& above);
std::string svg_oversubscription(Place at, const LinkBand& below, const LinkBand& above);

// Nodes per switch: "16 nodes per switch", "28 switches with 4 nodes, 4 with 3".
std::string nodes_per_switch(std::span<const std::uint32_t> nodes, std::string_view what);
// Nodes of each switch of a graph whose nodes have one link each.
std::vector<std::uint32_t> nodes_by_switch(const platforms::Graph& graph);

}  // namespace tutti::reports::schematics
