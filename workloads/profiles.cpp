// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/profiles.hpp"

#include <cctype>

#include "algorithms/selection/decision.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::workloads::profiles {
namespace {

using algorithms::guidelines::all_mockups;
using algorithms::guidelines::find_mockup;
using algorithms::guidelines::find_mockups;

constexpr std::string_view title = "# pgtune profile";
// The library stores sizes and counts in an int.
constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
// Larger than the number of entries of any profile.
constexpr std::int64_t most_entries = 100'000;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = trim(line)).empty()) {
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

std::string collective_of(std::string_view mpi) {
  for (const auto& collective : algorithms::all_collectives())
    if (mpi_name(collective.name) == mpi && !find_mockups(collective.name).empty())
      return std::string(collective.name);
  return {};
}

std::vector<std::string> known_collectives() {
  std::vector<std::string> names;
  for (const auto* mockup : all_mockups())
    if (auto name = mpi_name(mockup->algorithm.collective);
        std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  return names;
}

std::vector<std::string> known_mockups(const std::string& collective) {
  std::vector<std::string> names;
  for (const auto* mockup : find_mockups(collective)) names.emplace_back(mockup->algorithm.name);
  return names;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : text_(text), lines_(text, file) {}

  Result<Profile> read() {
    look_at_lines();
    if (read_head() && read_mockups() && read_ranges() && lines_.next())
      lines_.reject(fmt::format("more than {} ranges: the library ignores this line", ranges_),
                    "correct the number of ranges");
    if (!lines_.errors().empty()) return lines_.errors().errors();
    return std::move(profile_);
  }

 private:
  // Checks the lines that LineReader skips.
  void look_at_lines() {
    int number = 0;
    std::string_view rest = text_;
    for (const auto line : split(rest, '\n')) {
      ++number;
      const bool is_end = line.empty() && line.data() == text_.data() + text_.size();
      if (!is_end && trim(line).empty())
        lines_.reject_line(number, "blank line, which the library reads as the next entry",
                           "delete the line, or start it with #");
      if (!line.starts_with('#') && trim(line).starts_with('#'))
        lines_.reject_line(number, "indented comment, which the library reads as an entry",
                           "start the line with #");
      if (line.starts_with('#') && trim(line) != title)
        profile_.notes.emplace_back(trim(line.substr(1)));
    }
  }

  // The words of the next entry, at least `words` of them; empty after an error.
  std::vector<std::string_view> entry(std::size_t words, std::string_view what) {
    const auto line = lines_.next();
    if (!line) {
      lines_.reject(fmt::format("unexpected end of the file, expected {}", what),
                    "check whether the file is truncated");
      return {};
    }
    auto found = words_of(*line);
    if (found.size() >= words) return found;
    lines_.reject(fmt::format("expected {}", what));
    return {};
  }

  std::optional<std::int64_t> number(std::string_view word, std::string_view what,
                                     std::int64_t least, std::int64_t most) {
    const auto value = parse_integer(word);
    if (value && *value >= least && *value <= most) return *value;
    lines_.reject(fmt::format("invalid {} {}", what, in_quotes(word)),
                  fmt::format("expected a number from {} to {}", least, most));
    return std::nullopt;
  }

  std::optional<std::int64_t> count(std::string_view what, std::int64_t most) {
    const auto words = entry(1, fmt::format("the {}", what));
    if (words.empty()) return std::nullopt;
    return number(words[0], what, 1, most);
  }

  bool read_head() {
    const auto words = entry(1, "the collective's name");
    if (words.empty()) return false;
    profile_.collective = collective_of(words[0]);
    if (profile_.collective.empty()) {
      lines_.reject(fmt::format("the library does not tune {}", in_quotes(words[0])),
                    did_you_mean(words[0], known_collectives(), "for example MPI_Scatter"));
      return false;
    }
    const auto procs = count("number of processes", largest);
    profile_.procs = static_cast<int>(procs.value_or(0));
    return procs.has_value();
  }

  bool read_mockups() {
    const auto mockups = count("number of mock-ups", most_entries);
    for (std::int64_t i = 0; mockups && i < *mockups; ++i)
      if (!read_mockup()) return false;
    return mockups.has_value();
  }

  bool read_mockup() {
    const auto words = entry(2, "the number and the name of a mock-up");
    if (words.empty()) return false;
    const auto id = number(words[0], "number of a mock-up", 0, largest);
    if (!id) return false;
    const auto* mockup = find_mockup(profile_.collective, words[1]);
    if (mockup == nullptr) {
      lines_.reject(fmt::format("{} has no mock-up {}, and the library aborts the program",
                                mpi_name(profile_.collective), in_quotes(words[1])),
                    did_you_mean(words[1], known_mockups(profile_.collective),
                                 "`sim list mockups` lists them"));
    }
    if (find(static_cast<int>(*id)) != nullptr)
      lines_.reject(fmt::format("mock-up number {} is already in use", *id));
    profile_.mockups.push_back({static_cast<int>(*id), mockup});
    return true;
  }

  bool read_ranges() {
    const auto ranges = count("number of ranges", most_entries);
    ranges_ = ranges.value_or(0);
    for (std::int64_t i = 0; i < ranges_; ++i)
      if (!read_range()) return false;
    return ranges.has_value();
  }

  bool read_range() {
    const auto words = entry(3, "the begin, the end and the mock-up of a range");
    if (words.empty()) return false;
    const auto begin = number(words[0], "number of bytes", 0, largest);
    const auto end = number(words[1], "number of bytes", 0, largest);
    const auto id = number(words[2], "number of a mock-up", 0, largest);
    if (!begin || !end || !id) return true;
    if (*begin > *end)
      lines_.reject("the range ends before it begins, and the library aborts the program",
                    "the begin comes first");
    if (find(static_cast<int>(*id)) == nullptr)
      lines_.reject(fmt::format("no mock-up above has number {}", *id));
    profile_.ranges.push_back({*begin, *end, static_cast<int>(*id)});
    return true;
  }

  const Profile::Listed* find(int id) const {
    const auto found = std::ranges::find(profile_.mockups, id, &Profile::Listed::id);
    return found == profile_.mockups.end() ? nullptr : &*found;
  }

  std::string_view text_;
  LineReader lines_;
  std::int64_t ranges_ = 0;
  Profile profile_;
};

}  // namespace

std::string mpi_name(std::string_view collective) {
  std::string name = "MPI_" + std::string(collective);
  name[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[4])));
  return name;
}

