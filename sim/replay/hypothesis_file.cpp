// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/hypothesis_file.hpp"

#include "sim/replay/hypothesis.hpp"
#include "sim/replay/silas_configuration.hpp"
#include "sim/studies/toml.hpp"

namespace tutti::studies::replay {
namespace {

constexpr std::array<std::string_view, 2> scale_parts = {"before", "after"};

class HypothesisFileReader : protected TomlKeys {
 protected:
  using TomlKeys::TomlKeys;

  // A time of at most `most_s`; `too_long` is the error for longer ones.
  Read seconds(double& into, double most_s = century_s,
               const char* too_long = "must be at most a century") {
    return [this, &into, most_s, too_long](const Node& node) {
      if (const auto number = node.value<double>()) {
        into = *number;
      } else {
        const auto time = parse_seconds(node.value<std::string>().value_or(""));
        if (!time) return wrong(node, "invalid time", "expected for example \"2us\"");
        into = *time;
      }
      if (std::isnan(into)) wrong(node, "invalid time", "expected for example \"2us\"");
      if (into < 0) wrong(node, "must not be negative", "expected for example \"2us\"");
      if (into > most_s) wrong(node, too_long, "a number without a unit is in seconds");
    };
  }

  // A time per byte.
  Read seconds_per_byte(double& into) {
    constexpr double tebibyte = 0x1p40;
    return seconds(into, century_s / tebibyte, "must be at most a century per TiB");
  }

  Read factor(double& into) {
    return [this, &into](const Node& node) {
      real(into)(node);
      if (into < 0) wrong(node, "factor must not be negative", "for example 0.5: twice as fast");
      if (into > most_factor)
        wrong(node, fmt::format("factor must be at most {:g}", most_factor),
              "for example 2: half as fast");
    };
  }

  // A name of a region or call, not empty.
  Read name(std::string& into) {
    return [this, &into](const Node& node) {
      text(into)(node);
      if (node.value_exact<std::string>() == "")
        wrong(node, "must not be empty", "expected a name, which may contain * and ?");
    };
  }

  Read flag(bool& into) {
    return [this, &into](const Node& node) {
      const auto value = node.value_exact<bool>();
      if (!value) return wrong(node, "must be true or false");
      into = *value;
    };
  }

  template <class Enum, class Names>
  Read one_of(Enum& into, const Names& names, int first = 0) {
    return [this, &into, &names, first](const Node& node) {
      const auto match = std::ranges::find(names, node.value<std::string>().value_or(""));
      if (match == names.end())
        return wrong(node, fmt::format("must be one of {}", fmt::join(names, ", ")));
      into = static_cast<Enum>(match - names.begin() + first);
    };
  }
};

class HypothesisReader : private HypothesisFileReader {
 public:
  HypothesisReader(const std::string& text, const std::string& path)
      : HypothesisFileReader(text, path) {}

  Result<Hypothesis> read() {
    const auto root = TUTTI_TRY(text_.parse());
    read_keys(
        root,
        {{"?call_gap", [&](const Node& node) { seconds(hypothesis_.call_gap_s.emplace())(node); }},
         {"?call_latency", seconds(hypothesis_.call_latency_s)},
         {"?compensate_perturbation", seconds(hypothesis_.perturbation_s)},
         {"?scale", [&](const Node& node) { each(node, [&](const Node& one) { scale(one); }); }},
         {"?balance",
          [&](const Node& node) { each(node, [&](const Node& one) { balance(one); }); }},
         {"?replace",
          [&](const Node& node) { each(node, [&](const Node& one) { replace(one); }); }},
         {"?cut", [&](const Node& node) { each(node, [&](const Node& one) { cut(one); }); }}},
        root);
    if (errors_.empty() && hypothesis_.is_empty())
      errors_.add(make_error(
          ErrorKind::input, path_, "the hypothesis changes nothing",
          "add [[scale]], [[balance]], [[cut]], [[replace]] or compensate_perturbation"));
    if (auto error = too_many_parts(hypothesis_, path_)) errors_.add(*std::move(error));
    if (!errors_.empty()) return errors_.errors();
    return std::move(hypothesis_);
  }

 private:
  template <class One>
  void each(const Node& node, const One& one) {
    const auto* array = node.as_array();
    if (array == nullptr) return wrong(node, "must be a list of sections in double brackets");
    for (const auto& value : *array) one(value);
  }

