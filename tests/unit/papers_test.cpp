// SPDX-License-Identifier: BSD-3-Clause
// The papers' tables: how they are recomputed, and the expected results.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/studies/papers/printed_tables.hpp"
#include "sim/studies/papers/printed_texts.hpp"
#include "sim/validate/check_jha_models.hpp"
#include "sim/validate/checks.hpp"
#include "sim/validate/paper.hpp"
#include "tests/support/close_to.hpp"

namespace {

using namespace tutti;
using namespace tutti::studies::papers;

std::ptrdiff_t count_of(const CheckedValues& values, Verdict verdict) {
  return std::ranges::count(values, verdict, &CheckedValue::verdict);
}

const CheckedValue& value_of(const CheckedValues& values, const std::string& item) {
  const auto found = std::ranges::find(values, item, &CheckedValue::item);
  REQUIRE_MESSAGE(found != values.end(), item);
  return *found;
}

void check_erratum(const CheckedValues& values, const std::string& item,
                   const std::string& computed) {
  const CheckedValue& value = value_of(values, item);
  CAPTURE(item);
  CHECK(value.verdict == Verdict::erratum);
  CHECK(value.computed == computed);
  CHECK(!value.why.empty());
}

}  // namespace

TEST_CASE("formulas are computed as printed") {
  const Formula formula("ceil(log2(P+1))*2^floor(x)+max(x,P)/4", {{"P", 1}, {"x", 1}});
  CHECK(formula({{"P", 4}, {"x", 2.5}}) == 3 * 4 + 1.0);
  CHECK(formula({{"P", 7}, {"x", 9}}) == 3 * 512 + 9 / 4.0);
}

TEST_CASE("letters of a formula have only their assigned meanings") {
  CHECK(Formula("_e+o", {{"_e", 1}, {"o", 1}})({{"_e", 2}, {"o", 3}}) == 5);
  CHECK_THROWS(Formula("P+", {{"P", 1}}));
  CHECK_THROWS(Formula("P+q", {{"P", 1}}));
  CHECK_THROWS(Formula("_pi", {{"P", 1}}));
  CHECK_THROWS(Formula("P", {{"P", 1}})({{"Q", 1}}));
}

TEST_CASE("printed digits determine the precision of a number") {
  CHECK(decimals_of("20.61") == 2);
  CHECK(decimals_of("32") == 0);
  CHECK(decimals_of("5.7e-13") == 14);
  CHECK(half_digit("20.6") == tests::exactly(0.05));
  CHECK(rounds_to(20.649, "20.6"));
  CHECK(rounds_to(20.65, "20.6"));  // a tie rounds either way
  CHECK(!rounds_to(20.66, "20.6"));
  CHECK(rounds_to(5.74e-13, "5.7e-13"));
  CHECK(!rounds_to(5.76e-13, "5.7e-13"));
  CHECK(as_printed(33.415, "33.2") == "33.4");
  CHECK(as_printed(5.74e-13, "2.2e-12") == "5.7e-13");
}

TEST_CASE("every printed table can be read") {
  CHECK(printed_texts().size() >= 12);
  for (const auto& each : printed_texts()) CHECK(!each.text.empty());
  const Table csv = printed_csv("nuriyev_table2");
  CHECK(csv.rows.size() == 12);
  CHECK(text_in(csv, 0, "alpha_s") == "2.2e-12");
  const Table toml = printed_toml("jha_table4_1", "cost");
  CHECK(toml.rows.size() == 18);
  CHECK(text_in(toml, 0, "algorithm") == "chain");
  CHECK(text_in(toml, 0, "right").empty());
}

TEST_CASE("every value of every paper has a verdict, and every difference a reason") {
  for (const auto& paper : all_papers())
    for (const auto& table : paper.tables) {
      if (!table.figure.empty()) continue;  // simulated for long: tests/cli/validate_test.cpp
      const auto values = table.check();
      REQUIRE(values);
      CHECK(!values->empty());
      for (const auto& value : *values) {
        CAPTURE(value.item);
        CHECK(!value.is_unexplained());
        if (value.verdict == Verdict::erratum) CHECK(!value.why.empty());
        if (value.verdict == Verdict::not_recomputable) CHECK(!value.why.empty());
      }
    }
}

TEST_CASE("papers are found by name, and by number as an alias") {
  REQUIRE(find_paper("000") != nullptr);
  CHECK(find_paper("000") == find_paper("jha"));
  CHECK(find_paper("nuriyev")->number == "002");
  CHECK(find_paper("005") == nullptr);
}

TEST_CASE("Table 3.1: a range without the standard value is an erratum") {
  const auto values = check_jha_tuned_parameters().value();
  check_erratum(values, "btl_openib_use_message_coalescing", "0,1");
  CHECK(count_of(values, Verdict::erratum) == 1);
  CHECK(value_of(values, "openib: combinations").computed == "11520");
  CHECK(value_of(values, "openib: corners").computed == "128");
  CHECK(value_of(values, "openib: values, one after the other").computed == "29");
  CHECK(value_of(values, "sm: combinations").computed == "400");
}

TEST_CASE("Table 3.2: gains that rounded times allow are equal") {
  const auto values = check_jha_alltoall_gains().value();
  CHECK(value_of(values, "linear, 32 processes").verdict == Verdict::equal);
  CHECK(value_of(values, "linear, 32 processes").computed == "33.4 %");
  CHECK(value_of(values, "pairwise, 32 processes").verdict == Verdict::differs);
  CHECK(count_of(values, Verdict::differs) == 2);
}

