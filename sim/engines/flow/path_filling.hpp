// SPDX-License-Identifier: BSD-3-Clause
// Max-min fair rates of flows that may be divided over several paths.
//
// A class of n flows has columns, each a path or a fixed division over paths: the capacity that it
// uses on each link per unit of its rate. The rate of a flow is the sum over its columns. Among all
// divisions, the rates are max-min fair: no flow can get more unless one with at most its rate gets
// less. The rates are unique, the division is not.
//
// All rates rise together as t. With the division of the rates as a linear program in standard form
// A y = b + g t, y >= 0 (columns of the classes, slacks of the links), t is a parameter, and the
// basis is kept feasible by parametric dual simplex steps (Gass, Saaty, Naval Res. Logist. Q. 2,
// 1955). Where no step exists, its row gives prices of links, which prove that a flow can get more
// only from other flows on priced links. These flows keep their rates, and t continues to rise.
// Every class has a key column (generalized upper bounds: Dantzig, Van Slyke, J. Comput. Syst. Sci.
// 1, 1967), so that the matrix of the basis has one row for each saturated link over which several
// columns of a class compete.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/flow/basis_inverse.hpp"
#include "sim/engines/flow/path_problem.hpp"

namespace tutti::engines {

// Prices of links, which prove that flows with this rate cannot get more: the sum of price x
// capacity over the links equals the sum of flows x rate x price of the cheapest column over the
// classes, and no class whose cheapest column has a price above 0 has a higher rate.
struct PathPrice {
  double rate = 0;
  std::vector<PathProblem::Use> links;  // `weight`: the price
};

class PathFilling {
 public:
  // Computes the rates, which are valid until the next call; with `certify` also the prices. False
  // if rounding errors or the number of steps prevent a solution: then there are no rates.
  bool solve(const PathProblem& problem, bool certify = false);
  // The rate of each flow of the class.
  double rate(std::uint32_t id) const { return rate_[id]; }
  // The part of a flow's rate in the column.
  double amount(std::uint32_t column) const { return amount_[column]; }
  const std::vector<PathPrice>& prices() const { return prices_; }
  std::int64_t pivots() const { return pivots_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index none = UINT32_MAX;
  // The largest possible increase of t, and what stops it: a link that becomes saturated, a column
  // whose amount becomes 0, or a class that reaches its limit.
  struct Step {
    double length = std::numeric_limits<double>::infinity();
    Index link = none;
    Index column = none;
    Index owner = none;
  };

  // The state of the links, by link.
  struct Links {
    std::vector<double> capacity;   // slightly perturbed, so that links are not full at once
    std::vector<double> load;       // by all columns
    std::vector<double> key_drift;  // increase of the load per increase of t, if only keys rise
    std::vector<double> reference;  // sum of the positive terms of `key_drift`
    std::vector<double> drift;      // increase of the load per increase of t
    std::vector<double>
        gross;  // sum of the absolute terms of `drift`, by which rounding is measured
    std::vector<double> price;
  };
  // The columns of the basis that are not keys, and the rows of its matrix.
  struct Basis {
    std::vector<Index> columns;
    std::vector<Index> position;  // by column: its index in `columns`
    std::vector<Index> rows;      // saturated links
    std::vector<Index> row_of;    // by link: its index in `rows`
    BasisInverse inverse;
    std::vector<double> direction;  // increase of the amount per increase of t, by `columns`
  };
  struct Scratch {
    std::vector<double> values, products;
    std::vector<Index> same;
  };

  void prepare();
  void rebuild();
  void add_load(Index column, double amount);
  void find_direction();
  Step longest_step();
  void advance(double length);
  void leave(const Step& step);
  void leave_link(Index link);
  void leave_column(Index column);
  void freeze_full_links();
  Index cheapest_column();
  void block();
  void freeze(Index id);
  Index swap_key(Index id);
  void finish();

  double flows_of(Index column) const {
    return problem_->classes[problem_->columns[column].owner].flows;
  }
  Index key_of(Index column) const { return key_[problem_->columns[column].owner]; }
  std::span<const PathProblem::Use> uses(Index column) const { return problem_->uses_of(column); }
  double rate_now(Index id) const { return is_open_[id] ? time_ : rate_[id]; }
  double key_amount(Index id) const;
  double key_drift(Index id) const;
  double price_of(Index column) const;
  double weight_on(Index column, Index link) const;
  // A column or a row of the basis matrix: the capacity that columns use on a link, minus the
  // capacity that the keys of their classes use.
  void matrix_column(Index column, std::vector<double>& values);
  void matrix_row(Index link, std::vector<double>& values);
  void add_use(Index id, double factor);
  void set_price(Index link, double price);
  void clear_prices();

  const PathProblem* problem_ = nullptr;
  bool certify_ = false;
  bool is_stuck_ = false;
  double time_ = 0;                        // t, the rate of the open classes
  Index open_ = 0;                         // number of classes whose rates rise
  std::vector<double> rate_;               // by class
  std::vector<double> amount_;             // by column
  std::vector<bool> is_open_;              // by class
  std::vector<Index> key_;                 // by class: its key column
  std::vector<std::vector<Index>> users_;  // by link: classes whose key crosses it, or did
  std::vector<Index> by_limit_;            // classes with a limit, by limit
  std::size_t next_limit_ = 0;             // index in by_limit_
  Links links_;
  Basis basis_;
  std::vector<Index> priced_;   // links with a price
  std::vector<Index> visited_;  // by class: the search that visited it
  Index search_ = 0;            // number of the search
  std::vector<Index> full_;     // links that the last step has saturated
  Scratch scratch_;
  int idle_steps_ = 0;  // steps of length 0 in a row
  std::vector<PathPrice> prices_;
  std::int64_t pivots_ = 0;
  std::int64_t rebuilt_ = 0;  // value of pivots_ at the last rebuild
};

}  // namespace tutti::engines
