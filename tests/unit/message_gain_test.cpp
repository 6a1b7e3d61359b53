// SPDX-License-Identifier: BSD-3-Clause
// The effect of a change on single messages, and machines with a given improvement.
#include "sim/validate/message_gain.hpp"

#include <doctest/doctest.h>

#include "platforms/changed_machine.hpp"
#include "platforms/reader.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti::studies;
using tutti::Bytes;
using tutti::Seconds;
using tutti::platforms::load_machine;
using tutti::platforms::Machine;
using tutti::tests::close_to;
using tutti::tests::exactly;

namespace {

const Machine& crill() {
  static const Machine machine = load_machine("crill").value();
  return machine;
}

Seconds ping_pong(const Machine& machine, Bytes bytes) {
  return ping_pong_times(machine, {.nodes = first_nodes(machine)}, {.sizes = {bytes}})
      .value()
      .front();
}

ChangedMachine with_eager_limit(const std::string& limit) {
  return {limit, std::make_shared<const Machine>(
                     load_machine("crill", {{"mpi/eager_limit", limit}}).value())};
}

}  // namespace

TEST_CASE("each time factor scales its part of a message") {
  // An empty message on crill: two overheads of 0.4 us, two links of 0.4 us.
  CHECK(ping_pong(crill(), 0) == exactly(1.6e-6));
  CHECK(ping_pong(scaled(crill(), {.overheads = 0.5}), 0) == exactly(1.2e-6));
  CHECK(ping_pong(scaled(crill(), {.latencies = 0.25}), 0) == exactly(1.0e-6));
  CHECK(ping_pong(scaled(crill(), {.bytes = 0.5}), 0) == exactly(1.6e-6));
  const Seconds bytes_s = ping_pong(crill(), 8192) - 1.6e-6;
  CHECK(ping_pong(scaled(crill(), {.bytes = 0.5}), 8192) == exactly(1.6e-6 + bytes_s / 2));
  CHECK(ping_pong(scaled(crill(), {.overheads = 2, .latencies = 2, .bytes = 2}), 8192) ==
        exactly(2 * ping_pong(crill(), 8192)));
}

TEST_CASE("a scaled network has the same structure") {
  const Machine quick = scaled(crill(), {.latencies = 0.5, .bytes = 0.25});
  CHECK(quick.host_count() == crill().host_count());
  CHECK(quick.topology->kind() == crill().topology->kind());
  CHECK(quick.topology->host_name(3) == crill().topology->host_name(3));
  CHECK(quick.topology->nic_links() == crill().topology->nic_links());
  CHECK(quick.topology->find_host("crill-5") == crill().topology->find_host("crill-5"));
  CHECK(quick.path(0, 1).latency_s == exactly(crill().path(0, 1).latency_s / 2));
  CHECK(quick.path(0, 1).bandwidth_Bps == exactly(crill().path(0, 1).bandwidth_Bps * 4));
  CHECK(quick.bus.bandwidth_Bps == crill().bus.bandwidth_Bps);
}

TEST_CASE("gains compare ping-pong before and after") {
  const auto gains = size_gains(crill(), {with_eager_limit("24KiB"), with_eager_limit("8KiB")},
                                first_nodes(crill()), {8192, 12288, 16384});
  REQUIRE(gains);
  // Eager instead of rendezvous saves two latencies of 0.8 us.
  CHECK((*gains)[0].improvement(0) == 0);
  CHECK((*gains)[2].improvement(0) == close_to(1.6e-6 / ping_pong(crill(), 16384), 1e-9));
  CHECK((*gains)[1].improvement(1) < 0);
  CHECK((*gains)[2].improvement(1) == 0);
}

TEST_CASE("changes with equal ping-pong times are all the best") {
  const std::vector<SizeGain> gains{{1, 10, {9.0, 9.005, 9.1}}, {2, 20, {20, 18, 17}}};
  const auto best_of = [&](std::vector<double> weights) { return best_changes(gains, weights); };
  CHECK(best_of({1, 0}) == std::vector<std::size_t>{0, 1});
  CHECK(best_of({0, 1}) == std::vector<std::size_t>{2});
  CHECK(best_of({1, 1}) == std::vector<std::size_t>{2});
  CHECK(best_of({30, 1}) == std::vector<std::size_t>{1});
}

TEST_CASE("a machine with the improvement is created if that part of the time is large enough") {
  struct Case {
    Realised realised;
    Bytes bytes;
    bool is_possible;
  };
  for (const Case& c : {Case{Realised::overheads, 128, true}, Case{Realised::start, 128, true},
                        Case{Realised::bytes, 128, false}, Case{Realised::bytes, 16384, true},
                        Case{Realised::overheads, 65536, false},
                        Case{Realised::start, 65536, false}, Case{Realised::bytes, 65536, true}}) {
    CAPTURE(name_of(c.realised));
    CAPTURE(c.bytes);
    const auto made = improved_machine(crill(), first_nodes(crill()), {c.bytes, 0.1}, c.realised);
    REQUIRE(made);
    CHECK(made->has_value() == c.is_possible);
    if (*made)
      CHECK(ping_pong(**made, c.bytes) == close_to(0.9 * ping_pong(crill(), c.bytes), 1e-6));
  }
}

TEST_CASE("zero improvement gives the unmodified machine") {
  for (const Realised realised : all_realised) {
    const auto made = improved_machine(crill(), first_nodes(crill()), {16384, 0}, realised);
    REQUIRE(made);
    CHECK(ping_pong(made->value(), 16384) == ping_pong(crill(), 16384));
  }
}
