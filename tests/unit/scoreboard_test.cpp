// SPDX-License-Identifier: BSD-3-Clause
// Names of benchmarks, tables of measured collectives, and the scores of predictions, calculated by
// hand.
#include "sim/validate/scoreboard.hpp"

#include <doctest/doctest.h>

#include "algorithms/models/message_cost.hpp"
#include "platforms/reader.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/validate/error_cause.hpp"
#include "sim/validate/fitted_formulas.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies;
using tests::exactly;

namespace {

ScoredTime time_of(const char* algorithm, double measured_us, double predicted_us,
                   Bytes bytes = 1024, const char* run = "monday") {
  ScoredTime time;
  time.measured.collective = "bcast";
  time.measured.algorithm = algorithm;
  time.measured.procs = 8;
  time.measured.message_bytes = bytes;
  time.measured.time_s = measured_us * 1e-6;
  time.measured.run = run;
  time.predicted.simulated_s = predicted_us * 1e-6;
  return time;
}

// A table of one row, with PICO's columns.
Table row_of(const char* collective, const char* algorithm, std::int64_t procs,
             std::int64_t buffer_bytes, const char* gpu = "no") {
  return {{"collective", "algorithm", "nprocs", "buffer_bytes", "t_median_s", "gpu", "timestamp"},
          {{std::string(collective), std::string(algorithm), procs, buffer_bytes, 1e-6,
            std::string(gpu), std::string("t1")}}};
}

MeasuredCollective only_row(const Table& table) {
  const auto found = measured_collectives(table, UnknownAlgorithms::are_omitted);
  REQUIRE(found);
  REQUIRE(found->found.size() == 1);
  return found->found.front();
}

}  // namespace

TEST_CASE("names of benchmarks' algorithms are recognized") {
  const auto known = [](std::string_view collective, std::string_view name) {
    return algorithm_of_benchmark(collective, name).value_or("none");
  };
  CHECK(known("allgather", "ring_ompi") == "ring");
  CHECK(known("allgather", "ring_over") == "ring");
  CHECK(known("allgather", "brucks_mpich") == "bruck");
  CHECK(known("allreduce", "default_ompi") == "auto");
  CHECK(known("allreduce", "default_mpich") == "none");  // another library's choice
  CHECK(known("allreduce", "default-default") == "none");
  CHECK(known("allgather", "default-recursive-doubling") == "recursive_doubling");
  CHECK(known("reduce", "default-in-order-binary") == "in-order_binary");
  CHECK(known("reduce_scatter", "default-non-overlapping") == "non-overlapping");
  CHECK(known("bcast", "split_binary_ompi") == "split_binary_tree");
  CHECK(known("bcast", "trinary_over") == "none");
  CHECK(known("bcast", "bine_lat_over") == "bine_lat");
  CHECK(known("reduce_scatter", "bine_block_by_block_any_even") == "bine_block_by_block_any_even");
  CHECK(known("reduce_scatter", "recursive_distance_doubling_over") == "butterfly");
  CHECK(known("allreduce", "bine_bdw_remap_segmented_over_131072") == "bine_bdw_remap_segmented");
  CHECK(known("allreduce", "allgather_reduce_ompi") == "none");  // of a modified library
  CHECK(known("bcast", "") == "auto");
  CHECK(collective_of_benchmark("MPI_Allreduce") == "allreduce");
  CHECK(collective_of_benchmark("osu_bcast") == "bcast");
  CHECK(collective_of_benchmark("Reduce_scatter") == "reduce_scatter");
}

TEST_CASE("names of PICO's programs in segments contain the segment size") {
  CHECK(segment_in_name("bine_bdw_remap_segmented_over_131072") == 131072);
  CHECK(segment_in_name("bine_bdw_remap_segmented_over") == std::nullopt);
  CHECK(leaves_segment_open("bine_bdw_remap_segmented_over"));
  CHECK(!leaves_segment_open("bine_bdw_remap_segmented_over_131072"));
  CHECK(!leaves_segment_open("ring_segmented_ompi"));
  CHECK(segment_in_name("binomial_4") == std::nullopt);
  CHECK(segment_in_name("x_over_0") == std::nullopt);
  const auto row = only_row(row_of("allreduce", "bine_bdw_remap_segmented_over_16384", 8, 2048));
  CHECK(row.segment_bytes == 16384);
  CHECK(row.element_bytes == 4);
}

