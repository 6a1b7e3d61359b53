// SPDX-License-Identifier: BSD-3-Clause
// Reads the rules files of MPI libraries as the libraries do, and reports what differs from what
// the author of a file most likely meant.
#pragma once

#include "algorithms/rules_files/facts.hpp"
#include "sim/base/text_position.hpp"

namespace tutti::algorithms::rules_files {

// Numbers from `min` to `max`, both included; empty if max < min.
struct Range {
  std::int64_t min = 0;
  std::int64_t max = std::numeric_limits<std::int64_t>::max();

  bool is_empty() const { return max < min; }
  bool holds(std::int64_t value) const { return min <= value && value <= max; }
  bool is_unlimited() const { return max == std::numeric_limits<std::int64_t>::max(); }
  friend bool operator==(const Range&, const Range&) = default;
};
// A union of ranges.
class RangeUnion {
 public:
  void add(const Range& range);
  bool covers(const Range& range) const;  // also an empty one

 private:
  std::map<std::int64_t, std::int64_t> parts_;  // first and last numbers, with gaps between
};
// "1 KiB to 64 KiB" or "64 and more", with the words of `number_text`.
std::string range_text(const Range& range,
                       const std::function<std::string(std::int64_t)>& number_text);

enum class Severity : unsigned char {
  error,    // the file, or a part of it, has no effect or ends the job
  warning,  // most likely not what was meant
  note      // differs between tools or versions
};
std::string_view severity_name(Severity severity);

// The effect of a finding beyond its severity.
enum class Effect : unsigned char {
  none,
  discards,       // the library ignores the whole file; MPICH aborts at once
  aborts,         // a job aborts when it reaches the rule
  not_simulated,  // Tutti, unlike the library, does not apply what is named
  absent          // rules are missing; the rules in the file are right
};

struct Finding : TextSpot {
  Severity severity = Severity::error;
  std::string message = {};
  std::string fix = {};
  Effect effect = Effect::none;
};

Error finding_error(const Finding& finding, const std::string& file);

// A rule for message sizes. The algorithm is Open MPI's name or, in a file of HAN, a component.
struct SizeRule {
  Range bytes;
  std::string algorithm = {};  // empty: the library's own choice
  std::int64_t id = 0;         // Open MPI's number
  std::int64_t fanout = 0;
  std::int64_t segment_bytes = 0;
  std::optional<std::int64_t> max_requests = {};
  int line = 0;
};

// Conditions that only NCCL's files have; -1: any, or the default.
struct NcclConditions {
  std::string protocol = {};
  std::int64_t channels = -1;
  std::int64_t nodes = -1;
  std::int64_t pipe_ops = -1;
  std::int64_t registered = -1;
  friend bool operator==(const NcclConditions&, const NcclConditions&) = default;
};

// The rules for numbers of processes. In a file of HAN: for numbers of elements of a level (ranks
// of a node, nodes, processes).
struct ProcsRules {
  Range procs;
  std::string scope = {};  // distribution of the ranks, or level of HAN; empty: any
  std::optional<NcclConditions> nccl = {};
  std::vector<SizeRule> rules;
  int line = 0;
};

struct CollectiveRules {
  std::string collective;
  std::vector<ProcsRules> procs;
  int line = 0;
};

class MpichTree;

// The first entry for the processes applies, and of it the first rule for the bytes;
// if there is none, the library chooses by itself. In NCCL the next entry is searched instead.
struct RulesFile {
  Format format = Format::ompi_classic;
  Library library = Library::ompi_41;
  std::vector<CollectiveRules> collectives = {};  // empty if the library ignores the file
  std::shared_ptr<const MpichTree> tree = {};     // of MPICH, which has no `collectives`
  // The variable that names the file, if the tree is that of a device of MPICH.
  std::string_view device_variable = {};
  std::vector<Finding> findings = {};  // in order of place; a limited number
  std::size_t omitted_findings = 0;

  const CollectiveRules* find(std::string_view collective) const;
  const Finding* discarded() const;  // why the library ignores the file
  bool has_errors() const;
  // The errors among the findings but for absent rules, with their places in `file`.
  std::vector<Error> errors(const std::string& file) const;
};

// The format that the content suggests; nothing if it resembles none.
std::optional<Format> recognize(std::string_view text);

// `library`: one of format_facts(format).libraries.
RulesFile read_rules(std::string_view text, Format format, Library library);

}  // namespace tutti::algorithms::rules_files
