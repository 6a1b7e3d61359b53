// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/write_rules.hpp"

#include <fmt/format.h>

#include "algorithms/selection/rules_file_terms.hpp"
#include "sim/base/check.hpp"

namespace tutti::algorithms::selection {
namespace {

std::string with_comment(std::string numbers, std::string_view comment) {
  return comment.empty() ? numbers + '\n' : fmt::format("{:<28} # {}\n", numbers, comment);
}

// 5.0 looks for the fifth number behind the fourth.
std::string text_of(const WrittenRule& rule, RulesFormat format) {
  std::string numbers =
      fmt::format("{} {} {} {}", rule.from_bytes, rule.algorithm, rule.fanout, rule.segment_bytes);
  if (format == RulesFormat::open_mpi_5_0) numbers += fmt::format(" {}", rule.max_requests);
  return with_comment(std::move(numbers), rule.comment);
}

std::string text_of(const WrittenSize& size, RulesFormat format) {
  TUTTI_CHECK(!size.rules.empty() && size.rules.front().from_bytes == 0,
              "Open MPI would ignore the whole file");
  std::string text =
      with_comment(fmt::format("{} {}", size.from_procs, size.rules.size()),
                   fmt::format("from {} processes on: number of rules", size.from_procs));
  for (const auto& rule : size.rules) text += text_of(rule, format);
  return text;
}

std::string text_of(const WrittenCollective& written, RulesFormat format) {
  const auto number = rules_file_number(written.collective);
  TUTTI_CHECK(number && obeys_rules_file(written.collective), "no collective of a rules file");
  std::string text =
      with_comment(fmt::format("{} {}", *number, written.sizes.size()),
                   fmt::format("{}, communicator sizes; bytes: {}", written.collective,
                               rules_file_bytes_mean(written.collective)));
  for (const auto& size : written.sizes) text += text_of(size, format);
  return text;
}

}  // namespace

std::string rules_file_text(const std::vector<WrittenCollective>& collectives, RulesFormat format,
                            const std::vector<std::string>& head) {
  // 5.0 reads its version from the very first characters.
  std::string text = format == RulesFormat::open_mpi_5_0 ? "rule-file-version-2\n" : "";
  for (const auto& line : head) text += "# " + line + '\n';
  if (format == RulesFormat::open_mpi_5_0) text += fmt::format("# {}\n", han_goes_first);
  text += with_comment(fmt::format("{}", collectives.size()), "number of collectives");
  for (const auto& each : collectives) text += '\n' + text_of(each, format);
  return text;
}

}  // namespace tutti::algorithms::selection
