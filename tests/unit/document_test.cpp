// SPDX-License-Identifier: BSD-3-Clause
// How text shows the columns of a document's tables.
#include "sim/reports/document/document.hpp"

#include <doctest/doctest.h>

#include "sim/reports/formats.hpp"

using namespace tutti::reports;

namespace {

struct Row {
  const char* name;
  int procs;
  double time_s;
};

std::string text_of(const std::vector<Row>& rows) {
  TableOf table(rows, {.name = "points", .title = "Times"});
  table.add("name", {.head = "Name", .once = true}, &Row::name);
  table.add("procs", {.head = "Procs", .once = true}, &Row::procs);
  table.add("time_s", {"ms", Shown::ms}, &Row::time_s);
  return render_document(listing_of("test/1", {table.take()}), Format::text);
}

}  // namespace

TEST_CASE("text omits values shown once and aligns times in ms") {
  CHECK(text_of({{"a", 4, 0.05451}, {"a", 4, 76e-9}, {"a", 8, 0}, {"b", 8, 0.0012345}}) ==
        "Times\nName  Procs      ms\n"
        "a         4  54.510\n"
        "              0.000\n"
        "          8       0\n"
        "b         8   1.234\n");
}

TEST_CASE("values by size are words; other values stay as they are") {
  CHECK(by_size_text("0:2us;16KiB:4us") == "2.00 us; from 16 KiB: 4.00 us");
  CHECK(by_size_text("0:2us:0.5ns") == "2.00 us + 0.5 ns/B");
  CHECK(by_size_text("0:none;32MiB:2.74GBps") == "none; from 32 MiB: 2.74 GB/s");
  for (const char* value : {"0.7us", "none", "a:b", "1:2:3:4"}) CHECK(by_size_text(value) == value);
  CHECK(is_by_size("0:1us;4KiB:2us"));
  CHECK(!is_by_size("0:1us"));
}
