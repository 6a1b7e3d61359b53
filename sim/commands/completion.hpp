// SPDX-License-Identifier: BSD-3-Clause
// Completion of the word at the cursor, from the tables that parse the command line.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"

namespace tutti::commands {

struct Candidate {
  // The whole word including what is already typed; ends in '=' or ':' if more must follow.
  std::string word;
  std::string about;  // explanation; may be empty
  bool operator==(const Candidate&) const = default;
};

struct Candidates {
  std::vector<Candidate> words;
  bool files = false;    // names of files are candidates, too
  bool folders = false;  // names of folders are candidates, too
};

// The candidates for the last of `words`, the words after "sim". It is at the cursor and may be
// empty.
Candidates complete_words(const Arguments& words);

// Candidates for the value of an option. `words` as above, without the one at the cursor.
Candidates complete_value(const OptionSpec& spec, const Arguments& words);

}  // namespace tutti::commands
