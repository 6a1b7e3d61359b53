// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/tune_file.hpp"

#include "io_models/hints.hpp"
#include "sim/options/axis.hpp"
#include "sim/studies/study_table.hpp"
#include "sim/tune/otpo_file.hpp"

namespace tutti::studies::tuning {

TuneObjective TuneSections::make_objective(const toml::table& table, const OwnKeys& own,
                                           const StudyAxis* workload) {
  TuneObjective objective{.spot = spot_of(table), .base = {}, .product = {}, .name = {}};
  for (const auto& [key, node] : table) {
    if (key.str() == own.weight)
      read_positive(node, objective.weight);
    else if (key.str() == "name")
      read_text(node, objective.name);
    else if (own.has_stage && key.str() == "stage")
      read_whole(node, objective.stage, 1, 9);
    else if (auto axis = read_axis(key, node, own.section))
      axis->values.size() == 1 ? objective.base.push_back(*std::move(axis))
                               : objective.product.push_back({*std::move(axis)});
  }
  check_product(objective);
  const auto is_workload = [](const StudyAxis& axis) { return axis.name == workload_key; };
  if (std::ranges::any_of(objective.base, is_workload)) return objective;
  if (workload != nullptr)
    objective.base.push_back(*workload);
  else
    wrong(spot_of(table), "missing workload",
          "add for example workload = \"bcast\", the word after `sim run`");
  return objective;
}

void TuneSections::check_product(const TuneObjective& objective) {
  std::vector<std::size_t> lengths;
  for (const auto& group : objective.product) lengths.push_back(group.front().values.size());
  if (const auto error = options::too_many_points(lengths))
    wrong(objective.spot, error->message, error->hint);
}

void TuneSections::read_keys(const toml::table& table, std::string_view section,
                             const std::vector<KeyReader>& readers) {
  std::vector<std::string> names;
  for (const auto& reader : readers) names.emplace_back(reader.key);
  for (const auto& [key, node] : table) {
    const auto reader = std::ranges::find(readers, key.str(), &KeyReader::key);
    if (reader != readers.end())
      reader->read(node);
    else
      unknown_key(key, names, section);
  }
}

void TuneSections::read_text(const toml::node& node, std::string& into) {
  if (auto text = node.value_exact<std::string>())
    into = *std::move(text);
  else
    wrong(spot_of(node), "expected a text in quotes");
}

void TuneSections::read_positive(const toml::node& node, double& into) {
  // Sums and ratios of numbers in this range are exact enough.
  constexpr double least = 1e-18, most = 1e18;
  const auto value = node.value<double>();
  if (!value || !(*value > 0)) return wrong(spot_of(node), "expected a number above 0");
  if (*value < least || *value > most)
    return wrong(spot_of(node), fmt::format("out of range: expected {:g} to {:g}", least, most));
  into = *value;
}

void TuneSections::read_part(const toml::node& node, double& into) {
  auto value = node.value<double>();
  if (const auto text = node.value_exact<std::string>(); text && text->ends_with('%'))
    if (const auto percent = parse_number(text->substr(0, text->size() - 1)))
      value = *percent / 100;
  if (!value || !(*value >= 0) || *value > 1)
    return wrong(spot_of(node), "expected a fraction from 0 to 1", "for example \"5%\" or 0.05");
  into = *value;
}

namespace {

class TuneFileReader : private TuneSections {
 public:
  TuneFileReader(const std::string& text, const std::string& path,
                 const std::vector<StudyOption>& options)
      : TuneSections(text, path, options) {
    file_.sources = {{path, text}};
    file_.name = std::filesystem::path(path).stem();
  }

  Result<TuneFile> read() {
    const auto root = TUTTI_TRY(text_.parse());
    read_root(root);
    add_matrix();
    if (!errors_.empty()) return errors_.errors();
    return std::move(file_);
  }

