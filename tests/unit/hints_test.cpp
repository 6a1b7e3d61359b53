// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/hints.hpp"

#include <doctest/doctest.h>

#include <set>

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
  CHECK(hinted("romio_cb_write=disable").without_buffering == "data_sieving");
  CHECK(hinted("romio_cb_write=disable;romio_ds_write=disable").without_buffering == "independent");
  CHECK_FALSE(hinted("romio_cb_write=enable").without_buffering);
  CHECK_FALSE(hinted("romio_cb_write=disable", false).without_buffering);
  CHECK(hinted("romio_cb_read=disable", false).without_buffering == "data_sieving");
  CHECK(hinted("fcoll=vulcan").component == "vulcan");
}

TEST_CASE("Open MPI's component and ROMIO's way of access do not replace each other") {
  for (const char* text :
       {"fcoll=two_phase;romio_cb_write=disable", "romio_cb_write=disable;fcoll=two_phase"}) {
    CAPTURE(text);
    CHECK(hinted(text).component == "two_phase");
    CHECK(hinted(text).without_buffering == "data_sieving");
    for (const auto& [given, chosen, unused] :
         {std::tuple("romio", "data_sieving", "fcoll two_phase (with --implementation romio)"),
          {"vulcan", "two_phase", "romio_cb_write disable (with --implementation vulcan)"},
          {"", "two_phase", "romio_cb_write disable (with --implementation two_phase)"}}) {
      HintedValues values = hinted(text);
      CHECK(chosen_implementation(values, given) == chosen);
      CHECK(values.unused == std::vector<std::string>{unused});
    }
  }
  HintedValues values = hinted("romio_cb_write=disable");
  CHECK(chosen_implementation(values, "") == "data_sieving");
  values = hinted("cb_nodes=1");
  CHECK_FALSE(chosen_implementation(values, "vulcan"));
}

TEST_CASE("automatic collective buffering depends on whether the accesses interleave") {
  const auto automatic = hinted("romio_cb_write=automatic");
  CHECK_FALSE(automatic.without_buffering);
  CHECK(automatic.unless_interleaved == "data_sieving");
  CHECK(hinted("romio_cb_write=automatic;romio_ds_write=disable").unless_interleaved ==
        "independent");
  // Of several, the first one counts.
  CHECK_FALSE(hinted("romio_cb_write=enable;romio_cb_write=automatic").unless_interleaved);
  const auto both = hinted("romio_cb_write=automatic;romio_cb_write=disable");
  CHECK_FALSE(both.without_buffering);
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
  CHECK(hinted("ind_rd_buffer_size=7").unused ==
        std::vector<std::string>{"ind_rd_buffer_size (of reads)"});
  for (const bool writes : {true, false}) {
    const HintedJob job{.plan = {.implementation = &data_sieving, .buffer_bytes = 12345},
                        .writes = writes};
    const HintedValues values = hinted(hints_text(job), writes, "hints.txt");
    CHECK(values.sieve_bytes == 12345);
    CHECK(values.without_buffering == "data_sieving");
    CHECK(values.unused.empty());
  }
}

TEST_CASE("hints that are not simulated are listed") {
  CHECK(hinted("direct_io=true").unused == std::vector<std::string>{"direct_io (not simulated)"});
  CHECK(hinted("romio_no_indep_rw=true").only_aggregators_open);
}

TEST_CASE("invalid hints are rejected with the line") {
  const auto no_value = parse_hints("cb_nodes 8\ncb_buffer_size\n", "h.txt");
  REQUIRE_FALSE(no_value);
  CHECK(no_value.error().line == 2);
  CHECK_FALSE(parse_hints("cb_nodes==8\n", "h.txt"));
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
  CHECK(mca.component == "vulcan");
  const HintedJob alone{.plan = {.implementation = &independent}};
  CHECK(hinted(hints_text(alone), true, "h").without_buffering == "independent");
}

