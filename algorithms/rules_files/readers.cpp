// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/readers.hpp"

#include <cerrno>
#include <cstdlib>

#include "algorithms/selection/write_rules.hpp"

namespace tutti::algorithms::rules_files {

namespace {

constexpr std::string_view blanks = " \t\n\v\f\r";  // of C's isspace
constexpr std::string_view version_start = "rule-file-version-";
constexpr std::string_view decimal_digits = "0123456789";

bool is_blank(char c) { return blanks.find(c) != blanks.npos; }

}  // namespace

bool TokenReader::at_digit() const {
  return at_ < text_.size() && decimal_digits.find(text_[at_]) != decimal_digits.npos;
}

void TokenReader::skip_blanks() {
  for (; at_ < text_.size() && is_blank(text_[at_]); ++at_)
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
}

void TokenReader::skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

// The library reads the character after a failed conversion, which may have consumed a sign.
void TokenReader::skip_character() {
  if (at_ >= text_.size()) return;
  if (text_[at_] == '#') return skip_comment();
  if (is_blank(text_[at_])) return skip_blanks();
  constexpr std::size_t most_skipped = 50;
  if (!skipped_.empty() && skipped_end_ == at_)
    skipped_.back().first += text_[at_];
  else if (skipped_.size() < most_skipped)
    skipped_.emplace_back(std::string(1, text_[at_]), here());
  skipped_end_ = ++at_;
}

// A number whose sign is at `start` and whose digits are next. "0x" is consumed even if no digit
// follows.
std::int64_t TokenReader::convert(std::size_t start, int base) {
  std::string_view digits = decimal_digits;
  if (base == 0 && text_[at_] == '0') {
    const bool is_hexadecimal = text_.substr(at_ + 1, 1) == "x" || text_.substr(at_ + 1, 1) == "X";
    digits = is_hexadecimal ? "0123456789abcdefABCDEF" : "01234567";
    at_ += is_hexadecimal ? 2 : 1;
  }
  at_ = std::min(text_.find_first_not_of(digits, at_), text_.size());
  written_ = text_.substr(start, at_ - start);
  errno = 0;
  const std::int64_t value = std::strtoll(std::string(written_).c_str(), nullptr, base);
  exceeds_bits_ = errno == ERANGE;
  return value;
}

std::optional<std::int64_t> TokenReader::next_number(int base) {
  for (;;) {
    skip_blanks();
    spot_ = here();
    if (at_ >= text_.size()) return std::nullopt;
    const std::size_t start = at_;
    if (text_[at_] == '-' || text_[at_] == '+') ++at_;
    if (at_digit()) return convert(start, base);
    if (at_ > start) {
      at_ = start;
      skip_character();
    }
    skip_character();
  }
}

std::optional<std::int64_t> TokenReader::size() {
  const auto value = next_number(10);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return value && *value < 0 ? std::optional(most) : value;
}

std::optional<std::int64_t> TokenReader::version() {
  std::size_t same = 0;
  while (same < version_start.size() && text_.substr(same, 1) == version_start.substr(same, 1))
    ++same;
  at_ = same;
  if (same < version_start.size()) return std::nullopt;
  skip_blanks();
  spot_ = here();
  const std::size_t start = at_;
  if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
  return at_digit() ? std::optional(convert(start, 10)) : std::nullopt;
}

std::optional<std::string_view> TokenReader::word() {
  for (;;) {
    skip_blanks();
    spot_ = here();
    if (at_ >= text_.size()) return std::nullopt;
    constexpr std::size_t longest = 32;
    const std::size_t end = std::min(text_.find_first_of(blanks, at_), text_.size());
    if (text_[at_] == '#') {
      skip_comment();
      continue;
    }
    const std::string_view word = text_.substr(at_, std::min(end - at_, longest));
    at_ += word.size();
    return word;
  }
}

bool TokenReader::digit_follows() const {
  const auto next = text_.find_first_not_of(" \t", at_);
  return next != text_.npos && decimal_digits.find(text_[next]) != decimal_digits.npos;
}

bool TokenReader::take(char expected) {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == expected) return ++at_, true;
    if (c == '#') {
      skip_comment();
    } else if (c == ' ' || c == '\t') {
      ++at_;
    } else if (c == '\n') {
      ++line_;
      line_start_ = ++at_;
    } else {
      return false;
    }
  }
  return false;
}

void report_skipped(TokenReader& tokens, Findings& findings) {
  for (const auto& [word, spot] : tokens.take_skipped())
    findings.warning(spot, fmt::format("the text {} is skipped", in_quotes(word)),
                     "write comments after '#'");
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
  report_skipped(tokens, findings);
}

bool CountedReader::ignore(std::string reason, std::string_view fix) {
  return findings_.discard(tokens_.spot(), std::move(reason),
                           fmt::format("{}; {}", fix, if_ignored_));
}

bool CountedReader::ends_before(std::string_view what) {
  return ignore(fmt::format("the file ends before the {}", what),
                "a count is larger than what follows, or rules are missing");
}

bool CountedReader::out_of_range(std::string_view what, std::int64_t value, std::int64_t most) {
  return ignore(fmt::format("{} is out of range for the {}", value, what),
                fmt::format("use 0 to {}", most));
}

bool CountedReader::take(std::optional<std::int64_t> number, std::string_view what,
                         std::int64_t& value) {
  if (!number) return ends_before(what);
  value = *number;
  check_writing(tokens_, value, findings_);
  return true;
}

void CountedReader::check_order(const std::vector<std::int64_t>& sizes, std::int64_t size,
                                std::string_view what, Spot spot, std::string_view fix) {
  if (!sizes.empty() && size <= sizes.back())
    findings_.error(spot, fmt::format("{} {} follows {}", what, size, sizes.back()),
                    std::string(fix));
}

void forget_rules(RulesFile& file, Findings& findings, std::string_view collective, Spot spot) {
  if (file.find(collective) == nullptr) return;
  findings.warning(spot, fmt::format("the rules of {} occur again", collective),
                   "merge them: the last ones replace the others");
  std::erase_if(file.collectives,
                [&](const CollectiveRules& rules) { return rules.collective == collective; });
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

std::vector<Range> ranges_from_former(const std::vector<std::int64_t>& sizes) {
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Range range{i == 0 ? 0 : sizes[i - 1]};
    if (i + 1 < sizes.size()) range.max = sizes[i] - 1;
    ranges.push_back(range);
  }
  return ranges;
}

std::vector<Range> ranges_to_next(const std::vector<std::int64_t>& sizes) {
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Range range{sizes[i]};
    if (i + 1 < sizes.size() && sizes[i + 1] > 0) range.max = sizes[i + 1] - 1;
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

std::optional<JsonValue> read_json(std::string_view text, JsonDialect dialect,
                                   std::string_view if_invalid, Findings& findings) {
  auto parsed = parse_json(text, dialect);
  if (parsed.invalid) {
    findings.discard(parsed.invalid->spot, "invalid JSON: " + parsed.invalid->message,
                     std::string(if_invalid));
    return std::nullopt;
  }
  for (const JsonProblem& problem : parsed.not_in_json)
    findings.warning(problem.spot, problem.message + " is not JSON",
                     "remove it: the library accepts it, but editors, schemas and other programs "
                     "do not");
  return std::move(parsed.value);
}

}  // namespace tutti::algorithms::rules_files
