// SPDX-License-Identifier: BSD-3-Clause
// Names of parameters, OTPO's files and profiles as parts of a tuning study.
#include <doctest/doctest.h>

#include "platforms/tunables.hpp"
#include "sim/params/mca_names.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/studies/study_points.hpp"
#include "sim/tune/tune_file.hpp"

using namespace tutti;
using namespace tutti::studies::tuning;

namespace {

const std::string study = R"([study]
name = "s"
otpo = "params"
profile = "calls.toml"
[base]
platform = "crill"
procs = 32
[search]
without_effect = "search"
)";

const std::string call = R"([objective]
workload = "bcast"
)";

TuneFile bare(const std::string& text) {
  return read_tune_file(text, "s.toml", studies::study_options()).value();
}

TuneFile with_otpo(const std::string& parameters, const std::string& text = study + call) {
  TuneFile file = bare(text);
  REQUIRE(add_otpo_parameters(file, parameters, "params", studies::study_options()).empty());
  REQUIRE(complete(file).empty());
  return file;
}

Error otpo_error(const std::string& parameters) {
  TuneFile file = bare(study + call);
  const auto errors = add_otpo_parameters(file, parameters, "params", studies::study_options());
  REQUIRE_FALSE(errors.empty());
  return errors.front();
}

Error profile_error(const std::string& text) {
  TuneFile file = bare(study);
  const auto errors = add_profile(file, text, "calls.toml", studies::study_options());
  REQUIRE_FALSE(errors.empty());
  return errors.front();
}

const std::string profile = R"(format = "tutti-profile/1"
[profile]
application = "sweep3d"
category = "wavefront"
problem_size = 150
[[call]]
workload = "allreduce"
message_size = "8B"
count = 24
[[call]]
workload = "bcast"
message_size = ["1KiB", "4KiB"]
)";

}  // namespace

TEST_CASE("names of parameters are ours, of one collective, Open MPI's, or without effect") {
  CHECK(known_parameter("segment_size").option == "segment_size");
  CHECK(known_parameter("bcast/fanout").full_name() == "bcast/fanout");
  CHECK(known_parameter("bcast/fanout").workload == "bcast");
  CHECK(known_parameter("mpi/eager_limit").workload.empty());
  CHECK(known_parameter("btl_openib_eager_limit").option == "mpi/eager_limit");
  CHECK(known_parameter("btl_vader_max_send_size").option == "mpi/intra_fragment_size");
  CHECK(known_parameter("coll_tuned_bcast_algorithm_segmentsize").full_name() ==
        "bcast/segment_size");
  CHECK(known_parameter("io_ompio_num_aggregators").option == "aggregators");
  // As Table 3.1 prints it.
  CHECK(known_parameter("btl_openib_rdma_num").option == "mpi/eager_credits");
  CHECK(known_parameter("btl_openib_rdma_threshold").without_effect.find("first messages") !=
        std::string::npos);
  CHECK(known_parameter("btl_tcp_sndbuf").without_effect.find("does not model") !=
        std::string::npos);
  CHECK(known_parameter("nonsense").option == "nonsense");
}

TEST_CASE("the statements of `sim list tunables` about Open MPI's names are correct") {
  for (const auto& each : platforms::open_mpi_parameters) {
    CAPTURE(each.name);
    const auto known = known_parameter(std::string(each.name));
    CHECK(known.option == each.key);
    CHECK(known.without_effect.empty() == !each.key.empty());
  }
}

TEST_CASE("Open MPI's values become ours") {
  CHECK(our_value("coll_tuned_bcast_algorithm", "6").value() == "binomial");
  CHECK(our_value("coll_tuned_bcast_algorithm", "binomial").value() == "binomial");
  CHECK(our_value("rmaps_base_mapping_policy", "node").value() == "round-robin");
  CHECK(our_value("rmaps_base_mapping_policy", "slot").value() == "block");
  CHECK(our_value("btl_openib_eager_limit", "12K").value() == "12K");
  CHECK(our_value("coll_tuned_bcast_algorithm", "0").value() == "auto");
  CHECK_FALSE(bool(our_value("coll_tuned_bcast_algorithm", "99")));
}

