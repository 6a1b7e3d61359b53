// SPDX-License-Identifier: BSD-3-Clause
// M.-A. Hermanns, Trace-based performance simulation of large-scale applications (Juel-4297, 2009).

#include "sim/base/common.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/validate/checks.hpp"
#include "sim/validate/silas_runs.hpp"

namespace tutti::studies::papers {
namespace {

using silas::Prediction;
using silas::Predictions;

// Limits of the deviations that chapters 5 and 6 state.
constexpr double identity_limit = 0.3e-5;  // "less than 0.3 10^-3 percent"
constexpr double balanced_limit = 0.3e-4;  // "less than 0.3 10^-2 percent"
constexpr double p2p_limit = 0.1e-2;       // "mostly less than 0.1 percent"
constexpr double sweep3d_limit = 0.1e-2;   // "less than 0.1 percent"
constexpr double xns_limit = 3e-2;         // "less than three percent in CPU time"

// The thesis replays in real time on the machine of the trace; the model `platform` simulates on
// that machine, `recorded` keeps the times of calls.
constexpr const char* both_models =
    "models recorded and platform; of each the larger deviation of the run time and of the sum "
    "over all ranks";
constexpr const char* in_real_time =
    "measured: a replay in real time dilates short computations; here times are computed";
constexpr const char* on_jubl =
    "measured; the computed value is simulated on the catalog's jubl with a smaller xns";

// 0.3e-5: "0.0003 %".
std::string percent(double fraction) {
  constexpr double rounding = 1e-11;  // of sums of times
  return fraction < rounding ? "0 %" : fmt::format("{:.2g} %", 100 * fraction);
}
std::string signed_percent(double fraction) { return fmt::format("{:+.1f} %", 100 * fraction); }

struct Wanted {
  std::string_view change;
  std::string_view mode;
  std::int64_t nodes = 0;
};

bool is_one_of(const Prediction& each, const Wanted& wanted) {
  return each.change == wanted.change && each.mode == wanted.mode && each.nodes == wanted.nodes;
}

// The largest absolute deviation of the wanted predictions of a model.
double largest_deviation(const Predictions& all, const Wanted& wanted, std::string_view model) {
  double largest = 0;
  for (const auto& each : all)
    if (is_one_of(each, wanted) && each.model == model &&
        (each.what == "end" || each.what == "all"))
      largest = std::max(largest, std::abs(each.deviation().value_or(0)));
  return largest;
}

CheckedValue checked(const Predictions& all, const Wanted& wanted, double limit) {
  const double recorded = largest_deviation(all, wanted, "recorded");
  const double simulated = largest_deviation(all, wanted, "platform");
  // A larger deviation has no known reason.
  const bool is_below = std::max(recorded, simulated) <= limit;
  return {fmt::format("{}, {} nodes: {}", wanted.mode, wanted.nodes, wanted.change),
          "< " + percent(limit), fmt::format("{}, {}", percent(recorded), percent(simulated)),
          is_below ? Verdict::equal : Verdict::differs, is_below ? both_models : ""};
}

struct Limit {
  std::string_view change;
  double most = 0;
};

CheckedValues checked_bars(const Predictions& all, const std::vector<Limit>& limits) {
  CheckedValues values;
  for (const Limit& limit : limits)
    for (const char* mode : {"CO", "VN"})
      for (const std::int64_t nodes : {32, 64, 128, 256, 512})
        values.push_back(checked(all, {limit.change, mode, nodes}, limit.most));
  return values;
}

const Prediction* find(const Predictions& all, std::string_view change, std::string_view model,
                       std::string_view what) {
  const auto found = std::ranges::find_if(all, [&](const Prediction& each) {
    return each.change == change && each.model == model && each.what == what;
  });
  return found == all.end() ? nullptr : &*found;
}

// What remains of the waiting time of the balanced program's receives.
CheckedValue check_late_sender(const Predictions& all) {
  double worst = 0;
  for (const auto& each : all)
    if (each.change == "balanced" && each.what == "communication")
      worst = std::max(worst, each.predicted_s / each.recorded_s);
  return {"communication that remains after balancing", "the minority", percent(worst),
          worst < 0.5 ? Verdict::equal : Verdict::differs,
          worst < 0.5 ? "the largest share of all runs and both models" : ""};
}

// ---- XNS, Figures 5.6 to 5.8 ----

struct PrintedGain {
  double predicted_s = 0;
  double measured_s = 0;
};
constexpr std::array xns_functions = {"ewdscatter2", "ewdgather1"};

// Printed in section 5.2.2.
constexpr std::array printed_gains = {PrintedGain{375, 363}, PrintedGain{311, 332}};

// "375 s for 363 s (+3.3 %)".
std::string gain_text(double predicted, double real, std::string_view unit) {
  return fmt::format("{:.4g} {} for {:.4g} {} ({})", predicted, unit, real, unit,
                     signed_percent(predicted / real - 1));
}

void check_gain(const Predictions& all, const std::string& function, const PrintedGain& printed,
                CheckedValues& values) {
  const auto* ours = find(all, "cut", "platform", "main/solve/" + function);
  TUTTI_CHECK(ours != nullptr, "xns calls " + function);
  values.push_back({function + ": predicted and measured gain",
                    gain_text(printed.predicted_s, printed.measured_s, "s"),
                    gain_text(ours->predicted_gain_s() * 1e3, ours->gain_s() * 1e3, "ms"),
                    Verdict::not_recomputable, on_jubl});
}

CheckedValue check_dilation(const Predictions& all) {
  const auto* ours = find(all, "identity", "platform", "computation");
  return {"identity: deviation of computation", "0.6 %", percent(ours->deviation().value_or(0)),
          Verdict::not_recomputable, in_real_time};
}

// Chapter 6: "a deviation of less than three percent in CPU time".
void check_cpu_time(const Predictions& all, CheckedValues& values) {
  for (const char* model : {"recorded", "platform"}) {
    const auto* ours = find(all, "cut", model, "all");
    const double deviation = std::abs(ours->deviation().value_or(0));
    const bool is_below = deviation < xns_limit;
    values.push_back({fmt::format("CPU time of the optimized program, {}", model),
                      "< " + percent(xns_limit), percent(deviation),
                      is_below ? Verdict::equal : Verdict::differs,
                      is_below ? "against the really optimized program" : ""});
  }
}

// ---- statements ----

CheckedValue recounted(std::string item, std::string printed, std::string counted,
                       std::string why = {}) {
  const Verdict verdict = printed == counted ? Verdict::recounted : Verdict::differs;
  return {std::move(item), std::move(printed), std::move(counted), verdict, std::move(why)};
}

// Amdahl's law (2.3) for 1 % of serial code.
void check_amdahl(CheckedValues& values) {
  constexpr double procs = 65536, serial = 0.01;
  const double speedup = procs / (1 + (procs - 1) * serial);
  values.push_back(recounted("section 2.3.2: speedup with 1 % serial code, 65536 processes",
                             "around 100", fmt::format("around {:.0f}", speedup)));
  const double efficiency = speedup / procs;
  values.push_back({"section 2.3.2: its efficiency", "< 0.153 %",
                    fmt::format("{:.4f} %", 100 * efficiency),
                    efficiency < 0.153e-2 ? Verdict::recounted : Verdict::differs});
}

void check_xns_trace(CheckedValues& values) {
  constexpr std::int64_t events = 8'798'565'118, procs = 1024;
  values.push_back(recounted("section 5.2.2: events per process", "8592349",
                             fmt::format("{}", (events + procs / 2) / procs)));
}

// The deviations of the gains that section 5.2.2 prints, which chapter 6 sums up.
void check_gains_of_text(CheckedValues& values) {
  double predicted_s = 0, measured_s = 0;
  for (std::size_t i = 0; i < printed_gains.size(); ++i) {
    const auto& gain = printed_gains[i];
    const double deviation = std::abs(gain.predicted_s / gain.measured_s - 1);
    values.push_back(
        {fmt::format("chapter 6: deviation of the gain in {}", xns_functions[i]), "< 3 %",
         fmt::format("{:.1f} %", 100 * deviation), Verdict::erratum,
         fmt::format("section 5.2.2 predicts {} s and measures {} s; the statement "
                     "is true for the sum of both functions, or for the CPU time of the "
                     "whole program",
                     gain.predicted_s, gain.measured_s)});
    predicted_s += gain.predicted_s;
    measured_s += gain.measured_s;
  }
  const double sum = std::abs(predicted_s / measured_s - 1);
  values.push_back({"chapter 6: deviation of the gain in both", "< 3 %",
                    fmt::format("{:.1f} %", 100 * sum),
                    sum < xns_limit ? Verdict::recounted : Verdict::differs});
}

// The rows of data/silas_errata.toml.
void add_errata(std::string_view key, std::string_view usual_why, CheckedValues& values) {
  const Table table = printed_toml("silas_errata", key);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string why = text_in(table, row, "why");
    values.push_back({text_in(table, row, "item"), text_in(table, row, "printed"),
                      text_in(table, row, "right"), Verdict::erratum,
                      why.empty() ? std::string(usual_why) : why});
  }
}

}  // namespace

