// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/tune_file.hpp"

#include <doctest/doctest.h>

#include "sim/studies/study_points.hpp"

using namespace tutti;
using namespace tutti::studies::tuning;

namespace {

Result<TuneFile> read(const std::string& text) {
  auto file = read_tune_file(text, "t.toml", studies::study_options());
  if (!file) return file.errors();
  if (auto errors = complete(*file); !errors.empty()) return errors;
  return file;
}

const std::string example = R"([study]
name = "eager"
[[objective]]
workload = "bcast"
platform = "crill"
procs = 32
message_size = ["16KiB", "64KiB"]
weight = 2
[[objective]]
workload = "pingpong"
platform = "crill"
message_size = "16KiB"
stage = 2
[[parameter]]
name = "btl_openib_eager_limit"
values = "1.5KiB:48KiB:*2"
default = "12KiB"
[[parameter]]
name = "algorithm"
values = ["binomial", "chain"]
[[parameter]]
name = "fanout"
values = [2, 4, 8]
default = 4
when = "algorithm = chain"
[search]
method = ["factorial", "model"]
seed = 7
budget = 50
levels = [8, 16]
survivors = "10%"
[constraint]
memory = "64MiB"
)";

Error error_of(const std::string& from, const std::string& to) {
  std::string text = example;
  const auto at = text.find(from);
  REQUIRE(at != text.npos);
  const auto result = read(text.replace(at, from.size(), to));
  REQUIRE_FALSE(bool(result));
  return result.error();
}

}  // namespace

TEST_CASE("a tuning study is read") {
  const auto file = read(example);
  REQUIRE_MESSAGE(file, (file ? "" : file.error().message));
  CHECK(file->name == "eager");
  REQUIRE(file->objectives.size() == 2);
  CHECK(file->objectives[0].weight == 2);
  CHECK(file->objectives[0].product.size() == 1);
  CHECK(file->objectives[1].stage == 2);
  REQUIRE(file->parameters.size() == 3);
  CHECK(file->parameters[0].axis.name == "mpi/eager_limit");
  CHECK(file->parameters[0].axis.values.size() == 6);
  CHECK(file->parameters[0].default_value == 3);
  CHECK(file->methods == std::vector{Method::factorial, Method::model});
  CHECK(file->search.seed == 7);
  CHECK(file->search.budget == 50);
  CHECK(file->levels == std::vector<std::int64_t>{8, 16});
  CHECK(file->survivors == 0.1);
  CHECK(file->memory_bytes == 64 << 20);
}

TEST_CASE("a parameter whose condition is false keeps its default") {
  const auto file = read(example).value();
  const auto space = make_space(file);
  CHECK(space.size() == 36);
  CHECK(space.all().size() == 6 * (1 + 3));
  CHECK(space.defaults() == Combination{3, 0, 1});
  CHECK(space.allows(space.defaults()));
}

TEST_CASE("errors in the file are reported with their line") {
  CHECK(error_of("[study]", "[studi]").line == 1);
  CHECK(error_of("workload = \"bcast\"\n", "").message.find("missing workload") !=
        std::string::npos);
  CHECK(error_of("procs = 32", "prcs = 32").hint.find("procs") != std::string::npos);
  CHECK(error_of("1.5KiB:48KiB:*2", "1.5KiB:48Ki:*2").message.find("48Ki") != std::string::npos);
  for (const char* weight : {"0", "-1", "nan", "inf", "1e300", "1e-300", "\"2\""})
    CHECK(error_of("weight = 2", std::string("weight = ") + weight).line == 8);
  CHECK(error_of("message_size = [\"16KiB\", \"64KiB\"]",
                 "message_size = \"1:1000:+1\"\nroot = \"0:1000:+1\"")
            .message == "the lists and ranges make 1.001e+06 points, more than 100000");
  CHECK(
      error_of("default = \"12KiB\"", "default = \"13KiB\"").message.find("not among the values") !=
      std::string::npos);
  CHECK(error_of("name = \"fanout\"", "name = \"fan\"").message.find("unknown parameter") !=
        std::string::npos);
  CHECK(error_of("name = \"fanout\"", "name = \"algorithm\"").message.find("duplicate parameter") !=
        std::string::npos);
  CHECK(error_of("algorithm = chain", "algorithn = chain").hint.find("algorithm") !=
        std::string::npos);
  CHECK(error_of("\"factorial\"", "\"factorials\"").hint.find("factorial") != std::string::npos);
  CHECK(error_of("budget = 50", "budget = 0").line > 0);
  CHECK(error_of("survivors = \"10%\"", "survivors = 10").line > 0);
  CHECK(error_of("memory = \"64MiB\"", "memory = 64").line > 0);
  CHECK(error_of("levels = [8, 16]", "levels = [16, 8]").message.find("ascend") !=
        std::string::npos);
}

TEST_CASE("a file without objective or parameter is rejected") {
  CHECK_FALSE(bool(read("")));
  CHECK_FALSE(bool(read("[objective]\nworkload = \"bcast\"\n")));
  CHECK_FALSE(bool(read("[[parameter]]\nname = \"algorithm\"\nvalues = [\"ring\"]\n")));
}
