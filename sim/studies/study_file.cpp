// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_file.hpp"

#include "sim/studies/study_table.hpp"
#include "sim/studies/toml.hpp"

namespace tutti::studies {
namespace {

std::vector<Error> sort_errors(std::vector<Error> errors) {
  std::ranges::stable_sort(errors, {},
                           [](const Error& error) { return std::pair(error.line, error.column); });
  return errors;
}

// Reads a study file, section by section.
class StudyFileReader : private TomlSections {
 public:
  StudyFileReader(const std::string& text, const std::string& path,
                  const std::vector<StudyOption>& options)
      : TomlSections(text, path, options) {
    study_.text = text;
    study_.path = path;
    study_.name = std::filesystem::path(path).stem();
  }

  Result<StudyFile> read() {
    const auto root = TUTTI_TRY(text_.parse());
    read_root(root);
    if (!errors_.empty()) return sort_errors(errors_.errors());
    // toml++ sorts keys by name.
    std::ranges::stable_sort(study_.matrix, {}, [](const StudyGroup& group) {
      return std::pair(group.front().spot.line, group.front().spot.column);
    });
    return std::move(study_);
  }

 private:
  // ---- sections ----

  void read_root(const toml::table& root) {
    const std::vector<std::string> sections{"study",   "base",    "matrix", "zip",
                                            "exclude", "include", "report"};
    const std::vector<std::string> of_tuning{"objective", "parameter", "search", "constraint"};
    for (const auto& [key, node] : root) {
      const std::string name(key.str());
      if (name == "study")
        with_table(key, node, [&](const toml::table& table) { read_study_section(table); });
      else if (name == "base")
        with_table(key, node, [&](const toml::table& table) { read_base(table); });
      else if (name == "matrix")
        with_table(key, node, [&](const toml::table& table) { read_matrix(table); });
      else if (name == "zip" || name == "exclude" || name == "include")
        with_tables(key, node, [&](const toml::table& table) { read_group(name, table); });
      else if (name == "report")
        with_table(key, node, [&](const toml::table& table) { read_report(table); });
      else if (std::ranges::count(of_tuning, name) > 0)
        wrong(spot_of(key), fmt::format("section {} belongs to sim tune", in_quotes(name)),
              "run `sim tune` with this file, or remove the section");
      else
        wrong(spot_of(key), fmt::format("unknown section {}", in_quotes(name)),
              did_you_mean(name, sections,
                           "expected one of: [study], [base], [matrix], [[zip]], [[exclude]], "
                           "[[include]], [[report.plot]]"));
    }
    check_once();
    check_workload(root);
  }

  void read_study_section(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name != "name" && name != "description") {
        unknown_key(key, {"name", "description"}, "[study]");
        continue;
      }
      const auto text = node.value_exact<std::string>();
      if (!text || (name == "name" && text->empty()))
        wrong(spot_of(node), fmt::format("{} must be a text in quotes", name));
      else
        (name == "name" ? study_.name : study_.description) = *text;
    }
  }

  void read_base(const toml::table& table) {
    for (const auto& [key, node] : table) {
      auto axis = read_axis(key, node, "[base]");
      if (!axis) continue;
      if (node.is_array() || axis->values.size() > 1)
        wrong(axis->spot, fmt::format("{} has several values", in_quotes(key.str())),
              "move it to [matrix]");
      else
        study_.base.push_back(*std::move(axis));
    }
  }

  void read_matrix(const toml::table& table) {
    for (const auto& [key, node] : table)
      if (auto axis = read_axis(key, node, "[matrix]")) study_.matrix.push_back({*std::move(axis)});
  }

  void read_group(const std::string& section, const toml::table& table) {
    StudyGroup group;
    for (const auto& [key, node] : table)
      if (auto axis = read_axis(key, node, fmt::format("[[{}]]", section)))
        group.push_back(*std::move(axis));
    if (table.empty())
      return wrong(spot_of(table), fmt::format("empty [[{}]]", section), "remove it");
    if (section == "zip") check_lengths(group);
    (section == "zip"       ? study_.matrix
     : section == "exclude" ? study_.excludes
                            : study_.includes)
        .push_back(std::move(group));
  }

  void check_lengths(const StudyGroup& group) {
    for (const StudyAxis& axis : group)
      if (axis.values.size() != group.front().values.size())
        wrong(axis.spot,
              fmt::format("{} has {} values, {} has {}", in_quotes(axis.name), axis.values.size(),
                          in_quotes(group.front().name), group.front().values.size()),
              "the options of a [[zip]] vary together and need lists of equal length");
  }

