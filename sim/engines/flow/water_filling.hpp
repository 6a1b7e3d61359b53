// SPDX-License-Identifier: BSD-3-Clause
// Rates of flows over several paths as adaptive routers approximate them: water-filling. The rates
// of all flows rise together. A flow divides each further increment evenly over its open preferred
// columns; when all of them are closed, over its other open columns; when all columns are closed,
// it keeps its rate. A column closes when one of its links is saturated, and keeps its amount. With
// a single column per class, these are the max-min fair rates.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/flow/path_problem.hpp"
#include "sim/runtime/radix_queue.hpp"

namespace tutti::engines {

class WaterFilling {
 public:
  // Computes the rates, which are valid until the next call. Takes time in proportion to the uses
  // of the links, times the number of columns that a class closes one after the other.
  void solve(const PathProblem& problem);
  double rate(std::uint32_t id) const { return states_[id].rate; }
  // Whether the preferred columns of the class were closed before it had its rate.
  bool has_used_preferred(std::uint32_t id) const { return !states_[id].is_preferred; }
  // The part of a flow's rate in the column.
  double amount(std::uint32_t column) const { return amount_[column]; }

 private:
  using Index = std::uint32_t;
  struct State {
    double rate = 0;
    double amount = 0;  // amount of each open column of the tier, up to `since`
    double since = 0;
    Index open = 0;            // number of open columns of its tier; 0: the class is closed
    bool is_preferred = true;  // its tier consists of the preferred columns
  };
  struct LinkState {
    double load = 0;  // up to `since`
    double since = 0;
    double drift = 0;  // increase of the load per unit of time, which is the rate of open flows
    // The time of its valid entry in the queue: at most the time at which it is full.
    double due = std::numeric_limits<double>::infinity();
    Index users = 0;  // number of columns and trunks that fill it
    Index stamp = 0;  // stamp of its valid entry in the queue
    bool is_full = false;
    bool is_touched = false;
  };
  struct Due {
    Index link = 0;
    Index stamp = 0;
  };
  // By link: the columns that use it, or the classes whose trunks contain it.
  struct Users {
    std::vector<Index> first;  // by link: its first user in `all`
    std::vector<Index> all;
    template <class Visit>
    void list(std::size_t links, Visit visit);
    std::span<const Index> of(Index link) const {
      return {all.data() + first[link], all.data() + first[link + 1]};
    }
  };

  void prepare();
  void list_users();
  void begin_tier(Index id);
  void fill(Index id, double share);
  void fill_column(Index column, double flow, int users);
  void fill_trunk(Index id, int users);
  void touch(Index link);
  void announce();
  void queue(Index link, double due);
  double time_of_full(const LinkState& state, Index link) const;
  void pop_due();
  void saturate(Index link);
  void close_column(Index column);
  void close_class(Index id);
  void stop(Index id);
  void count(Index id);
  bool is_open(Index column) const { return is_open_[column]; }
  double share(const State& state) const { return 1.0 / state.open; }

  const PathProblem* problem_ = nullptr;
  double time_ = 0;
  Index open_ = 0;  // number of open classes
  std::vector<State> states_;
  std::vector<LinkState> links_;
  std::vector<double> amount_;  // by column
  std::vector<bool> is_open_;   // by column: it takes part of the increments
  Users columns_on_;
  Users trunks_on_;
  std::vector<Index> touched_;
  std::vector<Index> by_limit_;
  runtime::RadixQueue<Due> due_;
};

}  // namespace tutti::engines
