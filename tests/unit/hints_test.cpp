// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/hints.hpp"

#include <doctest/doctest.h>

#include "io_models/aggregators.hpp"
#include "io_models/redistribution.hpp"

using namespace tutti;
using namespace tutti::io_models;

namespace {

HintedValues hinted(std::string_view text, bool writes = true, const char* place = "--hints") {
  const auto hints = parse_hints(text, place);
  REQUIRE(hints);
  const auto values = values_of(*hints, writes);
  REQUIRE(values);
  return *values;
}

}  // namespace

TEST_CASE("hints are read from lists, ROMIO's files and MCA files") {
  for (const auto& [text, place] :
       {std::pair("cb_nodes=8;cb_buffer_size=16777216", "--hints"),
        std::pair("# comment\ncb_nodes 8\ncb_buffer_size 16777216\n", "hints.txt"),
        std::pair("OMPI_MCA_io_ompio_num_aggregators = 8\n"
                  "io_ompio_bytes_per_agg=16777216  # comment\n",
                  "mca.conf")}) {
    CAPTURE(text);
    const HintedValues values = hinted(text, true, place);
    CHECK(values.aggregators == 8);
    CHECK(values.buffer_bytes == 16'777'216);
    CHECK(values.unused.empty());
  }
}

TEST_CASE("disabled collective buffering leaves independent accesses, with or without sieving") {
  CHECK(hinted("romio_cb_write=disable").implementation == "data_sieving");
  CHECK(hinted("romio_cb_write=disable;romio_ds_write=disable").implementation == "independent");
  CHECK_FALSE(hinted("romio_cb_write=enable").implementation);
  CHECK_FALSE(hinted("romio_cb_write=disable", false).implementation);
  CHECK(hinted("romio_cb_read=disable", false).implementation == "data_sieving");
  CHECK(hinted("fcoll=vulcan").implementation == "vulcan");
}

TEST_CASE("automatic collective buffering depends on whether the accesses interleave") {
  const auto automatic = hinted("romio_cb_write=automatic");
  CHECK_FALSE(automatic.implementation);
  CHECK(automatic.unless_interleaved == "data_sieving");
  CHECK(hinted("romio_cb_write=automatic;romio_ds_write=disable").unless_interleaved ==
        "independent");
  // Of several, the first one counts.
  CHECK_FALSE(hinted("romio_cb_write=enable;romio_cb_write=automatic").unless_interleaved);
  const auto both = hinted("romio_cb_write=automatic;romio_cb_write=disable");
  CHECK_FALSE(both.implementation);
  CHECK(both.unless_interleaved);
  CHECK_FALSE(hinted("romio_cb_read=automatic").unless_interleaved);
}

TEST_CASE("accesses interleave if a rank begins before the previous one ends") {
  CHECK_FALSE(interleaves(GridAccess::blocks({4, 1}, 4, 100)));
  CHECK(interleaves(GridAccess::blocks({2, 2}, 4, 100)));
  CHECK_FALSE(interleaves(GridAccess::blocks({1, 4}, 1, 100)));
  CHECK_FALSE(interleaves(ListAccess({{{0, 10}, {20, 30}}, {{30, 40}, {60, 70}}})));
  CHECK(interleaves(ListAccess({{{0, 10}, {20, 30}}, {{10, 20}}})));
  // Ranks in another order begin before the previous one ends; a rank without data has no end.
  CHECK(interleaves(ListAccess({{{50, 60}}, {{0, 10}}})));
  CHECK_FALSE(interleaves(ListAccess({{{50, 60}}, {}, {{0, 10}}})));
}

TEST_CASE("the buffer of data sieving is that of the operation") {
  CHECK(hinted("ind_wr_buffer_size=1048576;ind_rd_buffer_size=7").sieve_bytes == 1 << 20);
  CHECK(hinted("ind_wr_buffer_size=1048576;ind_rd_buffer_size=7", false).sieve_bytes == 7);
  CHECK(hinted("ind_rd_buffer_size=7").unused == std::vector<std::string>{"ind_rd_buffer_size"});
  for (const bool writes : {true, false}) {
    const HintedJob job{.plan = {.implementation = &data_sieving, .buffer_bytes = 12345},
                        .writes = writes};
    const HintedValues values = hinted(hints_text(job), writes, "hints.txt");
    CHECK(values.sieve_bytes == 12345);
    CHECK(values.implementation == "data_sieving");
    CHECK(values.unused.empty());
  }
}

