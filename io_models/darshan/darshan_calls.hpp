// SPDX-License-Identifier: BSD-3-Clause
// The calls of a job on one file, from a Darshan log: the extents of each rank in each call. With
// DXT they are the recorded ones; without, they are estimated from the counters.
#pragma once

#include "io_models/calls.hpp"
#include "io_models/darshan/darshan_log.hpp"

namespace tutti::io_models {

struct DarshanChoice {
  // Path of the file as in the log, or its last part if that is unique. Empty: the file with the
  // most bytes of the operation.
  std::string file = {};
  bool writes = true;
  // If not given: MPI-IO if DXT has recorded calls of it, else POSIX if DXT has recorded those,
  // else the first of MPI-IO, POSIX and STDIO whose counters have bytes.
  std::optional<DarshanLayer> layer = {};
};

struct DarshanCalls {
  struct Piece {
    RankId rank = 0;
    Extent extent;
    bool operator==(const Piece&) const = default;
  };

  int procs = 0;
  bool writes = true;
  // All ranks take part in each call, ranks without a piece with no data. Otherwise call k consists
  // of the k-th call of each rank, and these are independent.
  bool collective = false;
  // The extents, or which calls belong together, are not known exactly; `notes` has the reasons.
  bool approximate = false;
  std::string file;
  DarshanLayer layer = DarshanLayer::posix;
  std::vector<std::string> notes;
  // From the first start to the last end of the recorded calls.
  std::optional<Seconds> logged_s;

  std::size_t size() const { return first_.size() - 1; }
  // The pieces of call `k`, by rank; a rank has at most one.
  std::span<const Piece> call(std::size_t k) const {
    return {pieces_.data() + first_[k], pieces_.data() + first_[k + 1]};
  }
  Bytes bytes() const;

  // Sets the calls. `of_rank[r]` has the extent of each call of rank r; empty ones have no data.
  void set_calls(std::span<const std::vector<Extent>> of_rank);

 private:
  std::vector<std::size_t> first_{0};  // by call, into pieces_; one extra entry
  std::vector<Piece> pieces_;
};

// Errors have the log as their place.
Result<DarshanCalls> calls_of(const DarshanLog& log, const DarshanChoice& choice);

// The calls of a log as those of a job.
class LoggedCalls : public AccessCalls {
 public:
  explicit LoggedCalls(std::shared_ptr<const DarshanCalls> calls) : calls_(std::move(calls)) {}

  int procs() const override { return calls_->procs; }
  std::int64_t count() const override { return static_cast<std::int64_t>(calls_->size()); }
  Bytes bytes() const override { return calls_->bytes(); }
  std::shared_ptr<const Access> call(std::int64_t number) const override;

 private:
  std::shared_ptr<const DarshanCalls> calls_;
};

}  // namespace tutti::io_models
