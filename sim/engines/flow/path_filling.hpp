// SPDX-License-Identifier: BSD-3-Clause
// Max-min fair rates of flows that may be divided over several paths.
//
// A class of n flows has columns, each a path or a fixed division over paths: the capacity that it
// uses on each link per unit of its rate. The rate of a flow is the sum over its columns. Among all
// divisions, the rates are max-min fair: no flow can get more unless one with at most its rate gets
// less. They are unique, the division is not.
//
// All rates rise together as t. With the division of the rates as a linear program in standard form
// A y = b + g t, y >= 0 (columns of the classes, slacks of the links), t is a parameter, and the
// basis is kept feasible by parametric dual simplex steps (Gass, Saaty, Naval Res. Logist. Q. 2,
// 1955). Where no step exists, its row is a price of the links: a division with which a flow gets
// more takes it from others that its price covers. These flows keep their rates, and t rises on.
// Every class has a key column (generalized upper bounds: Dantzig, Van Slyke, J. Comput. Syst. Sci.
// 1, 1967), so that the matrix of the basis has one row for each saturated link over which several
// columns of a class compete.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/flow/basis_inverse.hpp"
#include "sim/engines/flow/path_problem.hpp"

namespace tutti::engines {

// Prices of links, at which the flows in question cannot get more: the sum of price x capacity
// equals that of flows x rate x cheapest column, and no class whose cheapest column has a price has
// a higher rate.
struct PathPrice {
  double rate = 0;
  std::vector<PathProblem::Use> links;  // `weight`: the price
};

class PathFilling {
 public:
  // Valid until the next call. `prices` of the classes are kept if `certify`. False if rounding
  // errors or the number of steps prevent a solution: then there are no rates.
  bool solve(const PathProblem& problem, bool certify = false);
  // Of each flow of the class.
  double rate(std::uint32_t id) const { return rate_[id]; }
  // The part of a flow's rate that goes over the column.
  double amount(std::uint32_t column) const { return amount_[column]; }
  const std::vector<PathPrice>& prices() const { return prices_; }
  std::int64_t pivots() const { return pivots_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index none = UINT32_MAX;
  // How far t can rise, and what stops it: a link that becomes saturated, a column whose amount
  // becomes 0, or a class that reaches its limit.
  struct Step {
    double length = std::numeric_limits<double>::infinity();
    Index link = none;
    Index column = none;
    Index owner = none;
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
  // The column of the basis matrix, or its row: what the columns take from a link instead of keys.
  void matrix_column(Index column, std::vector<double>& values);
  void matrix_row(Index link, std::vector<double>& values);
  void add_use(Index id, double factor);
  void set_price(Index link, double price);
  void clear_prices();

  const PathProblem* problem_ = nullptr;
  bool certify_ = false;
  bool is_stuck_ = false;
  double time_ = 0;  // t, the rate of the open classes
  Index open_ = 0;   // number of classes whose rates rise
  std::vector<double> rate_, amount_;
  std::vector<bool> is_open_;
  std::vector<Index> key_;                 // by class
  std::vector<std::vector<Index>> users_;  // by link: classes whose key crosses it, or did
  std::vector<Index> by_limit_;            // classes with a limit, by limit
  std::size_t next_limit_ = 0;
  std::vector<double> capacity_;
  std::vector<double> load_, key_drift_, reference_, drift_, gross_;  // by link
  std::vector<Index> basics_;    // columns of the basis that are not keys
  std::vector<Index> position_;  // by column: in basics_
  std::vector<Index> rows_;      // saturated links of the matrix
  std::vector<Index> row_of_;    // by link: in rows_
  BasisInverse inverse_;
  std::vector<double> direction_;  // of the basics
  std::vector<double> price_;      // by link
  std::vector<Index> priced_;
  std::vector<Index> visited_;  // by class: the search that visited it
  Index search_ = 0;
  std::vector<double> values_, products_;
  std::vector<Index> same_, full_;
  int idle_steps_ = 0;  // steps of length 0 in a row
  std::vector<PathPrice> prices_;
  std::int64_t pivots_ = 0;
  std::int64_t rebuilt_ = 0;  // value of pivots_
};

}  // namespace tutti::engines
