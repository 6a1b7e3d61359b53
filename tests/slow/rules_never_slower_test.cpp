// SPDX-License-Identifier: BSD-3-Clause
// Rules made at 16 to 512 processes, applied at 24 to 1,024 ranks with elements of 1, 4, 8 and 16
// bytes, are never more than 5% slower than Open MPI's own choice, for every collective with rules.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tests/support/csv_columns.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

struct Scored {
  int cells = 0;
  int decided = 0;  // by a rule
};

// Scores by collective.
std::map<std::string, Scored> score(const std::string& file,
                                    const std::vector<std::string>& options) {
  std::vector<std::string> words{"select", "evaluate", file,    "--platform", "crill", "--no-best",
                                 "-q",     "--part",   "cells", "--format",   "csv"};
  words.insert(words.end(), options.begin(), options.end());
  const auto cells = run_sim(words);
  REQUIRE_MESSAGE(cells.exit_code == 0, cells.err);
  const auto collective = column(cells, "collective"), procs = column(cells, "procs"),
             message_bytes = column(cells, "message_bytes"),
             element_bytes = column(cells, "element_bytes"), above = column(cells, "above_own"),
             line = column(cells, "rules_line");
  std::map<std::string, Scored> scored;
  for (std::size_t i = 0; i < collective.size(); ++i) {
    CAPTURE(collective[i]);
    CAPTURE(procs[i]);
    CAPTURE(message_bytes[i]);
    CAPTURE(element_bytes[i]);
    CHECK(std::stod(above[i]) <= 0.05);
    auto& of = scored[collective[i]];
    ++of.cells;
    of.decided += !line[i].empty();
  }
  return scored;
}

}  // namespace

TEST_CASE("rules are never more than 5% slower than the library's own choice") {
  const TemporaryFolder folder;
  const auto file = folder.file("made.rules");
  const auto made =
      run_sim({"select", "rules", "--platform", "crill", "--procs", "16,32,64,128,256,512",
               "--message-size", "1:1MiB:*4", "-q", "-o", file});
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  const auto inside = score(file, {"--procs", "24,31,48,100,192,384,500,512", "--message-size",
                                   "16,100,1KiB,3000,8KiB,20000,50000"});
  CHECK(inside.size() == 14);
  for (const auto& [collective, scored] : inside) {
    CAPTURE(collective);
    CHECK(scored.decided > scored.cells / 4);
  }
  // Above the largest process count, the library's own choice applies.
  for (const auto& [collective, scored] :
       score(file,
             {"--procs", "1024", "--ppn", "64", "--oversubscribe", "--message-size", "100,1KiB"}))
    CHECK_MESSAGE(scored.decided == 0, collective);
}
