// SPDX-License-Identifier: BSD-3-Clause
// Rates of flows over several paths as adaptive routers approximate them: water-filling. The rates
// of all flows rise together. A flow divides each further increment evenly over those of its
// preferred columns that have room; when none has, over the others that have; when all are closed,
// it keeps its rate. A column closes when one of its links is saturated; what it carries stays.
// With a single column per class, these are the max-min fair rates.
#pragma once

#include <queue>

#include "sim/base/common.hpp"
#include "sim/engines/flow/path_problem.hpp"

namespace tutti::engines {

class WaterFilling {
 public:
  // Valid until the next call. Takes time in proportion to the uses of the links, times the number
  // of columns that a class closes one after the other.
  void solve(const PathProblem& problem);
  double rate(std::uint32_t id) const { return states_[id].rate; }
  // The part of a flow's rate that goes over the column.
  double amount(std::uint32_t column) const { return amount_[column]; }

 private:
  using Index = std::uint32_t;
  struct State {
    double rate = 0;
    double amount = 0;  // of each open column of the tier, up to `since`
    double since = 0;
    Index open = 0;            // columns among which it divides its increments; 0: closed
    bool is_preferred = true;  // these are the preferred ones
  };
  struct LinkState {
    double load = 0;  // up to `since`
    double since = 0;
    double drift = 0;
    Index users = 0;  // number of columns that fill it
    Index stamp = 0;  // of its entry in the queue
    bool is_full = false;
    bool is_touched = false;
  };
  struct Due {
    double time = 0;
    Index link = 0;
    Index stamp = 0;
    bool operator>(const Due& other) const {
      return std::tie(time, link) > std::tie(other.time, other.link);
    }
  };

  void prepare();
  void list_columns();
  void begin_tier(Index id);
  void fill(Index id, double share);
  void fill_column(Index column, double flow, int users);
  void touch(Index link);
  void announce();
  bool next_due(Due& due);
  void saturate(Index link);
  void close_column(Index column);
  void close_class(Index id);
  void count(Index id);
  bool is_open(Index column) const { return is_open_[column]; }
  double share(const State& state) const { return 1.0 / state.open; }

  const PathProblem* problem_ = nullptr;
  double time_ = 0;
  Index open_ = 0;  // classes
  std::vector<State> states_;
  std::vector<LinkState> links_;
  std::vector<double> amount_;   // by column
  std::vector<bool> is_open_;    // by column: it takes part of the increments
  std::vector<Index> first_on_;  // by link: in columns_on_
  std::vector<Index> columns_on_;
  std::vector<Index> touched_;
  std::vector<Index> by_limit_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

}  // namespace tutti::engines
