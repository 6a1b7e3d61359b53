// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/fireworks/cost_file.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::fireworks;
using tests::close_to;
using workloads::PostingOrder;

namespace {

// Pairs in both directions up to 7 of each kind, and in one direction of one kind.
template <class At>
std::vector<Sample> samples_of(const At& at) {
  std::vector<Sample> samples;
  const auto add = [&](const NodeLoad& load, bool both_ways) {
    samples.push_back({load, at(load), both_ways});
  };
  for (int inter = 0; inter <= 7; ++inter)
    for (int intra = 0; intra <= 7; ++intra) {
      const double in = inter, inside = intra;
      if (inter + intra == 0) continue;
      add({2 * inside, in, in}, true);
      if (inter > 0 && intra > 0) continue;
      add({inside, in, 0}, false);
      add({inside, 0, in}, false);
    }
  return samples;
}

Seconds paper(const NodeLoad& load) { return 0.003 * load.intra + 0.004 * load.inter() + 0.001; }
Seconds duplex(const NodeLoad& load) {
  return std::max({0.003 * load.intra, 0.004 * load.in, 0.005 * load.out});
}
Seconds saturated(const NodeLoad& load) {
  return load.intra <= 4 ? paper(load) : 0.009 * load.intra + 0.001 * load.inter() + 0.02;
}

const Quality& quality(const CostModel& model, Form form) {
  return model.quality[static_cast<std::size_t>(form)];
}

}  // namespace

TEST_CASE("a plane is found by least squares and by Huber's regression") {
  const auto model = fit_cost_model(samples_of(paper));
  for (const auto& plane : {model.linear, model.huber}) {
    CHECK(plane.alpha_s == close_to(0.003, 1e-9));
    CHECK(plane.beta_s == close_to(0.004, 1e-9));
    CHECK(plane.gamma_s == close_to(0.001, 1e-9));
  }
  CHECK(quality(model, Form::linear).r2 == close_to(1, 1e-12));
  CHECK(model.best == Form::linear);
}

TEST_CASE("Huber's plane tolerates an outlier") {
  auto samples = samples_of(paper);
  samples.back().time_s *= 10;  // 7 pairs of each kind
  const auto model = fit_cost_model(samples);
  CHECK(model.huber.alpha_s == close_to(0.003, 0.02));
  CHECK(model.linear.alpha_s != close_to(0.003, 0.02));
}

TEST_CASE("the saturation of a node is found, and each side has its plane") {
  auto samples = samples_of(saturated);
  std::erase_if(samples, [](const Sample& sample) { return !sample.both_ways; });
  const auto model = fit_cost_model(samples);
  REQUIRE(model.split.has_value());
  CHECK(model.split->by == Split::By::intra);
  CHECK(model.split->last_below == 4);
  CHECK(model.split->below.alpha_s == close_to(0.003, 1e-6));
  CHECK(model.split->above.alpha_s == close_to(0.009, 1e-6));
  CHECK(model.split->r2_above == close_to(1, 1e-9));
  CHECK(quality(model, Form::linear).r2 < 0.97);
  CHECK(model.best == Form::split);
}

TEST_CASE("independent transfers are a bottleneck, not a plane") {
  const auto model = fit_cost_model(samples_of(duplex));
  CHECK(model.best == Form::bottleneck);
  CHECK(quality(model, Form::bottleneck).r2_all == close_to(1, 1e-9));
  CHECK(quality(model, Form::linear).r2_all < 0.95);
  CHECK(model.at({.intra = 1, .in = 8, .out = 2}, Form::bottleneck) == close_to(0.032, 1e-9));
  CHECK(model.at({.intra = 1, .in = 2, .out = 8}, Form::bottleneck) == close_to(0.040, 1e-9));
  CHECK(model.at({}, Form::linear) == 0);
}

TEST_CASE("too few samples determine nothing") {
  CHECK_FALSE(determine_costs({{{2, 0, 0}, 1}, {{0, 1, 1}, 1}, {{2, 1, 1}, 2}}));
  CHECK_FALSE(determine_costs({{{2, 0, 0}, 1}, {{4, 0, 0}, 2}, {{6, 0, 0}, 3}, {{8, 0, 0}, 4}}));
  const std::vector<Sample> four{{{2, 0, 0}, 1}, {{0, 1, 1}, 1}, {{2, 1, 1}, 2}, {{4, 1, 1}, 3}};
  CHECK(determine_costs(four));
  CHECK_FALSE(fit_cost_model(four).split.has_value());
}

TEST_CASE("written costs are read back unchanged, and depend on the message's size") {
  CostFile file{"m", "hash", {}};
  for (const Bytes bytes : {Bytes{1} << 20, Bytes{4} << 20}) {
    auto model = fit_cost_model(samples_of([&](const NodeLoad& load) {
      return duplex(load) * static_cast<double>(bytes) / (1 << 20) + 0.001;
    }));
    model.message_bytes = bytes;
    file.models.push_back(model);
  }
  const std::string text = cost_file_text(file, {"a comment"}), path = "m.toml";
  const auto back = read_cost_file(text, path);
  REQUIRE(back);
  CHECK(cost_file_text(*back, {"a comment"}) == text);
  const auto cost = CostFunction::make(*back, PostingOrder::intra_first, 1, Form::bottleneck);
  REQUIRE(cost.has_value());
  const NodeLoad load{.in = 3};
  for (const double part : {0.5, 1.0, 2.0, 4.0, 8.0})
    CHECK(cost->at(load, part * (1 << 20)) == close_to(0.012 * part + 0.001, 1e-6));
  CHECK_FALSE(CostFunction::make(*back, PostingOrder::inter_first, 1, {}).has_value());
  CHECK_FALSE(CostFunction::make(*back, PostingOrder::intra_first, 2, {}).has_value());
}

TEST_CASE("the costs of a single size are scaled in proportion") {
  CostFile file{"m", "hash", {fit_cost_model(samples_of(paper))}};
  file.models.front().message_bytes = 1000;
  const auto cost = CostFunction::make(file, PostingOrder::intra_first, 1, Form::linear);
  REQUIRE(cost.has_value());
  CHECK(cost->at({.intra = 1}, 500) == close_to(0.002, 1e-9));
}

TEST_CASE("invalid cost files are rejected with the place") {
  const std::string path = "m.toml";
  CostFile file{"m", "hash", {fit_cost_model(samples_of(paper))}};
  file.models.front().message_bytes = 1000;
  const std::string good = cost_file_text(file, {});
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return read_cost_file(text, path);
  };
  REQUIRE(read_cost_file(good, path));
  CHECK(changed("tutti-fireworks/1", "tutti-models/1").error().message ==
        "the file does not contain costs of `sim fireworks`");
  CHECK(changed("alpha_s", "alpa_s").error().message.find("alpa_s") != std::string::npos);
  CHECK(changed("message_bytes = 1000", "message_bytes = 0").error().line > 0);
  CHECK_FALSE(changed("intra-first", "first"));
  CHECK_FALSE(changed("best = \"", "best = \"x"));
  CHECK_FALSE(read_cost_file("format = \"tutti-fireworks/1\"\n", path));
  CHECK_FALSE(read_cost_file("= 1", path));
  CostFile twice = file;
  twice.models.push_back(file.models.front());
  CHECK_FALSE(read_cost_file(cost_file_text(twice, {}), path));
}