 private:
  // toml++ sorts sections by name: [base] comes before [[objective]].
  void read_root(const toml::table& root) {
    constexpr Section sections[] = {{"study", &TuneFileReader::read_study},
                                    {"base", &TuneFileReader::read_base},
                                    {"job", &TuneFileReader::read_base},
                                    {"matrix", &TuneFileReader::read_matrix},
                                    {"objective", &TuneFileReader::read_objective, true},
                                    {"parameter", &TuneFileReader::read_parameter, true},
                                    {"search", &TuneFileReader::read_search},
                                    {"constraint", &TuneFileReader::read_constraint},
                                    {"report", &TuneFileReader::skip_report}};
    for (const auto& [key, node] : root) {
      const auto* section = std::ranges::find(sections, key.str(), &Section::name);
      if (section == std::end(sections)) {
        unknown_section(key, std::string(key.str()));
        continue;
      }
      const auto read = [&](const toml::table& table) { (this->*section->read)(table); };
      if (section->is_list && !(key.str() == "objective" && node.is_table()))
        with_tables(key, node, read);
      else
        with_table(key, node, read);
    }
    if (root.contains("job") && root.contains("base"))
      return wrong(spot_of(*root.get("job")),
                   "[job] is the former name of [base], which is given too",
                   "move its keys to [base]");
    if (root.contains("job"))
      file_.notes.emplace_back("the section [job] is deprecated: use [base]");
  }

  struct Section {
    std::string_view name;
    void (TuneFileReader::*read)(const toml::table&);
    bool is_list = false;  // [[name]]; [objective] may also be a single section
  };

  void unknown_section(const toml::key& key, const std::string& name) {
    if (name == "zip" || name == "exclude" || name == "include")
      return wrong(spot_of(key), fmt::format("[[{}]] does not apply to sim tune", name),
                   "use a condition `when` of a [[parameter]], or sim sweep");
    wrong(spot_of(key), fmt::format("unknown section {}", in_quotes(name)),
          did_you_mean(
              name, {"study", "base", "matrix", "objective", "parameter", "search", "constraint"},
              "expected one of: [study], [base], [matrix], [[objective]], [[parameter]], "
              "[search], [constraint]"));
  }

  // Skips the section of plots, which apply to `sim sweep` only.
  void skip_report(const toml::table&) {}

  void read_study(const toml::table& table) {
    read_keys(table, "[study]",
              {{"name", [&](const auto& node) { read_text(node, file_.name); }},
               {"description", [&](const auto& node) { read_text(node, file_.description); }},
               {"otpo", [&](const auto& node) { read_path(node, file_.otpo_file); }},
               {"profile", [&](const auto& node) { read_path(node, file_.profile_file); }}});
  }
  void read_path(const toml::node& node, std::optional<StudyValue>& into) {
    into.emplace().spot = spot_of(node);
    read_text(node, into->text);
  }

  void read_objective(const toml::table& table) {
    file_.objectives.push_back(
        make_objective(table, {.section = "[[objective]]", .weight = "weight", .has_stage = true},
                       workload_ ? &*workload_ : nullptr));
  }

  void read_base(const toml::table& table) {
    for (const auto& [key, node] : table) {
      auto axis = read_axis(key, node, "[base]");
      if (!axis) continue;
      if (axis->values.size() > 1)
        wrong(spot_of(node), "[base] takes one value for each option", "move it to [matrix]");
      else if (axis->name == workload_key)
        workload_ = *std::move(axis);
      else
        file_.job.push_back(*std::move(axis));
    }
  }

  void read_matrix(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const auto option = known_.find(std::string(key.str()));
      if (option && defines_problem(option->named)) {
        if (auto axis = read_axis(key, node, "[matrix]")) matrix_.push_back(*std::move(axis));
      } else {
        TuneParameter parameter;
        parameter.given = std::string(key.str());
        parameter.axis.spot = spot_of(key);
        add_parameter(std::move(parameter), node);
      }
    }
    // Restores the order of the file: toml++ sorts keys by name.
    std::ranges::stable_sort(file_.parameters, {}, [](const TuneParameter& parameter) {
      return std::pair(parameter.axis.spot.line, parameter.axis.spot.column);
    });
  }

  // Adds the axes of [matrix] that define the problem to the objectives that do not set them.
  void add_matrix() {
    if (file_.objectives.empty() && workload_ && !file_.profile_file)
      file_.objectives.push_back(
          {.spot = workload_->spot, .base = {*workload_}, .product = {}, .name = {}});
    for (auto& objective : file_.objectives)
      for (const auto& axis : matrix_) {
        const auto is_it = [&](const StudyAxis& other) { return other.name == axis.name; };
        const auto has_it = [&](const StudyGroup& group) {
          return std::ranges::any_of(group, is_it);
        };
        if (!has_it(objective.base) && std::ranges::none_of(objective.product, has_it))
          objective.product.push_back({axis});
      }
  }

