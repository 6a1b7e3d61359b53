// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/provenance_comment.hpp"

#include "sim/base/line_reader.hpp"
#include "sim/reports/tables/readers.hpp"

namespace tutti::reports {
namespace {

// "platform NAME (FILE), hash HASH: SIZE, KEY = VALUE, ..."; nothing of another sentence.
void add_platform(std::string_view sentence, Table& table) {
  constexpr std::string_view start = "platform ";
  constexpr std::string_view hash_mark = "), hash ";
  const auto name_end = sentence.find(" (");
  const auto hash = sentence.find(hash_mark);
  if (!sentence.starts_with(start) || hash == std::string_view::npos || name_end > hash) return;
  const auto hash_start = hash + hash_mark.size();
  const auto hash_end = sentence.find(':', hash_start);
  if (hash_end == std::string_view::npos) return;
  add_constant(table, "platform",
               std::string(sentence.substr(start.size(), name_end - start.size())));
  add_constant(table, "platform_hash",
               std::string(sentence.substr(hash_start, hash_end - hash_start)));
  auto rest = sentence.substr(hash_end);
  for (std::size_t at; (at = rest.find(", ")) != std::string_view::npos;) {
    rest.remove_prefix(at + 2);
    const auto pair = rest.substr(0, rest.find(", "));
    const auto equals = pair.find(" = ");
    if (equals != std::string_view::npos)
      add_constant(table, std::string(pair.substr(0, equals)),
                   std::string(pair.substr(equals + 3)));
  }
}

}  // namespace

void take_comment(std::string_view comment, ResultFile& file) {
  constexpr std::string_view failed = "failed: ";
  comment = trim(comment);
  if (comment.starts_with(failed))
    file.failed.emplace_back(comment.substr(failed.size()));
  else if (!comment.empty())
    file.provenance.emplace_back(comment);
}

void finish_comments(ResultFile& file) {
  for (const auto& sentence : file.provenance) add_platform(sentence, file.table);
}

}  // namespace tutti::reports
