// SPDX-License-Identifier: BSD-3-Clause
// Writes files of dynamic rules for Open MPI (see dynamic_rules.hpp for the format).
#pragma once

#include "algorithms/selection/decision.hpp"

namespace tutti::algorithms::selection {

// Numbers of collectives and meaning of message sizes in Open MPI's file of dynamic rules
// (coll_tuned_dynamic_rules_filename), shared by the reader and the writer.

// The collective with Open MPI's number `number`, counted from 0; nothing if there is none.
std::optional<std::string_view> collective_numbered(std::int64_t number);
// Open MPI's number of the collective; nothing if there is no number.
std::optional<int> rules_file_number(std::string_view collective);
inline constexpr std::int64_t most_numbered = 17;

// Whether coll/tuned applies the file to the collective; it does not for gatherv and scatterv.
bool applies_rules_file(std::string_view collective);

// The size by which the file's rules select for the call; for some collectives it does not depend
// on the message.
Bytes rules_file_bytes(const Query& query);
// The meaning of this size in words, such as "vector".
std::string_view rules_file_bytes_mean(std::string_view collective);

// The format of 4.1, or that of 5.0 ("rule-file-version-2"), in which a rule has a fifth number,
// the limit of pending requests (0: none).
enum class RulesFormat : unsigned char { open_mpi_4_1, open_mpi_5_0 };

struct WrittenRule {
  Bytes from_bytes = 0;  // see rules_file_bytes; 0 for the first rule of a size
  int algorithm = 0;     // Open MPI's id; 0: its fixed rules choose
  int fanout = 0;
  Bytes segment_bytes = 0;
  int max_requests = 0;
  std::string comment = {};  // a single line
};

struct WrittenSize {
  int from_procs = 0;
  std::vector<WrittenRule> rules;
};

struct WrittenCollective {
  std::string collective;          // applies_rules_file must be true
  std::vector<WrittenSize> sizes;  // ascending, like the rules of each
};

// Warning for users of Open MPI 5.0 about rules and forced algorithms of coll_tuned. Source: the
// priorities of ompi/mca/coll/han (35) and tuned (30), pull request 11389.
inline constexpr std::string_view han_goes_first =
    "Open MPI 5.0 prefers its component han to tuned: between nodes, collectives that han "
    "implements use this only with --mca coll ^han";
// The same for another version: "Open MPI 6".
std::string han_goes_first_in(std::string_view library);

// A pair of files for Open MPI 5.0: rules of coll/tuned, and rules of coll/han that leave to
// coll/tuned the calls of the former. Comment lines of both: how a job uses them, and why it needs
// both.
struct FilePair {
  std::string tuned;  // paths
  std::string han;
};
std::vector<std::string> use_of(const FilePair& files);
// The path of the file for coll/han next to one for coll/tuned.
std::string han_path(const std::string& tuned_path);

// `head`: comment lines without '#'. The file for 5.0 has the warning above after them, unless it
// is one of a pair.
std::string rules_file_text(const std::vector<WrittenCollective>& collectives, RulesFormat format,
                            const std::vector<std::string>& head, bool is_of_pair = false);

}  // namespace tutti::algorithms::selection
