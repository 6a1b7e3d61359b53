// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/ti_reader.hpp"

#include <charconv>
#include <fstream>
#include <system_error>

#include "sim/base/text_file.hpp"
#include "workloads/traces/ti_actions.hpp"

namespace tutti::workloads::traces {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t most_ranks = 1'000'000;
constexpr const char* what_it_is =
    "expected a time-independent trace with lines such as '0 send 1 5 1024 6', or a list with the "
    "path of one rank's file per line";

void split_words(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  constexpr std::string_view blanks = " \t\r";
  for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
}

// The rank of a line of a trace.
std::optional<std::uint32_t> rank_of(const std::vector<std::string_view>& words) {
  std::uint32_t rank = 0;
  if (words.size() < 2) return std::nullopt;
  const auto [end, error] =
      std::from_chars(words[0].data(), words[0].data() + words[0].size(), rank);
  if (error != std::errc() || end != words[0].data() + words[0].size()) return std::nullopt;
  return rank;
}

// A part of a file, in whole lines.
struct Lines {
  std::streamoff begin = 0;
  std::streamoff end = INT64_MAX;
  int first = 1;  // number of the first line
};

// Opens regular files only: a pipe would block until someone writes.
std::ifstream open_regular(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) ? std::ifstream(path) : std::ifstream();
}

// Calls `visit(place of the line, line, words)` for each line that is neither empty nor a comment,
// until it returns an error.
template <class Visit>
std::optional<Error> each_line(const std::string& path, Lines part, const Visit& visit) {
  std::ifstream file = open_regular(path);
  if (!file.is_open())
    return make_error(ErrorKind::input, path, "the file cannot be read", what_it_is);
  std::string line;
  std::vector<std::string_view> words;
  file.seekg(part.begin);
  for (; part.begin < part.end && std::getline(file, line); ++part.first) {
    const Lines here{part.begin, part.begin + std::ssize(line) + 1, part.first};
    part.begin = here.end;
    if (here.begin == 0) line = std::string(without_byte_order_mark(line));
    split_words(line, words);
    if (words.empty() || words[0].starts_with('#')) continue;
    if (auto found = visit(here, line, words)) return found;
  }
  return std::nullopt;
}

Error at_line(const std::string& path, int number, const std::string& line, std::string message,
              std::string hint = {}) {
  Error error = make_error(ErrorKind::input, path, std::move(message), std::move(hint));
  error.line = number;
  error.source = source_line(line);
  return error;
}

struct RankFile {
  std::string path;
  std::vector<Lines> parts;
};
using Files = std::vector<RankFile>;  // by rank

// The path as written, relative to the working directory, as in SMPI; otherwise relative to the
// list.
std::string beside(const std::string& list, std::string_view name) {
  std::error_code error;
  const fs::path path(name), near = fs::path(list).parent_path() / path,
                             next = fs::path(list).parent_path() / path.filename();
  if (fs::exists(path, error)) return path.string();
  return fs::exists(near, error) || !fs::exists(next, error) ? near.string() : next.string();
}

// Finds each rank's lines in a single file of all ranks.
Result<Files> file_of_all(const std::string& path) {
  Files files;
  std::optional<std::uint32_t> last;
  const auto error =
      each_line(path, {}, [&](const Lines& here, const std::string& line, const auto& words) {
        const auto rank = rank_of(words);
        if (!rank || *rank >= most_ranks)
          return std::optional(at_line(
              path, here.first, line, "invalid action: expected a rank and an action", what_it_is));
        if (*rank >= files.size()) files.resize(*rank + 1, {path, {}});
        auto& parts = files[*rank].parts;
        if (last == rank)
          parts.back().end = here.end;
        else
          parts.push_back(here);
        last = rank;
        return std::optional<Error>();
      });
  if (error) return *error;
  if (files.empty()) return make_error(ErrorKind::input, path, "the file is empty", what_it_is);
  const auto missing =
      std::ranges::find_if(files, [](const RankFile& file) { return file.parts.empty(); });
  if (missing == files.end()) return files;
  return make_error(ErrorKind::input, path,
                    fmt::format("rank {} has no actions, but rank {} has some",
                                missing - files.begin(), files.size() - 1),
                    "every rank must have at least init and finalize");
}

