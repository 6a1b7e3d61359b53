// SPDX-License-Identifier: BSD-3-Clause
// The ideal engine verifies that two-phase I/O moves every byte to its place: in a write from its
// rank to the aggregator that owns it and into the file once; in a read from the file to its ranks.
#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <vector>

#include "io_models/access.hpp"
#include "io_models/array_access.hpp"
#include "io_models/cycle_choice.hpp"
#include "io_models/darshan/darshan_calls.hpp"
#include "io_models/implementations/plan.hpp"
#include "io_models/ior/ior_command.hpp"
#include "io_models/node_aggregation.hpp"
#include "sim/engines/ideal/ideal.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/delivery.hpp"

namespace {

using namespace tutti;
using namespace tutti::io_models;
using engines::Filled;

std::vector<Extent> all_pieces(const Access& access, RankId rank) {
  std::vector<Extent> pieces;
  access.pieces(rank, access.range(), pieces);
  return pieces;
}

// The file's extents that an aggregator accesses in all cycles.
std::vector<Extent> file_of(const Redistribution& redistribution, int aggregator) {
  std::vector<Extent> extents;
  for (std::int64_t cycle = 0; cycle < redistribution.cycles_of(aggregator); ++cycle)
    redistribution.file_extents(aggregator, cycle, extents);
  return extents;
}

Filled in_data(const Access& access, RankId rank, const Extent& piece) {
  return {rank,
          {access.bytes_below(rank, piece.begin), piece.bytes(), data_buffer},
          {piece.begin, {0}}};
}

// The content of byte x of the file is "byte x of the input of rank 0". `access` has the data of
// the ranks, the plan those of the aggregators.
engines::DataCheck check_of(const Access& access, const Plan& plan, bool writes) {
  engines::DataCheck check;
  const Redistribution& redistribution = plan.redistribution();
  auto& ranks = writes ? check.initial : check.expected;
  auto& file = writes ? check.expected : check.initial;
  for (RankId rank = 0; rank < access.procs(); ++rank)
    for (const Extent& piece : all_pieces(access, rank))
      ranks.push_back(in_data(access, rank, piece));
  for (int i = 0; i < redistribution.aggregators(); ++i)
    for (const Extent& each : file_of(redistribution, i))
      file.push_back(
          {plan.aggregators()[i], {each.begin, each.bytes(), file_buffer}, {each.begin, {0}}});
  return check;
}

// Each byte that some rank accesses is in the file extents of one aggregator's cycle, once. (Open
// MPI's components read a byte that several ranks request in several cycles.)
void check_tiling(const Plan& plan) {
  const bool overlaps = plan.redistribution().access().overlaps();
  std::vector<Extent> all;
  for (int i = 0; i < plan.redistribution().aggregators(); ++i)
    for (const Extent& each : file_of(plan.redistribution(), i)) all.push_back(each);
  std::ranges::sort(all, {}, &Extent::begin);
  Bytes bytes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bytes += all[i].bytes();
    if (i > 0 && !overlaps) CHECK(all[i].begin >= all[i - 1].end);
  }
  Bytes accessed = 0;
  const Access& access = plan.redistribution().access();
  for (RankId rank = 0; rank < access.procs(); ++rank) accessed += access.bytes(rank);
  if (!overlaps) CHECK(bytes == accessed);
}

void check_job(const Plan& plan, const Implementation& implementation, bool writes) {
  const int procs = plan.redistribution().procs();
  const Schedule schedule(plan.redistribution(), all_cycles(plan.redistribution()).cycles());
  ShuffleJob job = plan.job(schedule, {.writes = writes});
  job.moves_data = true;
  static const auto machine = tests::rendezvous_machine(64);
  const auto placement = tests::test_placement(procs);
  const auto outcome = engines::run_ideal(
      {.machine = machine,
       .placement = placement,
       .program =
           [&](runtime::Rank& me) {
             return (writes ? implementation.write : implementation.read)(me, job);
           }},
      check_of(plan.redistribution().access(), plan, writes));
  CAPTURE(writes);
  const std::string first = outcome.problems.empty() ? "" : outcome.problems.front();
  CHECK(first == "");
}

void prove(const Access& access, const PlanArgs& args) {
  const auto placement = tests::test_placement(access.procs());
  const Plan plan(access, placement, args);
  CAPTURE(args.implementation->name);
  CAPTURE(name_of(args.partitioning));
  CAPTURE(access.procs());
  CAPTURE(args.aggregators);
  CAPTURE(args.buffer_bytes);
  CAPTURE(args.stripe_bytes);
  CAPTURE(args.alignment);
  check_tiling(plan);
  if (!access.overlaps()) check_job(plan, *args.implementation, true);
  if (args.implementation->read == nullptr) return;
  PlanArgs of_read = args;
  of_read.reads = true;
  const Plan read(access, placement, of_read);
  check_tiling(read);
  check_job(read, *args.implementation, false);
}

