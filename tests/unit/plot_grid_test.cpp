// SPDX-License-Identifier: BSD-3-Clause
// Axes, series and panels of plots; points that do not belong together are not joined.
#include <doctest/doctest.h>

#include "algorithms/collective.hpp"
#include "sim/reports/plots/grid.hpp"
#include "sim/reports/plots/picture.hpp"
#include "sim/reports/plots/plot_choice.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/result_tables.hpp"

using namespace tutti;
using namespace tutti::tests;
using reports::Grid;
using reports::PlotRequest;
using reports::WinnerPicture;

namespace {

Grid grid(const std::string& csv, const PlotRequest& request = {}) {
  const auto made = reports::grid_of(results_of(csv), request);
  if (!made) FAIL(made.error().message);
  return *made;
}

Error error_of(const std::string& csv, const PlotRequest& request) {
  const auto made = reports::grid_of(results_of(csv), request);
  REQUIRE_FALSE(made);
  return made.error();
}

const std::string two_by_two =
    "algorithm,requested_algorithm,procs,nodes,message_bytes,time_s,wall_s\n"
    "ring,ring,16,1,1024,3e-6,1\nring,ring,16,1,2048,4e-6,2\n"
    "chain,chain,16,1,1024,2e-6,3\nchain,chain,16,1,2048,8e-6,4\n"
    "ring,ring,4,1,1024,1e-6,5\n";

}  // namespace

TEST_CASE("axes are the columns that vary") {
  const Grid made = grid(two_by_two);
  CHECK(made.x == "message_bytes");
  CHECK(made.series_columns == std::vector<std::string>{"requested_algorithm"});
  CHECK(made.facet_columns == std::vector<std::string>{"procs"});
  REQUIRE(made.facets.size() == 2);
  CHECK(made.facet_name(0) == "4 processes");
  CHECK(made.series_name(0) == "chain");
  CHECK_FALSE(made.at(0, 0, 0));
  CHECK(made.at(1, 1, 1) == 4e-6);
}

TEST_CASE("if no size varies, processes are the x axis and the other column is the series") {
  const Grid made =
      grid("procs,mpi/eager_limit,time_s\n4,12KiB,1\n8,12KiB,2\n4,4KiB,3\n8,4KiB,4\n");
  CHECK(made.x == "procs");
  CHECK(made.series_columns == std::vector<std::string>{"mpi/eager_limit"});
  CHECK(made.series_name(0) == "mpi/eager_limit 4KiB");
}

TEST_CASE("points that differ only in a column that is not drawn: the error names the column") {
  const Error error = error_of(two_by_two, {.facet = std::vector<std::string>{}});
  CHECK(error.kind == ErrorKind::usage);
  CHECK(error.message ==
        "points with the same message_bytes, requested_algorithm differ in 'procs'");
  CHECK(mentions(error.hint, "--facet procs"));
}

TEST_CASE("a point with two different values is an error; the same value twice is not") {
  const std::string head = "message_bytes,time_s,wall_s\n1,5,1\n2,5,1\n";
  CHECK(grid(head + "1,5,2\n").xs.size() == 2);
  CHECK(mentions(error_of(head + "1,6,2\n", {}).message, "two values of 'time_s': 5 and 6"));
}

TEST_CASE("an algorithm chosen by rules may be the same point as the requested algorithm") {
  const Grid made = grid(
      "requested_algorithm,algorithm,message_bytes,time_s\n"
      "auto,chain,1,5\nchain,chain,1,5\nauto,ring,2,3\nring,ring,1,7\n",
      {.series = {{"algorithm"}}, .facet = std::vector<std::string>{}});
  CHECK(made.series.size() == 2);
  CHECK(made.at(0, 0, 0) == 5);
}

TEST_CASE("errors about unknown columns suggest the nearest name") {
  const Error x = error_of(two_by_two, {.x = "mesage_bytes"});
  CHECK(x.place == "--x");
  CHECK(x.hint == "did you mean 'message_bytes'?");
  CHECK(error_of(two_by_two, {.y = "tine_s"}).place == "--y");
  CHECK(mentions(error_of(two_by_two, {.y = "algorithm"}).hint, "time_s"));
  CHECK(error_of(two_by_two, {.x = "procs", .series = {{"procs"}}}).place == "--x");
}