Result<Files> files_of(const std::string& path) {
  const auto listed = TUTTI_TRY(listed_ti_files(path));
  if (listed.empty()) return file_of_all(path);
  if (listed.size() == 1) return file_of_all(listed.front());
  Files files;
  for (const auto& file : listed) files.push_back({file, {Lines{}}});
  return files;
}

std::optional<Error> read_rank(const RankFile& file, TraceRank rank, TiActions& actions) {
  for (const Lines& part : file.parts) {
    auto error = each_line(
        file.path, part,
        [&](const Lines& here, const std::string& line, const auto& words) -> std::optional<Error> {
          const auto found = rank_of(words);
          std::optional<TiActions::Problem> problem;
          if (!found)
            problem = {"invalid action: expected a rank and an action", what_it_is};
          else if (*found != rank)
            problem = {fmt::format("action of rank {} in the file of rank {}", *found, rank)};
          else
            problem = actions.take(words);
          if (!problem) return std::nullopt;
          return at_line(file.path, here.first, line, problem->message, problem->hint);
        });
    if (error) return error;
  }
  actions.finish();
  return std::nullopt;
}

Result<Trace> read_files(const Files& files, const TraceArgs& args) {
  Trace trace{.definitions = {}, .events = EventStore(args.most_in_memory_bytes), .notes = {}};
  const auto ranks = static_cast<std::uint32_t>(files.size());
  auto speeds = std::vector<double>(ranks, 1e9);
  if (args.core_speeds) speeds = TUTTI_TRY(args.core_speeds(ranks));
  Notes notes;
  BlockLists blocks;
  for (TraceRank rank = 0; rank < ranks; ++rank) {
    const auto actions = ti_actions({trace.events, ranks, blocks, notes}, rank, speeds[rank]);
    if (auto error = read_rank(files[rank], rank, *actions)) return *error;
  }
  trace.events.finish();
  trace.has_times = false;
  trace.definitions = ti_definitions(ranks, blocks);
  trace.notes = notes.all();
  return trace;
}

// Whether the first line except comments is an action, or names a file.
bool begins_like_ti(const std::string& path, std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view line : split(text, '\n')) {
    split_words(line, words);
    if (words.empty() || words[0].starts_with('#')) continue;
    std::error_code error;
    return words.size() == 1 || rank_of(words) || fs::exists(beside(path, trim(line)), error);
  }
  return true;
}

}  // namespace

bool is_ti(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 512> begin;
  file.read(begin.data(), begin.size());
  const auto text =
      without_byte_order_mark({begin.data(), static_cast<std::size_t>(file.gcount())});
  const bool is_text = std::ranges::all_of(text, [](char character) {
    return static_cast<unsigned char>(character) >= ' ' || character == '\n' || character == '\t' ||
           character == '\r';
  });
  return is_text && !text.empty() && begins_like_ti(path, text);
}

Result<std::vector<std::string>> listed_ti_files(const std::string& path) {
  std::vector<std::string> files;
  bool is_list = true;
  const auto error =
      each_line(path, {}, [&](const Lines& here, const std::string& line, const auto& words) {
        if (files.empty() && rank_of(words)) is_list = false;
        if (!is_list) return std::optional(make_error(ErrorKind::input, path, ""));
        files.push_back(beside(path, trim(line)));
        if (files.size() <= most_ranks && open_regular(files.back()).is_open())
          return std::optional<Error>();
        return std::optional(at_line(
            path, here.first, line,
            fmt::format("the file of rank {} cannot be read", files.size() - 1), what_it_is));
      });
  if (is_list && error) return *error;
  return files;
}

Result<Trace> read_ti(const std::string& path, const TraceArgs& args) {
  const auto files = TUTTI_TRY(files_of(path));
  try {
    return read_files(files, args);
  } catch (const std::system_error& error) {
    return make_error(ErrorKind::io, path, error.what(),
                      "TMPDIR names the folder for temporary files");
  }
}

}  // namespace tutti::workloads::traces