  void scale(const Node& node) {
    Scale scale;
    section(node, {{"region", name(scale.region)},
                   {"factor", factor(scale.factor)},
                   {"?within", name(scale.within)},
                   {"?part", one_of(scale.part, scale_parts, 1)},
                   {"?inner", name(scale.inner)}});
    if ((scale.part == Scale::Part::all) != scale.inner.empty())
      wrong(node, "part and inner must be given together",
            "for example part = \"before\", inner = \"MPI_Send\"");
    hypothesis_.scales.push_back(std::move(scale));
  }

  void balance(const Node& node) {
    Balance balance;
    section(node, {{"region", name(balance.region)},
                   {"?mode", one_of(balance.mode, balance_modes)},
                   {"?within", name(balance.within)},
                   {"?messages", flag(balance.messages)}});
    hypothesis_.balances.push_back(std::move(balance));
  }

  void replace(const Node& node) {
    Replace replace;
    std::string by;
    section(node, {{"call", name(replace.call)},
                   {"by", name(by)},
                   {"?wait_after", name(replace.wait_after)},
                   {"?within", name(replace.within)}});
    if (by.empty() || replace.call.empty()) return;
    const std::string nonblocking = nonblocking_name(replace.call);
    if (nonblocking.empty() && replace.call != "MPI_Sendrecv")
      return wrong(node, fmt::format("{} cannot be replaced", in_quotes(replace.call)),
                   "expected MPI_Sendrecv, MPI_Send, MPI_Ssend, MPI_Bsend or MPI_Recv");
    replace.by = by == "MPI_Recv+MPI_Send" ? Replace::By::recv_then_send
                 : nonblocking.empty()     ? Replace::By::send_then_recv
                                           : Replace::By::nonblocking;
    if (by_text(replace) != by || (replace.by != Replace::By::nonblocking && !nonblocking.empty()))
      return wrong(node, fmt::format("{} cannot replace {}", in_quotes(by), replace.call),
                   nonblocking.empty() ? "expected MPI_Send+MPI_Recv or MPI_Recv+MPI_Send"
                                       : fmt::format("expected {}, with wait_after", nonblocking));
    if (nonblocking.empty() != replace.wait_after.empty())
      return wrong(node,
                   nonblocking.empty() ? "unexpected 'wait_after'" : "'wait_after' is missing",
                   nonblocking.empty() ? "wait_after applies only to nonblocking calls"
                                       : "name the region after which the MPI_Wait comes");
    hypothesis_.replaces.push_back(std::move(replace));
  }

  void cut(const Node& node) {
    Cut cut;
    bool has_message = false;
    section(node, {{"?region", name(cut.region)},
                   {"?within", name(cut.within)},
                   {"?message", [&](const Node& message) {
                      has_message = true;
                      section(message, {{"?size", size(cut.message_bytes)},
                                        {"?tag", tag(cut.message_tag)},
                                        {"?within", name(cut.within)}});
                    }}});
    if (has_message != cut.region.empty())
      wrong(node, "[[cut]] requires either region or message",
            "for example region = \"foo\", or message = { size = 0 }");
    hypothesis_.cuts.push_back(std::move(cut));
  }

  // A number, or a string of an optional relation and a size.
  Read size(std::optional<Condition>& into) {
    return condition(into, "invalid size", "expected for example 0, \"4KiB\" or \"<= 4KiB\"",
                     [](auto text) { return parse_bytes(text); });
  }
  Read tag(std::optional<Condition>& into) {
    return condition(into, "invalid tag", "expected for example 7 or \">= 7\"",
                     [](auto text) { return parse_integer(text); });
  }
  template <class Parse>
  Read condition(std::optional<Condition>& into, const char* message, const char* hint,
                 const Parse& parse) {
    return [this, &into, message, hint, parse](const Node& node) {
      const auto number = node.value_exact<std::int64_t>();
      const std::string text =
          number ? std::to_string(*number) : node.value<std::string>().value_or("");
      const auto [relation, rest] = relation_before(text);
      const auto value = parse(rest);
      if (!value || *value < 0) return wrong(node, message, hint);
      into = Condition(static_cast<std::uint64_t>(*value), relation);
    };
  }

  Hypothesis hypothesis_;
};

class LogGPReader : private HypothesisFileReader {
 public:
  LogGPReader(const std::string& text, const std::string& path)
      : HypothesisFileReader(text, path) {}

