// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/base/random.hpp"
#include "sim/fit/model_fit.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies;
using tests::close_to;

namespace {

constexpr Bytes segment_sizes[] = {2048, 8192, 32768, 131072};

SizeClass class_to(std::optional<Bytes> end, Seconds alpha_s, double beta_s_per_B) {
  return {.up_to_bytes = end,
          .alpha_s = alpha_s,
          .beta_s_per_B = beta_s_per_B,
          .lambda_s = 2 * alpha_s,
          .mu_s_per_B = beta_s_per_B / 2};
}

// A pipelined broadcast: 1.5 messages per segment, 6 hops.
algorithms::models::StageForm pipelined(Bytes message, Bytes segment) {
  const Bytes size = std::min(message, segment);
  const auto segments = static_cast<double>(message / size);
  return {{{.bytes = size, .count = 1.5 * (segments - 1) + 7, .hops = 6}}};
}

std::vector<ModelObservation> observed(const ProcsModel& truth, std::span<const Bytes> segments) {
  std::vector<ModelObservation> all;
  for (const Bytes segment : segments)
    for (Bytes message = 8192; message <= 4 << 20; message *= 2) {
      const auto form = pipelined(message, segment);
      all.push_back({.form = form, .time_s = predicted_time(truth, form)});
    }
  return all;
}

const ProcsModel& one_class() {
  static const ProcsModel model{.procs = 40, .classes = {class_to({}, 5e-6, 2e-9)}};
  return model;
}

// Observations of calls in one piece and in segments, 8 KiB to 1 MiB, with costs that grow with the
// processes.
AlgorithmModel of_two_procs() {
  AlgorithmModel model{.collective = "bcast", .algorithm = "binomial"};
  for (const bool segmented : {false, true})
    for (const int procs : {8, 32}) {
      ProcsModel fit{.procs = procs, .classes = {class_to({}, procs * 1e-6, procs * 1e-9)}};
      fit.range.add(segmented ? 1 << 20 : 8192, segmented ? 2048 : 0);
      fit.range.add(segmented ? 8193 : 1 << 20, segmented ? 8192 : 0);
      if (segmented) fit.range.add(1 << 20, 65536);
      fit.classes[0].least_bytes = segmented ? 2048 : 8192;
      fit.classes[0].most_bytes = segmented ? 65536 : 1 << 20;
      model.of_procs.push_back(fit);
    }
  return model;
}

Prediction of_call(int procs, Bytes message, Bytes segment) {
  const Bytes size = segment > 0 ? std::min(message, segment) : message;
  return predicted_time(of_two_procs(), {.procs = procs,
                                         .message_bytes = message,
                                         .segment_bytes = segment,
                                         .form = pipelined(message, size)});
}

}  // namespace

TEST_CASE("alpha, beta, lambda and mu are recovered") {
  const auto fit = fit_model(observed(one_class(), segment_sizes), ModelTerms::extended);
  REQUIRE(fit.classes.size() == 1);
  CHECK(fit.classes[0].alpha_s == close_to(5e-6, 1e-6));
  CHECK(fit.classes[0].beta_s_per_B == close_to(2e-9, 1e-6));
  CHECK(fit.classes[0].lambda_s == close_to(10e-6, 1e-6));
  CHECK(fit.classes[0].mu_s_per_B == close_to(1e-9, 1e-6));
  CHECK(fit.classes[0].is_determined);
  CHECK(fit.largest_error < 1e-6);
  CHECK(fit.condition > 1);
}

TEST_CASE("noise and outliers change the parameters little") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto all = observed(one_class(), segment_sizes);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].time_s *= 1 + 0.02 * (random_uniform(seed, 0, i) - 0.5);
      if (i % 13 == 5) all[i].time_s *= 3;
    }
    const auto fit = fit_model(all, ModelTerms::extended);
    for (const Bytes size : segment_sizes)
      CHECK(predicted_time(fit, pipelined(1 << 20, size)) ==
            close_to(predicted_time(one_class(), pipelined(1 << 20, size)), 0.05));
  }
}

