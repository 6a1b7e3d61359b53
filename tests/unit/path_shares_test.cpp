// SPDX-License-Identifier: BSD-3-Clause
// Rates of flows over several paths in isolation: against solutions of linear programs (COIN-OR
// Clp), against the audit, and by hand.
#include "sim/engines/flow/path_shares.hpp"

#include <doctest/doctest.h>

#include "sim/engines/flow/fair_shares.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/share_audit.hpp"

#ifdef TUTTI_CLP
#include <coin/ClpSimplex.hpp>
#endif

using namespace tutti;
using engines::ClassId;
using engines::PathColumns;
using engines::PathFilling;
using engines::PathProblem;
using engines::PathShares;
using engines::WaterFilling;
using tests::Draw;
using tests::exactly;

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

// A random network with equal capacities in every second case, so that many links are full at once.
PathProblem random_problem(Draw& draw, bool is_symmetric, std::uint32_t most_columns) {
  PathProblem problem;
  const auto links = draw.between(3, 12);
  const auto number = [&](std::uint32_t from, std::uint32_t to) {
    return static_cast<double>(draw.between(from, to));
  };
  for (std::uint32_t link = 0; link < links; ++link)
    problem.capacity.push_back(is_symmetric ? number(1, 3) : number(100, 1100) / 100);
  const auto classes = draw.between(2, 10);
  for (std::uint32_t id = 0; id < classes; ++id) {
    const double limit = is_symmetric ? 1 : number(1, 40) / 20;
    problem.add_class(number(1, 3), draw.below(6) == 0 ? limit : no_limit);
    const auto columns = draw.between(1, most_columns);
    for (std::uint32_t column = 0; column < columns; ++column) {
      std::vector<PathProblem::Use> uses;
      for (std::uint32_t use = draw.between(1, 4); use > 0; --use)
        uses.push_back({draw.between(0, links - 1), is_symmetric ? 1 : number(1, 4) / 4});
      problem.add_column(uses, column < 2);
    }
  }
  return problem;
}

#ifdef TUTTI_CLP

// Max-min fair rates by their definition: repeatedly, the largest rate that all open classes can
// have, which those keep that cannot get more.
class FairByPrograms {
 public:
  explicit FairByPrograms(const PathProblem& problem)
      : problem_(problem), rate_(problem.classes.size(), -1) {}

  std::vector<double> run() {
    for (std::size_t open = rate_.size(); open > 0;) {
      const double level = solve(none, 0);
      std::vector<double> most(rate_.size(), no_limit);
      double least = no_limit;
      for (std::size_t id = 0; id < rate_.size(); ++id) {
        if (rate_[id] >= 0) continue;
        most[id] = solve(id, level);
        least = std::min(least, most[id]);
      }
      for (std::size_t id = 0; id < rate_.size(); ++id) {
        if (rate_[id] >= 0 || most[id] > least * (1 + 1e-9)) continue;
        rate_[id] = level;
        --open;
      }
    }
    return rate_;
  }

 private:
  static constexpr std::size_t none = SIZE_MAX;

  // The largest rate of class `id` if all open ones have at least `level`; with `none`, the largest
  // level. Rates that were found before may fall by as little as the solver's rounding errors
  // require.
  double solve(std::size_t id, double level) const {
    for (double slack = 1e-13; slack < 1e-10; slack *= 10)
      if (const auto most = solve(id, level, slack)) return *most;
    FAIL("Clp finds no solution");
    return 0;
  }

  std::optional<double> solve(std::size_t id, double level, double slack) const {
    const int columns = static_cast<int>(problem_.columns.size());
    ClpSimplex program;
    program.setLogLevel(0);
    program.resize(0, columns + 1);
    program.setOptimizationDirection(-1);
    for (int column = 0; column <= columns; ++column) {
      program.setColumnBounds(column, 0, COIN_DBL_MAX);
      const bool is_wanted =
          id == none ? column == columns : column < columns && problem_.columns[column].owner == id;
      program.setObjectiveCoefficient(column, is_wanted ? 1 : 0);
    }
    add_classes(program, columns, id == none ? std::optional<double>() : level * (1 - slack),
                slack);
    add_links(program);
    program.setPrimalTolerance(1e-11);
    program.primal();
    if (program.status() != 0) return std::nullopt;
    return program.objectiveValue();
  }

  void add_classes(ClpSimplex& program, int columns, std::optional<double> level,
                   double slack) const {
    for (std::size_t id = 0; id < rate_.size(); ++id) {
      const auto& each = problem_.classes[id];
      std::vector<int> of_class(each.end_column - each.first_column);
      std::iota(of_class.begin(), of_class.end(), static_cast<int>(each.first_column));
      std::vector<double> ones(of_class.size(), 1);
      const auto count = [&] { return static_cast<int>(of_class.size()); };
      const double limit = each.limit < no_limit ? each.limit : COIN_DBL_MAX;
      if (rate_[id] >= 0) {
        program.addRow(count(), of_class.data(), ones.data(), rate_[id] * (1 - slack),
                       COIN_DBL_MAX);
      } else {
        program.addRow(count(), of_class.data(), ones.data(), level.value_or(0), limit);
        if (level) continue;
        of_class.push_back(columns);
        ones.push_back(-1);
        program.addRow(count(), of_class.data(), ones.data(), 0, COIN_DBL_MAX);
      }
    }
  }

