// SPDX-License-Identifier: BSD-3-Clause
// A line of GOAL text, read from left to right, and the error in it.
#pragma once

#include <charconv>
#include <climits>

#include "sim/base/common.hpp"

namespace tutti::workloads::schedules {

class GoalLine {
 public:
  void start(std::string_view text) {
    text_ = text;
    at_ = 0;
  }
  std::string_view text() const { return text_; }

  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  bool skip_all() {
    at_ = text_.size();
    return true;
  }
  // Skips up to the end of the next `mark`; everything and false if there is none.
  bool skip_past(std::string_view mark) {
    const auto found = text_.find(mark, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + mark.size();
    return found != std::string_view::npos;
  }
  bool sees(std::string_view token) const { return text_.substr(at_).starts_with(token); }
  // The token comes next, after blanks unless it starts with one.
  bool takes(std::string_view token) {
    if (token.front() != ' ') skip_blanks();
    if (!sees(token)) return false;
    at_ += token.size();
    return true;
  }
  // The next word of letters, digits and underscores; empty if there is none.
  std::string_view word() {
    skip_blanks();
    const std::size_t from = at_;
    if (from < text_.size() && !is_digit(text_[from]))
      while (at_ < text_.size() && is_of_word(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  // A decimal number within bounds, otherwise nothing is read.
  bool integer(std::int64_t& value, std::int64_t least, std::int64_t most) {
    skip_blanks();
    const char* const end = text_.data() + text_.size();
    std::int64_t read = 0;
    const auto [stop, failed] = std::from_chars(text_.data() + at_, end, read);
    if (failed != std::errc() || read < least || read > most) return false;
    value = read;
    at_ = static_cast<std::size_t>(stop - text_.data());
    return true;
  }
  bool real(double& value) {
    skip_blanks();
    const auto [stop, failed] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (failed != std::errc() || !std::isfinite(value)) return false;
    at_ = static_cast<std::size_t>(stop - text_.data());
    return true;
  }
  // The text up to the next blank, for messages.
  std::string_view next_token() {
    skip_blanks();
    std::size_t end = at_;
    while (end < text_.size() && !is_blank(text_[end])) ++end;
    end = std::min<std::size_t>(end, at_ + 40);
    // Not inside of a character in UTF-8.
    while (end > at_ && end < text_.size() && (text_[end] & 0xC0) == 0x80) --end;
    return text_.substr(at_, end - at_);
  }

  // Goes back to the beginning of a word that has been read.
  void back_to(std::string_view word) {
    if (!word.empty()) at_ = static_cast<std::size_t>(word.data() - text_.data());
  }
  // Records the error, at the current column. Returns false.
  bool fail(std::string message, std::string hint) {
    message_ = std::move(message);
    hint_ = std::move(hint);
    column_ = text_.empty() ? 0 : at_ + 1;
    return false;
  }
  Error error(const std::string& path, std::uint32_t number) const {
    constexpr std::size_t longest_source = 200;
    return {.kind = ErrorKind::input,
            .place = path,
            .line = static_cast<int>(std::min<std::uint32_t>(number, INT_MAX)),
            .column = static_cast<int>(std::min<std::size_t>(column_, INT_MAX)),
            .message = message_,
            .hint = hint_,
            .source = std::string(text_.substr(0, column_ < longest_source ? longest_source : 0))};
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_of_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
  }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t column_ = 0;
  std::string message_;
  std::string hint_;
};

}  // namespace tutti::workloads::schedules
