// SPDX-License-Identifier: BSD-3-Clause
#include "sim/options/axis.hpp"

namespace tutti::options {
namespace {

using Values = std::vector<std::int64_t>;

Error axis_problem(std::string message, std::string hint = "") {
  return usage_error("", std::move(message), std::move(hint));
}

Error too_many(std::string_view text) {
  return axis_problem(fmt::format("{} has more than {} values", in_quotes(text), max_points),
                      "use a larger step, for example A:B:*4 or A:B:+100");
}

Result<std::int64_t> parse_value(std::string_view text, const AxisKind& kind) {
  auto value = kind.parse(text);
  if (!value) {
    Error error = value.error();
    error.kind = ErrorKind::usage;
    if (!kind.hint.empty()) error.hint = kind.hint;
    return error;
  }
  if (*value < kind.least || *value > kind.most)
    return axis_problem(
        kind.most == INT64_MAX
            ? fmt::format("{} is too small: the minimum is {}", in_quotes(text), kind.least)
            : fmt::format("{} is out of range: {} to {}", in_quotes(text), kind.least, kind.most));
  return value;
}

struct Step {
  bool multiply = true;
  std::int64_t by = 2;
};

Result<Step> parse_step(std::string_view text, const AxisKind& kind) {
  const Error wrong = axis_problem(fmt::format("invalid step {}", in_quotes(text)),
                                   "expected *K with K at least 2, or +K with K at least 1");
  if (text.empty() || (text.front() != '*' && text.front() != '+')) return wrong;
  const bool multiply = text.front() == '*';
  const auto by = multiply ? parse_integer(text.substr(1)) : kind.parse(text.substr(1));
  if (!by || *by < (multiply ? 2 : 1)) return wrong;
  return Step{multiply, *by};
}

Result<Values> expand(std::string_view text, std::int64_t from, std::int64_t to, Step step) {
  if (from > to)
    return axis_problem(fmt::format("invalid range {}: it starts above its end", in_quotes(text)),
                        "write the smaller value first");
  if (from == 0 && step.multiply)
    return axis_problem(
        fmt::format("invalid range {}: a range that multiplies by {} cannot start at 0",
                    in_quotes(text), step.by),
        "write 0,1:B");
  Values values;
  for (std::int64_t value = from;;) {
    if (values.size() == max_points) return too_many(text);
    values.push_back(value);
    const bool ends = step.multiply ? value > to / step.by : value > to - step.by;
    if (ends) {
      if (value < to) values.push_back(to);
      return values;
    }
    value = step.multiply ? value * step.by : value + step.by;
  }
}

Result<Values> parse_item(std::string_view text, const AxisKind& kind) {
  const auto parts = split(text, ':');
  if (parts.size() > 3)
    return axis_problem(fmt::format("{} has too many colons", in_quotes(text)),
                        "expected A:B, A:B:*K or A:B:+K");
  const auto from = TUTTI_TRY(parse_value(parts[0], kind));
  if (parts.size() == 1) return Values{from};
  const auto to = TUTTI_TRY(parse_value(parts[1], kind));
  Step step;
  if (parts.size() == 3) {
    step = TUTTI_TRY(parse_step(parts[2], kind));
  }
  return expand(text, from, to, step);
}

}  // namespace

Result<Values> parse_axis(std::string_view text, const AxisKind& kind) {
  Values values;
  for (const auto item : split(text, ',')) {
    const auto more = TUTTI_TRY(parse_item(item, kind));
    values.insert(values.end(), more.begin(), more.end());
    if (values.size() > max_points) return too_many(text);
  }
  return values;
}

std::optional<Error> too_many_points(const std::vector<std::size_t>& lengths) {
  double points = 1;  // above 2^53 not exact, but good enough for the message
  for (const std::size_t length : lengths)
    points *= static_cast<double>(std::max<std::size_t>(1, length));
  if (points <= static_cast<double>(max_points)) return std::nullopt;
  return usage_error(
      "options",
      fmt::format("the lists and ranges make {:.6g} points, more than {}", points, max_points),
      "use fewer values or larger steps (A:B:*4)");
}

}  // namespace tutti::options
