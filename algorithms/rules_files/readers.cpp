// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/readers.hpp"

#include <cerrno>
#include <cstdlib>

#include "algorithms/selection/write_rules.hpp"

namespace tutti::algorithms::rules_files {

void TokenReader::advance(std::size_t bytes) {
  for (; bytes > 0 && at_ < text_.size(); --bytes)
    if (text_[at_++] == '\n') {
      ++line_;
      line_start_ = at_;
    }
}

void TokenReader::skip_comment() { advance(std::min(text_.find('\n', at_), text_.size()) - at_); }

// The library skips byte by byte until a number begins, also within a word.
void TokenReader::skip_word() {
  const Spot start = here();
  const std::size_t from = at_;
  const auto ends = [&](char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '#' || (c >= '0' && c <= '9');
  };
  while (at_ < text_.size() && !ends(text_[at_])) ++at_;
  std::string word(text_.substr(from, at_ - from));
  constexpr std::size_t most_skipped = 50;
  if (skipped_.size() < most_skipped) skipped_.emplace_back(std::move(word), start);
  // A sign directly before a digit belongs to the number.
  if (at_ > from && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' &&
      (text_[at_ - 1] == '-' || text_[at_ - 1] == '+'))
    --at_;
}

std::optional<std::int64_t> TokenReader::number() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      skip_comment();
      continue;
    }
    const std::size_t digit = at_ + (c == '-' || c == '+' ? 1 : 0);
    if (digit < text_.size() && text_[digit] >= '0' && text_[digit] <= '9') {
      spot_ = here();
      // The text is not null-terminated; a number has at most this many characters.
      const std::string word(text_.substr(at_, 64));
      char* end = nullptr;
      errno = 0;
      const std::int64_t value = std::strtoll(word.c_str(), &end, 0);
      const auto length = static_cast<std::size_t>(end - word.c_str());
      exceeds_bits_ = errno == ERANGE;
      written_ = text_.substr(at_, length);
      advance(length);
      return value;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
      advance(1);
    else
      skip_word();
  }
  spot_ = here();
  return std::nullopt;
}

std::optional<std::string_view> TokenReader::word() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      skip_comment();
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      advance(1);
    } else {
      constexpr std::size_t longest = 32;
      spot_ = here();
      const std::size_t end = std::min(text_.find_first_of(" \t\r\n", at_), text_.size());
      const std::string_view found = text_.substr(at_, std::min(end - at_, longest));
      at_ += found.size();
      return found;
    }
  }
  spot_ = here();
  return std::nullopt;
}

bool TokenReader::digit_follows() const {
  const auto next = text_.find_first_not_of(" \t", at_);
  return next != text_.npos && text_[next] >= '0' && text_[next] <= '9';
}

bool TokenReader::take(char expected) {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#')
      skip_comment();
    else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
      advance(1);
    else
      break;
  }
  if (at_ >= text_.size() || text_[at_] != expected) return false;
  ++at_;
  return true;
}

void check_writing(TokenReader& tokens, std::int64_t value, Findings& findings) {
  const std::string_view written = tokens.written();
  const std::string_view digits = written.substr(written.find_first_not_of("+-"));
  if (tokens.exceeds_bits())
    findings.error(tokens.spot(), fmt::format("{} is too large: it is read as {}", written, value),
                   "write a number that fits 64 bits");
  else if (digits.size() > 1 && digits[0] == '0')
    findings.warning(
        tokens.spot(),
        fmt::format("{} is read as {}: a leading 0 means octal, 0x hexadecimal", written, value),
        "write decimal numbers without leading zeros");
  for (const auto& [word, spot] : tokens.take_skipped())
    findings.warning(spot, fmt::format("the text {} is skipped", in_quotes(word)),
                     "write comments after '#'");
}

std::vector<Range> ranges_of_first_larger(const std::vector<std::int64_t>& sizes) {
  std::vector<Range> ranges;
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    largest = i == 0 ? sizes[i] : std::max(largest, sizes[i]);
    Range range{i == 0 ? 0 : largest};
    if (i + 1 < sizes.size()) range.max = sizes[i + 1] - 1;
    // Numbers below the first size end the search at once, and use the first entry.
    if (i == 0 && i + 1 < sizes.size()) range.max = std::max(sizes[0], sizes[1]) - 1;
    ranges.push_back(range);
  }
  return ranges;
}

std::vector<Range> ranges_from_the_end(const std::vector<std::int64_t>& sizes) {
  std::vector<Range> ranges(sizes.size());
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  bool is_last = true;
  for (std::size_t i = sizes.size(); i-- > 0; is_last = false) {
    ranges[i] = {sizes[i], is_last ? least : least - 1};
    least = std::min(least, sizes[i]);
  }
  return ranges;
}

namespace {

// Whether all rules of coll/tuned see the same size of each call.
bool ignores_bytes(const RulesFile& file, std::string_view collective) {
  const bool is_tuned = file.format == Format::ompi_classic ||
                        file.format == Format::ompi_classic_2 || file.format == Format::ompi_json;
  return is_tuned && (collective == "alltoallv" || collective == "barrier");
}

void check_rules(const RulesFile& file, std::string_view collective, const ProcsRules& procs,
                 Findings& findings) {
  RangeUnion earlier;
  for (const SizeRule& rule : procs.rules) {
    const bool never_seen = ignores_bytes(file, collective) && !rule.bytes.holds(0);
    if (never_seen)
      findings.warning(
          {rule.line},
          fmt::format("this rule of {} never applies: its message size is always 0", collective),
          "use a single rule from size 0");
    else if (!rule.bytes.is_empty() && earlier.covers(rule.bytes))
      findings.warning(
          {rule.line},
          fmt::format("this rule of {} never applies: earlier rules cover its sizes", collective),
          "put it before them, or change the sizes");
    earlier.add(rule.bytes);
  }
}

}  // namespace

void check_reach(const RulesFile& file, Findings& findings) {
  const bool has_first_match = file.format != Format::nccl && file.format != Format::han;
  for (const CollectiveRules& collective : file.collectives) {
    RangeUnion of_any_scope;
    std::map<std::string, RangeUnion> of_scopes;  // and of any
    for (const ProcsRules& procs : collective.procs) {
      if (has_first_match) {
        RangeUnion& earlier = procs.scope.empty()
                                  ? of_any_scope
                                  : of_scopes.try_emplace(procs.scope, of_any_scope).first->second;
        if (!procs.procs.is_empty() && earlier.covers(procs.procs))
          findings.warning({procs.line},
                           fmt::format("these rules of {} never apply: earlier ones cover their "
                                       "communicator sizes",
                                       collective.collective),
                           "put them before the others, or change the sizes");
        earlier.add(procs.procs);
        if (procs.scope.empty())
          for (auto& [scope, other] : of_scopes) other.add(procs.procs);
      }
      check_rules(file, collective.collective, procs, findings);
    }
  }
}

std::optional<JsonValue> json_of(std::string_view text, std::string_view if_invalid,
                                 Findings& findings) {
  auto parsed = parse_json(text);
  if (parsed.invalid) {
    findings.discard({parsed.invalid->line, parsed.invalid->column},
                     "invalid JSON: " + parsed.invalid->message, std::string(if_invalid));
    return std::nullopt;
  }
  for (const JsonProblem& comma : parsed.trailing_commas)
    findings.warning({comma.line, comma.column}, comma.message + " is not JSON",
                     "remove it: the library accepts it, but editors, schemas and other programs "
                     "do not");
  return std::move(parsed.value);
}

}  // namespace tutti::algorithms::rules_files
