// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/buffer_memory.hpp"

namespace tutti::studies::tuning {
namespace {

std::int64_t number_in(const Row& row, std::string_view column, std::int64_t otherwise) {
  const auto number = number_of(cell_in(row, column));
  return number ? static_cast<std::int64_t>(*number) : otherwise;
}

// Other processes of one kind of path, of the process that has most of them.
struct Peers {
  std::int64_t near = 0;
  std::int64_t far = 0;
};

Peers peers_of(const Row& row) {
  const auto procs = number_in(row, "procs", 2);
  const bool is_inside = to_text(cell_in(row, "path")) == "intra";
  const auto on_node = std::clamp(number_in(row, "ppn", is_inside ? 2 : 1), std::int64_t{1}, procs);
  return {on_node - 1, procs - on_node};
}

void add(const platforms::MessageProtocol& protocol, std::int64_t peers, const char* key,
         BufferMemory& memory) {
  if (peers == 0) return;
  if (protocol.eager_max >= 0 && protocol.eager_credits == 0 && memory.unlimited.empty())
    memory.unlimited = key;
  memory.bytes += peers * protocol.eager_credits * std::max<Bytes>(protocol.eager_max, 0);
  memory.bytes += protocol.pipeline_depth * std::max<Bytes>(protocol.fragment_max, 0);
}

}  // namespace

BufferMemory buffer_memory(const StudyPoint& point) {
  BufferMemory memory;
  const auto peers = peers_of(point.parameters);
  add(point.machine->inter, peers.far, "mpi/eager_credits", memory);
  add(point.machine->intra, peers.near, "mpi/intra_eager_credits", memory);
  memory.bytes += number_in(point.parameters, "buffer_bytes", 0);
  return memory;
}

}  // namespace tutti::studies::tuning
