// SPDX-License-Identifier: BSD-3-Clause
// A machine with nodes of different core counts is described correctly in every output.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Json = nlohmann::json;

namespace {

// The example of platforms/README.md.
std::string zone_example() {
  const auto readme = read_file(std::string(TUTTI_SOURCE_DIR) + "/platforms/README.md");
  const auto begin = readme.find("<zone id=\"site\"");
  const auto end = readme.find("</zone>\n```", begin);
  REQUIRE(end != std::string::npos);
  return "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
         "version=\"4.1\">" +
         readme.substr(begin, end - begin) + "</zone></platform>\n";
}

}  // namespace

TEST_CASE("nodes of 8, 16 and 32 cores are reported with their range and sum") {
  const TemporaryFolder folder;
  const auto file = folder.write("site.xml", zone_example());
  const std::string reported = "18 nodes of 8 to 32 cores, 176 in all";
  for (const char* looks : {"show", "check"})
    CHECK(out_of({"platform", looks, file}).find(": " + reported + ", ") != std::string::npos);
  const Json shown = Json::parse(out_of({"platform", "show", file, "--format", "json"}));
  CHECK(shown["cores"] == 176);
  const std::vector<std::string> run{"run", "bcast",          "--platform", file,       "--procs",
                                     "160", "--message-size", "1KiB",       "--engine", "flow"};
  auto as_json = run;
  as_json.insert(as_json.end(), {"--format", "json"});
  const Json result = Json::parse(out_of(as_json));
  CHECK(result["platform"]["cores"] == 176);
  CHECK(result["points"][0]["ppn"] == 16);
  CHECK(out_of(run).starts_with("# MPI_Bcast on site: 160 processes on 18 nodes, at most 16 per"));
}