  void add_links(ClpSimplex& program) const {
    for (std::uint32_t link = 0; link < problem_.capacity.size(); ++link) {
      std::vector<int> over;
      std::vector<double> weights;
      for (std::uint32_t column = 0; column < problem_.columns.size(); ++column)
        for (const auto& use : problem_.uses_of(column)) {
          if (use.link != link) continue;
          over.push_back(static_cast<int>(column));
          weights.push_back(use.weight * problem_.classes[problem_.columns[column].owner].flows);
        }
      program.addRow(static_cast<int>(over.size()), over.data(), weights.data(), -COIN_DBL_MAX,
                     problem_.capacity[link]);
    }
  }

  const PathProblem& problem_;
  std::vector<double> rate_;  // -1: open
};

#endif

PathColumns columns_of(const PathProblem& problem, std::uint32_t id) {
  PathColumns columns;
  const auto& each = problem.classes[id];
  for (std::uint32_t column = each.first_column; column < each.end_column; ++column) {
    const auto uses = problem.uses_of(column);
    columns.uses.insert(columns.uses.end(), uses.begin(), uses.end());
    columns.ends.push_back(columns.uses.size());
  }
  columns.preferred = each.end_preferred - each.first_column;
  return columns;
}

PathColumns paths(const std::vector<std::vector<std::uint32_t>>& links, std::size_t preferred) {
  PathColumns columns;
  for (const auto& path : links) {
    for (const std::uint32_t link : path) columns.uses.push_back({link, 1});
    columns.ends.push_back(columns.uses.size());
  }
  columns.preferred = preferred;
  return columns;
}

}  // namespace

#ifdef TUTTI_CLP
TEST_CASE("optimal rates are the solutions of linear programs on 500 random networks") {
  Draw draw(43);
  PathFilling filling;
  int divided = 0;
  for (int network = 0; network < 500; ++network) {
    CAPTURE(network);
    const PathProblem problem = random_problem(draw, network % 2 == 0, 5);
    filling.solve(problem);
    const auto right = FairByPrograms(problem).run();
    for (std::uint32_t id = 0; id < right.size(); ++id) {
      CAPTURE(id);
      CHECK(std::abs(filling.rate(id) - right[id]) <= 1e-9 * right[id]);
      const auto& each = problem.classes[id];
      divided += std::count_if(problem.columns.begin() + each.first_column,
                               problem.columns.begin() + each.end_column, [&](const auto& column) {
                                 const auto at = &column - problem.columns.data();
                                 return filling.amount(static_cast<std::uint32_t>(at)) > 1e-6;
                               }) > 1;
    }
  }
  CHECK(divided > 300);  // flows that really use several paths
}

TEST_CASE(
    "rates of classes with one column are the solutions of linear programs, by both methods") {
  Draw draw(44);
  PathFilling filling;
  WaterFilling water;
  for (int network = 0; network < 500; ++network) {
    CAPTURE(network);
    const PathProblem problem = random_problem(draw, network % 2 == 0, 1);
    filling.solve(problem);
    water.solve(problem);
    const auto right = FairByPrograms(problem).run();
    for (std::uint32_t id = 0; id < right.size(); ++id) {
      CHECK(std::abs(filling.rate(id) - right[id]) <= 1e-9 * right[id]);
      CHECK(std::abs(water.rate(id) - right[id]) <= 1e-9 * right[id]);
    }
  }
}
#endif

TEST_CASE("flows start and end at random, and every solve is audited") {
  for (const bool is_optimal : {false, true}) {
    CAPTURE(is_optimal);
    Draw draw(45);
    for (int network = 0; network < 40; ++network) {
      CAPTURE(network);
      const PathProblem problem = random_problem(draw, network % 2 == 0, 5);
      PathShares shares(problem.capacity.size(), is_optimal);
      for (std::uint32_t link = 0; link < problem.capacity.size(); ++link)
        shares.set_capacity(link, problem.capacity[link]);
      std::vector<ClassId> ids;
      for (std::uint32_t id = 0; id < problem.classes.size(); ++id)
        ids.push_back(shares.add(columns_of(problem, id), problem.classes[id].limit));
      std::vector<double> rate(ids.size());
      for (int change = 0; change < 30; ++change) {
        for (std::uint32_t i = draw.between(1, 3); i > 0; --i)
          shares.set_flows(draw.one_of(ids), draw.between(0, 3));
        const auto changed = shares.solve();
        REQUIRE(audit(shares) == "");
        for (const ClassId id : changed) rate[id] = shares.rate(id);
        for (const ClassId id : ids)
          if (shares.flows(id) > 0) CHECK(rate[id] == shares.rate(id));
      }
    }
  }
}

