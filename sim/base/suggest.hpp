// SPDX-License-Identifier: BSD-3-Clause
// "Did you mean ...?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tutti {

// The candidate nearest to `word` by edit distance (insert, delete, replace, swap of neighbours;
// case does not count), the first of several; empty if all are farther than a third of the word's
// length.
std::string suggest(std::string_view word, const std::vector<std::string>& candidates);

// "did you mean 'x'?", or `otherwise` where nothing is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         const std::string& otherwise = "");

// Whether two names have a word in common, between '_' and '-', of which one letter of five may be
// another: "neighbour_exchange" and "neighbor".
bool share_word(std::string_view a, std::string_view b);

}  // namespace tutti
