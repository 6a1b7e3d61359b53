// SPDX-License-Identifier: BSD-3-Clause
// Critical paths of random jobs cover the time from 0 to the end of the job without gaps, and links
// carry at most what they can while they are busy. The gate draws some jobs; the nightly run 2,000
// collectives, 1,500 collective accesses and 1,000 schedules.
#include <doctest/doctest.h>

#include "io_models/access.hpp"
#include "sim/jobs/run_io.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/test_machine.hpp"
#include "workloads/schedules/goal_reader.hpp"
#include "workloads/schedules/schedule_call.hpp"

using namespace tutti;
using engines::Contention;
using platforms::Rendezvous;
using tests::Draw;

namespace {

constexpr jobs::InsideRequest links_and_path{.links = true, .path = true, .trace = {}};

int draws(int in_gate, int in_full) { return tests::full_products() ? in_full : in_gate; }

// Counts jobs, and those whose path has a fault.
struct Tally {
  int jobs = 0;
  int with_acks = 0;
  int late = 0;
  int faults = 0;

  // `end_s`: of the job.
  void check(const std::string& name, const jobs::InsideAnswer& inside, Seconds end_s) {
    ++jobs;
    std::string fault;
    Seconds at_s = 0;
    bool has_ack = false, is_late = false;
    for (const auto& step : inside.path) {
      if (step.begin_s != at_s) fault += fmt::format("a gap at {}; ", at_s);
      at_s = step.end_s;
      Seconds sum_s = 0;
      for (const Seconds part : step.parts) {
        if (part < -runtime::tie_window_s) fault += fmt::format("a part of {}; ", part);
        sum_s += part;
      }
      if (std::abs(sum_s - (step.end_s - step.begin_s)) > 1e-9 * end_s)
        fault += fmt::format("parts of {} at {}; ", sum_s, step.begin_s);
      has_ack |= step.kind == engines::PathStep::Kind::message &&
                 step.parts[static_cast<std::size_t>(engines::Transit::ack)] > 0;
      is_late |= step.late_receiver;
    }
    if (at_s > end_s || runtime::after_ties(at_s) < end_s)
      fault += fmt::format("an end at {} instead of {}; ", at_s, end_s);
    for (const auto& link : inside.links) {
      if (static_cast<double>(link.bytes) > link.capacity_Bps * link.busy_s * (1 + 1e-6) + 1)
        fault += fmt::format("link {} carries {} B in {} s at {} B/s; ", link.link, link.bytes,
                             link.busy_s, link.capacity_Bps);
    }
    with_acks += has_ack;
    late += is_late;
    faults += !fault.empty();
    CHECK_MESSAGE(fault.empty(), name, ": ", fault);
  }
  void print(const std::string& what) const {
    MESSAGE(jobs, " ", what, ": ", with_acks, " with acknowledgments on the path, ", late,
            " with late receivers, ", faults, " faults");
  }
};

// Another protocol on the same machine, on which each message has one route.
platforms::Machine with_protocol(platforms::Machine machine, Draw& draw) {
  machine.inter.rendezvous = draw.pick({Rendezvous::get, Rendezvous::put, Rendezvous::direct});
  machine.intra.rendezvous = draw.pick({Rendezvous::get, Rendezvous::put});
  if (draw.chance(20)) machine.inter.eager_credits = 2;
  if (draw.chance(30)) machine.inter.eager_max = draw.pick<Bytes>({0, 1000, 1 << 20});
  if (machine.divides_messages()) {
    machine.routing = platforms::Routing::hashed;
    machine.stripe_from.reset();
  }
  return machine;
}

Contention any_contention(Draw& draw) {
  return draw.pick(
      {Contention::on, Contention::off, Contention::private_nics, Contention::pooled_nics});
}

}  // namespace

TEST_CASE("the acknowledgment of a read is on the path of a sender that ends last") {
  auto machine = *platforms::load_machine("crill");
  machine.inter.rendezvous = Rendezvous::get;
  platforms::PlacementRequest placement{.file = {}};
  placement.procs = 3;
  placement.ppn = 1;
  jobs::Point point;
  point.inside = links_and_path;
  point.call = *workloads::resolve(
      {.collective = "bcast", .algorithm = "basic_linear", .procs = 3, .message_bytes = 1 << 20},
      machine, placement);
  point.placement = placement;
  const auto answer = jobs::run_point(point, machine);
  REQUIRE(answer);
  CHECK(*answer->record.time_s == tests::close_to(1115.32e-6, 1e-5));
  CHECK(answer->inside.path.back().end_s == *answer->record.time_s);
  CHECK(answer->inside.path.back().parts[static_cast<std::size_t>(engines::Transit::ack)] ==
        tests::close_to(0.8e-6, 1e-9));
}