TEST_CASE("Table 4.1: the costs equal the printed ones except for two errata") {
  const auto values = check_jha_costs().value();
  CHECK(values.size() == 18);
  CHECK(count_of(values, Verdict::equal) == 16);
  check_erratum(values, "alltoall modified_bruck, loggp", "log2(P)*(o+(P*m/2-1)*G+max(g,L+o))");
}

TEST_CASE("Table 4.2: the erroneous ratios and signs are found") {
  const auto values = check_jha_improvements().value();
  CHECK(values.size() == 1 + 2 * 36);
  CHECK(count_of(values, Verdict::erratum) == 19);
  CHECK(count_of(values, Verdict::equal) == 54);
  check_erratum(values, "equation (4.10)", "t_tuned = (1-i) t_untuned");
  check_erratum(values, "allgather neighbor, hockney by b: sign", ">");
  check_erratum(values, "allgather neighbor, loggp by G",
                "(m*P-P/2-m)*(L+2*o+(m-1)*G)/((P/2*(L+2*o+(2*m-1)*G)-m*G)*(m-1))");
  check_erratum(values, "alltoall pairwise, loggp by G", "(L+2*o+(m-1)*G)/(L+o+(m-1)*G+g)");
  check_erratum(values, "alltoall pairwise, loggp by G: sign", "< and >");
  check_erratum(values, "allgather recursive_doubling, hockney by b: sign", ">");
  CHECK(value_of(values, "bcast binary_tree, loggp by G: sign").verdict == Verdict::equal);
}

TEST_CASE("Tables 4.3 and 5.2: the catalog has the printed parameters") {
  const auto crill = check_jha_parameters().value();
  CHECK(value_of(crill, "b of crill").verdict == Verdict::equal);
  check_erratum(crill, "G of crill", "0.00067 us/byte");
  const auto networks = check_jha_shuffle_parameters().value();
  CHECK(networks.size() == 12);
  CHECK(count_of(networks, Verdict::equal) == 9);
  CHECK(value_of(networks, "G of crill-ge").why.find("0.1 Gbit/s") != std::string::npos);
}

TEST_CASE("Tables 4.4 and 5.1 are reproduced") {
  const auto limits = check_jha_eager_limits().value();
  CHECK(count_of(limits, Verdict::equal) == 3);
  const auto shuffle = check_jha_shuffle().value();
  CHECK(count_of(shuffle, Verdict::equal) == 60);
  check_erratum(shuffle, "5.1.2: n_as of even 2d", "ceil(P_a/P_x)");
  CHECK(check_jha_tendencies()->size() == 12);
}

TEST_CASE("PGMPITuneLib: the printed memory is that of the steps") {
  const auto values = check_pgmpi_memory().value();
  CHECK(count_of(values, Verdict::differs) == 0);
  CHECK(count_of(values, Verdict::erratum) == 3);
  CHECK(value_of(values, "GL16: MPI_Reduce by MPI_Reduce_scatter + MPI_Gatherv")
            .why.find("upper bound") != std::string::npos);
  CHECK(
      value_of(values,
               "listing 2: size_int_buffer_bytes: maximum number of processes with 2 count vectors")
          .computed == "1250");
  CHECK(count_of(check_pgmpi_profile().value(), Verdict::equal) == 6);
}

TEST_CASE(
    "Nuriyev: gamma(8) is missing, alpha and beta are not separated, 3.1 chooses as printed") {
  const auto gamma = check_nuriyev_gamma().value();
  check_erratum(gamma, "grisou: processes for which gamma is needed", "2 to 8");
  CHECK(gamma[7].why.find("gamma(8) = 1.645") != std::string::npos);
  CHECK(gamma[15].why.find("gamma(8) = 1.509") != std::string::npos);
  const auto alpha = check_nuriyev_alpha().value();
  CHECK(count_of(alpha, Verdict::equal) == 10);
  CHECK(value_of(alpha, "grisou split_binary: alpha").verdict == Verdict::differs);
  const auto selection = check_nuriyev_selection().value();
  CHECK(count_of(selection, Verdict::equal) == 21);
  CHECK(count_of(selection, Verdict::recounted) == 8);
  CHECK(selection[6].why == "pipeline with segments of 8 KiB");
}

TEST_CASE("cFireworks: match rates and times follow from the hot spots") {
  const auto values = check_cfireworks_times().value();
  CHECK(count_of(values, Verdict::differs) == 0);
  CHECK(value_of(values, "T16-02: hot-spot node, messages inside and between nodes").computed ==
        "2, 8");
  CHECK(value_of(values, "T16-04: hot-spot node, messages inside and between nodes").computed ==
        "3, 6");
  check_erratum(values, "T16-01: tachyon2_inter_first", "0.0165140");
  CHECK(count_of(values, Verdict::not_recomputable) == 16);
  CHECK(value_of(values, "T16-04: tachyon1_intra_first, simulated").computed == "0.026033");
}

TEST_CASE("points of a grid are jobs of the algorithm itself") {
  for (const auto& point : model_grid("recursive_doubling", 2)) {
    CHECK((point.procs & (point.procs - 1)) == 0);
    CHECK(point.bytes >= 2);
  }
  for (const auto& point : model_grid("neighbor", 1)) CHECK(point.procs % 2 == 0);
  CHECK(model_grid("chain", 1).front().text() == "crill, P = 4, 1 B");
}
