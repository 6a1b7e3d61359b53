// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/profile.hpp"

#include "sim/base/suggest.hpp"
#include "sim/tune/tune_sections.hpp"

namespace tutti::studies::tuning {
namespace {

constexpr std::string_view format_name = "tutti-profile/1";

class ProfileReading : private TuneSections {
 public:
  ProfileReading(TuneFile& file, const std::string& text, const std::string& path,
                 const std::vector<StudyOption>& options)
      : TuneSections(text, path, options, file.sources.size() - 1), file_(file) {}

  std::vector<Error> read() {
    const auto root = TUTTI_TRY(text_.parse());
    if (root.get("format") == nullptr)
      wrong({1, 0}, "is no profile: it has no format", fmt::format("format = \"{}\"", format_name));
    for (const auto& [key, node] : root) read_section(key, node);
    if (errors_.empty() && !has_calls_)
      wrong({1, 0}, "has no [[call]]", "[[call]] workload = \"bcast\", message_size = \"1KiB\"");
    return errors_.errors();
  }

 private:
  void read_section(const toml::key& key, const toml::node& node) {
    if (key.str() == "format")
      read_format(node);
    else if (key.str() == "profile")
      with_table(key, node, [&](const toml::table& table) { read_profile(table); });
    else if (key.str() == "call")
      with_tables(key, node, [&](const toml::table& table) { read_call(table); });
    else
      unknown_key(key, {"format", "profile", "call"}, "a profile");
  }

  void read_format(const toml::node& node) {
    std::string format;
    read_text(node, format);
    if (format != format_name)
      wrong(spot_of(node), fmt::format("format {} is not known", in_quotes(format)),
            fmt::format("this version reads {}", in_quotes(format_name)));
  }

  void read_profile(const toml::table& table) {
    for (const auto& [key, node] : table)
      if (key.str() == "application")
        read_text(node, file_.application);
      else if (key.str() == "category")
        read_text(node, file_.category);
      else if (key.str() == "problem_size")
        read_positive(node, file_.problem_size.emplace());
      else
        unknown_key(key, {"application", "category", "problem_size"}, "[profile]");
  }

  void read_call(const toml::table& table) {
    has_calls_ = true;
    file_.objectives.push_back(objective_of(table, {.section = "[[call]]", .weight = "count"}));
  }

  TuneFile& file_;
  bool has_calls_ = false;
};

}  // namespace

std::vector<Error> add_profile(TuneFile& file, const std::string& text, const std::string& path,
                               const std::vector<StudyOption>& options) {
  file.sources.push_back({path, text});
  return ProfileReading(file, text, path, options).read();
}

}  // namespace tutti::studies::tuning
