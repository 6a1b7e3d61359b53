// SPDX-License-Identifier: BSD-3-Clause
// The contract of each collective: the ranks' buffers before and after a call, as the MPI standard
// specifies. Input is in `send_buffer`, the result in `recv_buffer`; bcast works in place.
#pragma once

#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/rank_blocks.hpp"
#include "sim/engines/ideal/ideal.hpp"

namespace tutti::tests {

class Contract {
 public:
  Contract(std::string_view collective, int procs, const algorithms::CollectiveArgs& args)
      : procs_(procs),
        args_(args),
        blocks_(algorithms::RankBlocks::of_blocks(args, procs)),
        parts_(algorithms::RankBlocks::of_vector(args, procs)) {
    check_.order = args.commutative ? engines::Order::any : engines::Order::as_given;
    writers().at(std::string(collective))(*this);
  }
  const engines::DataCheck& check() const { return check_; }

 private:
  using RankId = runtime::RankId;
  using Slice = runtime::Slice;
  static constexpr std::int32_t send = runtime::send_buffer;
  static constexpr std::int32_t recv = runtime::recv_buffer;

  static const std::map<std::string, std::function<void(Contract&)>>& writers() {
    static const std::map<std::string, std::function<void(Contract&)>> table{
        {"barrier", [](Contract&) {}},
        {"bcast", [](Contract& c) { c.bcast(); }},
        {"allgather", [](Contract& c) { c.allgather(); }},
        {"allgatherv", [](Contract& c) { c.allgather(); }},
        {"alltoall", [](Contract& c) { c.alltoall(); }},
        {"alltoallv", [](Contract& c) { c.alltoall(); }},
        {"gather", [](Contract& c) { c.gather(); }},
        {"gatherv", [](Contract& c) { c.gather(); }},
        {"scatter", [](Contract& c) { c.scatter(); }},
        {"scatterv", [](Contract& c) { c.scatter(); }},
        {"reduce", [](Contract& c) { c.reduce({c.args_.root}); }},
        {"allreduce", [](Contract& c) { c.reduce(c.up_to(c.procs_)); }},
        {"reduce_scatter", [](Contract& c) { c.reduce_scatter(c.parts_); }},
        {"reduce_scatter_block", [](Contract& c) { c.reduce_scatter(c.blocks_); }},
        {"scan", [](Contract& c) { c.scan(1); }},
        {"exscan", [](Contract& c) { c.scan(0); }},
    };
    return table;
  }

  // Ranks 0 .. end-1.
  static std::vector<RankId> up_to(int end) {
    std::vector<RankId> ranks(end);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
  }
  Slice vector(std::int32_t buffer) const { return {0, args_.message_bytes, buffer}; }
  void before(RankId rank, Slice where, Bytes offset = 0) {
    check_.initial.push_back({rank, where, {offset, {rank}}});
  }
  void after(RankId rank, Slice where, Bytes offset, std::vector<RankId> of) {
    check_.expected.push_back({rank, where, {offset, std::move(of)}});
  }

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
  void reduce(const std::vector<RankId>& receivers) {
    for (RankId source = 0; source < procs_; ++source) before(source, vector(send));
    for (const RankId rank : receivers) after(rank, vector(recv), 0, up_to(procs_));
  }
  void reduce_scatter(const algorithms::RankBlocks& parts) {
    for (RankId rank = 0; rank < procs_; ++rank) {
      before(rank, {0, parts.total(), send});
      after(rank, {0, parts.bytes(rank), recv}, parts.offset(rank), up_to(procs_));
    }
  }
  // Rank r gets the contributions of the ranks below r + own.
  void scan(int own) {
    for (RankId rank = 0; rank < procs_; ++rank) {
      before(rank, vector(send));
      if (rank + own > 0) after(rank, vector(recv), 0, up_to(rank + own));
    }
  }

  int procs_;
  const algorithms::CollectiveArgs& args_;
  algorithms::RankBlocks blocks_;
  algorithms::RankBlocks parts_;
  engines::DataCheck check_;
};

}  // namespace tutti::tests
