// SPDX-License-Identifier: BSD-3-Clause
// The Vega specification of a picture. A JSON file of this folder describes each kind of picture;
// the program only fills in titles, names and data.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/plots/drawing.hpp"

namespace tutti::reports {

class Specification {
 public:
  // `form` is the text of the JSON file of a kind of picture, whose lists extend those of
  // figure.json. The names, colors and notes of the head become signals.
  Specification(std::string_view form, const PictureHead& head);

  // The form must have a signal, or data, of this name.
  void set_signal(std::string_view name, Json value);
  void set_data(std::string_view name, Json rows);
  // Sets the signals that begin with `name`, and the type of its scale.
  void set_axis(const std::string& name, const Axis& axis);
  // Colors that do not depend on the background, by series.
  void set_colours(const std::vector<std::string>& colours);
  // Sets the values of a signal, and removes the legend of this name if there are none.
  void set_legend(std::string_view name, Json values);

  Drawing take() const;

 private:
  Json& member(std::string_view list, std::string_view name);

  Json specification_;
};

// "1.50 µs".
std::string picture_time(double time_s);

// Breaks a text after commas into lines of at most `most` characters, if its parts are that short.
std::vector<std::string> broken_at_commas(const std::string& text, std::size_t most);

}  // namespace tutti::reports