TEST_CASE("relative values are divided by the best or by a series") {
  const Grid best = grid(two_by_two, {.relative = "best"});
  CHECK(*best.at(1, 0, 0) == exactly(1));
  CHECK(*best.at(1, 1, 0) == exactly(1.5));
  CHECK(*best.at(1, 0, 1) == exactly(2));
  const Grid ring = grid(two_by_two, {.relative = "ring"});
  CHECK(*ring.at(1, 0, 1) == exactly(2));
  CHECK(*ring.at(0, 1, 0) == exactly(1));
  CHECK(error_of(two_by_two, {.relative = "rign"}).hint == "did you mean 'ring'?");
  const std::string zero = "algorithm,message_bytes,time_s\na,1,0\nb,1,2\na,2,1\nb,2,2\n";
  CHECK(grid(zero, {.relative = "best"}).without_value == 2);
}

TEST_CASE("failed points and points without a value are counted but not drawn") {
  const Grid made = grid(
      "# failed: one: no memory\nmessage_bytes,time_s,status,error\n1,1,done,\n2,,failed,boom\n"
      "4,,done,\n8,2,done,\n");
  CHECK(made.failed == 2);
  CHECK(made.without_value == 1);
  CHECK(made.xs.size() == 2);
}

TEST_CASE("missing values are gaps, and a note reports points omitted by a log scale") {
  const Grid made = grid(
      "algorithm,message_bytes,time_s\na,0,1e-6\na,1,2e-6\na,1024,3e-6\nb,1,1e-6\nb,4096,1e-4\n");
  const auto picture = reports::lines_picture(made, "study", std::nullopt);
  REQUIRE(picture);
  CHECK(picture->x.log);
  CHECK(picture->y.log);
  CHECK_FALSE(picture->panels[0].curves[0].back().y);
  REQUIRE(picture->notes.size() == 1);
  CHECK(mentions(picture->notes[0], "1 point with message size of 0 or less omitted (log scale)"));
  CHECK_FALSE(reports::lines_picture(made, "", reports::LogAxes{true, true})->x.ticks.empty());
}

TEST_CASE("points omitted by the x axis do not extend the y axis") {
  const Grid made = grid("algorithm,segment_bytes,time_s\na,0,9\na,1,1\na,2,2\na,4,3\n");
  const auto picture = reports::lines_picture(made, "", std::nullopt);
  REQUIRE(picture);
  REQUIRE(picture->x.log);
  CHECK(picture->y.high < 4);
}

TEST_CASE("parameters that are sizes have a unit, others do not") {
  const Grid made = grid(
      "mpi/eager_limit,mpi/eager_credits,procs,time_s\n4096,4096,2,1\n65536,8192,2,2\n"
      "4096,4096,4,1\n65536,8192,4,2\n",
      {.x = "procs", .series = {{"mpi/eager_limit", "mpi/eager_credits"}}});
  CHECK(made.series_name(0) == "mpi/eager_limit 4 KiB, mpi/eager_credits 4096");
  CHECK(made.series_value(0) == "4 KiB, 4096");
}

TEST_CASE("too many panels or series are an error") {
  std::string many = "algorithm,procs,message_bytes,time_s\n";
  for (int procs = 1; procs <= 17; ++procs)
    for (int size : {1, 2})
      many += "a," + std::to_string(procs) + "," + std::to_string(size) + ",1\n";
  const auto panels = reports::lines_picture(grid(many, {.facet = {{"procs"}}}), "", std::nullopt);
  REQUIRE_FALSE(panels);
  CHECK(mentions(panels.error().message, "17 panels (by procs)"));
  const Grid all = grid(many, {.facet = {{"procs"}}});
  const Grid fewer = reports::with_fewer_facets(all, 3);
  REQUIRE(fewer.facets.size() == 3);
  CHECK(fewer.facet_name(1) == "9 processes");
  CHECK(fewer.facet_name(2) == "17 processes");
  CHECK(fewer.values.size() == 6);
}