TEST_CASE("hints that are not simulated are listed") {
  CHECK(hinted("direct_io=true").unused == std::vector<std::string>{"direct_io"});
  CHECK(hinted("romio_no_indep_rw=true").only_aggregators_open);
}

TEST_CASE("invalid hints are rejected with the line") {
  const auto no_value = parse_hints("cb_nodes 8\ncb_buffer_size\n", "h.txt");
  REQUIRE_FALSE(no_value);
  CHECK(no_value.error().line == 2);
  for (const char* text :
       {"cb_nodes=0", "cb_nodes=x", "romio_cb_write=maybe", "romio_lustre_co_ratio=4294967296"}) {
    CAPTURE(text);
    const auto hints = parse_hints(text, "--hints");
    REQUIRE(hints);
    CHECK_FALSE(values_of(*hints, true));
  }
}

TEST_CASE("written hints are read back") {
  const StorageSpec storage = *parse_storage("targets=4,bandwidth=1GBps,stripe=2MiB");
  const HintedJob of_romio{
      .plan = {.implementation = &romio, .aggregators = 12, .buffer_bytes = 1 << 22},
      .storage = storage,
      .aggregator_placement = "first"};
  const HintedValues values = hinted(hints_text(of_romio), true, "hints.txt");
  CHECK(values.aggregators == 12);
  CHECK(values.buffer_bytes == 1 << 22);
  CHECK(values.stripe_count == 4);
  CHECK(values.stripe_bytes == 2 << 20);
  HintedJob of_lustre = of_romio;
  of_lustre.plan.implementation = &romio_lustre;
  of_lustre.aggregator_placement = "nodes";
  of_lustre.aggregators_per_target = 3;
  of_lustre.only_aggregators_open = true;
  of_lustre.nodes = 12;
  const HintedValues lustre = hinted(hints_text(of_lustre), true, "hints.txt");
  CHECK(lustre.aggregators_per_target == 3);
  CHECK(lustre.only_aggregators_open);
  CHECK(lustre.has_aggregator_per_node);
  CHECK_FALSE(lustre.buffer_bytes);
  const HintedJob of_open_mpi{
      .plan = {.implementation = &vulcan, .aggregators = 3, .buffer_bytes = 1 << 20}};
  const HintedValues mca = hinted(hints_text(of_open_mpi), true, "mca.conf");
  CHECK(mca.aggregators == 3);
  CHECK(mca.implementation == "vulcan");
  const HintedJob alone{.plan = {.implementation = &independent}};
  CHECK(hinted(hints_text(alone), true, "h").implementation == "independent");
}

TEST_CASE("of several hints of one name the first one counts, and unknown components are listed") {
  CHECK(hinted("cb_nodes=3;cb_nodes=5").aggregators == 3);
  CHECK(hinted("fcoll=individual").unused == std::vector<std::string>{"fcoll individual"});
}

TEST_CASE("ROMIO's aggregators for Lustre are a multiple or a divisor of the stripes") {
  CHECK(lustre_aggregators(42, 20, 3) == 40);
  CHECK(lustre_aggregators(42, 20) == 20);
  CHECK(lustre_aggregators(8, 60) == 6);
  CHECK(lustre_aggregators(4, 4) == 4);
  CHECK(lustre_aggregators(3, 7) == 1);
  CHECK(lustre_aggregators(1, 1) == 1);
}

TEST_CASE("a cycle of ROMIO on Lustre is one stripe of each aggregator, wherever the file begins") {
  // Bytes 150 to 749 in stripes of 100: aggregator 1 has 150-199, 300-399, ..., 0 has 200-299, ...
  const ListAccess access({{{150, 750}}});
  const Redistribution stripes(access, FileDomains::round_robin(access.range(), 2, 100), 100,
                               Slices::of_units);
  CHECK(stripes.cycles_of(0) == 3);
  CHECK(stripes.cycles_of(1) == 4);
  std::vector<Extent> extents;
  stripes.file_extents(1, 0, extents);
  stripes.file_extents(1, 1, extents);
  stripes.file_extents(1, 3, extents);
  stripes.file_extents(0, 0, extents);
  CHECK(extents == std::vector<Extent>{{150, 200}, {300, 400}, {700, 750}, {200, 300}});
}
