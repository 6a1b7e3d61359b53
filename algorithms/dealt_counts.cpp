// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/dealt_counts.hpp"

#include <tuple>
#include <vector>

#include "algorithms/rank_blocks.hpp"
#include "algorithms/segments.hpp"

namespace tutti::algorithms {
namespace {

std::shared_ptr<const Counts> make_table(const CollectiveArgs& args, int procs) {
  const RankBlocks blocks = RankBlocks::of_vector(args, procs);
  std::vector<Bytes> bytes(procs);
  for (int rank = 0; rank < procs; ++rank) bytes[rank] = blocks.bytes(rank);
  return std::make_shared<const Counts>(bytes);
}

// Every rank of a job asks for the same.
std::shared_ptr<const Counts> shared_table(const CollectiveArgs& args, int procs) {
  struct Last {
    std::tuple<Bytes, Bytes, int> asked;
    std::weak_ptr<const Counts> table;
  };
  thread_local Last last;
  const std::tuple asked{args.message_bytes, args.element_bytes, procs};
  std::shared_ptr<const Counts> table = last.table.lock();
  if (table == nullptr || last.asked != asked) {
    table = make_table(args, procs);
    last = {asked, table};
  }
  return table;
}

}  // namespace

DealtCall dealt_call(const CollectiveArgs& args, int procs) {
  const Bytes total_bytes = RankBlocks::of_vector(args, procs).total();
  const std::int64_t elements = elements_in(total_bytes, args.element_bytes);
  DealtCall call{nullptr,
                 {.message_bytes = elements / procs * args.element_bytes,
                  .element_bytes = args.element_bytes,
                  .counts = args.counts,
                  .commutative = args.commutative}};
  if (args.counts == nullptr && elements % procs != 0) {
    call.table = shared_table(args, procs);
    call.args.counts = call.table.get();
  }
  return call;
}

}  // namespace tutti::algorithms