// Every implementation, and the generic one with all partitionings.
std::vector<PlanArgs> all_plans() {
  std::vector<PlanArgs> plans{{.alignment = 4}};
  for (const Implementation* each : collective_implementations())
    plans.push_back(
        {.implementation = each, .stripe_bytes = each->domains == DomainRule::round_robin ? 5 : 0});
  for (const Bytes stripe : {0, 3, 16, 100})
    plans.push_back({.partitioning = Partitioning::static_, .stripe_bytes = stripe});
  return plans;
}

void prove_all(const Access& access) {
  static const std::vector<PlanArgs> plans = all_plans();
  const int procs = access.procs();
  std::set<int> aggregators{1, 2, 3, procs / 2, procs};
  std::erase_if(aggregators, [&](int each) { return each < 1 || each > procs; });
  constexpr Bytes buffers[] = {2, 7, 64};
  // A different seed for each access gives other rows.
  const auto seed = static_cast<std::uint64_t>(100 * access.range().bytes() + procs);
  tests::for_each_case<3>({plans.size(), aggregators.size(), std::size(buffers)}, {.seed = seed},
                          [&](const auto& levels) {
                            PlanArgs args = plans[levels[0]];
                            args.aggregators = tests::at_level(aggregators, levels[1]);
                            args.buffer_bytes = buffers[levels[2]];
                            prove(access, args);
                          });
}

TEST_CASE("block rows and 2-D blocks with ragged ends are written and read correctly") {
  for (const int procs : {1, 2, 3, 4, 6, 9, 12})
    for (const Bytes rows : {1, 5, 12})
      for (const Bytes columns : {1, 7, 16}) {
        prove_all(GridAccess::blocks({procs, 1}, rows, columns));
        prove_all(GridAccess::blocks(squarest_grid(procs), rows, columns));
      }
  prove_all(GridAccess::blocks({2, 5}, 6, 11));
}

TEST_CASE("an array of no bytes belongs to no rank") {
  prove_all(GridAccess::blocks({2, 2}, 0, 8));
  prove_all(ListAccess({{}, {}, {}}));
}

TEST_CASE("tiles with gaps are written and read correctly, overlapping tiles are read correctly") {
  for (const int overlap : {-3, -1, 0, 1, 2}) {
    prove_all(GridAccess::tiles(
        {2, 3}, {.rows = 4, .columns = 5, .row_overlap = overlap, .column_overlap = overlap}));
    prove_all(GridAccess::tiles({3, 1}, {.rows = 4, .columns = 5, .row_overlap = overlap}));
    prove_all(GridAccess::tiles({1, 4}, {.rows = 2, .columns = 6, .column_overlap = overlap}));
  }
}

TEST_CASE("any list of pieces is written and read correctly") {
  std::uint64_t state = 7;
  const auto random = [&](std::uint64_t limit) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<Bytes>((state >> 33) % limit);
  };
  for (int sample = 0; sample < 12; ++sample) {
    const int procs = 1 + static_cast<int>(random(7));
    std::vector<std::vector<Extent>> pieces(procs);
    for (Bytes at = random(20); at < 150;) {
      const Bytes bytes = 1 + random(9);
      pieces[random(procs)].push_back({at, at + bytes});
      at += bytes + (sample % 3 == 0 ? 0 : random(4));
    }
    prove_all(ListAccess(std::move(pieces)));
  }
}

// Numbers below a limit, the same in every run.
class Draw {
 public:
  Bytes below(std::uint64_t limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<Bytes>((state_ >> 33) % limit);
  }

 private:
  std::uint64_t state_ = 11;
};

ArraySpec random_array(Draw& draw, std::size_t dimensions) {
  constexpr std::uint64_t most[] = {0, 60, 10, 5, 4, 3};
  ArraySpec spec;
  const bool has_ghosts = draw.below(3) == 0;
  const bool is_chunked = draw.below(3) == 0;
  int procs = 1;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const Bytes size = 1 + draw.below(most[dimensions]);
    const auto grid = static_cast<int>(1 + draw.below(procs > 4 ? 2 : 3));
    Distribution how;
    if (draw.below(2) == 0)
      how = {.kind = Distribution::Kind::cyclic,
             .block = has_ghosts ? (size + grid - 1) / grid : 1 + draw.below(size)};
    if (has_ghosts) how.ghost = draw.below(3);
    procs *= grid;
    spec.sizes.push_back(size);
    spec.grid.push_back(grid);
    spec.distributions.push_back(how);
    if (is_chunked) spec.chunk.push_back(1 + draw.below(size));
  }
  spec.element_bytes = 1 + draw.below(3);
  spec.is_fortran_order = draw.below(2) == 0;
  return spec;
}

TEST_CASE("arrays of 1 to 5 dimensions are written and, also with ghost cells, read correctly") {
  Draw draw;
  int overlapping = 0;
  for (std::size_t dimensions = 1; dimensions <= 5; ++dimensions)
    for (int sample = 0; sample < 12; ++sample) {
      const ArrayAccess access(random_array(draw, dimensions));
      CAPTURE(dimensions);
      CAPTURE(sample);
      overlapping += access.overlaps() ? 1 : 0;
      prove_all(access);
    }
  CHECK(overlapping > 10);
}

