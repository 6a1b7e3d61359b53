// SPDX-License-Identifier: BSD-3-Clause
// The contents of all ranks' buffers as symbols: the origin of each byte in a rank's input.
// Messages transfer these contents, so that a test can verify that a collective ends with the right
// data on every rank.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/observer.hpp"

namespace tutti::engines {

// Bytes from `offset` of the input vectors of `ranks`: one rank for data that were only moved,
// several for the result of a reduction, in the order of its operands (an operation that uses a
// contribution twice is wrong). An empty list represents zeros, which have no offset, and which a
// reduction ignores.
struct Content {
  Bytes offset = 0;
  std::vector<runtime::RankId> ranks;
  bool operator==(const Content&) const = default;
};

// Whether the order of a reduction's operands matters.
enum class Order { any, as_given };

// A slice of one rank's memory that contains `content`, starting with its first byte.
struct Filled {
  runtime::RankId rank = 0;
  runtime::Slice where;
  Content content;
};

class SymbolicMemory : public runtime::Observer {
 public:
  // `most_work`: the number of pieces of contents and of contributions to them that may be copied.
  explicit SymbolicMemory(std::int64_t most_work = std::numeric_limits<std::int64_t>::max())
      : most_work_(most_work) {}
  // Returns whether more work is necessary; in that case drops the contents, and no longer observes
  // them.
  bool gave_up();

  void fill(const Filled& filled);
  // A sentence about the first difference from the expected content; empty if there is none.
  std::string compare(const Filled& expected, Order order = Order::as_given) const;
  // Sentences about wrong operations: combined undefined bytes, contributions used twice.
  const std::vector<std::string>& problems() const { return problems_; }

  void on_send(const runtime::SentMessage& message) override;
  void on_receive(std::int64_t serial, runtime::RankId rank, runtime::Slice into) override;
  void on_hardware_join(std::uint32_t index, runtime::RankId rank,
                        const runtime::HardwareCall& call) override;
  void on_hardware_result(std::uint32_t index, runtime::RankId rank, runtime::Slice into) override;
  void on_copy(runtime::RankId rank, runtime::Slice into, runtime::Slice from) override;
  void on_copy(runtime::RankId rank, const runtime::Strided& into,
               const runtime::Strided& from) override;
  void on_clear(runtime::RankId rank, runtime::Slice into) override;
  void on_combine(runtime::RankId rank, runtime::Slice into, runtime::Slice from,
                  runtime::Operand from_is) override;

 private:
  // [at, at + bytes) relative to the slice has `content`; bytes outside of all pieces are
  // undefined.
  struct Piece {
    Bytes at = 0;
    Bytes bytes = 0;
    Content content;
  };
  using Pieces = std::vector<Piece>;
  struct Cell {
    Bytes bytes = 0;
    Content content;
  };
  using Buffer = std::map<Bytes, Cell>;  // by offset; cells do not overlap

  Pieces read(runtime::RankId rank, runtime::Slice slice) const;
  void write(runtime::RankId rank, runtime::Slice slice, Pieces pieces);
  bool have_common(const std::vector<runtime::RankId>& a, const std::vector<runtime::RankId>& b);
  static void erase(Buffer& buffer, Bytes offset, Bytes bytes);
  static std::uint64_t key(runtime::RankId rank, std::int32_t buffer);

  std::unordered_map<std::uint64_t, Buffer> buffers_;
  // The contributions of ranks to a hardware collective.
  struct Meeting {
    runtime::HardwareCall::Kind kind = runtime::HardwareCall::Kind::barrier;
    runtime::RankId root = 0;
    Bytes bytes = 0;
    std::map<runtime::RankId, Pieces> parts;
  };
  Pieces combine_parts(Meeting& meeting);

  std::unordered_map<std::uint32_t, Meeting> hardware_;
  std::unordered_map<std::int64_t, Pieces> under_way_;  // by the message's serial number
  std::vector<std::string> problems_;
  std::vector<bool> marked_;  // ranks, in have_common
  std::int64_t most_work_;
  std::int64_t work_ = 0;
};

}  // namespace tutti::engines