TEST_CASE("PICO's whole buffers are distributed in elements of 4 bytes") {
  const auto even = only_row(row_of("allgather", "ring_ompi", 32, 2048));
  CHECK(even.message_bytes == 64);
  CHECK(even.element_bytes == 4);
  CHECK(even.run == "t1");
  const auto odd = only_row(row_of("allgather", "ring_ompi", 254, 8388608));
  CHECK(odd.message_bytes == 33024);  // 2097152 elements / 254 = 8256
  const auto whole = only_row(row_of("allreduce", "ring_ompi", 254, 8388608));
  CHECK(whole.message_bytes == 8388608);
  const auto few = only_row(row_of("allgather", "ring_ompi", 200, 256));
  CHECK(few.message_bytes == 1);  // less than one element per rank
  CHECK(few.element_bytes == 1);
}

TEST_CASE("rows of accelerators and of unknown algorithms are omitted, or errors") {
  Table table = row_of("bcast", "binomial_ompi", 8, 1024);
  table.rows.push_back(row_of("bcast", "binomial_ompi", 8, 1024, "yes").rows.front());
  table.rows.push_back(row_of("bcast", "trinary_over", 8, 1024).rows.front());
  const auto found = measured_collectives(table, UnknownAlgorithms::are_omitted).value();
  CHECK(found.found.size() == 1);
  CHECK(found.omitted.count == 2);
  CHECK(!measured_collectives(table));
}

TEST_CASE("scores use absolute errors") {
  const auto score = compute_score({time_of("binomial", 100, 110), time_of("chain", 100, 70),
                                    time_of("knomial", 100, 100, 2048)});
  CHECK(score.rows == 3);
  CHECK(score.median_error == exactly(0.1));
  CHECK(score.p90_error == exactly(0.3));
}

TEST_CASE("pairs that differ by more than 5% are right in the measured order") {
  const auto score = compute_score(
      {time_of("binomial", 100, 100), time_of("chain", 104, 90), time_of("knomial", 200, 95)});
  CHECK(score.pairs == 2);        // binomial and chain differ by only 4%
  CHECK(score.right_pairs == 1);  // chain before knomial
  CHECK(score.settings == 1);
  CHECK(score.best_found == 0);  // chain is chosen: 4% slower than the best
  CHECK(score.mean_regret == exactly(0.04));
  CHECK(score.largest_regret == exactly(0.04));
}

TEST_CASE("a choice within 2% of the best counts as best") {
  const auto score = compute_score({time_of("binomial", 100, 100), time_of("chain", 101, 90)});
  CHECK(score.best_found == 1);
  CHECK(score.pairs == 0);
}

TEST_CASE("times of other runs, of other sizes or of one algorithm do not form pairs") {
  CHECK(compute_score({time_of("binomial", 100, 1), time_of("chain", 200, 1, 1024, "tuesday")})
            .pairs == 0);
  CHECK(compute_score({time_of("binomial", 100, 1), time_of("chain", 200, 1, 2048)}).pairs == 0);
  const auto same = compute_score({time_of("ring", 100, 1), time_of("ring", 200, 1)});
  CHECK(same.pairs == 0);
  CHECK(same.settings == 0);
}

TEST_CASE("rows without a prediction are omitted from its score") {
  auto times = std::vector{time_of("binomial", 100, 100), time_of("chain", 200, 100)};
  times[0].predicted.loggp_s = 50e-6;
  const auto score = compute_score(times, [](const auto& time) { return time.predicted.loggp_s; });
  CHECK(score.rows == 1);
  CHECK(score.median_error == exactly(0.5));
  CHECK(compute_score({}, [](const auto& time) { return time.predicted.loggp_s; }).rows == 0);
}

TEST_CASE("the rules of a library are those of its series") {
  CHECK(rules_of_library("") == "auto");
  CHECK(rules_of_library("OMPI 4.1.6") == "auto:ompi-4.1");
  CHECK(rules_of_library("OMPI 5.0") == "auto:ompi-5.0");
  CHECK(rules_of_library("MPICH 4.0.3") == "auto:mpich-4.0");
  for (const std::string other : {"CRAY_MPICH 8.1.29", "FJMPI 4.0.1", "customOMPI 5.0.7"})
    CHECK_MESSAGE(rules_of_library(other).empty(), other);
}

