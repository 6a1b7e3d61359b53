// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/dynamic_rules.hpp"

#include <cerrno>
#include <cstdlib>

#include "algorithms/selection/write_rules.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::algorithms::selection {
namespace {

constexpr std::int64_t most_fanout = std::numeric_limits<int>::max();

// Open MPI stores message sizes as unsigned numbers: a negative one is huge.
std::uint64_t as_library_sees(Bytes bytes) { return static_cast<std::uint64_t>(bytes); }

// Open MPI passes segment sizes as unsigned 32-bit numbers: a negative one exceeds most messages.
Bytes segment_seen(Bytes bytes) { return static_cast<std::uint32_t>(bytes); }

// A file for Open MPI 5.0 starts with a word that contains a number, which 4.1 reads as its first
// number.
bool names_version(std::string_view text) {
  constexpr std::string_view word = "rule-file-version-";
  const auto first = LineReader(text, "").next();
  return first && first->starts_with(word);
}

}  // namespace

class DynamicRules::Parser {
 public:
  Parser(std::string_view text, DynamicRules& rules) : text_(text), rules_(rules) {}

  // False if Open MPI would ignore the file.
  bool parse() {
    std::int64_t collectives = 0;
    if (!count("number of collectives", most_numbered, collectives)) return false;
    for (std::int64_t i = 0; i < collectives; ++i)
      if (!parse_collective()) return false;
    return true;
  }

 private:
  bool parse_collective() {
    std::int64_t id = 0;
    std::int64_t sizes = 0;
    if (!number("collective's number", id)) return false;
    const auto collective = collective_numbered(id);
    if (!collective) return ignore(fmt::format("unknown collective number {}", id));
    if (!count("number of communicator sizes", most_rules, sizes)) return false;
    auto& of_collective = rules_.sizes_of_[std::string(*collective)];
    of_collective.clear();
    for (std::int64_t i = 0; i < sizes; ++i) {
      const auto last_procs =
          of_collective.empty() ? std::nullopt : std::optional(of_collective.back().from_procs);
      SizeRule& size = of_collective.emplace_back();
      if (!parse_size(size, last_procs)) return false;
    }
    return true;
  }

  bool parse_size(SizeRule& size, std::optional<std::int64_t> last_procs) {
    std::int64_t messages = 0;
    if (!number("communicator size", size.from_procs)) return false;
    if (last_procs && size.from_procs <= *last_procs)
      warn(fmt::format("communicator size {} follows {}", size.from_procs, *last_procs),
           out_of_order);
    if (!count("number of message sizes", most_rules, messages)) return false;
    if (messages == 0) return ignore("a communicator size without message sizes");
    for (std::int64_t i = 0; i < messages; ++i) {
      MessageRule& rule = size.messages.emplace_back();
      if (!number("message size", rule.from_bytes)) return false;
      rule.line = line_;
      if (i == 0 && rule.from_bytes != 0)
        return ignore(fmt::format("the first message size is {}, not 0", rule.from_bytes));
      if (i > 0) check_ascends(size.messages[static_cast<std::size_t>(i) - 1].from_bytes, rule);
      if (!number("algorithm", rule.algorithm) || !number("fan-out", rule.fanout) ||
          !number("segment size", rule.segment_bytes))
        return false;
    }
    return true;
  }

  void check_ascends(Bytes last_bytes, const MessageRule& rule) {
    if (rule.from_bytes < 0)
      warn(
          fmt::format("message size {} is negative, which Open MPI reads as huge", rule.from_bytes),
          "Open MPI's message sizes are unsigned; no message is that large");
    else if (as_library_sees(rule.from_bytes) <= as_library_sees(last_bytes))
      warn(fmt::format("message size {} follows {}", rule.from_bytes, last_bytes), out_of_order);
  }

  void warn(std::string message, std::string_view hint) {
    if (rules_.warnings_.size() == most_warnings) return;
    Error warning =
        make_error(ErrorKind::input, rules_.file_, std::move(message), std::string(hint));
    warning.line = line_;
    rules_.warnings_.push_back(std::move(warning));
  }

  bool count(std::string_view what, std::size_t most, std::int64_t& value) {
    if (!number(what, value)) return false;
    if (value >= 0 && value <= static_cast<std::int64_t>(most)) return true;
    return ignore(fmt::format("{} is out of range for the {}", value, what));
  }

