// SPDX-License-Identifier: BSD-3-Clause
// The view of a nested collective on the job: it runs on a group of ranks, on parts of the caller's
// buffers, and its messages are separate from the caller's.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

// An ordered group of ranks, as in a communicator: every stride-th rank from `first`, or a list,
// which must outlive the group.
class Group {
 public:
  Group(RankId first, RankId size, RankId stride = 1)
      : first_(first), size_(size), stride_(stride) {}
  explicit Group(std::span<const RankId> list)
      : size_(static_cast<RankId>(list.size())), list_(list.data()) {}

  RankId size() const { return size_; }
  RankId operator[](RankId member) const {
    return list_ != nullptr ? list_[member] : first_ + member * stride_;
  }

 private:
  RankId first_ = 0;
  RankId size_ = 0;
  RankId stride_ = 1;
  const RankId* list_ = nullptr;
};

// The locations of the callee's recv_buffer and send_buffer in the caller's memory.
struct Binding {
  Slice recv{.buffer = recv_buffer};
  Slice send{.buffer = send_buffer};
};

class View {
 public:
  // `outer` is the caller's view, or null for the whole job; it must outlive this view. The group
  // is numbered in the caller's ranks; `member` is this rank's number in the group. `program`: the
  // number of this view among those that the caller uses concurrently.
  View(const View* outer, Group group, RankId member, const Binding& binding, int program = 0)
      : outer_(outer),
        group_(group),
        member_(member),
        depth_((outer == nullptr ? 1 : outer->depth_ + 1) + program * depths_of_a_program),
        bound_{from_caller(binding.recv), from_caller(binding.send)} {
    TUTTI_CHECK(member >= 0 && member < group.size(), "the rank is not a member of the group");
  }

  RankId size() const { return group_.size(); }
  RankId id() const { return member_; }
  // Translates a rank, slice or tag of this view into that of the job.
  RankId world(RankId member) const {
    if (member == any_source) return any_source;
    return outer_ == nullptr ? group_[member] : outer_->world(group_[member]);
  }
  Slice world(const Slice& slice) const {
    if (slice.buffer > send_buffer)
      return {slice.offset, slice.bytes, slice.buffer + depth_ * buffers_of_a_view};
    const Slice& bound = bound_[slice.buffer];
    return {bound.offset + slice.offset, slice.bytes, bound.buffer};
  }
  std::int32_t world_tag(std::int32_t tag) const { return tag + depth_ * tags_of_a_view; }

 private:
  // Scratch buffers and tags of a view are distinct from those of the surrounding views.
  static constexpr std::int32_t tags_of_a_view = 1 << 20;
  static constexpr std::int32_t buffers_of_a_view = 64;
  static constexpr std::int32_t depths_of_a_program = 32;  // concurrent ones also differ

  Slice from_caller(const Slice& slice) const {
    return outer_ == nullptr ? slice : outer_->world(slice);
  }

  const View* outer_;
  Group group_;
  RankId member_;
  std::int32_t depth_;
  std::array<Slice, 2> bound_;  // recv_buffer and send_buffer, in the job's memory
};

}  // namespace tutti::runtime