TEST_CASE("the regret of the library's choices counts calls in which they were measured") {
  auto times = std::vector{time_of("binomial", 100, 200), time_of("chain", 150, 100),
                           time_of("binomial", 100, 90, 2048), time_of("chain", 120, 100, 2048)};
  CHECK(with_default(times, {}).empty());
  CHECK(score_defaults({}).settings == 0);
  times[0].is_default = true;
  const auto known = with_default(times, {});
  CHECK(known.size() == 2);
  CHECK(score_defaults(known).settings == 1);
  CHECK(score_defaults(known).mean_regret == exactly(0));
  CHECK(compute_score(known).mean_regret == exactly(0.5));

  // The choice of a library whose rules are unknown is measured itself, here as the fastest.
  auto other = time_of("", 80, 0, 2048).measured;
  other.measured_as = "default_mpich";
  auto unknown = other;
  unknown.measured_as = "trinary_over";
  const auto all = with_default(times, {other, unknown});
  CHECK(all.size() == 5);
  const auto score = score_defaults(all);
  CHECK(score.settings == 2);
  CHECK(score.rows == 0);
  CHECK(score.pairs == 0);
  CHECK(score.mean_regret == exactly(0));
  CHECK(compute_score(all).mean_regret == exactly((0.5 + 0.25) / 2));
  times[0].is_default = false;
  times[1].is_default = true;
  CHECK(score_defaults(with_default(times, {})).mean_regret == exactly(0.5));
}

TEST_CASE("the cause of an error is what halves it") {
  const auto cause = [](const std::vector<ScoredTime>& times, std::size_t index = 0) {
    return error_cause(times, {.all = {}, .rows = std::vector<bool>(times.size())}, index);
  };
  const auto wrong = time_of("chain", 200, 100);
  CHECK(cause({wrong}) == "unknown");
  CHECK(error_cause({wrong}, {.all = {}, .rows = {true}}, 0) == "other algorithm");
  CHECK(cause({wrong, time_of("chain", 110, 100, 1024, "tuesday")}) == "runs differ");
  CHECK(cause({wrong, time_of("chain", 190, 100, 1024, "tuesday")}) == "unknown");
  CHECK(cause({wrong, time_of("chain", 90, 90, 512), time_of("chain", 110, 110, 2048)}) ==
        "outlier");
  CHECK(cause({wrong, time_of("chain", 180, 90, 512), time_of("chain", 220, 110, 2048)}) ==
        "unknown");
  auto shared = time_of("chain", 100, 200);
  shared.predicted.uncontended_s = 180e-6;
  CHECK(cause({shared}) == "unknown");
  shared.predicted.alone_s = 120e-6;
  CHECK(cause({shared}) == "contention");
  std::vector<ScoredTime> run(5, time_of("binomial", 180, 100));
  for (auto& time : run) time.measured.measured_as = "binomial_ompi";
  run[0] = wrong;
  CHECK(cause(run) == "whole run");
  for (auto& time : run) time.measured.run = "";
  CHECK(cause(run) == "unknown");
  for (std::size_t i = 1; i < run.size(); ++i) run[i] = time_of("chain", 180, 100, 4096, "friday");
  CHECK(cause(run) == "algorithm");
}

