// SPDX-License-Identifier: BSD-3-Clause
// Parts shared by the readers of this folder.
#pragma once

#include "algorithms/rules_files/json_text.hpp"
#include "algorithms/rules_files/rules_file.hpp"

namespace tutti::algorithms::rules_files {

using Spot = TextSpot;

// Collects findings, up to a limit.
class Findings {
 public:
  explicit Findings(RulesFile& file) : file_(file) {}

  void error(Spot spot, std::string message, std::string fix, Effect effect = Effect::none) {
    add({spot, Severity::error, std::move(message), std::move(fix), effect});
  }
  void warning(Spot spot, std::string message, std::string fix) {
    add({spot, Severity::warning, std::move(message), std::move(fix)});
  }
  void note(Spot spot, std::string message, std::string fix, Effect effect = Effect::none) {
    add({spot, Severity::note, std::move(message), std::move(fix), effect});
  }
  // The library ignores the whole file. Always false.
  bool discard(Spot spot, std::string message, std::string fix) {
    file_.collectives.clear();
    file_.findings.push_back(
        {spot, Severity::error, std::move(message), std::move(fix), Effect::discards});
    return false;
  }

 private:
  static constexpr std::size_t most_findings = 200;

  // Beyond the limit, errors replace warnings and notes.
  void add(Finding finding) {
    auto& all = file_.findings;
    if (all.size() >= most_findings) {
      ++file_.omitted_findings;
      const auto lesser = std::ranges::find_if(
          all, [](const Finding& other) { return other.severity != Severity::error; });
      if (finding.severity != Severity::error || lesser == all.end()) return;
      all.erase(lesser);
    }
    all.push_back(std::move(finding));
  }

  RulesFile& file_;
};

// Reads the tokens of Open MPI's classic files, with line and column, as
// ompi_coll_base_file_getnext_* do by fscanf (coll_base_util.c).
class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : text_(text) {}

  // Reads "rule-file-version-N" at the beginning of the text, as fscanf does: matching characters
  // are consumed even if others follow. Nothing if there is no number.
  std::optional<std::int64_t> version();
  // The next number: "%li", with C's prefixes. Characters that cannot begin one are skipped one by
  // one, comments to the end of the line.
  std::optional<std::int64_t> number() { return next_number(0); }
  // The same for "%zu": decimal; a negative number is huge.
  std::optional<std::int64_t> size();
  // The next text up to white space, at most 32 bytes long; comments are skipped.
  std::optional<std::string_view> word();
  // Whether the next character on the line, after blanks, is a digit.
  bool digit_follows() const;
  // Skips blanks, line feeds and comments; takes the next character if it is `expected`.
  bool take(char expected);
  bool has_ended() const { return at_ >= text_.size(); }

  Spot spot() const { return spot_; }  // of the last token
  // Writing of the last number, such as "010".
  std::string_view written() const { return written_; }
  // Whether the last number does not fit 64 bits; it is then the nearest one that does.
  bool exceeds_bits() const { return exceeds_bits_; }
  // The words that `number` skipped, each with its place, since the last call.
  std::vector<std::pair<std::string, Spot>> take_skipped() { return std::exchange(skipped_, {}); }

 private:
  std::optional<std::int64_t> next_number(int base);
  std::int64_t convert(std::size_t start, int base);
  void skip_blanks();
  void skip_character();
  void skip_comment();
  bool at_digit() const;
  Spot here() const { return {line_, static_cast<int>(at_ - line_start_) + 1}; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  Spot spot_{1, 1};
  std::string_view written_;
  bool exceeds_bits_ = false;
  std::vector<std::pair<std::string, Spot>> skipped_;
  std::size_t skipped_end_ = 0;  // where the last skipped word ends
};

// Reports skipped words.
void report_skipped(TokenReader& tokens, Findings& findings);
// Reports a number that has a prefix that makes it octal or hexadecimal, or does not fit 64 bits,
// and skipped words.
void check_writing(TokenReader& tokens, std::int64_t value, Findings& findings);

// The base of readers of files in which each list follows its length. Their functions return false
// if the library ignores the file, which is then reported.
class CountedReader {
 protected:
  // `if_ignored`: the end of the hint of such a report.
  CountedReader(std::string_view text, RulesFile& file, std::string_view if_ignored)
      : tokens_(text), file_(file), findings_(file), if_ignored_(if_ignored) {}

  bool ignore(std::string reason, std::string_view fix);
  // Takes a number, if there is one.
  bool take(std::optional<std::int64_t> number, std::string_view what, std::int64_t& value);
  bool read_any(std::string_view what, std::int64_t& value) {
    return take(tokens_.number(), what, value);
  }
  bool ends_before(std::string_view what);
  bool out_of_range(std::string_view what, std::int64_t value, std::int64_t most);
  // Reports a size that does not exceed the one before.
  void check_order(const std::vector<std::int64_t>& sizes, std::int64_t size, std::string_view what,
                   Spot spot, std::string_view fix);

  TokenReader tokens_;
  RulesFile& file_;
  Findings findings_;

 private:
  std::string_view if_ignored_;
};

// Reports rules of a collective that has some already; removes the former ones.
void forget_rules(RulesFile& file, Findings& findings, std::string_view collective, Spot spot);

// The range of each entry of a search that ends at the first larger size, where numbers below the
// first size use the first entry.
std::vector<Range> ranges_of_first_larger(const std::vector<std::int64_t>& sizes);
// The range of each entry in Open MPI 6, which applies the first one that matches: an entry for
// communicators begins at the size of the one before, one for messages at its own.
std::vector<Range> ranges_from_former(const std::vector<std::int64_t>& sizes);
std::vector<Range> ranges_to_next(const std::vector<std::int64_t>& sizes);
// The range of each entry of a search from the end.
std::vector<Range> ranges_from_the_end(const std::vector<std::int64_t>& sizes);

// Checks of all formats: entries that never apply, sizes that the collective does not have.
void check_reach(const RulesFile& file, Findings& findings);

// The readers. Each fills `collectives` and `findings`.
void read_classic(std::string_view text, RulesFile& file);
void read_tuned_json(std::string_view text, RulesFile& file);
void read_han(std::string_view text, RulesFile& file);
void read_mpich(std::string_view text, RulesFile& file);
void read_nccl(std::string_view text, RulesFile& file);

// Adds the findings of a JSON text: an error that discards the file, and tolerated deviations.
std::optional<JsonValue> read_json(std::string_view text, JsonDialect dialect,
                                   std::string_view if_invalid, Findings& findings);

}  // namespace tutti::algorithms::rules_files