Result<Profile> read_profile(std::string_view text, std::string_view file) {
  return Reader(text, file).read();
}

std::string profile_text(const Profile& profile) {
  std::string text = fmt::format("{}\n", title);
  for (const auto& note : profile.notes) text += fmt::format("# {}\n", note);
  text += fmt::format("{}\n{} # nb. of processes\n{} # nb. of mock-up impl.\n",
                      mpi_name(profile.collective), profile.procs, profile.mockups.size());
  for (const auto& [id, mockup] : profile.mockups)
    text += fmt::format("{} {}\n", id, mockup->algorithm.name);
  text += fmt::format("{} # nb. of ranges\n", profile.ranges.size());
  for (const auto& range : profile.ranges)
    text += fmt::format(
        "{} {} {}{}\n", range.begin_bytes, range.end_bytes, range.id,
        &range == profile.ranges.data() ? " # byte_range_start byte_range_end alg_id" : "");
  return text;
}

const algorithms::guidelines::Mockup* replacement(const Profile& profile, Bytes message_bytes) {
  if (message_bytes == 0) return nullptr;
  for (const auto& range : profile.ranges) {
    if (message_bytes < range.begin_bytes || message_bytes > range.end_bytes) continue;
    return std::ranges::find(profile.mockups, range.id, &Profile::Listed::id)->mockup;
  }
  return nullptr;
}

