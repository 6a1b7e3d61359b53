// SPDX-License-Identifier: BSD-3-Clause
// Causes of different trends of simulation and model, from hand-made records.
#include "sim/validate/io_cause.hpp"

#include <doctest/doctest.h>

#include "platforms/reader.hpp"
#include "sim/studies/study_runner.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies;
using Kind = Bottleneck::Kind;

namespace {

constexpr ShuffleRates rates{.nic_Bps = 1e9, .core_Bps = 2e9};

// 16 processes with 1 MB each on 4 nodes, half of it leaves its node; all nodes send, one second.
Row record(std::vector<NamedCell> changed = {}) {
  Row row{{"partitioning", std::string("even")},
          {"procs", std::int64_t{16}},
          {"aggregators", std::int64_t{4}},
          {"file_bytes", 16e6},
          {"own_bytes", 0.0},
          {"intra_node_bytes", 8e6},
          {"sending_nodes", 4.0},
          {"receiving_nodes", 4.0},
          {"time_s", 1.0},
          {"busiest_link", std::string("cable")},
          {"busiest_link_busy_s", 0.1},
          {"model_send_s", 1.0},
          {"model_recv_s", 1.0},
          {"n_s", std::int64_t{1}},
          {"n_as", std::int64_t{1}},
          {"n_r", std::int64_t{1}},
          {"n_ar", std::int64_t{4}},
          {"m_s_bytes", 1e6}};
  for (auto& cell : changed)
    for (auto& old : row)
      if (old.name == cell.name) old.value = cell.value;
  return row;
}

ShuffleFacts facts(std::vector<NamedCell> changed = {}) {
  return shuffle_facts(record(std::move(changed)), rates);
}

constexpr TendencyPair pair{.varied = TendencyCase::procs,
                            .simulated_change = 0.2,
                            .model_change = -0.2,
                            .agreement = Agreement::mismatch};

Cause cause(const ShuffleFacts& from, const ShuffleFacts& to) {
  return cause_of(pair, from, to, 0.01);
}

}  // namespace

TEST_CASE("the busiest resource is the limit") {
  CHECK(facts().bottleneck.kind == Kind::cable);
  CHECK(facts().bottleneck.busy == tests::exactly(0.1));
  // 8 MB through one NIC of 1 GB/s in 10 ms.
  const auto nics = facts({{"sending_nodes", 1.0}, {"time_s", 0.01}, {"busiest_link_busy_s", 0.0}});
  CHECK(nics.bottleneck.kind == Kind::sending_nics);
  CHECK(nics.bottleneck.busy == tests::exactly(0.8));
  CHECK(facts({{"receiving_nodes", 0.5}}).bottleneck.kind == Kind::cable);
  CHECK(facts({{"receiving_nodes", 1.0}, {"time_s", 0.01}, {"busiest_link_busy_s", 0.0}})
            .bottleneck.kind == Kind::receiving_nics);
  const auto core = facts({{"busiest_link", std::string("core of rank 3")}});
  CHECK(core.bottleneck.kind == Kind::core);
  CHECK(text_of(core.bottleneck) == "core of rank 3");
}

TEST_CASE("few concurrently sending processes are limited by their cores") {
  // 16 processes in 16 cycles: one at a time copies 8 MB with 2 GB/s.
  const auto one = facts({{"n_r", std::int64_t{16}},
                          {"n_ar", std::int64_t{1}},
                          {"m_s_bytes", 0.25e6},
                          {"time_s", 0.005},
                          {"sending_nodes", 8.0},
                          {"receiving_nodes", 8.0},
                          {"busiest_link_busy_s", 0.0}});
  CHECK(one.bottleneck.kind == Kind::sending_cores);
  CHECK(one.bottleneck.busy == tests::exactly(0.8));
}

TEST_CASE("parts of the data and what the model charges for them") {
  const auto of = facts({{"own_bytes", 4e6}, {"n_r", std::int64_t{2}}});
  CHECK(of.own_fraction == tests::exactly(0.25));
  CHECK(of.leaving_fraction == tests::exactly(0.25));
  CHECK(of.charged_send == tests::exactly(1.0));
  CHECK(of.charged_recv == tests::exactly(2.0));
  CHECK(of.uncharged_s() == tests::exactly(1.5));
}

TEST_CASE("senders that are the limit at both points are the cause") {
  const auto busy = facts({{"sending_nodes", 1.0}, {"time_s", 0.01}, {"busiest_link_busy_s", 0.0}});
  CHECK(cause(busy, busy) == Cause::senders);
}

TEST_CASE("ceilings are the cause if the model moves as the simulation without them") {
  const auto from = facts({{"n_r", std::int64_t{2}}, {"model_recv_s", 2.0}});
  const auto to = facts({{"model_recv_s", 1.5}});
  CHECK(cause(from, to) == Cause::rounding);
}

TEST_CASE("NICs at one point and cores at the other are the cause") {
  const auto cable = facts({{"busiest_link_busy_s", 0.9}});
  const auto core =
      facts({{"busiest_link_busy_s", 0.9}, {"busiest_link", std::string("core of rank 0")}});
  CHECK(cause(cable, core) == Cause::limit);
  CHECK(cause(cable, cable) == Cause::nics);
  CHECK(cause(core, core) == Cause::unknown);
}

TEST_CASE("borders of domains are the cause if the number of processes varies") {
  const auto from = facts({{"procs", std::int64_t{15}}});
  CHECK(cause(from, facts()) == Cause::borders);
  const auto within = facts({{"procs", std::int64_t{15}}, {"partitioning", std::string("static")}});
  CHECK(cause(within, facts()) == Cause::unknown);
}

TEST_CASE("data that stay on their rank are the last cause considered") {
  CHECK(cause(facts({{"own_bytes", 4e6}}), facts()) == Cause::stays);
  CHECK(cause(facts(), facts()) == Cause::unknown);
}

TEST_CASE("every cause has a name and a sentence") {
  for (const Cause each : all_causes) {
    CHECK(std::string(name_of(each)).size() > 3);
    CHECK(std::string(explain(each)).size() > 20);
  }
}

TEST_CASE("the compared points are simulated without a command") {
  const auto on =
      std::make_shared<const platforms::Machine>(platforms::load_machine("crill", {}).value());
  const PointOrigin origin{.platform = "crill", .overrides = {}, .command = "", .machine = on};
  IoCasesSpec spec;
  CHECK(spec.sweep.procs.back() == 576);
  spec.sweep.procs = {4};
  spec.sweep.accesses.bytes_per_proc = {Bytes{1} << 16};
  spec.sweep.accesses.decompositions = {"1d"};
  const auto points = io_cases(spec, origin);
  REQUIRE(bool(points));
  CHECK(points->size() == 6);  // even and static domains of 1, 2 and 4 aggregators
  spec.aggregators = {3, 5};
  const auto one = io_cases(spec, origin);
  REQUIRE(bool(one));
  REQUIRE(one->size() == 2);
  const auto run = quiet_runner({.jobs = 2})(*one);
  REQUIRE(run.answers[0]);
  CHECK(cell_in(*run.answers[0], "aggregators") == Cell{std::int64_t{3}});
  CHECK(shuffle_facts(*run.answers[0], shuffle_rates(*on)).procs == 4);

  spec.sweep.procs = {4000};
  CHECK(io_cases(spec, origin).error().place == "--procs");
}
