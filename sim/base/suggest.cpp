// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/suggest.hpp"

#include <algorithm>

#include "sim/base/quote.hpp"

namespace tutti {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment distance (restricted Damerau-Levenshtein), three rows at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool equal = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (equal ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::vector<std::string_view> words_of(std::string_view name) {
  std::vector<std::string_view> words;
  while (!name.empty()) {
    const auto end = std::min(name.find_first_of("_-"), name.size());
    words.push_back(name.substr(0, end));
    name.remove_prefix(std::min(name.size(), end + 1));
  }
  return words;
}

}  // namespace

std::string suggest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest_word = 100;  // nobody mistypes a longer one
  if (word.empty() || word.size() > longest_word) return "";
  const std::size_t farthest = std::max<std::size_t>(1, word.size() / 3);
  std::string best;
  std::size_t best_distance = farthest + 1;
  for (const auto& candidate : candidates) {
    if (candidate == word) return "";
    if (candidate.size() > word.size() + farthest) continue;
    const auto distance = edit_distance(word, candidate);
    if (distance >= best_distance || distance >= candidate.size()) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

bool share_word(std::string_view a, std::string_view b) {
  constexpr std::size_t least_letters = 4;  // "of", "to" say nothing
  for (const auto& one : words_of(a))
    for (const auto& other : words_of(b))
      if (std::min(one.size(), other.size()) >= least_letters &&
          edit_distance(one, other) <= std::min(one.size(), other.size()) / 5)
        return true;
  return false;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         const std::string& otherwise) {
  const auto near = suggest(word, candidates);
  return near.empty() ? otherwise : "did you mean '" + printable(near) + "'?";
}

}  // namespace tutti