// Links of hosts for sending and receiving, and between them random paths over a network that is
// overloaded in places: most changes affect only part of the flows.
class Fabric {
 public:
  Fabric(Draw& draw, bool is_optimal, std::uint32_t hosts)
      : draw_(draw), hosts_(hosts), shares_(3 * hosts, is_optimal) {
    for (std::uint32_t link = 0; link < 3 * hosts; ++link)
      shares_.set_capacity(link, link < 2 * hosts ? 1 : draw.between(4, 16) / 4.0);
    for (std::uint32_t pair = 0; pair < 4 * hosts; ++pair) ids_.push_back(new_pair());
  }

  // Some classes get other numbers of flows, or are replaced by others; returns whether all rates
  // are right.
  std::string change() {
    for (std::uint32_t i = draw_.between(1, draw_.below(4) == 0 ? 12 : 3); i > 0; --i) {
      ClassId& id = ids_[draw_.below(ids_.size())];
      const bool has_flows = shares_.flows(id) > 0;
      shares_.set_flows(id, has_flows ? 0 : draw_.between(1, 3));
      if (has_flows && draw_.below(3) == 0) {
        shares_.remove(id);
        id = new_pair();
      }
    }
    shares_.solve();
    return shares_.has_failed() ? "no optimum was found" : audit(shares_);
  }
  // Of a class and a solve, the fraction that was filled.
  double filled() const {
    return static_cast<double>(shares_.fillings()) /
           static_cast<double>(shares_.solves() * static_cast<std::int64_t>(ids_.size()));
  }

 private:
  ClassId new_pair() { return draw_.below(4) == 0 ? new_even_pair() : new_divided_pair(); }

  // One column, which divides the flow evenly over paths that may meet.
  ClassId new_even_pair() {
    PathColumns columns{.uses = {}, .ends = {}, .preferred = 1};
    const auto count = draw_.between(2, 3);
    const double part = 1.0 / count;
    const auto out = draw_.between(0, hosts_ - 1), in = draw_.between(hosts_, 2 * hosts_ - 1);
    for (std::uint32_t path = 0; path < count; ++path)
      columns.uses.insert(
          columns.uses.end(),
          {{out, part}, {draw_.between(2 * hosts_, 3 * hosts_ - 1), part}, {in, part}});
    columns.ends.push_back(columns.uses.size());
    return shares_.add(columns, no_limit);
  }

  ClassId new_divided_pair() {
    PathColumns columns;
    const auto out = draw_.between(0, hosts_ - 1), in = draw_.between(hosts_, 2 * hosts_ - 1);
    const auto count = draw_.between(1, 4);
    for (std::uint32_t column = 0; column < count; ++column) {
      columns.uses.push_back({out, 1});
      for (auto hops = draw_.between(1, column == 0 ? 1 : 3); hops > 0; --hops)
        columns.uses.push_back({draw_.between(2 * hosts_, 3 * hosts_ - 1), 1});
      columns.uses.push_back({in, 1});
      columns.ends.push_back(columns.uses.size());
    }
    columns.preferred = draw_.between(1, count);
    return shares_.add(columns, draw_.below(8) == 0 ? 0.25 : no_limit);
  }

  Draw& draw_;
  std::uint32_t hosts_;
  PathShares shares_;
  std::vector<ClassId> ids_;
};

TEST_CASE("a change is computed for the flows that it can affect, and all rates are right") {
  for (const bool is_optimal : {false, true}) {
    CAPTURE(is_optimal);
    Draw draw(46);
    double filled = 0;
    for (int network = 0; network < 30; ++network) {
      CAPTURE(network);
      Fabric fabric(draw, is_optimal, draw.between(4, 24));
      for (int change = 0; change < 60; ++change) REQUIRE(fabric.change() == "");
      filled += fabric.filled() / 30;
    }
    CHECK(filled > 0.02);
    CHECK(filled < 0.3);
  }
}

// Link 0 (capacity 2) is the shortest path of both flows; the second has a detour over links 1 and
// 2 (capacity 3 and 1).
static std::pair<ClassId, ClassId> start_two_flows(PathShares& shares) {
  shares.set_capacity(0, 2);
  shares.set_capacity(1, 3);
  shares.set_capacity(2, 1);
  const ClassId direct = shares.add(paths({{0}}, 1), no_limit);
  const ClassId divided = shares.add(paths({{0}, {1, 2}}, 1), no_limit);
  shares.set_flows(direct, 1);
  shares.set_flows(divided, 1);
  shares.solve();
  return {direct, divided};
}

TEST_CASE("water-filling by hand: shortest paths first, then detours, and what flows stays") {
  PathShares shares(3, false);
  const auto [direct, divided] = start_two_flows(shares);
  CHECK(shares.rate(direct) == exactly(1));
  CHECK(shares.rate(divided) == exactly(2));
  shares.set_flows(direct, 0);
  shares.solve();
  CHECK(shares.rate(divided) == exactly(3));
}

TEST_CASE("optimal rates by hand: a flow with a detour leaves the shortest path to another") {
  PathShares shares(3, true);
  const auto [direct, divided] = start_two_flows(shares);
  CHECK(std::abs(shares.rate(direct) - 1.5) < 1e-9);
  CHECK(std::abs(shares.rate(divided) - 1.5) < 1e-9);
  CHECK(audit(shares) == "");
}