Result<CheckedValues> check_silas_collective() {
  const auto all = TUTTI_TRY(silas::predictions_of("5.2"));
  return checked_bars(all, {{"identity", identity_limit}, {"balanced", balanced_limit}});
}

Result<CheckedValues> check_silas_point_to_point() {
  const auto all = TUTTI_TRY(silas::predictions_of("5.4"));
  auto values = checked_bars(all, {{"identity", p2p_limit}, {"balanced", p2p_limit}});
  values.push_back(check_late_sender(all));
  return values;
}

Result<CheckedValues> check_silas_sweep3d() {
  const auto all = TUTTI_TRY(silas::predictions_of("5.5"));
  return checked_bars(all, {{"identity", sweep3d_limit}});
}

Result<CheckedValues> check_silas_xns() {
  const auto all = TUTTI_TRY(silas::predictions_of("5.6-5.8"));
  CheckedValues values{check_dilation(all)};
  for (std::size_t i = 0; i < xns_functions.size(); ++i)
    check_gain(all, xns_functions[i], printed_gains[i], values);
  check_cpu_time(all, values);
  return values;
}

Result<CheckedValues> check_silas_text() {
  CheckedValues values;
  check_amdahl(values);
  check_xns_trace(values);
  check_gains_of_text(values);
  add_errata("contradiction", "", values);
  add_errata("typo", "a typo", values);
  return values;
}

}  // namespace tutti::studies::papers