  void read_parameter(const toml::table& table) {
    TuneParameter parameter;
    const auto* name = table.get("name");
    const auto given = name == nullptr ? std::nullopt : name->value_exact<std::string>();
    if (!given)
      return wrong(spot_of(table), "missing name of the [[parameter]]",
                   "for example name = \"mpi/eager_limit\"");
    parameter.given = *given;
    parameter.axis.spot = spot_of(*name);
    const auto option = option_or_error(parameter);
    if (!option) return;
    const auto skip = [](const toml::node&) {};
    read_keys(table, "[[parameter]]",
              {{"name", skip},
               {"values", [&](const auto& node) { add_choices(*option, node, parameter); }},
               {"default", skip},
               {"when", [&](const auto& node) { read_condition(node, parameter); }}});
    if (parameter.axis.values.empty() && errors_.empty())
      return wrong(spot_of(table), fmt::format("{} has no values", in_quotes(*given)),
                   "values = [\"4KiB\", \"16KiB\"], or \"4KiB:64KiB:*2\"");
    if (const auto* node = table.get("default")) read_default(*option, *node, parameter);
    file_.parameters.push_back(std::move(parameter));
  }

  // A parameter of [matrix].
  void add_parameter(TuneParameter parameter, const toml::node& values) {
    const auto option = option_or_error(parameter);
    if (!option) return;
    add_choices(*option, values, parameter);
    file_.parameters.push_back(std::move(parameter));
  }

  std::optional<StudyOption> option_or_error(TuneParameter& parameter) {
    auto option = find_option(parameter);
    if (!option)
      wrong(
          parameter.axis.spot, fmt::format("unknown parameter {}", in_quotes(parameter.given)),
          did_you_mean(parameter.given, known_.keys(),
                       "expected an option of `sim run`, such as segment_size, or a key of --set, "
                       "such as mpi/eager_limit"));
    return option;
  }

  // The option that simulations support, or a plain text for other parameters.
  std::optional<StudyOption> find_option(TuneParameter& parameter) {
    const auto* hint = io_models::find_hint(parameter.given);
    if (hint != nullptr && hint->is_simulated() &&
        hint->library == io_models::HintLibrary::of_romio) {
      parameter.is_hint = true;
      parameter.full = parameter.given;
      parameter.axis.name = "hints";
      return StudyOption{parameter.given, parameter.given, StudyOption::Kind::text};
    }
    const auto known = known_parameter(parameter.given);
    parameter.workload = known.workload;
    parameter.without_effect = known.without_effect;
    if (!known.without_effect.empty()) {
      parameter.full = parameter.axis.name = parameter.given;
      return StudyOption{parameter.given, parameter.given, StudyOption::Kind::text};
    }
    const auto option = known_.find(known.option);
    if (!option) return std::nullopt;
    parameter.axis.name = option->named;
    parameter.full = KnownParameter{option->named, known.workload, ""}.full_name();
    return option;
  }

  // Reads "1.5KiB:48KiB:*2" in addition to the forms that studies take.
  void add_choices(const StudyOption& option, const toml::node& node, TuneParameter& parameter) {
    auto& values = parameter.axis.values;
    const auto text = node.value_exact<std::string>();
    if (!text || text->find(':') == text->npos || !add_range(option, *text, node, values))
      add_values(option, node, parameter.axis);
    for (auto& value : values) value.text = in_our_words(parameter, value);
  }

  // Returns false if the text is not a range.
  bool add_range(const StudyOption& option, const std::string& text, const toml::node& node,
                 std::vector<StudyValue>& into) {
    const bool is_number = option.kind == StudyOption::Kind::count;
    const auto values =
        options::parse_axis(text, {.parse = is_number ? parse_integer : parse_bytes, .least = 0});
    if (!values) {
      if (!parse_bytes(text.substr(0, text.find(':')))) return false;
      wrong(spot_of(node), values.error().message, values.error().hint);
      return true;
    }
    for (const auto value : *values) into.push_back({std::to_string(value), spot_of(node)});
    return true;
  }

  std::string in_our_words(const TuneParameter& parameter, const StudyValue& value) {
    auto ours = our_value(parameter.given, value.text);
    if (ours) return *std::move(ours);
    wrong(value.spot, ours.error().message, ours.error().hint);
    return value.text;
  }

  void read_default(const StudyOption& option, const toml::node& node, TuneParameter& parameter) {
    StudyAxis axis;
    add_values(option, node, axis);
    if (axis.values.size() != 1) return wrong(spot_of(node), "expected one value");
    const auto preset = cell_of_text(in_our_words(parameter, axis.values[0]));
    parameter.default_value = find_value(parameter, preset);
    if (!parameter.default_value)
      wrong(spot_of(node), "the default is not among the values", "add it to the values");
  }