TEST_CASE("a map of winners has the best series and the ratio of the second best") {
  const auto picture = reports::winner_picture(grid(two_by_two), "");
  REQUIRE(picture);
  REQUIRE(picture->rows == std::vector<std::string>{"4", "16"});
  CHECK(picture->columns == std::vector<std::string>{"1 KiB", "2 KiB"});
  const auto& cells = picture->cells;
  CHECK(cells[1][0].best == 0);
  CHECK(*cells[1][0].second_ratio == exactly(1.5));
  CHECK(cells[1][1].best == 1);
  CHECK(cells[0][0].best == 1);
  CHECK_FALSE(cells[0][0].second_ratio);
  CHECK_FALSE(cells[0][0].complete);
  CHECK_FALSE(cells[0][1].best);
  REQUIRE(picture->notes.size() == 3);
  CHECK(picture->notes[0] == "Number: second best / best");
  CHECK(picture->notes[1] == "White: not simulated");
  CHECK_FALSE(reports::winner_picture(grid("message_bytes,time_s\n1,1\n2,2\n"), ""));
}

namespace {

WinnerPicture winners(const std::string& csv) {
  const auto picture = reports::winner_picture(grid(csv), "");
  if (!picture) FAIL(picture.error().message);
  return *picture;
}

const std::string run_columns =
    "collective,algorithm,requested_algorithm,runs_as,procs,message_bytes,time_s\n";

}  // namespace

TEST_CASE("an algorithm that ran as another one does not compete with it") {
  const auto picture = winners(run_columns +
                               "bcast,linear,linear,,4,1,2e-6\n"
                               "bcast,scatter,scatter,linear,4,1,2e-6\n"
                               "bcast,linear,auto,,4,1,2e-6\n"
                               "bcast,chain,chain,,4,1,3e-6\nbcast,chain,chain,,4,2,3e-6\n");
  const auto& cell = picture.cells[0][0];
  CHECK_FALSE(cell.is_tie());
  CHECK(picture.series[*cell.best] == "linear");
  CHECK(*cell.second_ratio == exactly(1.5));
}

TEST_CASE("`auto` wins if the rules choose better parameters for the same algorithm") {
  const auto picture = winners(run_columns +
                               "bcast,chain,chain,,4,1,3e-6\nbcast,chain,auto,,4,1,2e-6\n"
                               "bcast,chain,chain,,4,2,3e-6\n");
  CHECK(picture.series[*picture.cells[0][0].best] == "auto");
}

TEST_CASE("values that differ by less than the printed precision are a tie") {
  const auto picture =
      winners("algorithm,message_bytes,time_s\na,1,1000\nb,1,1004\nc,1,1006\na,2,1\nb,2,2\n");
  CHECK(picture.cells[0][0].tied == std::vector<std::size_t>{0, 1});
  CHECK_FALSE(picture.cells[0][1].is_tie());
  CHECK_FALSE(picture.cells[0][1].complete);
}

TEST_CASE("abstract models do not compete with implementations") {
  const auto picture = winners(
      "operation,implementation,aggregators,procs,time_s\n"
      "write,generic,1,4,1\nwrite,romio,1,4,2\nwrite,vulcan,1,4,3\nwrite,romio,1,8,2\n");
  CHECK(picture.series[*picture.cells[0][0].best] == "romio");
  CHECK(mentions(picture.notes.back(), "does not compete"));
}

TEST_CASE("algorithms of another collective do not make a cell incomplete") {
  const auto picture = winners(
      "collective,algorithm,message_bytes,time_s\n"
      "bcast,chain,1,1\nbcast,binomial,1,2\nscan,linear,1,1\nscan,ring,1,2\n"
      "bcast,chain,2,1\nbcast,binomial,2,2\nscan,linear,2,1\nscan,ring,2,2\n");
  CHECK(picture.cells[0][0].complete);
  CHECK(picture.cells[1][0].complete);
}

