// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/output_format.hpp"

#include "sim/commands/output.hpp"

namespace tutti::commands {
namespace {

Error not_offered(const OptionValues& parsed, const std::string& word,
                  const std::vector<std::string>& words) {
  if (!reports::format_of(word))
    return unknown_name(parsed.typed("--format"), "format", word, words);
  return usage_error(parsed.typed("--format"),
                     fmt::format("format {} is not available for this report", word),
                     fmt::format("expected one of: {}", fmt::join(words, ", ")));
}

std::string list_extensions(const std::vector<std::string>& words) {
  std::string all;
  for (const auto& word : words)
    if (reports::format_of(word)) all += word == "text" ? ".txt " : fmt::format(".{} ", word);
  return all;
}

}  // namespace

Result<std::string> chosen_format(const OptionValues& parsed, const OptionSpec& row) {
  const auto words = split_words(row.words, ' ');
  const auto offers = [&](const std::string& word) { return std::ranges::count(words, word) > 0; };
  if (parsed.has("--format")) {
    const std::string& word = parsed.value("--format");
    if (!offers(word)) return not_offered(parsed, word, words);
    return word;
  }
  if (!parsed.has("--output")) return words.front();
  const std::string& path = parsed.value("--output");
  if (path == "-" || names_device(path)) return words.front();
  const auto format = reports::format_of_file(path);
  const std::string word = format ? reports::name_of(*format) : "";
  if (!offers(word))
    return usage_error(parsed.typed("--output"),
                       fmt::format("unknown extension of {}", in_quotes(path)),
                       fmt::format("expected {}or give --format", list_extensions(words)));
  return word;
}

}  // namespace tutti::commands