TEST_CASE("OTPO's parameters may be virtual, aggregates, conditional or without effect") {
  const auto file = with_otpo(
      "btl_openib_eager_limit -a \"$limit$\"\n"
      "limit -v -d 12288 -p {4096 12288 49152}\n"
      "btl_openib_free_list_num -d 8 -p {8 16}\n"
      "btl_openib_eager_rdma_num -d 16 -p {4 16} -i \"limit 4096 >\"\n"
      "coll_tuned_bcast_algorithm -p {5 6}\n");
  REQUIRE(file.parameters.size() == 4);
  CHECK(file.parameters[0].is_virtual);
  CHECK_FALSE(file.parameters[1].is_simulated());
  CHECK(file.parameters[2].full == "mpi/eager_credits");
  CHECK(file.parameters[3].axis.values[1].text == "binomial");
  const auto space = make_space(file);
  CHECK(space.size() == 3 * 2 * 2 * 2);
  CHECK(space.all().size() == (3 * 2 - 1) * 2 * 2);
  CHECK_FALSE(applies(file, 2, {0, 0, 1, 0}));
  CHECK(applies(file, 2, {1, 0, 1, 0}));
  REQUIRE(file.aggregates.size() == 1);
  CHECK(file.aggregates[0].option == "mpi/eager_limit");
  CHECK(aggregate_text(file, file.aggregates[0], {2, 0, 0, 0}) == "49152");
}

TEST_CASE("0 is Open MPI's own choice, and conditions refer to algorithms by their numbers") {
  const auto file = with_otpo(
      "coll_tuned_bcast_algorithm -r 0 6 -t increment + 1\n"
      "coll_tuned_bcast_algorithm_segmentsize -d 0 -p {0 8192} "
      "-i \"coll_tuned_bcast_algorithm 5 =\"\n");
  const auto& values = file.parameters[0].axis.values;
  REQUIRE(values.size() == 7);
  CHECK(values[0].text == "auto");
  CHECK(values[6].text == "binomial");
  for (std::uint32_t algorithm = 0; algorithm < 7; ++algorithm)
    CHECK(applies(file, 1, {algorithm, 1}) == (algorithm == 5));
}

TEST_CASE("errors of values of OTPO's file name their lines") {
  TuneFile file = bare(study + call);
  REQUIRE(add_otpo_parameters(file,
                              "# a comment\nbtl_openib_eager_limit -p {4096 8192 4096}\n"
                              "coll_tuned_bcast_algorithm_segmentsize -p {0 1024} -i \"nothing\"\n",
                              "params", studies::study_options())
              .empty());
  const auto errors = complete(file);
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].place == "params");
  CHECK(errors[0].line == 2);
  CHECK(errors[0].source == "btl_openib_eager_limit -p {4096 8192 4096}");
  CHECK(errors[1].line == 3);
}

TEST_CASE("a parameter is of the network, of collectives, of collective I/O, or of placement") {
  for (const char* name : {"mpi/eager_limit", "btl_openib_eager_limit",
                           "pml_ob1_send_pipeline_depth", "btl_no_such_name", "link/bandwidth"})
    CHECK(parameter_category(name) == Category::network);
  for (const char* name : {"algorithm", "bcast/algorithm", "segment_size", "reduce/max_requests",
                           "coll_tuned_bcast_algorithm_segmentsize"})
    CHECK(parameter_category(name) == Category::collective);
  for (const char* name : {"aggregators", "buffer_size", "implementation",
                           "io_ompio_num_aggregators", "fcoll", "fcoll_vulcan_priority"})
    CHECK(parameter_category(name) == Category::io);
  CHECK(parameter_category("map") == Category::placement);
  CHECK(parameter_category("rmaps_base_mapping_policy") == Category::placement);
  for (const char* name : {"root", "bcast/root", "mpi/no_such_key", "ess_base_verbose"})
    CHECK_FALSE(parameter_category(name));
  // A mapped name is of one category in all versions, and each name of Open MPI has one.
  for (const auto& each : mapped_names())
    for (const auto& theirs : each.theirs)
      if (!theirs.empty() && !each.ours.starts_with("COLLECTIVE/"))
        CHECK(parameter_category(theirs) == parameter_category(each.ours));
  for (const auto version : open_mpi_versions)
    for (const auto& name : mca_names(version)) CHECK_MESSAGE(parameter_category(name), name);
  for (const auto& name : category_names()) CHECK(category_name(*parse_category(name)) == name);
}

TEST_CASE("parameters of other categories keep their default") {
  TuneFile file = bare("[study]\notpo = \"params\"\n[base]\nplatform = \"crill\"\n" + call);
  REQUIRE(add_otpo_parameters(file,
                              "btl_openib_eager_limit -d 12288 -p {4096 12288}\n"
                              "coll_tuned_bcast_algorithm -d 6 -p {5 6}\n",
                              "params", studies::study_options())
              .empty());
  TuneFile io = file;
  REQUIRE(complete(file, {Category::collective}).empty());
  CHECK(file.parameters[0].is_left);
  CHECK(file.parameters[0].axis.values.size() == 1);
  CHECK(file.parameters[0].axis.values[0].text == "12288");
  CHECK_FALSE(file.parameters[1].is_left);
  CHECK(file.parameters[1].axis.values.size() == 2);
  CHECK(complete(io, {Category::io}).size() == 1);
}

