// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/common.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/studies/study_table.hpp"
#include "sim/tune/otpo_file.hpp"
#include "sim/tune/tune_file.hpp"

namespace tutti::studies::tuning {
namespace {

constexpr std::string_view format_name = "tutti-profile/1";

class ProfileReader : private TuneSections {
 public:
  ProfileReader(TuneFile& file, const std::string& text, const std::string& path,
                const std::vector<StudyOption>& options)
      : TuneSections(text, path, options, file.sources.size() - 1), file_(file) {}

  std::vector<Error> read() {
    const auto root = TUTTI_TRY(text_.parse());
    if (root.get("format") == nullptr)
      wrong({1, 0}, "invalid profile: missing format", fmt::format("format = \"{}\"", format_name));
    for (const auto& [key, node] : root) read_section(key, node);
    if (errors_.empty() && !has_calls_)
      wrong({1, 0}, "missing [[call]]",
            "add [[call]] workload = \"bcast\", message_size = \"1KiB\"");
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
      wrong(spot_of(node), fmt::format("unknown format {}", in_quotes(format)),
            fmt::format("this version reads {}", in_quotes(format_name)));
  }

  void read_profile(const toml::table& table) {
    read_keys(table, "[profile]",
              {{"application", [&](const auto& node) { read_text(node, file_.application); }},
               {"category", [&](const auto& node) { read_text(node, file_.category); }},
               {"problem_size",
                [&](const auto& node) { read_positive(node, file_.problem_size.emplace()); }}});
  }

  void read_call(const toml::table& table) {
    has_calls_ = true;
    file_.objectives.push_back(make_objective(table, {.section = "[[call]]", .weight = "count"}));
  }

  TuneFile& file_;
  bool has_calls_ = false;
};

TuneCondition make_condition(const RpnCondition& condition, const std::vector<OtpoParameter>& all) {
  const auto names = condition.names([&](const std::string& name) {
    return std::ranges::find(all, name, &OtpoParameter::name) != all.end();
  });
  using Operand = RpnCondition::Operand;
  return {[condition](const CellsOf& cells) {
            return condition.holds([&](const std::string& name) -> std::optional<Operand> {
              const auto values = cells(name);
              if (values.empty()) return std::nullopt;
              const auto number = mca_number(name, values.front());
              return number ? Operand(*number) : Operand(to_text(values.front()));
            });
          },
          {names.begin(), names.end()}};
}

class OtpoParameters {
 public:
  // The file is the last one of `file.sources`.
  OtpoParameters(TuneFile& file, const std::vector<StudyOption>& options)
      : file_(file), known_(options) {}

  std::vector<Error> add(const std::vector<OtpoParameter>& all) {
    for (const auto& parameter : all) {
      if (parameter.aggregate)
        add_aggregate(parameter, all);
      else
        add_parameter(parameter, all);
    }
    return errors_.errors();
  }

 private:
  TextSpot spot_of(const OtpoParameter& parameter) const {
    return {parameter.line, 0, file_.sources.size() - 1};
  }
  void wrong(const OtpoParameter& at, std::string message, std::string hint = "") {
    errors_.add(error_at(file_, spot_of(at), std::move(message), std::move(hint)));
  }

  struct Option {
    KnownParameter known;
    std::string named;  // empty: no simulation models it
  };
  std::optional<Option> find_option(const OtpoParameter& parameter) {
    auto known = known_parameter(parameter.name);
    if (!known.without_effect.empty()) return Option{std::move(known), ""};
    const auto option = known_.find(known.option);
    if (option) return Option{std::move(known), option->named};
    wrong(parameter, fmt::format("unknown parameter {}", in_quotes(parameter.name)),
          did_you_mean(parameter.name, known_.keys(),
                       "mark a parameter that the library does not have with -v"));
    return std::nullopt;
  }

  void add_parameter(const OtpoParameter& given, const std::vector<OtpoParameter>& all) {
    TuneParameter parameter;
    parameter.given = parameter.full = given.name;
    parameter.axis = {given.name, spot_of(given), {}};
    parameter.is_virtual = given.is_virtual;
    if (!given.is_virtual) {
      const auto option = find_option(given);
      if (!option) return;
      parameter.without_effect = option->known.without_effect;
      parameter.workload = option->known.workload;
      if (!option->named.empty()) {
        parameter.axis.name = option->named;
        parameter.full = option->known.full_name();
      }
    }
    for (const auto& value : given.values) add_value(given, value, parameter);
    if (given.preset) set_default(given, parameter);
    if (given.condition) parameter.when = make_condition(*given.condition, all);
    file_.parameters.push_back(std::move(parameter));
  }

  void add_value(const OtpoParameter& given, const std::string& value, TuneParameter& parameter) {
    const auto ours = given.is_virtual ? Result<std::string>(value) : our_value(given.name, value);
    if (!ours) return wrong(given, ours.error().message, ours.error().hint);
    parameter.axis.values.push_back({*ours, parameter.axis.spot});
  }

  // OTPO's default need not be among the values that it tries. Here it becomes one of them, but
  // neither the first nor the last, which are corners of the factorial search.
  void set_default(const OtpoParameter& given, TuneParameter& parameter) {
    auto& values = parameter.axis.values;
    const auto count = values.size();
    add_value(given, *given.preset, parameter);
    if (values.size() == count) return;
    const auto preset = values.back();
    values.pop_back();
    parameter.default_value = find_value(parameter, cell_of_text(preset.text));
    if (parameter.default_value) return;
    parameter.default_value = std::min<std::size_t>(1, values.size());
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(*parameter.default_value), preset);
    file_.notes.push_back(
        fmt::format("{}: the default {} is not among its values and is tried in addition",
                    given.name, *given.preset));
  }

  void add_aggregate(const OtpoParameter& given, const std::vector<OtpoParameter>& all) {
    const auto has = [&](const std::string& name) -> std::optional<std::string> {
      const auto parameter = std::ranges::find(all, name, &OtpoParameter::name);
      if (parameter == all.end() || parameter->aggregate) return std::nullopt;
      return "";
    };
    if (!expand_aggregate(*given.aggregate, has))
      return wrong(given, fmt::format("{} names an unknown parameter", in_quotes(*given.aggregate)),
                   "$NAME$ is replaced by the value of the parameter NAME");
    const auto option = find_option(given);
    if (!option) return;
    file_.aggregates.push_back(
        {.given = given.name,
         .full = option->named.empty() ? given.name : option->known.full_name(),
         .option = option->named,
         .workload = option->known.workload,
         .text = *given.aggregate,
         .spot = spot_of(given)});
  }

  TuneFile& file_;
  KnownOptions known_;
  ErrorList errors_;
};

}  // namespace

std::vector<Error> add_profile(TuneFile& file, const std::string& text, const std::string& path,
                               const std::vector<StudyOption>& options) {
  file.sources.push_back({path, text});
  return ProfileReader(file, text, path, options).read();
}

std::vector<Error> add_otpo_parameters(TuneFile& file, const std::string& text,
                                       const std::string& path,
                                       const std::vector<StudyOption>& options) {
  const auto parameters = TUTTI_TRY(read_otpo_file(text, path));
  file.sources.push_back({path, text});
  return OtpoParameters(file, options).add(parameters);
}

}  // namespace tutti::studies::tuning
