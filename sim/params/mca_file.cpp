// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/mca_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/line_reader.hpp"
#include "sim/base/quote.hpp"

namespace tutti::studies::params {

std::string mca_file_text(const std::vector<store::NamedText>& settings,
                          const std::vector<std::string>& comments) {
  std::string text;
  for (const auto& comment : comments) text += fmt::format("# {}\n", comment);
  for (const auto& each : settings) text += fmt::format("{} = {}\n", each.name, each.value);
  return text;
}

Result<std::vector<store::NamedText>> read_mca_file(std::string_view text, std::string_view file) {
  std::vector<store::NamedText> settings;
  LineReader lines(text, file);
  while (const auto line = lines.next()) {
    const auto equals = line->find('=');
    const auto name = trim(line->substr(0, equals));
    if (equals == line->npos || name.empty() || name.find_first_of(" \t") != name.npos) {
      lines.refuse("is not NAME = VALUE", "as in btl_openib_eager_limit = 12288");
      continue;
    }
    const std::string value(trim(line->substr(equals + 1)));
    const auto same = std::ranges::find(settings, name, &store::NamedText::name);
    if (same != settings.end())
      same->value = value;
    else
      settings.push_back({std::string(name), value});
  }
  if (!lines.errors().empty()) return lines.errors().errors();
  if (settings.empty()) return make_error(ErrorKind::input, std::string(file), "sets nothing");
  return settings;
}

std::string mca_variable(const std::string& name) { return "OMPI_MCA_" + name; }

}  // namespace tutti::studies::params
