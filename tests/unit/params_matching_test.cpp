// SPDX-License-Identifier: BSD-3-Clause
// Stored parameter sets: which set matches, which set of a key is current, and the result of
// merging.
#include <doctest/doctest.h>

#include "sim/params/keeping.hpp"
#include "sim/params/matching.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using namespace tutti::studies::params;
using store::NamedText;
using store::ParameterDatabase;
using tests::TemporaryFolder;

namespace {

ParameterSet set_for(std::string application, store::Characteristics use, std::int64_t number = 0) {
  ParameterSet set;
  set.number = number;
  set.key = {"crill", std::move(application), "", std::move(use)};
  set.parameters = {{"mpi/eager_limit", "24KiB"}};
  set.stored = "2026-01-01T00:00:00Z";
  return set;
}

Spec spec_for(std::string application, store::Characteristics use) {
  return {{"crill", std::move(application), "", std::move(use)}, ""};
}

ParameterSet timed(ParameterSet set, double time_s) {
  set.metric = "time_s";
  set.metric_value = time_s;
  return set;
}

ParameterDatabase opened(const std::string& path) {
  auto database = ParameterDatabase::open(path, ParameterDatabase::Access::write);
  REQUIRE(database);
  return *std::move(database);
}

std::vector<ParameterSet> sets_of(const ParameterDatabase& database) {
  const auto sets = database.sets();
  REQUIRE(sets);
  return *sets;
}

}  // namespace

TEST_CASE("the exact set takes precedence over sets with nearer numbers") {
  const std::vector sets{set_for("a", {.procs = 576}, 1), set_for("a", {.procs = 512}, 2),
                         set_for("b", {.procs = 500}, 3)};
  const auto exact = find_match(sets, spec_for("a", {.procs = 512}));
  REQUIRE(exact);
  CHECK(exact->set.number == 2);
  CHECK(exact->tier == Tier::exact);
  CHECK(exact->distance == 0);
  CHECK(exact->differences.empty());
}

TEST_CASE("characteristics are compared by the logarithms of their ratios") {
  const std::vector sets{set_for("a", {.procs = 64, .message_bytes = 65536}, 1),
                         set_for("a", {.procs = 256, .message_bytes = 1024}, 2)};
  const auto match = find_match(sets, spec_for("a", {.procs = 128, .message_bytes = 32768}));
  REQUIRE(match);
  CHECK(match->set.number == 1);
  CHECK(match->tier == Tier::application);
  CHECK(match->distance == 2);  // a factor of two in each
  CHECK(match->differences ==
        std::vector<std::string>{"procs 64, not 128", "message size 64 KiB, not 32 KiB"});
  const auto other = find_match(sets, spec_for("a", {.procs = 256, .message_bytes = 4096}));
  REQUIRE(other);
  CHECK(other->set.number == 2);
  CHECK(other->distance == 2);
}

TEST_CASE("a characteristic missing in a set is a factor of two; unrequested ones do not count") {
  const std::vector sets{set_for("a", {}, 1), set_for("a", {.procs = 64}, 2)};
  CHECK(find_match(sets, spec_for("a", {.procs = 100}))->set.number == 2);
  const auto general = find_match(sets, spec_for("a", {.procs = 1000}));
  CHECK(general->set.number == 1);
  CHECK(general->distance == 1);
  // Without a request, the set without characteristics matches.
  CHECK(find_match(sets, spec_for("a", {}))->set.number == 1);
  CHECK(find_match(sets, spec_for("a", {}))->tier == Tier::exact);
}

TEST_CASE("without its own sets an application gets those of its category, then of any") {
  auto stencil = set_for("b", {.procs = 64}, 1);
  stencil.category = "stencil";
  const auto bcast = set_for("c", {.collective = "bcast", .procs = 128}, 2);
  const std::vector sets{stencil, bcast};
  Spec spec = spec_for("a", {.collective = "bcast", .procs = 128});
  CHECK(find_match(sets, spec)->tier == Tier::host);
  CHECK(find_match(sets, spec)->set.number == 2);
  spec.category = "stencil";
  CHECK(find_match(sets, spec)->tier == Tier::category);
  CHECK(find_match(sets, spec)->set.number == 1);
  // The database has the category of an application from another host.
  auto elsewhere = stencil;
  elsewhere.key.host = "opuntia";
  elsewhere.key.application = "a";
  CHECK(find_match({stencil, bcast, elsewhere}, spec_for("a", {.collective = "bcast"}))->tier ==
        Tier::category);
  CHECK_FALSE(find_match(sets, spec_for("a", {.procs = 128})));
  spec.key.host = "opuntia";
  CHECK_FALSE(find_match(sets, spec));
}

TEST_CASE("a request for a category gets only sets of that category") {
  auto stencil = set_for("a", {}, 1), wave = set_for("b", {.collective = "bcast"}, 2);
  stencil.category = "stencil";
  wave.category = "wavefront";
  const std::vector sets{stencil, wave, set_for("c", {}, 3)};
  Spec spec = spec_for("", {});
  CHECK(find_match(sets, spec)->set.number == 3);  // the newest of any
  spec.category = "stencil";
  CHECK(find_match(sets, spec)->set.number == 1);
  spec.category = "wavefront";
  CHECK(find_match(sets, spec)->set.number == 2);
  spec.category = "spectral";
  CHECK_FALSE(find_match(sets, spec));
  // An application's own sets of another category do not match, nor any for the same collective.
  spec = spec_for("a", {.collective = "bcast"});
  spec.category = "wavefront";
  CHECK(find_match(sets, spec)->set.number == 2);
  CHECK(find_match(sets, spec)->tier == Tier::category);
  spec.category = "spectral";
  CHECK_FALSE(find_match(sets, spec));
}

