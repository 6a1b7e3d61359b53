// SPDX-License-Identifier: BSD-3-Clause
// The loads of links, and the choice of the cost model's form by simulated node sets.
#include <doctest/doctest.h>

#include "platforms/reader.hpp"
#include "sim/fireworks/cost_file.hpp"
#include "sim/fireworks/node_load.hpp"
#include "sim/fireworks/node_set_check.hpp"
#include "sim/fireworks/surface.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::fireworks;
using tests::close_to;

namespace {

constexpr double rate_Bps = 1e9;

platforms::Machine cluster(const std::string& more) {
  return platforms::read_machine(
             "<?xml version='1.0'?>\n"
             "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
             "<platform version=\"4.1\">\n<cluster id=\"m\" prefix=\"n\" suffix=\"\" "
             "radical=\"0-7\" speed=\"1Gf\" core=\"4\" bw=\"1GBps\" lat=\"1us\" " +
                 more + "/>\n</platform>",
             "m.xml")
      .value();
}

platforms::Placement one_rank_per_node() {
  platforms::Placement placement{.host_of = {}, .nodes = 8, .ppn = 1};
  for (platforms::HostId host = 0; host < 8; ++host) placement.host_of.push_back(host);
  return placement;
}

BusyLinks busy_on(const platforms::Machine& machine, const std::vector<RankMessage>& messages) {
  const auto placement = one_rank_per_node();
  return busy_links(platforms::JobLinks(machine, placement), messages);
}

std::size_t index(Form form) { return static_cast<std::size_t>(form); }

// Times of 40 sets in two groups; `expected` maps a simulated time to an expected one.
template <class Expected>
std::vector<PredictedTime> times_with(const Expected& expected) {
  std::vector<PredictedTime> times;
  for (int i = 0; i < 40; ++i) {
    const Seconds simulated_s = 1 + (i * 7 % 20) * 0.1;
    times.push_back({i % 2, expected(i, simulated_s), simulated_s});
  }
  return times;
}

}  // namespace

TEST_CASE("a link is busy with the bytes of all messages that cross it") {
  const std::vector<RankMessage> messages{{0, 1, 1000}, {0, 2, 3000}, {3, 1, 500}, {4, 4, 800}};
  const auto duplex = busy_on(cluster("sharing_policy=\"SPLITDUPLEX\""), messages);
  CHECK(duplex.busiest_s == close_to(4000 / rate_Bps, 1e-9));
  CHECK(duplex.of_message[0] == close_to(4000 / rate_Bps, 1e-9));
  CHECK(duplex.of_message[1] == close_to(4000 / rate_Bps, 1e-9));
  CHECK(duplex.of_message[2] == close_to(1500 / rate_Bps, 1e-9));
  CHECK(duplex.of_message[3] == close_to(800 / rate_Bps, 1e-9));  // to itself
  // Both directions share a link.
  const std::vector<RankMessage> ring{{0, 1, 1000}, {1, 0, 2000}};
  CHECK(busy_on(cluster("sharing_policy=\"SHARED\""), ring).busiest_s ==
        close_to(3000 / rate_Bps, 1e-9));
  CHECK(busy_on(cluster("sharing_policy=\"SPLITDUPLEX\""), ring).busiest_s ==
        close_to(2000 / rate_Bps, 1e-9));
}

TEST_CASE("on a torus, messages of other nodes load a link, and both neighbors have their own") {
  const auto ring = cluster("topology=\"TORUS\" topo_parameters=\"8\"");
  // The link from 1 to 2 carries both messages.
  CHECK(busy_on(ring, {{0, 2, 1000}, {1, 3, 1000}}).busiest_s == close_to(2000 / rate_Bps, 1e-9));
  CHECK(busy_on(ring, {{1, 0, 1000}, {1, 2, 1000}}).busiest_s == close_to(1000 / rate_Bps, 1e-9));
}

