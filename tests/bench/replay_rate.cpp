// SPDX-License-Identifier: BSD-3-Clause
// Prints CPU seconds of each step of a replay and events per second, for `tests/bench/replay`.
// bench_replay_rate TRACE
#include <fmt/format.h>
#include <sys/resource.h>

#include "sim/replay/replay.hpp"
#include "workloads/traces/otf2_reader.hpp"

namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// Includes finished children, as traces are read in a child.
double cpu_s() {
  double sum_s = 0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(whose, &used);
    sum_s += seconds(used.ru_utime) + seconds(used.ru_stime);
  }
  return sum_s;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tutti;
  if (argc != 2) return 2;
  const double begin_s = cpu_s();
  const auto trace = workloads::traces::read_otf2(argv[1]);
  if (!trace) return 1;
  const double read_s = cpu_s();
  const auto result = studies::replay::replay(*trace, {});
  const double end_s = cpu_s();
  const auto events = static_cast<double>(result.events);
  fmt::print("read             {:.2f} s, {:.1f} million events per second\n", read_s - begin_s,
             1e-6 * events / (read_s - begin_s));
  fmt::print("replay, recorded {:.2f} s, {:.1f} million events per second\n", end_s - read_s,
             1e-6 * events / (end_s - read_s));
}
