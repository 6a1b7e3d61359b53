// SPDX-License-Identifier: BSD-3-Clause
// Stored parameter sets in files: Open MPI's names in each version, mca-params.conf, rules, OTPO's
// results, TOML and JSON.
#include <doctest/doctest.h>
#include <toml++/toml.h>

#include <algorithm>

#include "algorithms/selection/dynamic_rules.hpp"
#include "sim/params/matching.hpp"
#include "sim/params/mca_names.hpp"
#include "sim/params/mca_names.texts.hpp"
#include "sim/params/otpo_result.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/params/report/reports.hpp"
#include "sim/params/settings_file.hpp"

using namespace tutti;
using namespace tutti::studies::params;
using namespace tutti::studies::tuning;
using store::ParameterSet;
using Texts = std::vector<NamedText>;

namespace {

Texts settings(const Texts& parameters, OpenMpi version, const char* network = "tcp") {
  return mca_settings(parameters, version, network).settings;
}

ParameterSet whole_set() {
  ParameterSet set;
  set.number = 7;
  set.key = {"crill",
             "sweep3d",
             "0123456789abcdef",
             {.collective = "bcast",
              .procs = 576,
              .nodes = 12,
              .message_bytes = 65536,
              .problem_size = 50.5}};
  set.category = "stencil \"2-D\"";
  set.parameters = {{"bcast/algorithm", "binomial"}, {"mpi/eager_limit", "24KiB"}};
  set.metric = "time_s";
  set.metric_value = 0.1 + 0.2;
  set.about = {{"note", "by hand"}, {"search", "halving"}};
  set.stored = "2026-01-01T00:00:00Z";
  return set;
}

}  // namespace

TEST_CASE("parameters have the names of each Open MPI version") {
  const Texts ours{{"mpi/eager_limit", "24KiB"}, {"mpi/intra_eager_limit", "4KiB"}};
  CHECK(settings(ours, OpenMpi::v1_8, "openib") ==
        Texts{{"btl_openib_eager_limit", "24576"}, {"btl_sm_eager_limit", "4096"}});
  CHECK(settings(ours, OpenMpi::v4_1, "tcp") ==
        Texts{{"btl_tcp_eager_limit", "24576"}, {"btl_vader_eager_limit", "4096"}});
  CHECK(settings(ours, OpenMpi::v5_0, "ofi") ==
        Texts{{"btl_ofi_eager_limit", "24576"}, {"btl_sm_eager_limit", "4096"}});
}

TEST_CASE("an algorithm of a collective is exported with its number, segments and fan-out") {
  const Texts ours{
      {"bcast/algorithm", "knomial"}, {"bcast/segment_size", "8KiB"}, {"bcast/fanout", "5"}};
  CHECK(settings(ours, OpenMpi::v4_1) == Texts{{"coll_tuned_bcast_algorithm", "7"},
                                               {"coll_tuned_bcast_algorithm_segmentsize", "8192"},
                                               {"coll_tuned_bcast_algorithm_knomial_radix", "5"},
                                               {"coll_tuned_use_dynamic_rules", "1"}});
  // 1.8 has neither the algorithm nor its radix, and does not use its segments.
  CHECK(mca_settings(ours, OpenMpi::v1_8, "tcp").omitted.size() == 3);
  CHECK(settings({{"bcast/algorithm", "chain"}, {"bcast/fanout", "2"}}, OpenMpi::v1_8) ==
        Texts{{"coll_tuned_bcast_algorithm", "2"},
              {"coll_tuned_bcast_algorithm_chain_fanout", "2"},
              {"coll_tuned_use_dynamic_rules", "1"}});
  const auto lonely = mca_settings({{"bcast/segment_size", "8KiB"}}, OpenMpi::v4_1, "tcp");
  CHECK(lonely.settings.empty());
  CHECK(lonely.omitted.size() == 1);
  CHECK(settings({{"bcast/algorithm", "hierarchical"}}, OpenMpi::v4_1).empty());
}

TEST_CASE("collective I/O names its component, and ROMIO as the version has it") {
  CHECK(settings({{"implementation", "two_phase"}, {"aggregators", "12"}}, OpenMpi::v4_1) ==
        Texts{{"io", "ompio"}, {"fcoll", "two_phase"}, {"io_ompio_num_aggregators", "12"}});
  CHECK(settings({{"implementation", "romio"}}, OpenMpi::v1_8) == Texts{{"io", "romio"}});
  CHECK(settings({{"implementation", "romio"}}, OpenMpi::v5_0) == Texts{{"io", "romio341"}});
  CHECK(settings({{"implementation", "vulcan"}}, OpenMpi::v1_8).empty());
  CHECK(settings({{"implementation", "generic"}}, OpenMpi::v4_1).empty());
}