  void read_condition(const toml::node& node, TuneParameter& parameter) {
    const auto text = node.value_exact<std::string>();
    if (!text)
      return wrong(spot_of(node), "expected a text in quotes", "when = \"algorithm = chain\"");
    auto condition = Condition::parse(*text);
    if (!condition) return wrong(spot_of(node), condition.error().message, condition.error().hint);
    parameter.when =
        TuneCondition{[rule = *condition](const CellsOf& cells) { return rule.holds(cells); },
                      condition->names()};
  }

  void read_search(const toml::table& table) {
    auto& search = file_.search;
    read_keys(
        table, "[search]",
        {{"method", [&](const auto& node) { read_methods(node); }},
         {"seed", [&](const auto& node) { read_whole(node, search.seed, 0, INT64_MAX); }},
         {"budget", [&](const auto& node) { read_whole(node, search.budget, 1, 1'000'000); }},
         {"confidence", [&](const auto& node) { read_whole(node, search.confidence, 1, 100); }},
         {"batch", [&](const auto& node) { read_whole(node, search.batch, 1, 1000); }},
         {"threshold", [&](const auto& node) { read_part(node, search.threshold); }},
         {"keep_one_of", [&](const auto& node) { read_whole(node, search.keep_one_of, 2, 1000); }},
         {"levels", [&](const auto& node) { read_levels(node); }},
         {"survivors", [&](const auto& node) { read_part(node, file_.survivors); }},
         {"without_effect", [&](const auto& node) { read_without_effect(node); }}});
  }

  void read_methods(const toml::node& node) {
    file_.methods.clear();
    read_values(node, [&](const toml::node& value) {
      const auto text = value.value_exact<std::string>();
      const auto method = text ? parse_method(*text) : std::nullopt;
      if (method) return file_.methods.push_back(*method);
      if (text == "all") {
        for (const auto& name : method_names()) file_.methods.push_back(*parse_method(name));
        return;
      }
      wrong(spot_of(value), fmt::format("unknown search method {}", in_quotes(text.value_or(""))),
            did_you_mean(text.value_or(""), method_names(),
                         fmt::format("expected one of: {}, all", fmt::join(method_names(), ", "))));
    });
  }

  void read_levels(const toml::node& node) {
    read_values(node, [&](const toml::node& value) {
      std::int64_t procs = 0;
      read_whole(value, procs, 1, 1 << 24);
      if (procs > 0) file_.levels.push_back(procs);
    });
    if (!std::ranges::is_sorted(file_.levels))
      wrong(spot_of(node), "levels must be in ascending order");
  }

  void read_without_effect(const toml::node& node) {
    std::string text;
    read_text(node, text);
    if (text != "leave" && text != "search")
      return wrong(spot_of(node), "expected leave or search",
                   "leave: they keep their defaults; search: as if they mattered");
    file_.searches_without_effect = text == "search";
  }

  void read_constraint(const toml::table& table) {
    read_keys(table, "[constraint]", {{"memory", [&](const auto& node) { read_memory(node); }}});
  }
  void read_memory(const toml::node& node) {
    const auto bytes = parse_bytes(node.value_exact<std::string>().value_or(""));
    if (!bytes) return wrong(spot_of(node), "expected a size", "for example memory = \"64MiB\"");
    file_.memory_bytes = *bytes;
    file_.memory_spot = spot_of(node);
  }

  TuneFile file_;
  std::optional<StudyAxis> workload_;  // of [base]
  std::vector<StudyAxis> matrix_;      // of the problem
};

}  // namespace

bool TuneParameter::is_choice() const {
  return is_simulated() && !is_left && parameter_category(full) == Category::collective;
}

std::optional<std::size_t> find_value(const TuneParameter& parameter, const Cell& cell) {
  const auto& values = parameter.axis.values;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (same_cell(cell_of_text(values[i].text), cell)) return i;
  return std::nullopt;
}

Error error_at(const TuneFile& file, TextSpot spot, std::string message, std::string hint) {
  const auto& source = file.sources.at(spot.source);
  return TomlText(source.text, source.path).error_at(spot, std::move(message), std::move(hint));
}

Result<TuneFile> read_tune_file(const std::string& text, const std::string& path,
                                const std::vector<StudyOption>& options) {
  return TuneFileReader(text, path, options).read();
}

}  // namespace tutti::studies::tuning
