// SPDX-License-Identifier: BSD-3-Clause
// What is odd about a trace, each sentence once, and how often it holds.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tutti::workloads::traces {

class Notes {
 public:
  static constexpr std::size_t most = 50;

  void add(const std::string& sentence, std::uint64_t times = 1) {
    const auto [found, is_new] = index_.try_emplace(sentence, counts_.size());
    if (!is_new) {
      counts_[found->second] += times;
    } else if (counts_.size() < most) {
      sentences_.push_back(sentence);
      counts_.push_back(times);
    } else {
      index_.erase(found);
      ++left_out_;
    }
  }

  std::vector<std::string> all() const {
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < sentences_.size(); ++i)
      notes.push_back(sentences_[i] +
                      (counts_[i] == 1 ? "" : " (" + std::to_string(counts_[i]) + " times)"));
    if (left_out_ > 0) notes.push_back(std::to_string(left_out_) + " more such notes are left out");
    return notes;
  }

 private:
  std::vector<std::string> sentences_;
  std::vector<std::uint64_t> counts_;
  std::unordered_map<std::string, std::size_t> index_;
  std::uint64_t left_out_ = 0;
};

}  // namespace tutti::workloads::traces
