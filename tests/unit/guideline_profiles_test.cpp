// SPDX-License-Identifier: BSD-3-Clause
// Replacements by profiles, at the top level and inside mock-ups.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "algorithms/selection/decision.hpp"
#include "tests/support/files.hpp"
#include "workloads/profiles.hpp"

using namespace tutti;
using namespace tutti::workloads::profiles;
using algorithms::guidelines::find_mockup;
using algorithms::selection::decided;
using algorithms::selection::Selection;

namespace {

constexpr int procs = 8;

Profile profile_of(std::string_view collective, std::string_view name, Bytes bytes) {
  const auto* mockup = find_mockup(collective, name);
  REQUIRE(mockup != nullptr);
  return {.notes = {},
          .collective = std::string(collective),
          .procs = procs,
          .mockups = {{mockup->id, mockup}},
          .ranges = {{bytes, bytes, mockup->id}}};
}

std::string name_at(const Selection& selection, std::string_view collective, int of_procs,
                    Bytes bytes) {
  const algorithms::CollectiveArgs args{.message_bytes = bytes, .selection = &selection};
  return std::string(decided(collective, of_procs, args).algorithm->name);
}

}  // namespace

TEST_CASE("a call is replaced at its number of processes and size, if memory suffices") {
  Profiles profiles{{profile_of("bcast", "bcast_as_allgatherv", 1000)}, {}};
  const auto name = [&](int of_procs, Bytes bytes) {
    return name_at(*profiled({}, profiles), "bcast", of_procs, bytes);
  };
  CHECK(name(procs, 1000) == "bcast_as_allgatherv");
  CHECK(name(procs, 999) == "knomial");
  CHECK(name(procs + 1, 1000) == "knomial");
  profiles.limits.int_bytes = 2 * procs * 4;
  CHECK(name(procs, 1000) == "bcast_as_allgatherv");
  --profiles.limits.int_bytes;
  CHECK(name(procs, 1000) == "knomial");
}

TEST_CASE("calls inside mock-ups are replaced, those inside MPI's algorithms are not") {
  const Profiles profiles{{profile_of("allreduce", "allreduce_as_reduce_bcast", 1000),
                           profile_of("bcast", "bcast_as_allgatherv", 1000)},
                          {}};
  const auto selection = profiled({}, profiles);
  const auto outer =
      decided("allreduce", procs, {.message_bytes = 1000, .selection = selection.get()});
  CHECK(outer.algorithm->name == "allreduce_as_reduce_bcast");
  CHECK(name_at(*outer.args.selection, "bcast", procs, 1000) == "bcast_as_allgatherv");
  const auto of_mpi =
      decided("allreduce", procs, {.message_bytes = 999, .selection = selection.get()});
  CHECK(name_at(*of_mpi.args.selection, "bcast", procs, 1000) == "knomial");
}

TEST_CASE("a cycle of profiles ends where the library's buffer is in use") {
  const Profiles profiles{{profile_of("allreduce", "allreduce_as_reduce_bcast", 1000),
                           profile_of("reduce", "reduce_as_allreduce", 1000)},
                          {}};
  const auto selection = profiled({}, profiles);
  const Selection* inside = selection.get();
  std::vector<std::string> names;
  for (const auto* collective : {"allreduce", "reduce", "allreduce", "reduce"}) {
    const auto call = decided(collective, procs, {.message_bytes = 1000, .selection = inside});
    names.emplace_back(call.algorithm->name);
    inside = call.args.selection;
  }
  CHECK(names[0] == "allreduce_as_reduce_bcast");
  CHECK(names[1] == "reduce_as_allreduce");
  CHECK(names[2] == "allreduce_as_reduce_bcast");
  CHECK(names[3] != "reduce_as_allreduce");
}

TEST_CASE("a folder of profiles has one per collective and number of processes") {
  tests::TemporaryFolder folder;
  const auto text = profile_text(profile_of("bcast", "bcast_as_allgatherv", 1000));
  CHECK(!read_profiles(folder.path()));
  CHECK(!read_profiles(folder.path() + "/nowhere"));
  folder.write("notes.txt", "no profile");
  folder.write("bcast.prf", text);
  const auto profiles = read_profiles(folder.path());
  REQUIRE(profiles);
  CHECK(profiles->find("bcast", procs) != nullptr);
  CHECK(profiles->find("bcast", procs + 1) == nullptr);
  folder.write("second.prf", text);
  const auto twice = read_profiles(folder.path());
  REQUIRE(!twice);
  CHECK(twice.error().message == "second profile of MPI_Bcast for 8 processes");
}

TEST_CASE("a pipe among the profiles is an error, and is not waited for") {
  tests::TemporaryFolder folder;
  folder.write("bcast.prf", profile_text(profile_of("bcast", "bcast_as_allgatherv", 1000)));
  REQUIRE(::mkfifo(folder.file("pipe.prf").c_str(), 0600) == 0);
  const auto profiles = read_profiles(folder.path());
  REQUIRE(!profiles);
  CHECK(profiles.error().place == folder.file("pipe.prf"));
  CHECK(profiles.error().message == "not a regular file");
}
