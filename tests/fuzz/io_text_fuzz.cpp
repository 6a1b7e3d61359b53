// SPDX-License-Identifier: BSD-3-Clause
// Short files and arguments that describe a collective I/O job. Any text is a list of pieces, a
// storage, a rank map, counts or start times of ranks, hints, options of IOR, or an error with a
// message; accepted pieces are inside the file, and belong to ranks of the job.
#include "io_models/access.hpp"
#include "io_models/hints.hpp"
#include "io_models/ior/ior_command.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "platforms/placement.hpp"
#include "platforms/reader.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "workloads/benchmark.hpp"
#include "workloads/collective_call.hpp"

using namespace tutti;
using fuzz::explained;
using fuzz::must;

namespace {

constexpr int procs = 4;

void look_at(const io_models::ListAccess& access) {
  const auto range = access.range();
  must(range.begin >= 0 && range.end >= range.begin, "pieces are inside the file");
  Bytes sum = 0;
  for (int rank = 0; rank < access.procs(); ++rank) {
    const Bytes bytes = access.bytes(rank);
    must(bytes >= 0, "a rank has bytes");
    sum += bytes;
  }
  must(access.overlaps() || sum <= range.end - range.begin,
       "pieces are at most as large as the file");
}

const platforms::Machine& machine() {
  static const auto read = platforms::read_machine(
      R"(<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf")"
      R"( bw="1GBps" lat="1us"/></platform>)",
      "machine.xml");
  return *read;
}

void read_of_ranks(std::string_view text) {
  if (const auto hosts = platforms::read_map(text, "map", machine(), procs); explained(hosts))
    for (const auto host : *hosts) must(host < machine().host_count(), "ranks are on hosts");
  const auto kept = std::make_shared<const std::string>(text);
  explained(workloads::make_counts(
      {.kind = workloads::CountsSpec::Kind::file, .path = "counts.csv", .text = kept}, procs, 0,
      8));
  workloads::SkewSpec skew;
  skew.kind = workloads::SkewSpec::Kind::file;
  skew.path = "skew.csv";
  skew.text = kept;
  explained(workloads::with_ranks(std::move(skew), procs));
}

void read_hints(const std::string& text) {
  const auto hints = io_models::parse_hints(text, "hints");
  if (!explained(hints)) return;
  for (const bool writes : {false, true})
    for (const char* given : {"", "romio", "vulcan"})
      if (auto values = io_models::values_of(*hints, writes, given); explained(values))
        (void)io_models::chosen_implementation(*values, given);
  for (const bool is_for_open_mpi : {false, true})
    must(explained(
             io_models::parse_hints(io_models::hints_file_text(*hints, is_for_open_mpi), "hints")),
         "hints that are written can be read");
}

void read_ior(const std::string& text) {
  const auto command = io_models::parse_ior(text);
  if (!explained(command)) return;
  must(command->transfer_bytes > 0 && command->block_bytes % command->transfer_bytes == 0 &&
           command->transfers() > 0,
       "tasks have transfers");
  const auto without = io_models::parse_ior(io_models::without_hints_file(text));
  must(explained(without) && without->hints_file.empty() &&
           without->transfers() == command->transfers(),
       "a command without its hints file is the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  if (const auto storage = io_models::parse_storage(text); explained(storage))
    must(!storage->exists() || (storage->targets >= 1 && storage->stripe_bytes >= 1),
         "a storage has targets and stripes");
  for (const bool writes : {false, true})
    if (const auto access = io_models::read_pieces(text, "pieces.csv", procs, writes);
        explained(access))
      look_at(*access);
  read_of_ranks(text);
  read_hints(std::string(text));
  read_ior(std::string(text));
  return 0;
}
