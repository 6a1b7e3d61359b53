// SPDX-License-Identifier: BSD-3-Clause
// The command line of IOR 3 and 4 (github.com/hpc/ior, src/parse_options.c, src/ior.c) as the
// description of a job.
#pragma once

#include "io_models/calls.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

struct IorCommand {
  Bytes transfer_bytes = Bytes{256} << 10;  // -t: of a call
  Bytes block_bytes = Bytes{1} << 20;       // -b: contiguous bytes of a task in a segment
  std::int64_t segments = 1;                // -s
  bool is_collective = false;               // -c, with an API that has collective calls
  bool has_file_per_process = false;        // -F
  std::optional<bool> writes;               // -w or -r alone; unset: both
  std::optional<int> tasks;                 // -N
  // The slot that a task reads: its own, that of the task `task_offset` nodes later (-C), or a
  // random one at least as far away (-Z).
  enum class Order : std::uint8_t { own, constant, random } order = Order::own;
  int task_offset = 1;              // -Q
  std::int64_t seed = 0;            // -X
  std::string hints_file;           // -U
  std::vector<std::string> unused;  // options without an effect on the simulation

  std::int64_t transfers() const { return segments * (block_bytes / transfer_bytes); }
};

// Parses a size of IOR's command line: 8, 4k, 2m, 1g, 1t, in any case; all suffixes are binary.
// The result is unset if the text is invalid.
std::optional<Bytes> parse_ior_size(std::string_view text);

// Parses IOR's options, with or without the word "ior" in front. "io500-easy" and "io500-hard"
// represent the options of io500's phases, which later ones replace. Errors name --ior.
Result<IorCommand> parse_ior(std::string_view text);

// The same command without its hints file (-U). The command must be valid.
std::string without_hints_file(std::string_view text);

// Where the tasks run, which determines the order of -C and -Z.
struct IorTasks {
  int procs = 1;
  int on_first_node = 1;
  int nodes = 1;
  bool are_in_blocks = true;  // rank 1 is on the node of rank 0
};

// The transfers, one call each. With a file per process, file f begins at offset f x `file_bytes`,
// which must be at least the data of a task.
class IorCalls : public AccessCalls {
 public:
  IorCalls(const IorCommand& command, const IorTasks& tasks, bool writes, Bytes file_bytes);

  int procs() const override { return tasks_.procs; }
  std::int64_t count() const override { return command_.transfers(); }
  Bytes bytes() const override { return count() * command_.transfer_bytes * procs(); }
  std::shared_ptr<const Access> call(std::int64_t number) const override;

 private:
  IorCommand command_;
  IorTasks tasks_;
  Bytes file_bytes_;
  std::shared_ptr<const SlotOrder> order_;
};

}  // namespace tutti::io_models
