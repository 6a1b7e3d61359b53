// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/otpo_file.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace tutti;
using namespace tutti::studies::tuning;

namespace {

bool holds(const std::string& text, const std::map<std::string, RpnCondition::Operand>& values) {
  const auto condition = RpnCondition::parse(text);
  REQUIRE(condition);
  return condition->holds([&](const std::string& name) -> std::optional<RpnCondition::Operand> {
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
  CHECK(all[2].condition->names([](const auto&) { return false; }) ==
        std::vector<std::string>{"x", "y"});
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

// The forms of the files in OTPO's repository at 0fb5652: MPI_IO_PARAMS has values without braces
// before and after texts in conditions, OpenIB_Parameters.txt has negative values, conditions
// without quotes and virtual parts of an aggregate.
TEST_CASE("all forms of OTPO's own files are read") {
  const auto read = read_otpo_file(
      "fcoll -p two_phase vulcan dynamic_gen2\r\n"
      "fcoll_vulcan_num_groups -i \"fcoll vulcan =\" -p 1 8 \n"
      "fcoll_dynamic_gen2_cycle_buffer_size -p  1048576, 8388608,33554432 -i \"fcoll dynamic_gen2 "
      "=\"\n"
      "free_list_max -d -1 -p -1 128 512\n"
      "eager_rdma_num -d 16 -r 8 32 -t increment * 2 -i use_eager_rdma\n"
      "queue_kind -v -p {S}\n"
      "queue_counts -v -p { 4,16 , 64 }\n"
      "queue_low -v -d 4 -r 4 16 -t increment * 2 -i \"queue_counts queue_low >\"\n"
      "queues -a \"$queue_kind$,$queue_counts$,$queue_low$\"\n",
      "params");
  REQUIRE(read);
  const auto& all = *read;
  REQUIRE(all.size() == 9);
  using Texts = std::vector<std::string>;
  CHECK(all[0].values == Texts{"two_phase", "vulcan", "dynamic_gen2"});
  CHECK(all[1].values == Texts{"1", "8"});
  CHECK(all[2].values == Texts{"1048576", "8388608", "33554432"});
  CHECK(all[3].values == Texts{"-1", "128", "512"});
  CHECK(all[4].values == Texts{"8", "16", "32"});
  CHECK(all[5].values == Texts{"S"});
  CHECK(all[6].values == Texts{"4", "16", "64"});
  const auto is_parameter = [&](const std::string& name) {
    return std::ranges::find(all, name, &OtpoParameter::name) != all.end();
  };
  CHECK(all[1].condition->names(is_parameter) == Texts{"fcoll"});
  CHECK(all[4].condition->names(is_parameter) == Texts{"use_eager_rdma"});
  CHECK(all[7].condition->names(is_parameter) == Texts{"queue_counts", "queue_low"});
  const auto with_fcoll = [&](const std::string& value) {
    return all[2].condition->holds([&](const std::string& name) {
      return name == "fcoll" ? std::optional<RpnCondition::Operand>(value) : std::nullopt;
    });
  };
  CHECK(with_fcoll("dynamic_gen2"));
  CHECK_FALSE(with_fcoll("vulcan"));
}

TEST_CASE("conditions in reverse Polish notation are read") {
  CHECK(holds("a b >", {{"a", 2.0}, {"b", 1.0}}));
  CHECK_FALSE(holds("a b >", {{"a", 1.0}, {"b", 1.0}}));
  CHECK(holds("x 1 =", {{"x", 1.0}}));
  CHECK(holds("p q &&", {{"p", 1.0}, {"q", 5.0}}));
  CHECK_FALSE(holds("p q &&", {{"p", 1.0}, {"q", 0.0}}));
  CHECK(holds("p", {{"p", 3.0}}));
  CHECK_FALSE(holds("p", {{"p", 0.0}}));
  CHECK(holds("p !", {{"p", 0.0}}));
  CHECK(holds("a 2 * b 1 + >= c ||", {{"a", 1.0}, {"b", 5.0}, {"c", 1.0}}));
  CHECK_FALSE(holds("unknown 1 =", {}));
  CHECK(holds("io static =", {{"io", "static"}}));
  CHECK_FALSE(holds("io static =", {{"io", "dynamic"}}));
  CHECK(holds("io static != n 2 > &&", {{"io", "dynamic"}, {"n", 3.0}}));
  CHECK_FALSE(holds("io static !=", {{"io", "static"}}));
  CHECK_FALSE(holds("io static =", {{"io", 3.0}}));
  CHECK_FALSE(holds("io static >", {{"io", 3.0}}));
  CHECK_FALSE(holds("io !", {{"io", "static"}}));
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
  // The last line of MPI_IO_PARAMS lacks its -p.
  const auto without_p = error_of("b -p 1\na -i \"b 1 =\" 10 100\n");
  CHECK(without_p.line == 2);
  CHECK(without_p.message == "unknown option '10'");
  CHECK(without_p.hint.find("values follow -p") != std::string::npos);
  CHECK(error_of("a -p -d 1\n").message.find("list of values is missing") != std::string::npos);
  CHECK(error_of("a -p\n").message.find("list of values is missing") != std::string::npos);
  CHECK(error_of("a\n").message.find("no values") != std::string::npos);
}