  // Reads the next number, skipping everything else.
  bool number(std::string_view what, std::int64_t& value) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (read(value)) return true;
      ++at_;
    }
    return ignore(fmt::format("the file ends before the {}", what));
  }

  bool read(std::int64_t& value) {
    std::size_t digit = at_;
    if (text_[digit] == '-' || text_[digit] == '+') ++digit;
    if (digit >= text_.size() || text_[digit] < '0' || text_[digit] > '9') return false;
    // The text is not null-terminated; a number has at most this many characters.
    const std::string word(text_.substr(at_, 24));
    char* end = nullptr;
    value = std::strtoll(word.c_str(), &end, 0);
    at_ += static_cast<std::size_t>(end - word.c_str());
    return true;
  }

  bool ignore(std::string reason) {
    Error error =
        make_error(ErrorKind::input, rules_.file_, std::move(reason),
                   "Open MPI silently ignores the whole file and applies its fixed rules");
    error.line = line_;
    if (names_version(text_))
      error = reported(
          std::move(error), "this is the format of Open MPI 5.0, which 4.1 cannot read",
          "remove the line rule-file-version-N and, for version 2, the fifth number of each "
          "rule; until then 4.1's fixed rules apply");
    rules_.ignored_ = std::move(error);
    rules_.warnings_.clear();
    rules_.sizes_of_.clear();
    return false;
  }

  static constexpr std::size_t most_rules = 1'000'000;
  static constexpr std::size_t most_warnings = 5;
  static constexpr std::string_view out_of_order =
      "sizes must ascend: Open MPI's search stops at the first larger one";

  std::string_view text_;
  DynamicRules& rules_;
  std::size_t at_ = 0;
  int line_ = 1;
};

DynamicRules::DynamicRules(std::string_view text, std::string file) : file_(std::move(file)) {
  Parser(text, *this).parse();
}

const DynamicRules::SizeRule* DynamicRules::find_size(std::string_view collective,
                                                      int procs) const {
  const auto found = sizes_of_.find(collective);
  if (found == sizes_of_.end() || found->second.empty() || !applies_rules_file(collective))
    return nullptr;
  // Both searches of Open MPI stop at the first larger entry.
  const SizeRule* size = &found->second.front();
  for (const SizeRule& each : found->second) {
    if (each.from_procs > procs) break;
    size = &each;
  }
  return size;
}

const DynamicRules::MessageRule* DynamicRules::find(const Query& query) const {
  const SizeRule* size = find_size(query.collective, query.procs);
  if (size == nullptr) return nullptr;
  const Bytes bytes = rules_file_bytes(query);
  const MessageRule* rule = &size->messages.front();
  for (const MessageRule& each : size->messages) {
    if (as_library_sees(each.from_bytes) > as_library_sees(bytes)) break;
    rule = &each;
  }
  return rule;
}

bool DynamicRules::decides(std::string_view collective) const {
  const auto found = sizes_of_.find(collective);
  if (found == sizes_of_.end() || !applies_rules_file(collective)) return false;
  return std::ranges::any_of(found->second, [](const SizeRule& size) {
    return std::ranges::any_of(size.messages,
                               [](const MessageRule& rule) { return rule.algorithm != 0; });
  });
}

Result<std::optional<Choice>> DynamicRules::choose(const Query& query) const {
  const MessageRule* rule = find(query);
  if (rule == nullptr || rule->algorithm == 0) return std::optional<Choice>();
  for (const Algorithm* each : algorithms_of(query.collective)) {
    if (each->id != rule->algorithm || !each->set.empty()) continue;
    Choice choice{each, each->segmented ? segment_seen(rule->segment_bytes) : 0, 0, rule->line};
    // The radix of knomial is a separate MCA parameter.
    if (each->name == "knomial")
      choice.fanout = each->default_fanout;
    else if (each->default_fanout > 0)
      choice.fanout = static_cast<int>(std::clamp<std::int64_t>(rule->fanout, 1, most_fanout));
    return std::optional(choice);
  }
  return no_such_algorithm(query.collective, *rule);
}

std::optional<Error> DynamicRules::wrong_of(std::string_view collective, int procs) const {
  const SizeRule* size = find_size(collective, procs);
  if (size == nullptr) return std::nullopt;
  const auto algorithms = algorithms_of(collective);
  const auto is_known = [&](std::int64_t id) {
    return std::ranges::any_of(
        algorithms, [&](const Algorithm* each) { return each->id == id && each->set.empty(); });
  };
  for (const MessageRule& rule : size->messages)
    if (rule.algorithm != 0 && !is_known(rule.algorithm))
      return no_such_algorithm(collective, rule);
  return std::nullopt;
}

std::optional<Error> DynamicRules::wrong_inside(int procs,
                                                std::span<const std::string_view> others) const {
  for (const std::string_view collective : {"bcast", "gather", "reduce", "scatter"})
    if (auto wrong = wrong_of(collective, procs)) return wrong;
  for (const std::string_view collective : others)
    if (auto wrong = wrong_of(collective, procs)) return wrong;
  return std::nullopt;
}

Error DynamicRules::no_such_algorithm(std::string_view collective, const MessageRule& rule) const {
  Error error = make_error(ErrorKind::input, file_,
                           fmt::format("{} has no algorithm number {}", collective, rule.algorithm),
                           "Open MPI aborts a job that reaches this rule with MPI_ERR_ARG");
  error.line = rule.line;
  return error;
}

}  // namespace tutti::algorithms::selection
