// SPDX-License-Identifier: BSD-3-Clause
// The tuner CSV of `sim select rules --for nccl`: the fastest pair by size, as the linter and the
// simulation read it.
#include <doctest/doctest.h>

#include "algorithms/selection/dynamic_rules.hpp"
#include "sim/select/nccl_rules.hpp"

using namespace tutti;
using studies::select::NcclTrial;
namespace files = algorithms::rules_files;

namespace {

NcclTrial trial_of(std::string_view collective, int nodes, int procs, Bytes bytes,
                   const char* algorithm, const char* protocol) {
  NcclTrial trial{
      .point = {}, .nodes = nodes, .bytes = bytes, .algorithm = algorithm, .protocol = protocol};
  trial.point.call.algorithm = algorithms::algorithms_of(collective).front();
  trial.point.placement.procs = procs;
  return trial;
}

}  // namespace

TEST_CASE("a tuner CSV has a row for each interval of sizes with the same fastest pair") {
  const std::vector<NcclTrial> trials{
      trial_of("allreduce", 1, 8, 1024, "tree", "ll"),
      trial_of("allreduce", 1, 8, 4096, "tree", "ll"),
      trial_of("allreduce", 1, 8, 65536, "tree", "ll"),
      trial_of("allreduce", 1, 8, 1024, "ring", "simple"),
      trial_of("allreduce", 1, 8, 4096, "ring", "simple"),
      trial_of("allreduce", 1, 8, 65536, "ring", "simple"),
      trial_of("reduce_scatter", 2, 16, 1024, "ring", "ll128"),
      trial_of("reduce_scatter", 2, 16, 1024, "pat", "simple"),
  };
  const std::vector<std::optional<Seconds>> times_s{1e-6, 2e-6, 9e-6, 5e-6,
                                                    6e-6, 7e-6, 3e-6, std::nullopt};
  const auto text = nccl_tuner_file(trials, times_s, {"first line", std::string(300, 'x')});
  const std::string rows = text.substr(text.find("allreduce,"));
  CHECK(rows ==
        "allreduce,0,65535,tree,ll,-1,1,8\n"
        "allreduce,65536,4294967295,ring,simple,-1,1,8\n"
        "reducescatter,0,4294967295,ring,ll128,-1,2,16\n");
  REQUIRE(files::recognize(text) == files::Format::nccl);
  const auto read = files::read_rules(text, files::Format::nccl, files::Library::nccl);
  CHECK(read.findings.empty());
  const algorithms::selection::DynamicRules rules(text, "tuner.csv");
  const auto row = rules.find_nccl_row("allreduce", 65536, 1, 8);
  REQUIRE(row);
  CHECK(row->algorithm == algorithms::selection::NcclAlgorithm::ring);
  CHECK(row->channels == 0);
  CHECK(rules.find_nccl_row("reduce_scatter", 1, 2, 16));
  CHECK_FALSE(rules.find_nccl_row("reduce_scatter", 1, 1, 8));
}