TEST_CASE("Open MPI's own names are kept, translated, or reported as omitted") {
  const auto made = mca_settings({{"btl_sm_eager_limit", "8K"},
                                  {"btl_openib_rdma_num", "32"},
                                  {"btl_sm_fifo_size", "4K"},
                                  {"btl_sm_eager_limits", "1"},
                                  {"mpi/eager_limit", "none"},
                                  {"mpi/gap", "1us"}},
                                 OpenMpi::v4_1, "openib");
  CHECK(made.settings ==
        Texts{{"btl_vader_eager_limit", "8192"}, {"btl_openib_eager_rdma_num", "32"}});
  CHECK(made.omitted.size() == 4);
  CHECK(made.notes.size() == 2);
  const auto list = [](const char* value, OpenMpi version) {
    return mca_settings({{"btl", value}}, version, "tcp").settings;
  };
  CHECK(list("self,vader,openib", OpenMpi::v4_1) == Texts{{"btl", "self,vader,openib"}});
  CHECK(list("self,vader,openib", OpenMpi::v5_0) == Texts{{"btl", "self,sm"}});
  CHECK(list("^sm", OpenMpi::v4_1) == Texts{{"btl", "^vader"}});
  CHECK(list("openib", OpenMpi::v5_0).empty());
  // Values under Open MPI's names take precedence.
  const auto both = mca_settings({{"mpi/eager_limit", "1KiB"}, {"btl_tcp_eager_limit", "2048"}},
                                 OpenMpi::v4_1, "tcp");
  CHECK(both.settings == Texts{{"btl_tcp_eager_limit", "2048"}});
  CHECK(both.notes.size() == 1);
}

TEST_CASE("no export contains a name that its version lacks") {
  Texts all;
  for (const auto version : open_mpi_versions)
    for (const auto& name : mca_names(version)) all.push_back({name, "1"});
  for (const auto& mapped : mapped_names()) all.push_back({mapped.ours, "1"});
  for (const auto version : open_mpi_versions) {
    CAPTURE(version_name(version));
    const auto names = mca_names(version);
    CHECK(std::ranges::adjacent_find(names) == names.end());
    for (const auto& mapped : mapped_names()) {
      const auto& its = mapped.theirs[static_cast<std::size_t>(version)];
      CHECK((its.empty() || its.find("COLLECTIVE") != its.npos || is_mca_name(version, its)));
    }
    for (const auto& network : network_components(version)) {
      const auto made = mca_settings(all, version, network);
      CHECK(made.settings.size() >= names.size());
      for (const auto& each : made.settings) CHECK(is_mca_name(version, each.name));
    }
  }
}

TEST_CASE("the table of Open MPI's names has known versions and categories, and each name once") {
  const auto table = toml::parse(tutti::texts::mca_names["mca_names"]);
  for (const auto& [framework, category] : *table["categories"].as_table())
    CHECK_MESSAGE(parse_category(category.value_or(std::string())), framework.str());
  for (const auto& section : *table["names"].as_array())
    if (const auto* versions = (*section.as_table())["versions"].as_array())
      for (const auto& version : *versions) CHECK(parse_version(version.value_or(std::string())));
  for (const auto version : open_mpi_versions)
    for (const auto& name : mca_names(version)) {
      CAPTURE(name);
      CHECK(mca_category(name));
      CHECK(std::ranges::count(mca_names(version), name) == 1);
    }
  const auto mapped = mapped_names();
  for (const auto& each : mapped) {
    CAPTURE(each.ours);
    CHECK(std::ranges::count(mapped, each.ours, &MappedName::ours) == 1);
    CHECK((each.ours.starts_with("COLLECTIVE/") || parameter_category(each.ours)));
    CHECK(std::ranges::any_of(each.theirs, [](const auto& name) { return !name.empty(); }));
  }
}

TEST_CASE("Open MPI's names map back to ours") {
  CHECK(our_name("btl_vader_eager_limit") == "mpi/intra_eager_limit");
  CHECK(our_name("btl_openib_eager_limit") == "mpi/eager_limit");
  CHECK(our_name("coll_tuned_allreduce_algorithm_segmentsize") == "allreduce/segment_size");
  CHECK(our_name("io_ompio_bytes_per_agg") == "buffer_size");
  CHECK_FALSE(our_name("btl_openib_free_list_num"));
}