namespace {

using algorithms::guidelines::Mockup;
using algorithms::selection::Query;
using algorithms::selection::Replacements;
using algorithms::selection::Selection;

// The mock-up that a profile requests; null if none.
const Mockup* requested_of(const Profiles& profiles, const Query& query) {
  const Profile* profile = profiles.find(query.collective, query.procs);
  return profile == nullptr ? nullptr : replacement(*profile, query.message_bytes);
}

algorithms::guidelines::ExtraMemory extra_of(const Mockup& mockup, const Query& query) {
  algorithms::CollectiveArgs args{.message_bytes = query.message_bytes};
  if (query.elements > 0) args.element_bytes = query.message_bytes / query.elements;
  return mockup.extra(args, query.procs);
}

// The library's replacements, for each state of its two buffers (free or in use).
class Library {
 public:
  Library(const Selection& mpi, const Profiles& profiles) : mpi_(mpi), profiles_(profiles) {
    for (std::size_t i = 0; i < states_.size(); ++i) states_[i].set_up(*this, i);
  }

  static std::size_t taken(const algorithms::guidelines::ExtraMemory& extra) {
    return (extra.message_bytes > 0 ? message_in_use : 0) | (extra.int_bytes > 0 ? ints_in_use : 0);
  }
  const Selection& inside(const algorithms::guidelines::ExtraMemory& extra,
                          std::size_t in_use = 0) const {
    return states_[in_use | taken(extra)].selection;
  }
  static const Library* of(const Selection& selection) {
    const auto* state = dynamic_cast<const State*>(selection.replacements);
    return state == nullptr ? nullptr : state->library;
  }

  const Selection& outside() const { return states_.front().selection; }

 private:
  static constexpr std::size_t message_in_use = 1;
  static constexpr std::size_t ints_in_use = 2;

  struct State final : Replacements {
    void set_up(const Library& of, std::size_t buffers_in_use) {
      library = &of;
      in_use = buffers_in_use;
      selection = of.mpi_;
      selection.replacements = this;
    }

    std::optional<Found> find(const Query& query) const override {
      const Mockup* mockup = requested_of(library->profiles_, query);
      if (mockup == nullptr) return std::nullopt;
      const auto extra = extra_of(*mockup, query);
      if ((taken(extra) & in_use) != 0 || !library->profiles_.limits.hold(extra))
        return std::nullopt;
      return Found{&mockup->algorithm, &library->inside(extra, in_use)};
    }
    const Selection& of_mpi() const override { return library->mpi_; }

    const Library* library = nullptr;
    std::size_t in_use = 0;
    Selection selection;
  };

  Selection mpi_;
  Profiles profiles_;
  std::array<State, 4> states_;
};

std::optional<Error> add_profile(const std::string& file, Profiles& profiles) {
  const auto text = read_text_file(file);
  if (!text) return text.error();
  auto profile = read_profile(*text, file);
  if (!profile) return profile.error();
  if (profiles.find(profile->collective, profile->procs) != nullptr)
    return usage_error(file,
                       fmt::format("second profile of {} for {} processes",
                                   mpi_name(profile->collective), profile->procs),
                       "keep only one of them in the folder");
  profiles.all.push_back(*std::move(profile));
  return std::nullopt;
}

}  // namespace

const Profile* Profiles::find(std::string_view collective, int procs) const {
  const auto found = std::ranges::find_if(all, [&](const Profile& each) {
    return each.collective == collective && each.procs == procs;
  });
  return found == all.end() ? nullptr : &*found;
}

Result<std::vector<std::string>> profile_files(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry->path().extension() != ".prf") continue;
    files.push_back(entry->path().string());
    if (std::error_code ignored; !entry->is_regular_file(ignored))
      return make_error(ErrorKind::input, files.back(), "not a regular file",
                        "all .prf files of the folder are read: remove it");
  }
  if (failed)
    return usage_error(
        "--profile", fmt::format("cannot read {}: {}", folder, failed.message()),
        "expected a folder of .prf files, as written by `sim guidelines tune -o DIR`");
  std::ranges::sort(files);
  return files;
}