  Result<LogGP> read() {
    const auto root = TUTTI_TRY(text_.parse());
    double by_default = 0;
    Keys collective{{"?default", seconds(by_default)}};
    std::array<double, collective_op_count> own;
    own.fill(-1);
    for (std::size_t i = 0; i < collective_op_count; ++i)
      collective[fmt::format("?{}", workloads::traces::collective_op_names[i])] = seconds(own[i]);
    read_keys(root,
              {{"loggp",
                [&](const Node& node) {
                  section(node, {{"L", seconds(loggp_.L_s)},
                                 {"o", seconds(loggp_.o_s)},
                                 {"G", seconds_per_byte(loggp_.G_s_per_B)},
                                 {"?call_gap", seconds(loggp_.call_gap_s)}});
                }},
               {"?collective", [&](const Node& node) { section(node, collective); }}},
              root);
    if (!errors_.empty()) return errors_.errors();
    for (std::size_t i = 0; i < collective_op_count; ++i)
      loggp_.collective_s[i] = own[i] < 0 ? by_default : own[i];
    return loggp_;
  }

 private:
  LogGP loggp_;
};

std::string condition_text(const Condition& condition) {
  if (condition.relation == Relation::equal) return std::to_string(condition.value);
  return fmt::format("\"{} {}\"", relations[static_cast<std::size_t>(condition.relation)],
                     condition.value);
}

// The conditions of a message are an inline table.
std::string cut_text(const Cut& cut) {
  const std::string within =
      cut.within.empty() ? "" : fmt::format("within = {}", toml_text(cut.within));
  if (!cut.region.empty())
    return fmt::format("\n[[cut]]\nregion = {}\n{}", toml_text(cut.region),
                       within.empty() ? "" : within + '\n');
  std::vector<std::string> conditions;
  if (cut.message_bytes) conditions.push_back("size = " + condition_text(*cut.message_bytes));
  if (cut.message_tag) conditions.push_back("tag = " + condition_text(*cut.message_tag));
  if (!within.empty()) conditions.push_back(within);
  return fmt::format("\n[[cut]]\nmessage = {{ {} }}\n", fmt::join(conditions, ", "));
}

}  // namespace

Result<Hypothesis> read_hypothesis(const std::string& text, const std::string& path) {
  return is_silas_configuration(text) ? read_silas_configuration(text, path)
                                      : HypothesisReader(text, path).read();
}

std::string hypothesis_text(const Hypothesis& hypothesis,
                            const std::vector<std::string>& comments) {
  std::string text;
  for (const auto& line : comments) text += "# " + printable(line) + '\n';
  const auto add = [&](const char* key, const std::string& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  const auto add_name = [&](const char* key, std::string_view name) {
    if (!name.empty()) add(key, toml_text(std::string(name)));
  };
  if (hypothesis.call_latency_s > 0) add("call_latency", toml_number(hypothesis.call_latency_s));
  if (hypothesis.call_gap_s) add("call_gap", toml_number(*hypothesis.call_gap_s));
  if (hypothesis.perturbation_s > 0)
    add("compensate_perturbation", toml_number(hypothesis.perturbation_s));
  for (const auto& scale : hypothesis.scales) {
    text += "\n[[scale]]\n";
    add_name("region", scale.region);
    add("factor", toml_number(scale.factor));
    add_name("within", scale.within);
    if (scale.part != Scale::Part::all)
      add_name("part", scale_parts[static_cast<std::size_t>(scale.part) - 1]);
    add_name("inner", scale.inner);
  }
  for (const auto& balance : hypothesis.balances) {
    text += "\n[[balance]]\n";
    add_name("region", balance.region);
    add_name("mode", balance_modes[static_cast<std::size_t>(balance.mode)]);
    add_name("within", balance.within);
    if (balance.messages) add("messages", "true");
  }
  for (const auto& cut : hypothesis.cuts) text += cut_text(cut);
  for (const auto& replace : hypothesis.replaces) {
    text += "\n[[replace]]\n";
    add_name("call", replace.call);
    add_name("by", by_text(replace));
    add_name("wait_after", replace.wait_after);
    add_name("within", replace.within);
  }
  return text;
}

Result<LogGP> read_loggp(const std::string& text, const std::string& path) {
  return LogGPReader(text, path).read();
}

}  // namespace tutti::studies::replay