TEST_CASE("parameters without effect keep their default, unless searching them is requested") {
  const std::string parameters = "btl_openib_free_list_num -d 8 -p {4 8 16}\n";
  CHECK(with_otpo(parameters).parameters[0].axis.values.size() == 3);
  auto text = study + call;
  text.replace(text.find("\"search\""), 8, "\"leave\"");
  const auto left = with_otpo(parameters, text);
  REQUIRE(left.parameters[0].axis.values.size() == 1);
  CHECK(left.parameters[0].axis.values[0].text == "8");
}

TEST_CASE("a default outside OTPO's values is tried too, and is not a corner") {
  const auto file = with_otpo("btl_openib_eager_limit -d 12288 -p {4096 8192 49152}\n");
  CHECK(file.parameters[0].axis.values.size() == 4);
  CHECK(file.parameters[0].default_value == 1);
  CHECK(file.parameters[0].axis.values[1].text == "12288");
  CHECK(file.notes.size() == 1);
}

TEST_CASE("invalid lines of OTPO's file are reported with their number") {
  CHECK(otpo_error("# a comment\nmpi_eager_limt -p {1 2}\n").line == 2);
  CHECK(otpo_error("coll_tuned_bcast_algorithm -p {99}\n").line == 1);
  CHECK(
      otpo_error("btl_openib_receive_queues -a \"P,$size$\"\n").message.find("unknown parameter") !=
      std::string::npos);
}

TEST_CASE("a profile's calls are objectives, with their counts as weights") {
  TuneFile file = bare(study);
  REQUIRE(add_profile(file, profile, "calls.toml", studies::study_options()).empty());
  CHECK(file.application == "sweep3d");
  CHECK(file.category == "wavefront");
  CHECK(file.problem_size == 150);
  REQUIRE(file.objectives.size() == 2);
  CHECK(file.objectives[0].weight == 24);
  CHECK(file.objectives[1].product.size() == 1);
  CHECK(file.sources[file.objectives[0].spot.source].path == "calls.toml");
}

TEST_CASE("invalid profiles are reported with the error") {
  CHECK(profile_error("").message.find("missing format") != std::string::npos);
  CHECK(profile_error("format = \"tutti-profile/9\"\n").line == 1);
  CHECK(profile_error("format = \"tutti-profile/1\"\n").message.find("[[call]]") !=
        std::string::npos);
  CHECK(profile_error("format = \"tutti-profile/1\"\n[[call]]\ncount = 2\n")
            .message.find("missing workload") != std::string::npos);
  CHECK(profile_error("format = \"tutti-profile/1\"\n[[call]]\nworkload = \"bcast\"\nweight = 2\n")
            .line == 4);
  CHECK(profile_error("format = \"tutti-profile/1\"\n[[call]]\nworkload = \"bcast\"\ncount = 0\n")
            .line == 4);
}

TEST_CASE("a tuned parameter has no value of its own, and occurs once") {
  const std::string parameter = "[[parameter]]\nname = \"NAME\"\nvalues = [1, 2]\n";
  const auto first = [&](const std::string& objective, std::vector<std::string> names) {
    std::string text = objective;
    for (const auto& name : names) {
      text += parameter;
      text.replace(text.find("NAME"), 4, name);
    }
    auto file = read_tune_file(text, "t.toml", studies::study_options()).value();
    const auto errors = complete(file);
    return errors.empty() ? std::string() : errors.front().message;
  };
  CHECK(first(call, {"fanout"}).empty());
  CHECK(first(call + "fanout = 4\n", {"fanout"}).find("is tuned") != std::string::npos);
  CHECK(first(call + "fanout = 4\n", {"bcast/fanout"}).find("is tuned") != std::string::npos);
  CHECK(first(call + "fanout = 4\n", {"reduce/fanout"}).empty());
  CHECK(first(call, {"fanout", "bcast/fanout"}).find("duplicate parameter") != std::string::npos);
  CHECK(first(call, {"reduce/fanout", "bcast/fanout"}).empty());
  CHECK(first(call, {"mpi/eager_limit", "btl_tcp_eager_limit"}).find("duplicate parameter") !=
        std::string::npos);
}