  void read_report(const toml::table& table) {
    for (const auto& [key, node] : table)
      if (key.str() == "plot")
        with_tables(
            key, node, [&](const toml::table& plot) { read_plot(plot); }, "report.plot");
      else
        unknown_key(key, {"plot"}, "[report]");
  }

  void read_plot(const toml::table& table) {
    static const std::vector<std::string> names{"x",   "y",        "series", "facet", "facet_rows",
                                                "log", "relative", "kind",   "title"};
    StudyPlot plot{.spot = spot_of(table), .options = {}};
    for (const auto& [key, node] : table) {
      if (std::ranges::find(names, key.str()) == names.end()) {
        unknown_key(key, names, "[[report.plot]]");
        continue;
      }
      if (const auto text = node.value_exact<std::string>())
        plot.options.emplace_back(key.str(), *text);
      else
        wrong(spot_of(node), fmt::format("{} must be a text in quotes", key.str()));
    }
    study_.plots.push_back(std::move(plot));
  }

  // ---- checks of the whole study ----

  void check_once() {
    std::map<std::string, TextSpot> seen;
    const auto see = [&](const StudyAxis& axis) {
      const auto [entry, is_new] = seen.try_emplace(axis.name, axis.spot);
      if (!is_new)
        wrong(axis.spot, fmt::format("{} is given twice", in_quotes(axis.name)),
              fmt::format("first given in line {}", entry->second.line));
    };
    for (const StudyAxis& axis : study_.base) see(axis);
    for (const StudyGroup& group : study_.matrix) std::ranges::for_each(group, see);
    for (const auto* groups : {&study_.excludes, &study_.includes})
      for (const StudyGroup& group : *groups) {
        std::set<std::string> names;
        for (const StudyAxis& axis : group)
          if (!names.insert(axis.name).second)
            wrong(axis.spot, fmt::format("{} is given twice", in_quotes(axis.name)),
                  "list all of its values once");
      }
  }

  void check_workload(const toml::table& root) {
    if (!errors_.empty()) return;
    const auto names_workload = [](const StudyGroup& group) {
      return std::ranges::any_of(group, [](const auto& axis) { return axis.name == workload_key; });
    };
    if (names_workload(study_.base) || std::ranges::any_of(study_.matrix, names_workload)) return;
    if (study_.base.empty() && study_.matrix.empty() && !study_.includes.empty() &&
        std::ranges::all_of(study_.includes, names_workload))
      return;
    const auto* base = root.get("base");
    wrong(base == nullptr ? TextSpot{1, 0} : spot_of(*base), "missing workload",
          "for example workload = \"bcast\" in [base], the word after `sim run`");
  }

  StudyFile study_;
};

}  // namespace

Result<StudyFile> read_study(const std::string& text, const std::string& path,
                             const std::vector<StudyOption>& options) {
  return StudyFileReader(text, path, options).read();
}

std::optional<Error> set_option(StudyFile& study, const std::string& assignment,
                                const std::vector<StudyOption>& options) {
  const auto equals = assignment.find('=');
  const KnownOptions known(options);
  const std::string key = assignment.substr(0, equals);
  const auto option = known.find(key);
  if (equals == std::string::npos || !option)
    return usage_error(
        "--override",
        equals == std::string::npos ? fmt::format("{} is not KEY=VALUE", in_quotes(assignment))
                                    : fmt::format("unknown option {}", in_quotes(key)),
        did_you_mean(key, known.keys(), "use the keys of studies, for example message_size=64KiB"));
  const auto is_option = [&](const StudyAxis& axis) { return axis.name == option->named; };
  std::erase_if(study.base, is_option);
  for (auto* groups : {&study.matrix, &study.includes})
    for (StudyGroup& group : *groups) std::erase_if(group, is_option);
  std::erase_if(study.matrix, [](const StudyGroup& group) { return group.empty(); });
  auto values = expand_value(assignment.substr(equals + 1), *option);
  if (!values)
    return usage_error("--override", key + ": " + values.error().message, values.error().hint);
  StudyAxis axis{.name = option->named, .spot = {}, .values = {}};
  for (std::string& value : *values) axis.values.push_back({std::move(value), {}});
  if (axis.values.size() == 1)
    study.base.push_back(std::move(axis));
  else
    study.matrix.push_back({std::move(axis)});
  return std::nullopt;
}

Error error_at(const StudyFile& study, TextSpot spot, std::string message, std::string hint) {
  if (spot.line == 0) return usage_error("--override", std::move(message), std::move(hint));
  const bool is_own = spot.source == 0;
  const auto* other = is_own ? nullptr : &study.others.at(spot.source - 1);
  return TomlText(is_own ? study.text : other->text, is_own ? study.path : other->path)
      .error_at(spot, std::move(message), std::move(hint));
}

}  // namespace tutti::studies
