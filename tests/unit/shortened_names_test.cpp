// SPDX-License-Identifier: BSD-3-Clause
// Long names in tables that are too wide.
#include <doctest/doctest.h>

#include "sim/reports/document/document.hpp"

using namespace tutti;
using namespace tutti::reports;

namespace {

std::string text_of(const std::string& name, std::size_t width) {
  Document document;
  document.about = {"About"};
  document.tables = {{.name = "paths",
                      .title = "Paths",
                      .table = {{"path", "more", "time_s"},
                                {{name, std::string("spare"), 1.5}, {std::string("b"), {}, 2.5}}},
                      .shown = {{"path", "Path", Shown::name},
                                {"more", "More", Shown::plain, 1},
                                {"time_s", "Time (s)", Shown::decimals}}}};
  return render_document(document, Format::text, {}, width);
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0, begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    widest = std::max(widest, end - begin);
  return widest;
}

const std::string long_name = "main/solve/" + std::string(100, 'x') + "/apply/MPI_Waitall";

}  // namespace

TEST_CASE("names that fit are not shortened") {
  CHECK(text_of("main/MPI_Recv", 80).find("main/MPI_Recv") != std::string::npos);
  CHECK(text_of(long_name, 200).find(long_name) != std::string::npos);
}

TEST_CASE("names that do not fit lose their middle, and a note reports it") {
  const std::string text = text_of(long_name, 80);
  CHECK(text.find("main/solve/") != std::string::npos);
  CHECK(text.find("...") != std::string::npos);
  CHECK(text.find("/apply/MPI_Waitall") != std::string::npos);
  CHECK(text.find("spare") != std::string::npos);
  CHECK(text.find("long names are shortened (--part paths --format csv prints them in full)") !=
        std::string::npos);
  CHECK(widest_line(text) <= 80);
}

TEST_CASE("optional columns are omitted before names become unreadable") {
  const std::string text = text_of(long_name, 40);
  CHECK(text.find("spare\n") == std::string::npos);
  CHECK(text.find("omitted for lack of width: More") != std::string::npos);
  CHECK(text.find("1.50") != std::string::npos);
}

TEST_CASE("characters of several bytes are not cut") {
  std::string name;
  for (int i = 0; i < 60; ++i) name += "ü";
  const std::string text = text_of(name, 40);
  CHECK(text.find("ü...ü") != std::string::npos);
}