TEST_CASE("a set for another collective and a set that is history never match") {
  auto history = set_for("a", {.collective = "bcast"}, 2);
  history.is_current = false;
  const std::vector sets{set_for("a", {.collective = "allreduce"}, 1), history};
  CHECK_FALSE(find_match(sets, spec_for("a", {.collective = "bcast"})));
}

TEST_CASE("a rebuilt program finds the old build's set, and is notified") {
  auto built = set_for("a", {}, 1);
  built.key.build = "00000000000000aa";
  Spec spec = spec_for("a", {});
  spec.key.build = built.key.build;
  CHECK(find_match({built}, spec)->tier == Tier::exact);
  spec.key.build = "00000000000000bb";
  CHECK(find_match({built}, spec)->tier == Tier::application);
  CHECK(find_match({built}, spec)->differences ==
        std::vector<std::string>{"for another build of the program"});
  // By name only, any build matches.
  CHECK(find_match({built}, spec_for("a", {}))->tier == Tier::exact);
}

TEST_CASE("the newest of equal sets is taken, and others are counted") {
  const std::vector sets{set_for("a", {.procs = 64}, 1), set_for("a", {.procs = 256}, 2)};
  const auto match = find_match(sets, spec_for("a", {.procs = 128}));
  CHECK(match->set.number == 2);
  CHECK(match->equals == 1);
}

TEST_CASE("an empty message is half a byte away from one byte") {
  const std::vector sets{set_for("a", {.message_bytes = 0}, 1)};
  CHECK(find_match(sets, spec_for("a", {.message_bytes = 1}))->distance == 1);
}

TEST_CASE("of a key the better set is current, and none is lost") {
  const TemporaryFolder folder;
  auto database = opened(folder.file("p.db"));
  const auto first = timed(set_for("a", {.procs = 64}), 2e-3);
  CHECK(keep(database, first)->kept == Kept::added);
  CHECK(keep(database, first)->kept == Kept::known);
  auto better = timed(first, 1e-3);
  better.parameters = {{"mpi/eager_limit", "12KiB"}};
  const auto kept = keep(database, better);
  CHECK(kept->kept == Kept::replaces);
  CHECK(kept->before == 1);
  CHECK(keep(database, timed(first, 3e-3))->kept == Kept::worse);
  CHECK(keep(database, timed(first, 4e-3), true)->kept == Kept::replaces);
  auto unmeasured = first;
  unmeasured.metric.clear();
  unmeasured.metric_value.reset();
  unmeasured.parameters = {{"mpi/eager_limit", "1KiB"}};
  CHECK(keep(database, unmeasured)->kept == Kept::replaces);  // not comparable: the newer
  const auto sets = sets_of(database);
  REQUIRE(sets.size() == 5);
  for (const auto& set : sets) CHECK(set.is_current == (set.number == 5));

  // When a set is discarded, the best remaining one becomes current.
  REQUIRE_FALSE(discard(database, {5}));
  CHECK(sets_of(database)[1].is_current);
  CHECK(sets_of(database).size() == 4);
}

TEST_CASE("a bandwidth is better when it is larger") {
  CHECK(is_more_better("bandwidth_Bps"));
  CHECK_FALSE(is_more_better("time_s"));
  const TemporaryFolder folder;
  auto database = opened(folder.file("p.db"));
  auto set = timed(set_for("a", {}), 1e9);
  set.metric = "write_Bps";
  REQUIRE(keep(database, set));
  set.metric_value = 2e9;
  CHECK(keep(database, set)->kept == Kept::replaces);
  set.metric_value = 1.5e9;
  CHECK(keep(database, set)->kept == Kept::worse);
}

TEST_CASE("a union has all sets, an intersection the common ones") {
  const TemporaryFolder folder;
  auto ours = set_for("a", {.procs = 64}), theirs = ours;
  ours.parameters = {{"mpi/eager_limit", "24KiB"}, {"map", "block"}};
  theirs.parameters = {{"mpi/eager_limit", "24KiB"}, {"map", "round-robin"}};
  const auto alone = set_for("b", {});
  const auto elsewhere = set_for("c", {});
  {
    auto united = opened(folder.file("union.db"));
    REQUIRE(keep(united, timed(ours, 1e-3)));
    REQUIRE(keep(united, alone));
    const auto merged = unite(united, {timed(theirs, 2e-3), alone, elsewhere});
    REQUIRE(merged);
    CHECK(merged->added == 1);
    CHECK(merged->known == 1);
    CHECK(merged->worse == 1);
    CHECK(sets_of(united).size() == 4);
  }
  auto common = opened(folder.file("intersection.db"));
  REQUIRE(keep(common, timed(ours, 1e-3)));
  REQUIRE(keep(common, alone));
  const auto merged = intersect(common, {timed(theirs, 2e-3), elsewhere});
  REQUIRE(merged);
  CHECK(merged->replaced == 1);
  CHECK(merged->retired == 1);
  std::vector<ParameterSet> current;
  for (const auto& set : sets_of(common))
    if (set.is_current) current.push_back(set);
  REQUIRE(current.size() == 1);
  CHECK(current[0].parameters == std::vector<NamedText>{{"mpi/eager_limit", "24KiB"}});
  CHECK_FALSE(current[0].metric_value);
  CHECK(sets_of(common).size() == 3);
}
