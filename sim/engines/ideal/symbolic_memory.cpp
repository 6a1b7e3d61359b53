// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/ideal/symbolic_memory.hpp"

namespace tutti::engines {

using runtime::Operand;
using runtime::RankId;
using runtime::Slice;

namespace {

bool is_zeros(const Content& content) { return content.ranks.empty(); }

Content shift_content(const Content& content, Bytes by) {
  return is_zeros(content) ? content : Content{content.offset + by, content.ranks};
}

std::string describe(const Content& content) {
  if (is_zeros(content)) return "zeros";
  return fmt::format("byte {} of the input of {}", content.offset,
                     content.ranks.size() == 1
                         ? fmt::format("rank {}", content.ranks.front())
                         : fmt::format("ranks {}", fmt::join(content.ranks, "+")));
}

std::string name_of_buffer(std::int32_t buffer) {
  if (buffer == runtime::recv_buffer) return "its receive buffer";
  if (buffer == runtime::send_buffer) return "its send buffer";
  return fmt::format("its buffer {}", buffer);
}

std::vector<RankId> sort_ranks(std::vector<RankId> ranks) {
  std::ranges::sort(ranks);
  return ranks;
}

bool holds(const Content& content, const Content& expected, Order order) {
  if (content == expected) return true;
  return order == Order::any && content.offset == expected.offset &&
         sort_ranks(content.ranks) == sort_ranks(expected.ranks);
}

}  // namespace

std::uint64_t SymbolicMemory::key(RankId rank, std::int32_t buffer) {
  return std::uint64_t{static_cast<std::uint32_t>(rank)} << 32 | static_cast<std::uint32_t>(buffer);
}

// Removes [offset, offset + bytes) from the buffer.
void SymbolicMemory::erase(Buffer& buffer, Bytes offset, Bytes bytes) {
  const Bytes end = offset + bytes;
  auto cell = buffer.lower_bound(offset);
  if (cell != buffer.begin()) --cell;
  while (cell != buffer.end() && cell->first < end) {
    const Bytes begin = cell->first;
    const Bytes cell_end = begin + cell->second.bytes;
    if (cell_end <= offset) {
      ++cell;
      continue;
    }
    const Content content = cell->second.content;
    cell = buffer.erase(cell);
    if (begin < offset) buffer[begin] = {offset - begin, content};
    if (cell_end > end) buffer[end] = {cell_end - end, shift_content(content, end - begin)};
  }
}

void SymbolicMemory::write(RankId rank, Slice slice, Pieces pieces) {
  if (slice.bytes == 0) return;
  for (const Piece& piece : pieces) work_ += 1 + std::ssize(piece.content.ranks);
  Buffer& buffer = buffers_[key(rank, slice.buffer)];
  erase(buffer, slice.offset, slice.bytes);
  for (Piece& piece : pieces) {
    const Bytes bytes = std::min(piece.bytes, slice.bytes - piece.at);
    if (bytes > 0) buffer[slice.offset + piece.at] = {bytes, std::move(piece.content)};
  }
}

SymbolicMemory::Pieces SymbolicMemory::read(RankId rank, Slice slice) const {
  Pieces pieces;
  const auto written = buffers_.find(key(rank, slice.buffer));
  if (written == buffers_.end()) return pieces;
  const Buffer& buffer = written->second;
  auto cell = buffer.upper_bound(slice.offset);
  if (cell != buffer.begin()) --cell;
  for (; cell != buffer.end() && cell->first < slice.offset + slice.bytes; ++cell) {
    const Bytes begin = std::max(cell->first, slice.offset);
    const Bytes end = std::min(cell->first + cell->second.bytes, slice.offset + slice.bytes);
    if (begin >= end) continue;
    Content content = shift_content(cell->second.content, begin - cell->first);
    if (!pieces.empty()) {
      Piece& last = pieces.back();
      if (last.at + last.bytes == begin - slice.offset &&
          shift_content(last.content, last.bytes) == content) {
        last.bytes += end - begin;
        continue;
      }
    }
    pieces.push_back({begin - slice.offset, end - begin, std::move(content)});
  }
  return pieces;
}

bool SymbolicMemory::gave_up() {
  if (work_ <= most_work_) return false;
  buffers_.clear();
  hardware_.clear();
  under_way_.clear();
  return true;
}

void SymbolicMemory::fill(const Filled& filled) {
  write(filled.rank, filled.where, {{0, filled.where.bytes, filled.content}});
}

std::string SymbolicMemory::compare(const Filled& expected, Order order) const {
  Bytes right_up_to = 0;
  std::string actual = "nothing";
  for (const Piece& piece : read(expected.rank, expected.where)) {
    if (piece.at != right_up_to) break;
    if (!holds(piece.content, shift_content(expected.content, piece.at), order)) {
      actual = describe(piece.content);
      break;
    }
    right_up_to += piece.bytes;
  }
  if (right_up_to == expected.where.bytes) return {};
  return fmt::format("rank {} has {} at byte {} of {}, expected {}", expected.rank, actual,
                     expected.where.offset + right_up_to, name_of_buffer(expected.where.buffer),
                     describe(shift_content(expected.content, right_up_to)));
}

void SymbolicMemory::on_send(const runtime::SentMessage& message) {
  if (gave_up()) return;
  under_way_[message.serial] = read(message.source, message.data);
}

void SymbolicMemory::on_receive(std::int64_t serial, RankId rank, Slice into) {
  if (gave_up()) return;
  auto message = under_way_.extract(serial);
  write(rank, into, std::move(message.mapped()));
}

void SymbolicMemory::on_hardware_join(std::uint32_t index, RankId rank,
                                      const runtime::HardwareCall& call) {
  if (gave_up()) return;
  Meeting& meeting = hardware_[index];
  meeting.kind = call.kind;
  meeting.root = call.root;
  meeting.bytes = call.recv.bytes;
  meeting.parts[rank] = read(rank, call.send);
}

// The result of a hardware collective. For reductions it combines all parts in the order of the
// ranks, and replaces them.
SymbolicMemory::Pieces SymbolicMemory::combine_parts(Meeting& meeting) {
  constexpr RankId nobody = -1;
  const Slice sum{.bytes = meeting.bytes, .buffer = 0};
  const Slice next{.bytes = meeting.bytes, .buffer = 1};
  for (bool is_first = true; const auto& [rank, pieces] : meeting.parts) {
    write(nobody, is_first ? sum : next, pieces);
    if (!std::exchange(is_first, false)) on_combine(nobody, sum, next, Operand::right);
  }
  meeting.parts = {{0, read(nobody, sum)}};
  return meeting.parts.begin()->second;
}

void SymbolicMemory::on_hardware_result(std::uint32_t index, RankId rank, Slice into) {
  using Kind = runtime::HardwareCall::Kind;
  if (gave_up()) return;
  Meeting& meeting = hardware_.at(index);
  if (meeting.kind == Kind::barrier) return;
  if (meeting.kind == Kind::reduce && rank != meeting.root) return;
  write(rank, into,
        meeting.kind == Kind::bcast ? meeting.parts.at(meeting.root) : combine_parts(meeting));
}

void SymbolicMemory::on_copy(RankId rank, Slice into, Slice from) {
  if (!gave_up()) write(rank, into, read(rank, from));
}

void SymbolicMemory::on_copy(RankId rank, const runtime::Strided& into,
                             const runtime::Strided& from) {
  for (std::int64_t i = 0; i < into.count; ++i) on_copy(rank, into[i], from[i]);
}

void SymbolicMemory::on_clear(RankId rank, Slice into) {
  if (!gave_up()) write(rank, into, {{0, into.bytes, Content{}}});
}

bool SymbolicMemory::have_common(const std::vector<RankId>& a, const std::vector<RankId>& b) {
  const auto mark = [&](RankId rank, bool value) {
    if (std::size_t(rank) >= marked_.size()) marked_.resize(2 * std::size_t(rank) + 1);
    marked_[rank] = value;
  };
  for (const RankId rank : b) mark(rank, false);
  for (const RankId rank : a) mark(rank, true);
  const bool has_common = std::ranges::any_of(b, [&](RankId rank) { return marked_[rank]; });
  for (const RankId rank : a) mark(rank, false);
  return has_common;
}

void SymbolicMemory::on_combine(RankId rank, Slice into, Slice from, Operand from_is) {
  if (gave_up()) return;
  const Pieces mine = read(rank, into);
  const Pieces other = read(rank, from);
  work_ += std::ssize(mine) * std::ssize(other);
  Pieces result;
  Bytes covered = 0;
  for (const Piece& a : mine) {
    for (const Piece& b : other) {
      const Bytes begin = std::max(a.at, b.at);
      const Bytes end = std::min(a.at + a.bytes, b.at + b.bytes);
      if (begin >= end) continue;
      Content left = shift_content(a.content, begin - a.at);
      Content right = shift_content(b.content, begin - b.at);
      const bool any_zeros = is_zeros(left) || is_zeros(right);
      if (!any_zeros && (left.offset != right.offset || have_common(left.ranks, right.ranks)))
        problems_.push_back(
            fmt::format("rank {} combines {} with {}", rank, describe(left), describe(right)));
      if (from_is == Operand::left) std::swap(left, right);
      if (is_zeros(left)) left.offset = right.offset;
      left.ranks.insert(left.ranks.end(), right.ranks.begin(), right.ranks.end());
      result.push_back({begin, end - begin, std::move(left)});
      covered += end - begin;
    }
  }
  if (covered != into.bytes)
    problems_.push_back(fmt::format("rank {} combines undefined bytes", rank));
  write(rank, into, std::move(result));
}

}  // namespace tutti::engines
