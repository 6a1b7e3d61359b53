// SPDX-License-Identifier: BSD-3-Clause
// Sweeps the broadcast algorithms on crill and prints the fastest one for each message size.
#include <cstdio>
#include <sim/tutti.hpp>

int main() {
  using namespace tutti;
  options::OptionValues values;
  values.arguments = {"bcast"};
  values.set("--platform", {"crill"});
  values.set("--procs", {"96"});
  values.set("--algorithm", {"all"});
  values.set("--message-size", {"1KiB:1MiB:*32"});

  studies::PointInputs inputs;
  const auto made = studies::find_workload("bcast")->points(values, inputs);
  if (!made) {
    std::fprintf(stderr, "%s: %s\n", made.error().place.c_str(), made.error().message.c_str());
    return 1;
  }
  const auto answers = studies::run_points(made->points, {.jobs = 2});

  std::map<double, std::pair<double, std::string>> fastest;  // by size: time, algorithm
  for (const auto& answer : answers) {
    if (!answer) continue;
    const double size = *number_of(cell_in(*answer, "message_bytes"));
    const std::pair entry{*number_of(cell_in(*answer, "time_s")),
                          to_text(cell_in(*answer, "algorithm"))};
    if (!fastest.contains(size) || entry < fastest[size]) fastest[size] = entry;
  }
  for (const auto& [size, entry] : fastest)
    std::printf("%8.0f B  %10.2f us  %s\n", size, entry.first * 1e6, entry.second.c_str());
}
