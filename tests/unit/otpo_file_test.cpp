// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/otpo_file.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace tutti;
using namespace tutti::studies::tuning;

namespace {

bool holds(const std::string& text, const std::map<std::string, double>& values) {
  const auto condition = RpnCondition::parse(text);
  REQUIRE(condition);
  return condition->holds([&](const std::string& name) -> std::optional<double> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  });
}

Error error_of(const std::string& text) {
  const auto read = read_otpo_file(text, "params");
  REQUIRE_FALSE(bool(read));
  return read.error();
}

}  // namespace

TEST_CASE("parameters are read as OTPO writes them") {
  const auto read = read_otpo_file(
      "# the seven\n"
      "btl_openib_eager_limit -d 12288 -r 1536 49152 -t increment * 2\n"
      "btl_openib_use_eager_rdma -p {0 1}   # a boolean\n"
      "\n"
      "btl_openib_max_send_size -d 65536 -r 100 40 -t increment - 20 -i \"x y >\"\n"
      "size -v -p {64 256}\n"
      "btl_openib_receive_queues -a \"P,$size$,32:S,$size$\"\n"
      "mpi_leave_pinned -d 1\n",
      "params");
  REQUIRE(read);
  REQUIRE(read->size() == 6);
  const auto& all = *read;
  CHECK(all[0].values ==
        std::vector<std::string>{"1536", "3072", "6144", "12288", "24576", "49152"});
  CHECK(all[0].preset == "12288");
  CHECK(all[0].line == 2);
  CHECK(all[1].values == std::vector<std::string>{"0", "1"});
  CHECK(all[2].values == std::vector<std::string>{"100", "80", "60", "40"});
  CHECK(all[2].condition->names() == std::vector<std::string>{"x", "y"});
  CHECK(all[3].is_virtual);
  CHECK(all[4].aggregate == "P,$size$,32:S,$size$");
  CHECK(all[5].values == std::vector<std::string>{"1"});
  CHECK(expand_aggregate(*all[4].aggregate,
                         [](const std::string& name) -> std::optional<std::string> {
                           return name == "size" ? std::optional<std::string>("64") : std::nullopt;
                         }) == "P,64,32:S,64");
  CHECK_FALSE(expand_aggregate(
      "a $b$", [](const std::string&) -> std::optional<std::string> { return std::nullopt; }));
  CHECK_FALSE(expand_aggregate(
      "a $b", [](const std::string&) -> std::optional<std::string> { return "1"; }));
}

TEST_CASE("conditions in reverse Polish notation are read") {
  CHECK(holds("a b >", {{"a", 2}, {"b", 1}}));
  CHECK_FALSE(holds("a b >", {{"a", 1}, {"b", 1}}));
  CHECK(holds("x 1 =", {{"x", 1}}));
  CHECK(holds("p q &&", {{"p", 1}, {"q", 5}}));
  CHECK_FALSE(holds("p q &&", {{"p", 1}, {"q", 0}}));
  CHECK(holds("p", {{"p", 3}}));
  CHECK_FALSE(holds("p", {{"p", 0}}));
  CHECK(holds("p !", {{"p", 0}}));
  CHECK(holds("a 2 * b 1 + >= c ||", {{"a", 1}, {"b", 5}, {"c", 1}}));
  CHECK_FALSE(holds("unknown 1 =", {}));
  CHECK_FALSE(bool(RpnCondition::parse("a >")));
  CHECK_FALSE(bool(RpnCondition::parse("a b")));
  CHECK_FALSE(bool(RpnCondition::parse("")));
}

TEST_CASE("errors are reported with their line") {
  CHECK(error_of("").message.find("no parameter") != std::string::npos);
  CHECK(error_of("a -p {1 2}\nb -x\n").line == 2);
  CHECK(error_of("a -p {1 2\n").message.find("unclosed") != std::string::npos);
  CHECK(error_of("a -r 1 8\n").message.find("increment") != std::string::npos);
  CHECK(error_of("a -r 1 8 -t increment * 1\n").message.find("does not reach the end") !=
        std::string::npos);
  CHECK(error_of("a -r 1 x -t increment * 2\n").message.find("is not a number") !=
        std::string::npos);
  CHECK(error_of("a -p {1} -i \"b >\"\n").line == 1);
  CHECK(error_of("a\n").message.find("no values") != std::string::npos);
}
