// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "algorithms/selection/decided.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::studies::guidelines {
namespace {

using algorithms::guidelines::find_mockup;
using algorithms::guidelines::Mockup;
using algorithms::selection::Query;
using algorithms::selection::Replacements;
using algorithms::selection::Selection;

// The mock-up that a profile asks for.
const Mockup* asked_of(const Profiles& profiles, const Query& query) {
  const Profile* profile = profiles.find(query.collective, query.procs);
  return profile == nullptr ? nullptr : replacement(*profile, query.message_bytes);
}

algorithms::guidelines::ExtraMemory extra_of(const Mockup& mockup, const Query& query) {
  algorithms::CollectiveArgs args{.message_bytes = query.message_bytes};
  if (query.elements > 0) args.element_bytes = query.message_bytes / query.elements;
  return mockup.extra(args, query.procs);
}

// The library, by what is in use of its buffers.
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
      const Mockup* mockup = asked_of(library->profiles_, query);
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
                       fmt::format("is a second profile of {} for {} processes",
                                   mpi_name(profile->collective), profile->procs),
                       "keep one of them in the folder");
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
      return make_error(ErrorKind::input, files.back(), "this is not a file",
                        "each .prf in the folder is read: remove it");
  }
  if (failed)
    return usage_error("--profile", fmt::format("cannot read {}: {}", folder, failed.message()),
                       "a folder of .prf files, as `sim guidelines tune -o DIR` writes it");
  std::ranges::sort(files);
  return files;
}

Result<Profiles> read_profiles(const std::string& folder) {
  const auto files = TUTTI_TRY(profile_files(folder));
  if (files.empty())
    return usage_error("--profile", fmt::format("there is no .prf file in {}", folder),
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
  const Mockup* mockup = asked_of(profiles, query);
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
  workloads::obey(*replaced, {selection, found->inside});
  replaced->decided_by = decided_by_profile;
  const auto refused = TUTTI_TRY(refused_inside(*mockup, replaced->args, request.procs));
  if (!refused.empty())
    return usage_error("--profile", fmt::format("{}: {}", mockup->algorithm.name, refused));
  return replaced;
}

Result<std::string> refused_inside(const Mockup& mockup, const algorithms::CollectiveArgs& args,
                                   int procs) {
  for (const auto& call : mockup.calls(args, procs)) {
    if (auto wrong = args.selection->wrong({&call.collective, 1}, procs)) return *std::move(wrong);
    const auto decided = algorithms::selection::decided(call.collective, procs, call.args);
    if (const auto* nested = find_mockup(call.collective, decided.algorithm->name)) {
      auto refused = refused_inside(*nested, decided.args, procs);
      if (!refused || !refused->empty()) return refused;
    }
    const auto runs = decided.algorithm->runs;
    if (runs != nullptr && !runs({procs, decided.args}))
      return fmt::format("its {} by {} needs {}", call.collective, decided.algorithm->name,
                         decided.algorithm->restriction);
  }
  return std::string();
}

}  // namespace tutti::studies::guidelines