TEST_CASE("panels of several columns form a grid with headings") {
  std::string csv = "collective,procs,message_bytes,time_s\n";
  for (const char* name : {"bcast", "reduce"})
    for (const int procs : {16, 4})
      for (const int size : {1, 2})
        csv +=
            std::string(name) + "," + std::to_string(procs) + "," + std::to_string(size) + ",1\n";
  const PlotRequest request{.series = std::vector<std::string>{},
                            .facet = {{"collective", "procs"}}};
  const auto picture = reports::lines_picture(grid(csv, request), "", std::nullopt);
  REQUIRE(picture);
  CHECK(picture->columns == std::vector<std::string>{"bcast", "reduce"});
  CHECK(picture->rows == std::vector<std::string>{"4 processes", "16 processes"});
  CHECK(picture->panels.size() == 4);
  CHECK(picture->panels.front().title.empty());
  PlotRequest turned = request;
  turned.facet_rows = {{"collective"}};
  const auto other = reports::lines_picture(grid(csv, turned), "", std::nullopt);
  CHECK(other->rows == std::vector<std::string>{"bcast", "reduce"});
}

TEST_CASE("ratios have a log2 axis and a line at 1") {
  const auto picture =
      reports::lines_picture(grid(two_by_two, {.relative = "ring"}), "", std::nullopt);
  REQUIRE(picture);
  CHECK(picture->y.is_ratio);
  CHECK(picture->y.log);
  REQUIRE(picture->levels.size() == 1);
  CHECK(picture->levels[0].y == 1);
  CHECK(picture->y.low < 1);
  CHECK(picture->y.high > 2);
}

TEST_CASE("every algorithm of Open MPI 4.1 has a unique color within its collective") {
  for (const auto& collective : algorithms::all_collectives()) {
    std::map<std::size_t, std::string_view> names;
    for (const auto* algorithm : algorithms::algorithms_of(collective.name)) {
      if (!algorithm->set.empty()) continue;  // takes a color that the picture does not use
      CAPTURE(algorithm->name);
      const auto place = reports::place_of_algorithm(algorithm->name);
      REQUIRE_MESSAGE(place, "a new algorithm gets a line in sim/reports/plots/looks.cpp");
      const auto [found, is_new] = names.try_emplace(*place, algorithm->name);
      CHECK_MESSAGE(is_new, found->second);
    }
  }
  CHECK(reports::looks_of({"x", "ring", "auto"})[1].colour ==
        reports::looks_of({"ring"})[0].colour);
}

TEST_CASE("a page begins with the best algorithm, where it is the best, and by how much") {
  const auto sentences = reports::answers(grid(run_columns + "bcast,chain,chain,,4,1024,2e-6\n"
                                                             "bcast,ring,ring,,4,1024,3e-6\n"
                                                             "bcast,ring,auto,,4,1024,3e-6\n"
                                                             "bcast,chain,chain,,4,2048,2e-6\n"
                                                             "bcast,ring,ring,,4,2048,4e-6\n"
                                                             "bcast,chain,auto,,4,2048,2e-6\n"));
  REQUIRE(sentences.size() == 2);
  CHECK(sentences[0] == "chain is the fastest in 2 of 2 cases (1 KiB to 2 KiB), by up to 2.00x.");
  CHECK(sentences[1] ==
        "auto is up to 1.50x slower than the best (1 KiB), 1.22x in the geometric mean.");
}

TEST_CASE("gaps of a panel are only at its own values of x") {
  const auto picture = reports::lines_picture(
      grid("collective,algorithm,message_bytes,time_s\n"
           "bcast,auto,1,1\nbcast,auto,2,1\nbcast,auto,4,1\nbcast,chain,1,2\nbcast,chain,4,2\n"
           "reduce,auto,1,1\nreduce,auto,4,1\nscan,auto,1,1\nscan,auto,2,\nscan,auto,4,1\n"),
      "", std::nullopt);
  REQUIRE(picture);
  REQUIRE(picture->panels.size() == 3);
  CHECK(picture->panels[2].curves[0].size() == 3);
  CHECK_FALSE(picture->panels[2].curves[0][1].y);
  CHECK(picture->panels[0].curves[0].size() == 3);
  CHECK_FALSE(picture->panels[0].curves[1][1].y);
  CHECK(picture->panels[1].curves[0].size() == 2);
  CHECK(picture->panels[1].curves[0].back().y);
}

