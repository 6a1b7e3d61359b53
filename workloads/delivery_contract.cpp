// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/delivery_contract.hpp"

#include "algorithms/rank_blocks.hpp"

namespace tutti::workloads {
namespace {

using algorithms::RankBlocks;
using runtime::RankId;
using runtime::Slice;

constexpr std::int32_t send = runtime::send_buffer;
constexpr std::int32_t recv = runtime::recv_buffer;

// Ranks 0 .. end-1.
std::vector<RankId> up_to(int end) {
  std::vector<RankId> ranks(end);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

class Contract {
 public:
  Contract(int procs, const algorithms::CollectiveArgs& args)
      : procs_(procs),
        args_(args),
        blocks_(RankBlocks::of_blocks(args, procs)),
        parts_(RankBlocks::of_vector(args, procs)) {
    check_.order = args.commutative ? engines::Order::any : engines::Order::as_given;
  }
  engines::DataCheck take() { return std::move(check_); }

  void nothing() {}
  void bcast() {
    before(args_.root, vector(recv));
    for (RankId rank = 0; rank < procs_; ++rank) after(rank, vector(recv), 0, {args_.root});
  }
  void allgather() {
    for (RankId source = 0; source < procs_; ++source) {
      before(source, {0, blocks_.bytes(source), send});
      for (RankId rank = 0; rank < procs_; ++rank) after(rank, blocks_.block(source), 0, {source});
    }
  }
  // A rank sends blocks of its own count, block i to rank i.
  void alltoall() {
    for (RankId source = 0; source < procs_; ++source) {
      const Bytes bytes = blocks_.bytes(source);
      before(source, {0, procs_ * bytes, send});
      for (RankId rank = 0; rank < procs_; ++rank)
        after(rank, blocks_.block(source), rank * bytes, {source});
    }
  }
  void gather() {
    for (RankId source = 0; source < procs_; ++source) {
      before(source, {0, blocks_.bytes(source), send});
      after(args_.root, blocks_.block(source), 0, {source});
    }
  }
  void scatter() {
    before(args_.root, {0, blocks_.total(), send});
    for (RankId rank = 0; rank < procs_; ++rank)
      after(rank, {0, blocks_.bytes(rank), recv}, blocks_.offset(rank), {args_.root});
  }
  void reduce() { reduce_to({args_.root}); }
  void allreduce() { reduce_to(up_to(procs_)); }
  void reduce_scatter() { reduce_to_owners(parts_); }
  void reduce_scatter_block() { reduce_to_owners(blocks_); }
  void scan() { reduce_from_below(1); }
  void exscan() { reduce_from_below(0); }

 private:
  Slice vector(std::int32_t buffer) const { return {0, args_.message_bytes, buffer}; }
  void before(RankId rank, Slice where) { check_.initial.push_back({rank, where, {0, {rank}}}); }
  void after(RankId rank, Slice where, Bytes offset, std::vector<RankId> of) {
    check_.expected.push_back({rank, where, {offset, std::move(of)}});
  }

  void reduce_to(const std::vector<RankId>& receivers) {
    for (RankId source = 0; source < procs_; ++source) before(source, vector(send));
    for (const RankId rank : receivers) after(rank, vector(recv), 0, up_to(procs_));
  }
  void reduce_to_owners(const RankBlocks& parts) {
    for (RankId rank = 0; rank < procs_; ++rank) {
      before(rank, {0, parts.total(), send});
      after(rank, {0, parts.bytes(rank), recv}, parts.offset(rank), up_to(procs_));
    }
  }
  // Rank r gets the contributions of the ranks below r + own.
  void reduce_from_below(int own) {
    for (RankId rank = 0; rank < procs_; ++rank) {
      before(rank, vector(send));
      if (rank + own > 0) after(rank, vector(recv), 0, up_to(rank + own));
    }
  }

  int procs_;
  const algorithms::CollectiveArgs& args_;
  RankBlocks blocks_;
  RankBlocks parts_;
  engines::DataCheck check_;
};

struct Row {
  std::string_view collective;
  void (Contract::*write)();
  enum class Size : unsigned char { none, per_rank, per_pair } size = Size::per_pair;
};

const Row& row_of(std::string_view collective) {
  static constexpr auto rows = std::to_array<Row>({
      {"barrier", &Contract::nothing, Row::Size::none},
      {"schedule", &Contract::nothing, Row::Size::none},
      {"bcast", &Contract::bcast, Row::Size::per_rank},
      {"allgather", &Contract::allgather},
      {"allgatherv", &Contract::allgather},
      {"alltoall", &Contract::alltoall},
      {"alltoallv", &Contract::alltoall},
      {"gather", &Contract::gather, Row::Size::per_rank},
      {"gatherv", &Contract::gather, Row::Size::per_rank},
      {"scatter", &Contract::scatter, Row::Size::per_rank},
      {"scatterv", &Contract::scatter, Row::Size::per_rank},
      {"reduce", &Contract::reduce, Row::Size::per_rank},
      {"allreduce", &Contract::allreduce},
      {"reduce_scatter", &Contract::reduce_scatter},
      {"reduce_scatter_block", &Contract::reduce_scatter_block},
      {"scan", &Contract::scan},
      {"exscan", &Contract::exscan},
  });
  const auto* found = std::ranges::find(rows, collective, &Row::collective);
  TUTTI_CHECK(found != rows.end(), "a collective without a contract");
  return *found;
}

}  // namespace

engines::DataCheck delivery_contract(std::string_view collective, int procs,
                                     const algorithms::CollectiveArgs& args) {
  Contract contract(procs, args);
  (contract.*row_of(collective).write)();
  return contract.take();
}

std::int64_t contract_size(std::string_view collective, int procs) {
  const auto size = row_of(collective).size;
  if (size == Row::Size::none) return 0;
  return size == Row::Size::per_rank ? procs : std::int64_t{procs} * procs;
}

}  // namespace tutti::workloads
