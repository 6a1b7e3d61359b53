// SPDX-License-Identifier: BSD-3-Clause
// What may stand where the cursor is, from the tables that parse the command line.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"

namespace tutti::commands {

struct Candidate {
  std::string
      word;  // the whole word, what is typed of it included; ends in '=', ':' if more follows
  std::string about;  // may be empty
  bool operator==(const Candidate&) const = default;
};

struct Candidates {
  std::vector<Candidate> words;
  bool files = false;    // names of files may stand here, too
  bool folders = false;  // names of folders
};

// `words` stand behind "sim"; the last one, which may be empty, is under the cursor.
Candidates candidates_of(const Arguments& words);

// What the value of an option may begin with. `words` as above, without the one under the cursor.
Candidates values_of(const OptionSpec& spec, const Arguments& words);

// The scripts, by the name of their shell.
struct CompletionScript {
  std::string_view shell;
  std::string_view text;
};
std::vector<CompletionScript> completion_scripts();

}  // namespace tutti::commands
