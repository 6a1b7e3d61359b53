// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <vector>

#include "sim/base/rank_table.hpp"
#include "sim/base/text_file.hpp"

using namespace tutti;

namespace {

std::vector<std::pair<int, std::string>> lines_of(std::string_view text) {
  LineReader reader(text, "a.csv");
  std::vector<std::pair<int, std::string>> lines;
  while (const auto line = reader.next()) lines.emplace_back(reader.number(), *line);
  return lines;
}

}  // namespace

TEST_CASE("blanks around lines, comments, blank lines and a byte order mark are ignored") {
  const std::vector<std::pair<int, std::string>> both{{1, "a b"}, {4, "c"}};
  CHECK(lines_of("\xef\xbb\xbf"
                 "a b\r\n# x\n\n \tc\t") == both);
  CHECK(lines_of("a b\n  # x\n \t\r\nc\n") == both);
  for (const char* empty : {"", "\n", "\xef\xbb\xbf", "#", "# x\n\n"})
    CHECK(lines_of(empty).empty());
}

TEST_CASE("rejected input is reported with its line") {
  LineReader reader("one\n\n  two\n#\n", "a.csv");
  CHECK(reader.next() == "one");
  CHECK(reader.next() == "two");
  reader.reject("wrong", "better");
  reader.reject_line(1, "shared");
  CHECK(reader.next() == std::nullopt);
  reader.reject("short");
  const auto& errors = reader.errors().errors();
  REQUIRE(errors.size() == 3);
  CHECK(errors[0].place == "a.csv");
  CHECK(errors[0].line == 3);
  CHECK(errors[0].source == "two");
  CHECK(errors[0].hint == "better");
  CHECK(errors[1].line == 1);
  CHECK(errors[1].source.empty());
  CHECK(errors[2].line == 4);
  CHECK(errors[2].source.empty());
}

TEST_CASE("reading stops after the last reported error") {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "x\n";
  LineReader reader(text, "a.csv");
  while (reader.next()) reader.reject("wrong");
  CHECK(reader.errors().errors().size() == ErrorList::most);
  CHECK(reader.number() == 20);
}

TEST_CASE("rows of ranks have all values, and invalid ones are rejected one by one") {
  RankRows rows("rank,offset,length\n1, 2 ,3\n1,2\n1,2,3,4\nx,2,3\n4,2,3\n-1,2,3\n 0 ,a,\n",
                "a.csv", "rank,offset,length", 4);
  std::vector<std::size_t> ranks;
  std::vector<std::vector<std::string_view>> values;
  while (const auto row = rows.next()) {
    ranks.push_back(row->rank);
    values.push_back(row->values);
  }
  CHECK(ranks == std::vector<std::size_t>{1, 0});
  CHECK(values == std::vector<std::vector<std::string_view>>{{"2", "3"}, {"a", ""}});
  std::vector<std::string> messages;
  for (const Error& error : rows.lines().errors().errors()) messages.push_back(error.message);
  CHECK(messages == std::vector<std::string>{
                        "'1,2' does not have three fields", "'1,2,3,4' does not have three fields",
                        "rank: 'x' is not a whole number: only digits are allowed",
                        "rank 4 is out of range: the job has ranks 0 to 3",
                        "rank -1 is out of range: the job has ranks 0 to 3"});
}

TEST_CASE("a file of ranks begins with its header") {
  for (const char* text : {"", "# nothing\n"}) {
    RankRows rows(text, "a.csv", "rank,node", 4);
    CHECK_FALSE(rows.next());
    CHECK(rows.lines().errors().errors().front().message == "the file is empty");
  }
  RankRows rows("0,n1\n1,n2\n", "a.csv", "rank,node", 4);
  CHECK(rows.next()->rank == 1);
  CHECK(rows.lines().errors().errors().front().message == "the header is '0,n1', not rank,node");
}