TEST_CASE("formulas are fitted to the times that they predict, in spite of an outlier") {
  const ModelParameters exact{{"", 2e-6, 5e9},
                              {"", 1e-6, 0.3e-6, platforms::Piecewise(4e-6), 2e-10}};
  std::vector<FormulaTime> hockney, loggp;
  for (const auto& [collective, name] : {std::pair{"bcast", "binomial"},
                                         {"bcast", "chain"},
                                         {"alltoall", "pairwise"},
                                         {"alltoall", "linear"},
                                         {"allgather", "recursive_doubling"},
                                         {"gather", "basic_linear"}})
    for (const int procs : {2, 16, 64})
      for (const Bytes bytes : {1, 1000, 1'000'000}) {
        algorithms::ModelArgs args{.procs = procs, .call = {.message_bytes = bytes, .fanout = 1}};
        const auto& algorithm = *algorithms::find_algorithm(collective, name);
        hockney.push_back(
            {&algorithm, args, algorithms::models::hockney(algorithm, args, exact.hockney)});
        loggp.push_back(
            {&algorithm, args, algorithms::models::loggp(algorithm, args, exact.loggp)});
      }
  hockney[10].measured_s *= 30;
  loggp[10].measured_s *= 30;
  const ModelParameters start{{"", 1e-7, 1e8}, {"", 1e-7, 1e-7, platforms::Piecewise(1e-7), 1e-8}};
  const auto l = fit_formulas(hockney, start).hockney;
  CHECK(l.l_s == tests::close_to(exact.hockney.l_s, 0.02));
  CHECK(l.b_Bps == tests::close_to(exact.hockney.b_Bps, 0.02));
  const auto fitted = fit_formulas(loggp, start).loggp;
  CHECK(fitted.g_s(8) == tests::close_to(4e-6, 0.02));
  CHECK(fitted.G_s_per_B == tests::close_to(2e-10, 0.02));
  CHECK(fitted.L_s + 2 * fitted.o_s == tests::close_to(1.6e-6, 0.05));
}

TEST_CASE("the choice of a library and the algorithm that it chose are simulated once") {
  const auto on = platforms::load_machine("crill", {}).value();
  JobMachines machines([&](const std::string&) -> Result<platforms::Machine> { return on; });
  std::vector<MeasuredCollective> rows;
  for (const auto* algorithm : {"auto", "binomial", "chain"})
    rows.push_back(time_of(algorithm, 10, 0, 16384).measured);
  rows[0].time_s = 20e-6;
  const auto plan = plan_scores(rows, on.name, machines, {}).value();
  REQUIRE(plan.calls.size() == 2);  // Open MPI 4.1 chooses binomial
  CHECK(plan.calls[0].rows == std::vector<std::size_t>{0, 1});
  CHECK(plan.is_default == std::vector<bool>{true, false, false});
  rows.erase(rows.begin());
  rows[0].rules = rows[1].rules = "auto:ompi-4.1";
  CHECK(plan_scores(rows, on.name, machines, {})->is_default == std::vector<bool>{true, false});
  rows[0].measured_as = "binomial_over";  // another implementation
  CHECK(plan_scores(rows, on.name, machines, {})->is_default == std::vector<bool>{false, false});
  rows[0].rules.clear();
  rows[0].measured_as.clear();
  CHECK(plan_scores(rows, on.name, machines, {})->is_default == std::vector<bool>{false, false});
}

TEST_CASE("measured collectives are simulated without a command") {
  const auto on = platforms::load_machine("crill", {}).value();
  JobMachines machines([&](const std::string&) -> Result<platforms::Machine> { return on; });
  std::vector<MeasuredCollective> rows;
  for (const auto* algorithm : {"binomial", "", "chain", "binomial"})
    rows.push_back(time_of(algorithm, 10, 0).measured);
  rows.back().run = "tuesday";
  rows[2].procs = 10'000;
  const auto plan = plan_scores(rows, on.name, machines, {});
  REQUIRE(bool(plan));
  CHECK(plan->others.size() == 1);
  CHECK(plan->omitted == 1);
  REQUIRE(plan->calls.size() == 1);
  const auto found = simulate_times(*plan, quiet_runner({.jobs = 2}));
  REQUIRE(found.times.size() == 2);
  CHECK(found.times[1].measured.run == "tuesday");
  const auto& predicted = found.times[0].predicted;
  CHECK(predicted.simulated_s > 0);
  CHECK(predicted.uncontended_s.value() <= predicted.simulated_s);
  CHECK(predicted.alone_s.value() <= predicted.uncontended_s.value());
  CHECK(predicted.hockney_s);

  rows = {rows[2]};
  CHECK(plan_scores(rows, on.name, machines, {})
            .error()
            .message.starts_with("no row can run on crill: "));
  rows[0].algorithm = "";
  CHECK(plan_scores(rows, on.name, machines, {}).error().message ==
        "no row has an algorithm that Tutti knows");
}
