// SPDX-License-Identifier: BSD-3-Clause
// Completes the manual: copies sim.1 from standard input to standard output, with the columns of a
// record's table in place of each line '.\" columns NAME'.

#include <iostream>

#include "sim/base/common.hpp"
#include "sim/studies/io_record.hpp"
#include "sim/studies/loggp_record.hpp"
#include "sim/studies/ping_pong_record.hpp"
#include "sim/studies/record.hpp"

namespace {

using namespace tutti::studies;

// `words` in bold, each sentence on a line of its own.
std::string roff_text(std::string_view meaning) {
  std::string text;
  bool is_bold = false;
  for (std::size_t i = 0; i < meaning.size(); ++i) {
    const char c = meaning[i];
    if (c == '`') {
      is_bold = !is_bold;
      text += is_bold ? "\\fB" : "\\fP";
    } else if (c == '-' && is_bold) {
      text += "\\-";
    } else {
      text += c == ' ' && meaning[i - 1] == '.' ? '\n' : c;
    }
  }
  return text + '\n';
}

// Fields that one sentence covers are an item.
template <class Record>
std::string columns_text() {
  std::string text, names, meaning;
  const auto close = [&] {
    if (!names.empty()) text += ".TP\n.BR " + names + '\n' + roff_text(meaning);
    names.clear();
  };
  for (const auto& column : columns_of<Record>()) {
    if (!column.meaning.empty()) {
      close();
      meaning = column.meaning;
    }
    names += fmt::format("{}{}", names.empty() ? "" : " \", \" ", column.name);
  }
  close();
  return text;
}

}  // namespace

int main() {
  const std::string mark = ".\\\" columns ";
  const std::map<std::string, std::string (*)()> tables{{"collectives", columns_text<Record>},
                                                        {"io", columns_text<IoRecord>},
                                                        {"pingpong", columns_text<PingPongRecord>},
                                                        {"loggp", columns_text<LogGPRecord>}};
  for (std::string line; std::getline(std::cin, line);)
    std::cout << (line.starts_with(mark) ? tables.at(line.substr(mark.size()))() : line + '\n');
  return std::cout.flush() ? 0 : 1;
}
