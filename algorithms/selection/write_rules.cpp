// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/write_rules.hpp"

namespace tutti::algorithms::selection {
namespace {

constexpr std::array<std::string_view, most_numbered> by_number = {
    "allgather",      "allgatherv",
    "allreduce",      "alltoall",
    "alltoallv",      "alltoallw",
    "barrier",        "bcast",
    "exscan",         "gather",
    "gatherv",        "reduce",
    "reduce_scatter", "reduce_scatter_block",
    "scan",           "scatter",
    "scatterv"};

enum class Counted : unsigned char { nothing, type_times_procs, block_times_procs, as_given };

Counted counted(std::string_view name) {
  const Collective& collective = *find_collective(name);
  if (name == "alltoallv" || name == "barrier") return Counted::nothing;
  if (name == "scan" || name == "exscan") return Counted::type_times_procs;  // sic
  if (collective.in_blocks && !collective.has_counts) return Counted::block_times_procs;
  return Counted::as_given;  // allgatherv: the mean block of the ranks
}

}  // namespace

std::optional<std::string_view> collective_numbered(std::int64_t number) {
  if (number < 0 || number >= most_numbered) return std::nullopt;
  return by_number[static_cast<std::size_t>(number)];
}

std::optional<int> rules_file_number(std::string_view collective) {
  const auto* position = std::ranges::find(by_number, collective);
  if (position == by_number.end()) return std::nullopt;
  return static_cast<int>(position - by_number.begin());
}

bool applies_rules_file(std::string_view collective) {
  return collective != "gatherv" && collective != "scatterv";
}

Bytes rules_file_bytes(const Query& query) {
  switch (counted(query.collective)) {
    case Counted::nothing:
      return 0;
    case Counted::type_times_procs:
      return query.elements == 0 ? 0 : query.message_bytes / query.elements * query.procs;
    case Counted::block_times_procs:
      return query.message_bytes * query.procs;
    case Counted::as_given:
      break;
  }
  return query.message_bytes;
}

std::string_view rules_file_bytes_mean(std::string_view collective) {
  switch (counted(collective)) {
    case Counted::nothing:
      return "always 0, regardless of the message";
    case Counted::type_times_procs:
      return "datatype size times processes, regardless of the message";
    case Counted::block_times_procs:
      return "block of a rank times processes";
    case Counted::as_given:
      break;
  }
  return find_collective(collective)->in_blocks ? "mean block of the ranks" : "vector";
}

namespace {

std::string with_comment(std::string numbers, std::string_view comment) {
  return comment.empty() ? numbers + '\n' : fmt::format("{:<28} # {}\n", numbers, comment);
}

// 5.0 expects the fifth number right after the fourth.
std::string text_of(const WrittenRule& rule, RulesFormat format) {
  std::string numbers =
      fmt::format("{} {} {} {}", rule.from_bytes, rule.algorithm, rule.fanout, rule.segment_bytes);
  if (format == RulesFormat::open_mpi_5_0) numbers += fmt::format(" {}", rule.max_requests);
  return with_comment(std::move(numbers), rule.comment);
}

std::string text_of(const WrittenSize& size, RulesFormat format) {
  TUTTI_CHECK(!size.rules.empty() && size.rules.front().from_bytes == 0,
              "Open MPI would ignore the whole file");
  std::string text = with_comment(
      fmt::format("{} {}", size.from_procs, size.rules.size()),
      fmt::format("from {}: number of rules", tutti::counted(size.from_procs, "process")));
  for (const auto& rule : size.rules) text += text_of(rule, format);
  return text;
}

std::string text_of(const WrittenCollective& written, RulesFormat format) {
  const auto number = rules_file_number(written.collective);
  TUTTI_CHECK(number && applies_rules_file(written.collective),
              "a rules file does not support the collective");
  std::string text =
      with_comment(fmt::format("{} {}", *number, written.sizes.size()),
                   fmt::format("{}, communicator sizes; bytes: {}", written.collective,
                               rules_file_bytes_mean(written.collective)));
  for (const auto& size : written.sizes) text += text_of(size, format);
  return text;
}

}  // namespace

std::vector<std::string> use_of(const FilePair& files) {
  return {"mpirun --mca coll_tuned_use_dynamic_rules 1 \\",
          fmt::format("  --mca coll_tuned_dynamic_rules_filename {} \\", files.tuned),
          "  --mca coll_han_use_dynamic_file_rules 1 \\",
          fmt::format("  --mca coll_han_dynamic_rules_filename {}", files.han),
          "Both files are needed: coll/han (coll_han_priority 35) goes before coll/tuned",
          "(coll_tuned_priority 30), which gets the calls of its rules only by the file for han.",
          "Keep coll_han_priority above coll_tuned_priority, or omit han: --mca coll ^han"};
}

std::string han_path(const std::string& tuned_path) { return tuned_path + ".han"; }

std::string rules_file_text(const std::vector<WrittenCollective>& collectives, RulesFormat format,
                            const std::vector<std::string>& head, bool is_of_pair) {
  // 5.0 reads the version from the first characters.
  std::string text = format == RulesFormat::open_mpi_5_0 ? "rule-file-version-2\n" : "";
  for (const auto& line : head) text += "# " + line + '\n';
  if (format == RulesFormat::open_mpi_5_0 && !is_of_pair)
    text += fmt::format("# {}\n", han_goes_first);
  text += with_comment(fmt::format("{}", collectives.size()), "number of collectives");
  for (const auto& written : collectives) text += '\n' + text_of(written, format);
  return text;
}

std::string han_goes_first_in(std::string_view library) {
  constexpr std::string_view usual = "Open MPI 5.0";
  static_assert(han_goes_first.starts_with(usual));
  return fmt::format("{}{}", library, han_goes_first.substr(usual.size()));
}

}  // namespace tutti::algorithms::selection