TEST_CASE("the form links is proportional to the load of the busiest link") {
  std::vector<Sample> samples;
  for (int inter = 0; inter <= 4; ++inter)
    for (int intra = 0; intra <= 4; ++intra) {
      if (inter + intra == 0) continue;
      NodeLoad load{2.0 * intra, 1.0 * inter, 1.0 * inter, 0};
      load.busy_s = 0.001 * std::max(inter, intra);
      samples.push_back({load, 1.5 * load.busy_s + 0.0002, true});
    }
  auto model = fit_cost_model(samples);
  REQUIRE(model.has(Form::links));
  CHECK(model.links->factor == close_to(1.5, 1e-6));
  CHECK(model.links->once_s == close_to(0.0002, 1e-6));
  CHECK(model.quality[index(Form::links)].r2 == close_to(1, 1e-9));

  model.message_bytes = 1000;
  model.trial = Trial{{.pairs = 10, .right = 9}, 0.5, 2};
  const CostFile file{"m", "hash", {model}};
  const auto text = cost_file_text(file, {});
  const auto back = read_cost_file(text, "m.toml");
  REQUIRE(back);
  CHECK(cost_file_text(*back, {}) == text);
  const auto cost = CostFunction::make(*back, model.order, 1, Form::links);
  REQUIRE(cost.has_value());
  CHECK(cost->needs_links());
  NodeLoad load{.in = 1};
  load.busy_s = 0.002;
  CHECK(cost->at(load, 1000) == close_to(0.0032, 1e-6));
  CHECK(cost->at(load, 500) == close_to(0.0032, 1e-6));  // busy_s already depends on the bytes

  for (auto& sample : samples) sample.load.busy_s = 0;
  CHECK_FALSE(fit_cost_model(samples).has(Form::links));
}

TEST_CASE("the form that orders the most node sets right is chosen, and evaluated on other sets") {
  const auto right = [](int, Seconds time_s) { return 2 * time_s; };
  const auto wrong = [](int, Seconds time_s) { return 10 - time_s; };
  const auto equal = [](int, Seconds) { return 1.0; };
  TimesOfForms times;
  times[index(Form::linear)] = times_with(wrong);
  times[index(Form::huber)] = times_with(equal);
  times[index(Form::bottleneck)] = times_with(right);
  times[index(Form::links)] = times_with(right);
  const auto chosen = choose_form(times, 0.05);
  REQUIRE(chosen.has_value());
  CHECK(chosen->form == Form::bottleneck);  // the simpler one of two equal ones
  CHECK(chosen->trial.pairs > 100);
  CHECK(chosen->trial.right == chosen->trial.pairs);
  CHECK(chosen->trial.low_ratio == close_to(2, 1e-9));
  CHECK(chosen->trial.high_ratio == close_to(2, 1e-9));
  CHECK_FALSE(choose_form({}, 0.05).has_value());
}

TEST_CASE("a form that is right only on the sets on which it was chosen is found out") {
  // On each half of a group one form is right, and wrong on the other half.
  const auto right_on = [](int half) {
    return [half](int i, Seconds time_s) { return i / 2 % 2 == half ? time_s : 5 - time_s; };
  };
  TimesOfForms times;
  times[index(Form::linear)] = times_with(right_on(0));
  times[index(Form::huber)] = times_with(right_on(1));
  const auto chosen = choose_form(times, 0.05);
  REQUIRE(chosen.has_value());
  CHECK(chosen->trial.pairs > 0);
  CHECK(chosen->trial.right == 0);
  const auto found = shortcomings(chosen->form, chosen->trial);
  REQUIRE(found.size() == 2);
  CHECK(found[0].find("orders only 0.0 % of the pairs") != std::string::npos);
  CHECK(found[1].find("of the simulated time") != std::string::npos);
}

TEST_CASE("warnings begin below 95 % of the pairs, and at a spread of a quarter") {
  const Trial good{{.pairs = 100, .right = 95}, 0.8, 1.0};
  CHECK(shortcomings(Form::links, good).empty());
  auto poor = good;
  poor.right = 94;
  CHECK(shortcomings(Form::links, poor).size() == 1);
  auto wide = good;
  wide.low_ratio = 0.79;
  CHECK(shortcomings(Form::links, wide).size() == 1);
  auto none = good;
  none.pairs = none.right = 0;
  CHECK(shortcomings(Form::links, none).front().find("not checked") != std::string::npos);
}

TEST_CASE("on a torus links are chosen, since nodes do not determine the times there") {
  const auto machine = platforms::load_machine("juqueen").value();
  SurfaceSpec spec{.message_bytes = {Bytes{4} << 20},
                   .orders = {workloads::PostingOrder::intra_first},
                   .hot_spots = {1},
                   .intra_pairs = {0, 1, 2, 3},
                   .inter_pairs = {0, 1, 2, 3}};
  const auto run = studies::quiet_runner({.jobs = 2});
  auto costs = measure_costs(spec, engines::EngineKind::flow, machine, run).costs;
  CHECK(costs.models.front().best == Form::bottleneck);  // by its residuals
  CHECK(choose_forms(costs, machine, run).code == 0);
  const auto& model = costs.models.front();
  CHECK(model.best == Form::links);
  REQUIRE(model.trial.has_value());
  CHECK(model.trial->pairs > 100);
}