TEST_CASE("each call of IOR is written and read correctly") {
  for (const char* command :
       {"-a MPIIO -c -t 4 -b 12 -s 2", "-a MPIIO -c -t 7 -b 7 -s 3",
        "-a MPIIO -c -t 5 -b 10 -C -Q 2", "-a MPIIO -c -t 6 -b 6 -Z -X 3", "-a POSIX -F -t 4 -b 8"})
    for (const bool writes : {true, false}) {
      const auto ior = parse_ior(command);
      REQUIRE(ior);
      const IorCalls calls(*ior, {.procs = 6, .on_first_node = 2, .nodes = 3}, writes, 100);
      for (std::int64_t i = 0; i < calls.count(); ++i) prove_all(*calls.call(i));
    }
}

TEST_CASE("each call of a Darshan log is written and read correctly") {
  const auto log = read_darshan_log(TUTTI_SOURCE_DIR "/examples/io/ior-hard.darshan.txt");
  REQUIRE(log);
  auto calls = calls_of(*log, {});
  REQUIRE(calls);
  CHECK(calls->collective);
  CHECK_FALSE(calls->approximate);
  const LoggedCalls all(std::make_shared<const DarshanCalls>(*std::move(calls)));
  CHECK(all.count() == 16);
  CHECK(all.bytes() == 16 * 8 * 47'008);
  const auto access = all.call(3);
  for (const Implementation* each : collective_implementations())
    prove(*access, {.implementation = each,
                    .aggregators = 3,
                    .buffer_bytes = 100'000,
                    .stripe_bytes = each->domains == DomainRule::round_robin ? 65'536 : 0});
}

// The data of the ranks as in `access`, which leaders collect.
void prove_merged(const std::shared_ptr<const Access>& access, int per_node,
                  const Implementation& implementation, bool writes) {
  const int procs = access->procs();
  static const auto machine = tests::rendezvous_machine(64);
  auto placement = tests::test_placement(procs);
  for (int rank = 0; rank < procs; ++rank)
    placement.host_of[rank] = static_cast<platforms::HostId>(rank * 7 % 3);
  const auto merged = std::make_shared<const MergedAccess>(
      access, std::make_shared<const NodeGroups>(placement, per_node));
  const PlanArgs args{.implementation = &implementation,
                      .aggregators = std::min(procs, 3),
                      .buffer_bytes = 16,
                      .stripe_bytes = 5,
                      .reads = !writes};
  const Plan plan(*merged, placement, args);
  const Schedule schedule(plan.redistribution(), all_cycles(plan.redistribution()).cycles());
  ShuffleJob job = plan.job(schedule, {.writes = writes});
  job.moves_data = true;
  const auto program = [&](runtime::Rank& me) -> runtime::Task {
    if (writes) co_await collect_on_nodes(me, job, *merged);
    co_await (writes ? implementation.write : implementation.read)(me, job);
    if (!writes) co_await distribute_on_nodes(me, job, *merged);
  };
  const auto outcome =
      engines::run_ideal({.machine = machine, .placement = placement, .program = program},
                         check_of(*access, plan, writes));
  CAPTURE(implementation.name);
  CAPTURE(procs);
  CAPTURE(writes);
  const std::string first = outcome.problems.empty() ? "" : outcome.problems.front();
  CHECK(first == "");
}

TEST_CASE("leaders of nodes collect and distribute all data") {
  Draw draw;
  for (int sample = 0; sample < 20; ++sample) {
    const auto array = std::make_shared<const ArrayAccess>(random_array(draw, 1 + sample % 4));
    if (array->overlaps()) continue;
    for (const Implementation* each : collective_implementations())
      for (const int per_node : {1, 2}) {
        prove_merged(array, per_node, *each, true);
        if (each->read != nullptr) prove_merged(array, per_node, *each, false);
      }
  }
}

TEST_CASE("a plan whose aggregator omits a byte is detected") {
  const auto access = GridAccess::blocks({4, 1}, 8, 8);
  const Plan plan(access, tests::test_placement(4), {.aggregators = 2, .buffer_bytes = 8});
  std::vector<std::int64_t> cycles = all_cycles(plan.redistribution()).cycles();
  cycles.pop_back();
  const Schedule schedule(plan.redistribution(), cycles);
  ShuffleJob job = plan.job(schedule, {});
  job.moves_data = true;
  const auto machine = tests::rendezvous_machine(4);
  const auto placement = tests::test_placement(4);
  CHECK_FALSE(
      engines::run_ideal({.machine = machine,
                          .placement = placement,
                          .program = [&](runtime::Rank& me) { return generic.write(me, job); }},
                         check_of(plan.redistribution().access(), plan, true))
          .problems.empty());
}

}  // namespace