TEST_CASE("a size at which messages change is found") {
  ProcsModel truth = one_class();
  truth.classes = {class_to(8192, 5e-6, 2e-9), class_to({}, 40e-6, 0.5e-9)};
  const auto fit = fit_model(observed(truth, segment_sizes), ModelTerms::extended);
  REQUIRE(fit.classes.size() == 2);
  CHECK(fit.classes[0].up_to_bytes == 8192);
  CHECK(fit.classes[0].alpha_s == close_to(5e-6, 1e-3));
  CHECK(fit.classes[1].alpha_s == close_to(40e-6, 1e-3));
  CHECK(fit.class_of(8192).alpha_s == fit.classes[0].alpha_s);
  CHECK(fit.class_of(8193).alpha_s == fit.classes[1].alpha_s);
}

TEST_CASE("one segment size does not separate alpha from beta, and still predicts") {
  const Bytes segments[] = {8192};
  const auto fit = fit_model(observed(one_class(), segments), ModelTerms::extended);
  REQUIRE(fit.classes.size() == 1);
  CHECK_FALSE(fit.classes[0].is_determined);
  const auto form = pipelined(3 << 20, 8192);
  CHECK(predicted_time(fit, form) == close_to(predicted_time(one_class(), form), 1e-6));
}

TEST_CASE("hops in proportion to messages are not separated from them") {
  std::vector<ModelObservation> ring;
  for (Bytes size = 1024; size <= 1 << 20; size *= 2)
    ring.push_back({.form = {{{.bytes = size, .count = 39, .hops = 39}}},
                    .time_s = 39 * (3e-6 + 1e-9 * static_cast<double>(size))});
  const auto fit = fit_model(ring, ModelTerms::extended);
  CHECK(fit.classes[0].alpha_s == close_to(3e-6, 1e-6));
  CHECK(fit.classes[0].lambda_s == 0);
  CHECK(fit.classes[0].is_determined);
}

TEST_CASE("empty messages do not determine beta") {
  const std::vector<ModelObservation> barrier{
      {.form = {{{.bytes = 0, .count = 6, .hops = 6}}}, .time_s = 60e-6}};
  const auto fit = fit_model(barrier, ModelTerms::extended);
  CHECK(fit.classes[0].is_determined);
  CHECK(predicted_time(fit, {{{.bytes = 0, .count = 7, .hops = 7}}}) == close_to(70e-6, 1e-9));
}

TEST_CASE("the published terms charge a gather as messages of the algorithm") {
  constexpr double others = 39;
  std::vector<ModelObservation> all;
  for (const Bytes segment : segment_sizes)
    for (Bytes message = 8192; message <= 4 << 20; message *= 2) {
      const auto form = pipelined(message, segment);
      const Bytes gather = 256 << (all.size() % 4 * 2);
      const auto& messages = form.messages[0];
      const auto cost = [](double bytes) { return 5e-6 + 2e-9 * bytes; };
      all.push_back({.form = form,
                     .gather_messages = others,
                     .gather_bytes = gather,
                     .time_s = messages.count * cost(static_cast<double>(messages.bytes)) +
                               others * cost(static_cast<double>(gather))});
    }
  const auto fit = fit_model(all, ModelTerms::published);
  CHECK(fit.classes[0].alpha_s == close_to(5e-6, 1e-6));
  CHECK(fit.classes[0].beta_s_per_B == close_to(2e-9, 1e-6));
  CHECK_FALSE(fit.gather_beta_s_per_B.has_value());
}

TEST_CASE("the extended terms fit a gather separately, as far as the data determine it") {
  std::vector<ModelObservation> all = observed(one_class(), segment_sizes);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].gather_messages = 39;
    all[i].gather_bytes = Bytes{256} << (i % 4 * 2);
    all[i].time_s += 39 * 0.1e-9 * static_cast<double>(all[i].gather_bytes);
  }
  const auto fit = fit_model(all, ModelTerms::extended);
  CHECK(fit.classes[0].alpha_s == close_to(5e-6, 1e-6));
  CHECK_FALSE(fit.gather_alpha_s.has_value());
  CHECK(fit.gather_beta_s_per_B.value() == close_to(0.1e-9, 1e-6));
}

