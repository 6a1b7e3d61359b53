// SPDX-License-Identifier: BSD-3-Clause
// The keys that a study may have, and the values that a text of it stands for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/study_file.hpp"

namespace tutti::studies {

class KnownOptions {
 public:
  explicit KnownOptions(const std::vector<StudyOption>& options);

  // A key with a '/' is one of --set.
  std::optional<StudyOption> find(const std::string& key) const;
  std::vector<std::string> keys() const;

 private:
  std::map<std::string, StudyOption> by_key_;
};

// "1KiB..4KiB" of sizes and numbers: 1024, 2048, 4096; any other text is one value. Of --set only
// what reads as a range of sizes is one.
Result<std::vector<std::string>> expand_value(const std::string& text, const StudyOption& option);

// A number where the text is one, or a size: 65536 of "64KiB"; else the text.
Cell cell_of_text(const std::string& text);

}  // namespace tutti::studies