Result<Profiles> read_profiles(const std::string& folder) {
  const auto files = TUTTI_TRY(profile_files(folder));
  if (files.empty())
    return usage_error("--profile", fmt::format("no .prf file in {}", folder),
                       "`sim guidelines tune -o DIR` writes them");
  Profiles profiles;
  for (const auto& file : files)
    if (auto error = add_profile(file, profiles)) return *std::move(error);
  return profiles;
}

std::string content_of(const Profiles& profiles) {
  std::string text =
      fmt::format("{} {}\n", profiles.limits.message_bytes, profiles.limits.int_bytes);
  for (Profile profile : profiles.all) {
    profile.notes.clear();
    text += profile_text(profile);
  }
  return text;
}

std::shared_ptr<const Selection> profiled(const Selection& mpi, const Profiles& profiles) {
  const auto library = std::make_shared<const Library>(mpi, profiles);
  return {library, &library->outside()};
}

std::shared_ptr<const Selection> inside(const std::shared_ptr<const Selection>& selection,
                                        const Mockup& mockup,
                                        const algorithms::CollectiveArgs& args, int procs) {
  const auto* library = Library::of(*selection);
  if (library == nullptr) return selection;
  return {selection, &library->inside(mockup.extra(args, procs))};
}

Result<workloads::CollectiveCall> profiled(const workloads::CallRequest& request,
                                           workloads::CollectiveCall call, const Profiles& profiles,
                                           const platforms::Machine& machine,
                                           const platforms::PlacementRequest& placement) {
  const Query query{.collective = request.collective,
                    .procs = request.procs,
                    .message_bytes = call.args.message_bytes,
                    .elements = call.args.message_bytes / call.args.element_bytes,
                    .commutative = request.commutative};
  const Mockup* mockup = requested_of(profiles, query);
  if (mockup == nullptr) return call;
  Selection mpi{.rules = request.rules};
  if (request.rules == nullptr) mpi.rule_set = call.decided_by;
  const auto selection = profiled(mpi, profiles);
  const auto found = selection->replacements->find(query);
  if (!found) {
    call.decided_by += fmt::format(" ({} {})", no_buffer_for, mockup->algorithm.name);
    return call;
  }
  auto named = request;
  named.algorithm = mockup->algorithm.name;
  named.rules = nullptr;
  auto replaced = workloads::resolve(named, machine, placement);
  if (!replaced) return replaced;
  workloads::apply_selection(*replaced, {selection, found->inside});
  replaced->decided_by = decided_by_profile;
  const auto rejected = TUTTI_TRY(rejected_inside(*mockup, replaced->args, request.procs));
  if (!rejected.empty())
    return usage_error("--profile", fmt::format("{}: {}", mockup->algorithm.name, rejected));
  return replaced;
}

Result<std::string> rejected_inside(const Mockup& mockup, const algorithms::CollectiveArgs& args,
                                    int procs) {
  for (const auto& call : mockup.calls(args, procs)) {
    const int ranks = call.ranks(procs);
    if (ranks == 1 && procs > 1) continue;
    if (auto wrong = args.selection->wrong({&call.collective, 1}, ranks)) return *std::move(wrong);
    const auto decided = algorithms::selection::decided(call, procs);
    if (const auto* nested = find_mockup(call.collective, decided.algorithm->name)) {
      auto rejected = rejected_inside(*nested, decided.args, ranks);
      if (!rejected || !rejected->empty()) return rejected;
    }
    const auto runs = decided.algorithm->runs;
    if (runs != nullptr && !runs({ranks, decided.args}))
      return fmt::format("its {} by {} needs {}", call.collective, decided.algorithm->name,
                         decided.algorithm->restriction);
  }
  return std::string();
}

}  // namespace tutti::workloads::profiles
