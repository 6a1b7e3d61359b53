// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/guidelines/run_call.hpp"

#include "algorithms/segments.hpp"

namespace tutti::algorithms::guidelines {
namespace {

std::int64_t chunked_elements(std::int64_t elements, std::int64_t chunk, std::int64_t procs,
                              std::int64_t rank) {
  const std::int64_t chunks = elements / chunk;
  const std::int64_t share = chunks / procs * chunk;
  if (rank < chunks % procs) return share + chunk;
  return rank == chunks % procs ? share + elements % chunk : share;
}

}  // namespace

CollectiveArgs or_args(const CollectiveArgs& args, Bytes message_bytes) {
  CollectiveArgs inner = inner_args(args, message_bytes);
  inner.element_bytes = 1;
  inner.commutative = true;
  return inner;
}

InnerCall with_counts(InnerCall call, std::shared_ptr<const Counts> counts) {
  call.args.counts = counts.get();
  call.counts = std::move(counts);
  return call;
}

Padded::Padded(const CollectiveArgs& args, int procs)
    : vector_bytes(args.message_bytes), element_bytes(args.element_bytes) {
  const std::int64_t elements = elements_in(vector_bytes, element_bytes);
  block_bytes = (elements + procs - 1) / procs * element_bytes;
  total_bytes = procs * block_bytes;
}

void Padded::fill(Rank& me, std::int32_t padded, std::int32_t vector) const {
  me.copy(Slice{0, vector_bytes, padded}, Slice{0, vector_bytes, vector});
  const std::int64_t padding = (total_bytes - vector_bytes) / element_bytes;
  me.copy({{vector_bytes, element_bytes, padded}, element_bytes, padding},
          {{0, element_bytes, vector}, 0, padding});
}

std::shared_ptr<const Counts> chunked_counts(const CollectiveArgs& args, int procs) {
  const std::int64_t elements = elements_in(args.message_bytes, args.element_bytes);
  const std::int64_t chunk = chunk_elements(args);
  return shared_counts(std::tuple(elements, args.element_bytes, chunk, procs), procs,
                       [&](int rank) {
                         return chunked_elements(elements, chunk, procs, rank) * args.element_bytes;
                       });
}

std::shared_ptr<const Counts> counts_at_root(const CollectiveArgs& args, int procs) {
  return shared_counts(std::tuple(args.message_bytes, args.root, procs), procs,
                       [&](int rank) { return rank == args.root ? args.message_bytes : 0; });
}

}  // namespace tutti::algorithms::guidelines
