// SPDX-License-Identifier: BSD-3-Clause
// Any text is a hostfile, a rankfile or a list of nodes, or is rejected with a line. What is
// accepted places every rank on a core of the machine, and is read back from a rankfile.
#include "platforms/placing/map_words.hpp"
#include "platforms/placing/rank_file.hpp"
#include "platforms/reader.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

const Machine& eight_nodes() {
  static const Machine machine = [] {
    auto read =
        read_machine(R"(<platform version="4.1"><cluster id="c" prefix="n" radical="0-7" core="4" )"
                     R"(bw="1GBps" lat="1us"/></platform>)",
                     "m.xml")
            .value();
    read.sockets.count = 2;
    return read;
  }();
  return machine;
}

void check_placement(const std::string& map, const std::string& text) {
  constexpr int procs = 3;
  const auto& machine = eight_nodes();
  auto request = with_map({.procs = procs}, map).value();
  request.map_text = std::make_shared<const std::string>(text);
  const auto placement = place(machine, request);
  if (!placement) return fuzz::must(!placement.error().message.empty(), "errors have a message");
  const auto cores = cores_of(*placement, machine);
  fuzz::must(cores.size() == procs, "every rank is placed");
  for (std::size_t rank = 0; rank < procs; ++rank)
    fuzz::must(placement->host_of[rank] < machine.host_count() && cores[rank] >= 0 &&
                   cores[rank] < machine.cores_of(placement->host_of[rank]),
               "every rank has a core of the machine");
  const auto again =
      read_rank_file(rank_file_text(*placement, machine), "r", machine, {}, procs, true);
  fuzz::must(again && again->host_of == placement->host_of && again->core_of == cores,
             "a rankfile is read back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  for (const char* map : {"hostfile:h", "rankfile:r", "slurm:arbitrary=a", "file:f"})
    check_placement(map, text);
  (void)named_nodes(text, std::nullopt);
  (void)named_nodes("@f#7", text);
  (void)with_map({}, text);
  (void)parse_fragmentation(text);
  return 0;
}
