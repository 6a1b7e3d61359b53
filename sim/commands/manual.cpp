// SPDX-License-Identifier: BSD-3-Clause
// sim manual, for the build: generates the manual. Copies sim.1 from standard input to standard
// output, and replaces these lines by what the program declares:
//   .\" columns NAME      the columns of a workload's table
//   .\" options COMMAND   the options of a command ("run bcast", "fit platform"), except those that
//                         the section itself describes
//   .\" summaries         an item for each application
//   .\" applications      their sections: the files that the command line names

#include <iostream>
#include <sstream>

#include "sim/base/text_file.hpp"
#include "sim/commands/command_list.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/fit/loggp_record.hpp"
#include "sim/jobs/io_record.hpp"
#include "sim/jobs/ping_pong_record.hpp"
#include "sim/jobs/record.hpp"

namespace tutti::commands {
namespace {

using ManualLines = std::vector<std::string>;

// Converts to roff: text in backquotes becomes bold, each sentence gets a line of its own.
std::string roff_text(std::string_view meaning) {
  std::string text;
  bool is_bold = false;
  for (std::size_t i = 0; i < meaning.size(); ++i) {
    const char c = meaning[i];
    if (c == '.' && (text.empty() || text.back() == '\n')) text += "\\&";  // no macro
    if (c == '`') {
      is_bold = !is_bold;
      text += is_bold ? "\\fB" : "\\fP";
    } else if (c == '-' && is_bold) {
      text += "\\-";
    } else if (c == '\n') {
      text += "\n.IP\n";
    } else {
      text += c == ' ' && meaning[i - 1] == '.' ? '\n' : c;
    }
  }
  return text + '\n';
}

// Consecutive columns that share a description make one item.
template <class Record>
std::string columns_text() {
  std::string text, names, meaning;
  const auto close = [&] {
    if (!names.empty()) text += ".TP\n.BR " + names + '\n' + roff_text(meaning);
    names.clear();
  };
  for (const auto& column : jobs::columns_of<Record>()) {
    if (!column.meaning.empty()) {
      close();
      meaning = column.meaning;
    }
    names += fmt::format("{}{}", names.empty() ? "" : " \", \" ", column.name);
  }
  close();
  return text;
}

// "--message-size" as roff: "\-\-message\-size".
std::string roff_name(std::string_view name) {
  std::string text;
  for (const char c : name) text += c == '-' ? "\\-" : std::string(1, c);
  return text;
}

// Capitalizes the first word, unless it is the value of an option.
std::string capitalize(std::string_view words) {
  std::string text(words);
  const auto word = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz");  // not a value
  if (text.find(' ') == word && text.find(" (default") != word)
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string option_text(const OptionSpec& spec) {
  std::string names;
  for (const auto& name : spec.all_names())
    names += fmt::format("{}\\fB{}\\fP", names.empty() ? "" : ", ", roff_name(name));
  const auto value = spec.value.empty() ? "" : fmt::format(" \\fI{}\\fP", roff_name(spec.value));
  std::string text = capitalize(spec.description());
  if (text.back() != '.') text += '.';
  return fmt::format(".TP\n{}{}\n{}", names, value, roff_text(text));
}

// "run write" or "fit platform".
std::span<const OptionSpec> find_specs(std::string_view words) {
  const auto space = std::min(words.find(' '), words.size());
  const std::string_view first = words.substr(0, space);
  const std::string_view second = words.substr(std::min(space + 1, words.size()));
  if (first == "run") return specs_of_workload(std::string(second));
  const auto command = std::ranges::find(all_commands(), first, &Command::name);
  TUTTI_CHECK(command != all_commands().end(), "sim.1 names an unknown command");
  const auto sub = std::ranges::find(command->subcommands, second, &Subcommand::name);
  if (sub == command->subcommands.end()) return command->specs();
  return (*sub)->specs;
}

bool is_same(const OptionSpec& a, const OptionSpec& b) {
  return a.names == b.names && a.value == b.value && a.help == b.help;
}

// Options that `sim run` has, too, are only listed. `by_hand`: options that the section describes.
std::string options_text(const std::string& words, const std::set<std::string>& by_hand) {
  const auto common =
      words == "run bcast" ? std::span<const OptionSpec>() : find_specs("run bcast");
  std::string text, also;
  std::string_view group;
  for (const auto& spec : find_specs(words)) {
    if (by_hand.contains(std::string(spec.name()))) continue;
    if (std::ranges::any_of(common, [&](const auto& other) { return is_same(other, spec); })) {
      also += fmt::format("{}\\fB{}\\fP", also.empty() ? "" : ", ", roff_name(spec.name()));
      continue;
    }
    if (spec.group != group)
      text +=
          fmt::format(fmt::runtime(common.empty() ? ".SS {}\n" : ".PP\n\\fI{}\\fP\n"), spec.group);
    group = spec.group;
    text += option_text(spec);
  }
  if (!also.empty()) text += fmt::format(".PP\nAs in\n.BR \"sim run\" :\n{}.\n", also);
  return text;
}

bool is_heading(std::string_view line) {
  return line.starts_with(".SH") || line.starts_with(".SS");
}

// The options described in the line's section: "--loss" of '.BI \-\-loss " PERCENT"'.
std::set<std::string> find_described(const ManualLines& lines, std::size_t line) {
  std::set<std::string> names;
  while (line > 0 && !is_heading(lines[line])) --line;
  for (std::size_t i = line + 1; i + 1 < lines.size() && !is_heading(lines[i]); ++i) {
    if (lines[i] != ".TP") continue;
    std::string name;
    for (const char c : lines[i + 1] + ' ') {
      if (c == '-' || c == '\\' || std::isalnum(static_cast<unsigned char>(c)) != 0) {
        if (c != '\\') name += c;
      } else {
        names.insert(std::exchange(name, {}));
      }
    }
  }
  return names;
}

std::string complete_line(const ManualLines& lines, std::size_t line) {
  constexpr std::string_view columns = ".\\\" columns ", options = ".\\\" options ";
  static const std::map<std::string, std::string (*)()> tables{
      {"collectives", columns_text<jobs::Record>},
      {"io", columns_text<jobs::IoRecord>},
      {"pingpong", columns_text<jobs::PingPongRecord>},
      {"loggp", columns_text<studies::LogGPRecord>}};
  const std::string& text = lines[line];
  if (text.starts_with(columns)) return tables.at(text.substr(columns.size()))();
  if (text.starts_with(options))
    return options_text(text.substr(options.size()), find_described(lines, line));
  return text + '\n';
}

// An item for each application, in the order of `sim --help`.
std::string summaries_text() {
#define TUTTI_ITEM(name) &name##_command,
  constexpr const Command* applications[] = {TUTTI_APPLICATIONS(TUTTI_ITEM)};
#undef TUTTI_ITEM
  std::string text;
  for (const Command* application : applications) {
    std::string title = fmt::format("SIM {}", application->name);
    std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
    text += fmt::format(".TP\n.B {}\n{}; see\n.BR \"{}\" .\n", application->name,
                        capitalize(application->summary), title);
  }
  return text;
}

ManualLines read_lines(std::istream& in) {
  ManualLines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Result<int> run_manual(const Arguments& sections, Diagnostics&) {
  ManualLines lines;
  for (auto& line : read_lines(std::cin)) {
    if (line != ".\\\" applications") {
      lines.push_back(std::move(line));
      continue;
    }
    for (const auto& path : sections) {
      std::istringstream section(TUTTI_TRY(read_text_file(path)));
      std::ranges::move(read_lines(section), std::back_inserter(lines));
    }
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += lines[i] == ".\\\" summaries" ? summaries_text() : complete_line(lines, i);
  return print(text);
}

}  // namespace

extern const Command manual_command{.name = "manual", .run = run_manual};

}  // namespace tutti::commands