TEST_CASE("of several hints of one name the first one counts, and unknown components are listed") {
  CHECK(hinted("cb_nodes=3;cb_nodes=5").aggregators == 3);
  CHECK(hinted("fcoll=individual").unused ==
        std::vector<std::string>{"fcoll (individual, other than vulcan, dynamic_gen2, two_phase)"});
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

TEST_CASE("unknown hints get a suggestion, known ones that are not simulated do not") {
  using Unused = std::vector<std::string>;
  CHECK(hinted("cb_node=8").unused == Unused{"cb_node (unknown, did you mean 'cb_nodes'?)"});
  CHECK(hinted("romio_cb_pfr=enable").unused == Unused{"romio_cb_pfr (not simulated)"});
  CHECK(hinted("romio_cb_pfx=enable").unused ==
        Unused{"romio_cb_pfx (unknown, did you mean 'romio_cb_pfr'?)"});
  CHECK(hinted("nothing_like_it=1").unused == Unused{"nothing_like_it (unknown)"});
  CHECK(hinted("romio_cb_read=enable").unused == Unused{"romio_cb_read (of reads)"});
  CHECK(hinted("# mine\ncb_nodez 8\n", true, "h.txt").unused ==
        Unused{"h.txt:2: cb_nodez (unknown, did you mean 'cb_nodes'?)"});
}

TEST_CASE("switches have one spelling, that of ROMIO") {
  const auto normal = [](const char* name, const std::string& value) {
    return normal_value(*find_hint(name), value);
  };
  CHECK(normal("romio_cb_write", "false") == "disable");
  CHECK(normal("romio_ds_read", "true") == "enable");
  CHECK(normal("romio_cb_write", "automatic") == "automatic");
  CHECK(normal("romio_no_indep_rw", "enable") == "true");
  CHECK(normal("romio_no_indep_rw", "false") == "false");
  CHECK(normal("cb_nodes", "8") == "8");
  CHECK(normal("romio_cb_write", "maybe") == "maybe");
}

TEST_CASE("another value for the same meaning is listed with its place") {
  using Unused = std::vector<std::string>;
  CHECK(hinted("cb_nodes 8\ncb_nodes 2\n", true, "h.txt").unused ==
        Unused{"h.txt:2: cb_nodes (2 after cb_nodes=8)"});
  CHECK(hinted("cb_nodes=8;io_ompio_num_aggregators=2").unused ==
        Unused{"io_ompio_num_aggregators (2 after cb_nodes=8)"});
  CHECK(hinted("cb_buffer_size=16MiB;cb_buffer_size=16777216").unused.empty());
  // Open MPI takes the last value of a parameter.
  const auto mca = hinted("fcoll = two_phase\nfcoll = vulcan\n", true, "mca.conf");
  CHECK(mca.component == "vulcan");
  CHECK(mca.unused == Unused{"mca.conf:1: fcoll (two_phase before fcoll=vulcan)"});
}

TEST_CASE("each hint of the table is read, and has a name of its own") {
  std::set<std::string_view> names;
  for (const HintSpec& spec : hint_specs()) {
    CAPTURE(spec.name);
    CHECK(names.insert(spec.name).second);
    const bool is_word = spec.kind == HintKind::word;
    const std::string value = spec.kind == HintKind::on_off ? "disable"
                              : is_word ? std::string(spec.words.substr(0, spec.words.find(' ')))
                                        : "2";
    const bool writes = spec.writes.value_or(true);
    // Sieving has an effect without collective buffering only.
    const auto values =
        hinted(fmt::format("{}={};romio_cb_write=disable;romio_cb_read=disable", spec.name, value),
               writes);
    const auto is_unused = std::ranges::any_of(
        values.unused, [&](const std::string& each) { return each.starts_with(spec.name); });
    CHECK(is_unused == !spec.is_simulated());
    if (spec.is_simulated() && !is_word && spec.kind != HintKind::on_off)
      CHECK_FALSE(values_of({{std::string(spec.name), "0", "--hints"}}, writes));
  }
  CHECK(name_in_library("cb_nodes", true) == "io_ompio_num_aggregators");
  CHECK(name_in_library("num_aggregators", false) == "cb_nodes");
  CHECK(name_in_library("fs_lustre_stripe_size", false) == "striping_unit");
  CHECK(name_in_library("ind_wr_buffer_size", true) == "ind_wr_buffer_size");
}

TEST_CASE("a library ignores hints that only the other one reads") {
  const auto read = [](const std::string& list, const char* by) {
    const auto values = values_of(*parse_hints(list, "--hints"), true, by);
    REQUIRE(values);
    return *values;
  };
  const auto romio = read("io_ompio_num_aggregators=4;cb_buffer_size=1MiB", "romio");
  CHECK(!romio.aggregators);
  CHECK(romio.buffer_bytes == Bytes{1} << 20);
  CHECK(romio.unused == std::vector<std::string>{"io_ompio_num_aggregators (with romio)"});
  const std::string both = "cb_nodes=2;io_ompio_num_aggregators=4";
  CHECK(read(both, "dynamic_gen2").aggregators == 4);
  CHECK(read(both, "").aggregators == 2);
  CHECK(read(both + ";fcoll=dynamic_gen2", "").aggregators == 4);
  CHECK(read(both + ";fcoll=vulcan;fcoll=dynamic_gen2", "").aggregators == 4);
  CHECK(read(both + ";fcoll=dynamic_gen2;fcoll=vulcan", "").aggregators == 2);
  CHECK(read(both, "vulcan").aggregators == 2);
  const auto vulcan = read("cb_config_list=*:1;romio_no_indep_rw=true", "vulcan");
  CHECK(!vulcan.has_aggregator_per_node);
  CHECK(!vulcan.only_aggregators_open);
  CHECK(vulcan.unused.size() == 2);
}