TEST_CASE("no message and no hop takes negative time") {
  // A latency that falls with the size: least squares would put lambda far below -alpha.
  std::vector<ModelObservation> all;
  for (const Bytes segment : segment_sizes)
    for (Bytes message = 8192; message <= 4 << 20; message *= 2) {
      const auto form = pipelined(message, segment);
      const auto& messages = form.messages[0];
      all.push_back({.form = form,
                     .time_s = (messages.count - 3) * (20e-6 + 1e-9 * double(messages.bytes)) -
                               3e-6 * messages.hops});
    }
  const auto fit = fit_model(all, ModelTerms::extended);
  for (const auto& each : fit.classes) {
    CHECK(each.alpha_s >= 0);
    CHECK(each.beta_s_per_B >= 0);
    CHECK(each.alpha_s + each.lambda_s >= -1e-18);
    CHECK(each.beta_s_per_B + each.mu_s_per_B >= -1e-24);
  }
}

TEST_CASE("a model records the messages that it was fitted to") {
  ProcsModel truth = one_class();
  truth.classes = {class_to(8192, 5e-6, 2e-9), class_to({}, 40e-6, 0.5e-9)};
  const auto fit = fit_model(observed(truth, segment_sizes), ModelTerms::extended);
  REQUIRE(fit.classes.size() == 2);
  CHECK(fit.classes[0].least_bytes == 2048);
  CHECK(fit.classes[0].most_bytes == 8192);
  CHECK(fit.classes[1].least_bytes == 16384);
  CHECK(fit.classes[1].most_bytes == 131072);
}

TEST_CASE("parameters with little influence on the times are not determined") {
  // Alpha is a thousandth of any message's time, and every time has an error of up to 5%.
  std::vector<ModelObservation> all;
  for (const Bytes segment : {65536, 131072, 262144})
    for (Bytes message = 1 << 20; message <= 8 << 20; message *= 2) {
      const auto form = pipelined(message, segment);
      const double noise = 1 + 0.1 * (random_uniform(7, 0, all.size()) - 0.5);
      const auto& messages = form.messages[0];
      all.push_back({.form = form,
                     .time_s = noise * messages.count * (0.1e-6 + 2e-9 * double(messages.bytes))});
    }
  CHECK_FALSE(fit_model(all, ModelTerms::extended).classes[0].is_determined);
}

TEST_CASE("between two numbers of processes costs are interpolated in the logarithm") {
  const Seconds below = of_call(8, 1 << 18, 0).time_s, above = of_call(32, 1 << 18, 0).time_s;
  CHECK(above == close_to(4 * below, 1e-9));
  CHECK(of_call(16, 1 << 18, 0).time_s == close_to(2 * below, 1e-9));
  CHECK(of_call(64, 1 << 18, 0).time_s == above);
  CHECK(of_call(2, 1 << 18, 0).time_s == below);
}

TEST_CASE("calls outside the range of the experiments are marked") {
  CHECK(of_call(8, 8192, 0).outside.empty());
  CHECK(of_call(16, 1 << 20, 65536).outside.empty());
  CHECK(of_call(32, 100000, 4096).outside.empty());
  CHECK(of_call(4, 8192, 0).outside == "4 processes (fitted to 8 to 32)");
  CHECK(of_call(33, 8192, 0).outside == "33 processes (fitted to 8 to 32)");
  CHECK(of_call(8, 8191, 0).outside == "8191 B (fitted to 8 KiB to 1 MiB)");
  CHECK(of_call(8, (1 << 20) + 1, 0).outside == "1048577 B (fitted to 8 KiB to 1 MiB)");
  CHECK(of_call(8, 1 << 20, 1024).outside == "segments of 1 KiB (fitted to 2 KiB to 64 KiB)");
  CHECK(of_call(8, 1 << 20, 1 << 17).outside == "segments of 128 KiB (fitted to 2 KiB to 64 KiB)");
  // A segment that contains the whole message does not count as a segment.
  CHECK(of_call(8, 8192, 1 << 17).outside.empty());
}