TEST_CASE("parameters are checked on entry") {
  const auto is_good = [](const char* name, const char* value) {
    return !check_parameter({name, value});
  };
  CHECK(is_good("mpi/eager_limit", "24KiB"));
  CHECK_FALSE(is_good("mpi/eager_limit", "24 apples"));
  CHECK_FALSE(is_good("mpi/eager_limt", "24KiB"));
  CHECK(is_good("bcast/algorithm", "ring") == false);
  CHECK(is_good("allgather/algorithm", "ring"));
  CHECK_FALSE(is_good("algorithm", "ring"));
  CHECK(full_name("algorithm", "bcast") == "bcast/algorithm");
  CHECK(full_name("mpi/gap", "bcast") == "mpi/gap");
  for (const char* name : {"aggregators", "ppn", "bcast/fanout", "buffer_size", "stripe_size"})
    for (const char* value : {"-1", "0", "99999999999999999999", "nan", "2,3", "many", ""}) {
      CAPTURE(name);
      CAPTURE(value);
      CHECK_FALSE(is_good(name, value));
    }
  CHECK(check_parameter({"mpi/eager_limit", "-3"})->message ==
        "'-3' is not a size: it is negative");
  CHECK(is_good("alltoall/max_requests", "0"));
  CHECK(is_good("bcast/segment_size", "0"));
  CHECK_FALSE(is_good("bcast/segment_size", "2PiB"));
  CHECK(is_good("partitioning", "static"));
  CHECK_FALSE(is_good("partitioning", "statik"));
  CHECK(is_good("aggregator_placement", "spread"));
  CHECK_FALSE(is_good("aggregator_placement", "spred"));
  CHECK(is_good("map", "round-robin"));
  CHECK_FALSE(is_good("map", "by-node"));
  CHECK_FALSE(is_good("implementation", "vulkan"));
}

TEST_CASE("a written mca-params.conf is read back") {
  const Texts written{{"btl_tcp_eager_limit", "2048"}, {"fcoll", "vulcan"}};
  const auto read = read_mca_file(mca_file_text(written, {"set 3", "= no value"}), "x.conf");
  REQUIRE(read);
  CHECK(*read == written);
  CHECK(read_mca_file("a = 1\na=2\n", "x")->front().value == "2");
  CHECK_FALSE(read_mca_file("a b = 1\n", "x"));
  CHECK_FALSE(read_mca_file("# nothing\n", "x"));
}

TEST_CASE("OTPO's results are read as written, and truncated ones are rejected") {
  const std::vector<OtpoCombination> written{{12.5, {{"btl_openib_eager_limit", "12288"}}},
                                             {12.5, {{"btl_openib_eager_limit", "24576"}}},
                                             {12.75, {{"a", "x y"}, {"b", "2"}}}};
  const std::string text = otpo_result_text(written);
  CHECK(is_otpo_result(text));
  CHECK_FALSE(is_otpo_result("a = 1\n"));
  const auto read = read_otpo_result(text, "r");
  REQUIRE(read);
  REQUIRE(read->size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK((*read)[i].value == written[i].value);
    CHECK((*read)[i].parameters == written[i].parameters);
  }
  for (const char* wrong :
       {"", "====\n", "====\nx 1\n****\n", "====\n1 1\na\n****\n", "====\n1 1\na 1\n",
        "====\n1 1\n****\n", "a 1\n****\n", "====\n1 1\na 1\na 2\n****\n"})
    CHECK_FALSE_MESSAGE(read_otpo_result(wrong, "r"), wrong);
}

TEST_CASE("a written file of settings is read back") {
  const ParameterSet set = whole_set();
  const std::string text = settings_file_text(set, {"a comment"});
  CHECK(is_settings_file(text));
  const auto read = read_settings_file(text, "s.toml");
  REQUIRE(read);
  CHECK(read->key == set.key);
  CHECK(read->category == set.category);
  CHECK(read->parameters == set.parameters);
  CHECK(read->metric == set.metric);
  CHECK(read->metric_value == set.metric_value);
  CHECK(read->about == set.about);
}