TEST_CASE("critical paths of random collectives cover the time") {
  tests::RandomJobs jobs(41, draws(5'000, 50'000));
  Draw draw(42);
  Tally tally;
  for (int i = draws(100, 2'000); i > 0; --i) {
    auto job = jobs.next();
    const auto machine = with_protocol(*job.machine, draw);
    job.point.contention = any_contention(draw);
    job.point.inside = links_and_path;
    const auto answer = jobs::run_point(job.point, machine);
    REQUIRE_MESSAGE(answer, job.name, ": ", answer.error().message);
    tally.check(job.name, answer->inside, *answer->record.time_s);
  }
  tally.print("collectives");
}

TEST_CASE("critical paths of random collective accesses cover the time") {
  Draw draw(43);
  Tally tally;
  std::vector<platforms::Machine> machines;
  for (const char* name : {"crill", "fugaku", "leonardo", "opuntia", "alps"})
    machines.push_back(*platforms::load_machine(name));
  while (tally.jobs < draws(40, 1'500)) {
    const auto machine = with_protocol(draw.one_of(machines), draw);
    jobs::IoPoint point;
    point.writes = draw.chance(50);
    point.inside = links_and_path;
    const int procs = static_cast<int>(draw.between(2, 40));
    point.placement.procs = procs;
    point.placement.ppn = std::min(draw.pick({1, 2, 4, 16}), machine.cores_per_host);
    const auto placement = platforms::place(machine, point.placement);
    if (!placement) continue;
    const auto grid = draw.chance(50) ? io_models::squarest_grid(procs) : io_models::Grid{procs, 1};
    point.access = std::make_shared<io_models::GridAccess>(
        io_models::GridAccess::blocks(grid, draw.between(1, 4 * procs), draw.between(1, 1 << 14)));
    auto& plan = point.plan;
    plan.implementation = draw.one_of(io_models::collective_implementations());
    if (plan.implementation->read == nullptr) plan.implementation = &io_models::romio;
    plan.partitioning =
        draw.pick({io_models::Partitioning::even, io_models::Partitioning::static_});
    plan.aggregators = static_cast<int>(draw.between(1, procs));
    plan.aggregator_ranks =
        io_models::place_aggregators(plan.implementation->placement, plan.aggregators, *placement);
    plan.buffer_bytes = Bytes{1} << draw.between(12, 18);
    plan.stripe_bytes = plan.buffer_bytes / 2;
    plan.reads = !point.writes;
    if (plan.by_groups())
      plan.aggregator_ranks = io_models::place_aggregators(io_models::AggregatorPlacement::groups,
                                                           plan.aggregators, *placement);
    point.with_setup = plan.implementation->has_setup && draw.chance(50);
    point.storage = *io_models::parse_storage(draw.pick(
        {"none", "targets=3,bandwidth=500MBps", "targets=4,bandwidth=1GBps,servers=2,metadata=1ms",
         "targets=2,bandwidth=500MBps,cache=1MiB"}));
    point.contention = any_contention(draw);
    const std::string name =
        fmt::format("{} {} with {}, {} processes, {} aggregators, storage {}",
                    point.writes ? "write" : "read", machine.name, plan.implementation->name, procs,
                    plan.aggregators, io_models::format_storage(point.storage));
    const auto answer = jobs::run_point(point, machine);
    REQUIRE_MESSAGE(answer, name, ": ", answer.error().message);
    tally.check(name, answer->inside, *answer->record.time_s);
  }
  tally.print("collective accesses");
}

namespace {

// Operations in an order in which they could be executed one after the other, so that each can
// depend on earlier ones of its rank.
std::string random_schedule(Draw& draw, std::uint32_t procs) {
  std::vector<std::string> ranks(procs);
  std::vector<std::vector<int>> ops(procs);
  int label = 0;
  const auto add = [&](std::uint32_t rank, const std::string& op) {
    ranks[rank] += fmt::format("l{}: {}\n", ++label, op);
    for (int i = 0; i < 2 && !ops[rank].empty() && draw.chance(60); ++i)
      ranks[rank] += fmt::format("l{} {} l{}\n", label, draw.chance(80) ? "requires" : "irequires",
                                 draw.one_of(ops[rank]));
    ops[rank].push_back(label);
  };
  for (std::uint32_t tag = draw.between(4, 60); tag > 0; --tag) {
    const auto source = draw.between(0, procs - 1);
    if (draw.chance(40)) {
      add(source, fmt::format("calc {}", draw.between(0, 50'000)));
      continue;
    }
    const auto to = (source + draw.between(1, procs - 1)) % procs;
    const auto bytes = draw.pick({0, 8, 1000, 1001, 50'000});
    add(source, fmt::format("send {}b to {} tag {}", bytes, to, tag));
    add(to, fmt::format("recv {}b from {} tag {}", bytes,
                        draw.chance(20) ? "-1" : std::to_string(source), tag));
  }
  std::string text = fmt::format("num_ranks {}\n", procs);
  for (std::uint32_t rank = 0; rank < procs; ++rank)
    text += fmt::format("rank {} {{\n{}}}\n", rank, ranks[rank]);
  return text;
}

}  // namespace

TEST_CASE("critical paths of random schedules cover the time") {
  using namespace workloads::schedules;
  Draw draw(44);
  Tally tally;
  for (int i = draws(50, 1'000); i > 0; --i) {
    const int procs = static_cast<int>(draw.between(2, 6));
    const std::string text = random_schedule(draw, static_cast<std::uint32_t>(procs));
    const auto read = schedule_of(text, "random.goal");
    REQUIRE_MESSAGE(read, read.error().message);
    auto machine = with_protocol(tests::test_machine(procs), draw);
    machine.inter.send_overhead = machine.inter.isend_overhead = platforms::Piecewise(0.3e-6);
    machine.inter.recv_overhead = platforms::Piecewise(0.2e-6);
    const auto placement = tests::test_placement(procs);
    const auto scheduled = std::make_shared<ScheduledAlgorithm>();
    scheduled->scheduled.schedule = *read;
    studies::Inside inside(links_and_path, machine, placement);
    const auto outcome = engines::run(engines::EngineKind::flow, {.machine = machine,
                                                                  .placement = placement,
                                                                  .program = program_of(scheduled),
                                                                  .observers = inside.observers()});
    REQUIRE_MESSAGE(unfinished(*scheduled, outcome).empty(), text);
    tally.check(text, *inside.answer(), *std::ranges::max_element(outcome.end_s));
  }
  tally.print("schedules");
}