TEST_CASE("facets that do not vary are constants, and legends name their columns once") {
  const auto picture = reports::lines_picture(
      grid("algorithm,procs,message_bytes,time_s\nring,32,1,1\nring,32,2,2\nchain,32,1,1\n",
           {.series = {{"algorithm", "procs"}}, .facet = {{"procs"}}}),
      "", std::nullopt);
  REQUIRE(picture);
  CHECK(picture->panels.front().title.empty());
  CHECK(picture->subtitle == "32 processes");
  CHECK(picture->series == std::vector<std::string>{"chain", "ring"});
}

TEST_CASE("a series without a point that can be drawn is not in the legend") {
  const auto picture = reports::lines_picture(
      grid("algorithm,segment_bytes,time_s\nauto,0,9\nring,1,1\nring,2,2\nring,4,3\n",
           {.series = {{"algorithm"}}}),
      "", std::nullopt);
  REQUIRE(picture);
  CHECK(picture->legend == std::vector<std::size_t>{1});
  CHECK(mentions(picture->notes.front(), "1 point with no segmentation omitted (log scale)"));
}

TEST_CASE("residuals at rounding noise have an axis of at least 1 %") {
  const auto picture = reports::lines_picture(
      grid("message_bytes,residual\n1,-5e-16\n2,0\n4,3e-16\n", {.y = "residual"}), "",
      std::nullopt);
  REQUIRE(picture);
  CHECK(picture->y.label == "residual");
  CHECK(picture->y.quantity == reports::Quantity::fraction);
  CHECK(picture->y.low <= -0.01);
  CHECK(picture->y.high >= 0.01);
}

TEST_CASE("auto:best does not compete with the algorithms that it chooses from") {
  const auto picture = winners(run_columns +
                               "bcast,linear,linear,,4,1,2e-6\nbcast,chain,chain,,4,1,3e-6\n"
                               "bcast,chain,auto:best,,4,1,1e-6\nbcast,linear,linear,,4,2,2e-6\n");
  CHECK(picture.series[*picture.cells[0][0].best] == "linear");
  CHECK(mentions(picture.notes.back(), "auto:best is the best by definition"));
}

TEST_CASE("plots of different rows become panels if they fit, else the others are named") {
  reports::ResultFile file = results_of(
      "collective,algorithm,message_bytes,time_s\nbcast,ring,1,1\nbcast,ring,2,1\n"
      "reduce,ring,1,1\nreduce,ring,2,1\n");
  const auto of = [](const char* collective) {
    return reports::PlotWords{{"series", "algorithm"},
                              {"only", std::string("collective=") + collective},
                              {"title", "Times"}};
  };
  file.plots = {of("bcast"), of("reduce")};
  const auto merged = reports::choose_plot(file);
  CHECK(merged.others.empty());
  const auto spec = reports::plot_spec(merged.words);
  REQUIRE(spec);
  CHECK(spec->title == "Times");
  CHECK(spec->request.only.empty());
  CHECK(spec->request.facet == std::vector<std::string>{"collective"});
  file.plots = {of("bcast"), {{"y", "procs"}, {"x", "message_bytes"}}, of("scan")};
  CHECK(reports::choose_plot(file).words == of("bcast"));
  file.plots = {of("bcast"), {{"x", "time_s"}, {"y", "message_bytes"}, {"title", "Sizes"}}};
  CHECK(reports::choose_plot(file).others ==
        std::vector<std::string>{"--x time_s --y message_bytes (Sizes)"});
}

TEST_CASE("columns of a map have short texts of sizes, if these differ") {
  const auto picture = winners(
      "algorithm,message_bytes,time_s\nring,2047,1\nring,2048,1\nring,5793,1\nring,12287,1\n"
      "ring,12288,1\nchain,2048,2\n");
  CHECK(picture.columns ==
        std::vector<std::string>{"2047 B", "2 KiB", "5.66 KiB", "12287 B", "12 KiB"});
}