TEST_CASE("errors of settings files are reported at their place") {
  const std::string head = "format = \"tutti-params/1\"\n";
  const auto line_of = [&](const std::string& rest) {
    const auto read = read_settings_file(head + rest, "s.toml");
    return read ? 0 : std::max(read.error().line, 1);
  };
  CHECK(line_of("[parameters]\n\"mpi/eager_limit\" = 4096\nbtl_x_y = true\n") == 0);
  CHECK(line_of("") == 1);
  CHECK(line_of("[key]\nhosts = \"x\"\n[parameters]\na_b = 1\n") == 3);
  CHECK(line_of("[key]\nprocs = 0\n[parameters]\na_b = 1\n") == 3);
  CHECK(line_of("[key]\nprocs = \"4\"\n[parameters]\na_b = 1\n") == 3);
  CHECK(line_of("[parameters]\na_b = [1]\n") == 3);
  CHECK(line_of("[parameters]\na_b = 1\n[metric]\nx = 1\ny = 2\n") == 6);
  CHECK(line_of("[parameter]\na_b = 1\n") == 2);
  CHECK_FALSE(read_settings_file("[parameters]\na_b = 1\n", "s.toml"));
}

TEST_CASE("written lines of JSON are read back") {
  ParameterSet bare = whole_set();
  bare.key = {"h", "a", "", {}};
  bare.metric.clear();
  bare.metric_value.reset();
  bare.about.clear();
  bare.is_current = false;
  const auto read =
      reports::read_sets_json(reports::set_json(whole_set()) + '\n' + reports::set_json(bare), "x");
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  CHECK((*read)[0].key == whole_set().key);
  CHECK((*read)[0].metric_value == whole_set().metric_value);
  CHECK((*read)[1].key == bare.key);
  CHECK_FALSE((*read)[1].is_current);
  for (const char* wrong : {"", "[]", "{", "{\"host\":1}", "{\"host\":\"h\"}", "null",
                            "{\"host\":\"h\",\"application\":\"a\",\"stored\":\"s\","
                            "\"parameters\":{\"a\":1}}"})
    CHECK_FALSE_MESSAGE(reports::read_sets_json(wrong, "x"), wrong);
}

TEST_CASE("rules of a chosen set include those of the current sets of its application") {
  ParameterSet chosen = whole_set(), small = chosen, other = chosen, old = chosen;
  chosen.number = 1;
  small.number = 2;
  small.key.use.message_bytes = 1024;
  other.number = 3;
  other.key.application = "another";
  other.key.use.message_bytes = 2048;
  old.number = 4;
  old.key.use.message_bytes = 4096;
  old.is_current = false;
  const auto sizes = [](const studies::params::SetsRules& rules) {
    return rules.collectives.at(0).sizes.back().rules.size();
  };
  CHECK(sizes(make_application_rules(chosen, {chosen, small, other, old})) ==
        sizes(make_rules({chosen, small})));
  CHECK(sizes(make_rules({chosen, small})) > sizes(make_rules({chosen})));
}

TEST_CASE("rules of sets apply from their processes and sizes on, and not below") {
  ParameterSet large = whole_set(), small = whole_set(), other = whole_set();
  small.key.use.message_bytes = 1024;
  small.parameters = {{"bcast/algorithm", "knomial"}, {"bcast/fanout", "8"}};
  other.parameters = {{"bcast/algorithm", "hierarchical"}};
  const auto rules = make_rules({large, small, other});
  CHECK(rules.omitted.size() == 2);  // the radix of knomial, and hierarchical
  namespace selection = algorithms::selection;
  const selection::DynamicRules read(
      selection::rules_file_text(rules.collectives, selection::RulesFormat::open_mpi_4_1, {"x"}),
      "rules");
  REQUIRE_FALSE(read.ignored());
  const auto algorithm = [&](int procs, Bytes bytes) -> std::string {
    const auto choice = read.choose(
        {.collective = "bcast", .procs = procs, .message_bytes = bytes, .elements = bytes});
    REQUIRE(choice);
    return *choice ? std::string((*choice)->algorithm->name) : "";
  };
  CHECK(algorithm(576, 65536) == "binomial");
  CHECK(algorithm(1000, 1 << 20) == "binomial");
  CHECK(algorithm(576, 65535) == "knomial");
  CHECK(algorithm(576, 1023).empty());
  CHECK(algorithm(575, 65536).empty());
}

TEST_CASE("a chain's rule gives the number of chains, as Open MPI takes a missing number for one") {
  ParameterSet set = whole_set();
  set.parameters = {{"bcast/algorithm", "chain"}};
  const auto fanout_of = [](const ParameterSet& each) {
    return make_rules({each}).collectives.at(0).sizes.back().rules.back().fanout;
  };
  CHECK(fanout_of(set) == 4);
  set.parameters.push_back({"bcast/fanout", "2"});
  CHECK(fanout_of(set) == 2);
  set.parameters.push_back({"bcast/segment_size", "many"});
  CHECK(make_rules({set}).collectives.empty());
  CHECK(make_rules({set}).omitted.size() == 1);
}
