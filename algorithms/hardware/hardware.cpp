// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/hardware/hardware.hpp"

#include "algorithms/catalog.hpp"

namespace tutti::algorithms::hardware {
namespace {

using runtime::HardwareCall;

template <HardwareCall::Kind kind>
Task program(Rank& me, CollectiveArgs args) {
  const Slice result{.bytes = args.message_bytes, .buffer = runtime::recv_buffer};
  Slice input = result;
  if (kind != HardwareCall::Kind::bcast) input.buffer = runtime::send_buffer;
  co_await me.hardware({.kind = kind, .root = args.root, .send = input, .recv = result});
}

std::int64_t no_messages(const ModelArgs&) { return 0; }

template <HardwareCall::Kind kind>
constexpr Algorithm make_entry() {
  return {.restriction = "a network with this collective in hardware",
          .program = program<kind>,
          .messages = no_messages};
}

}  // namespace

bool is_there(const platforms::Machine& machine, std::string_view collective) {
  return machine.hardware &&
         std::ranges::find(machine.hardware->names, collective) != machine.hardware->names.end();
}

const Algorithm bcast = make_entry<HardwareCall::Kind::bcast>();
const Algorithm reduce = make_entry<HardwareCall::Kind::reduce>();
const Algorithm allreduce = make_entry<HardwareCall::Kind::allreduce>();
const Algorithm barrier = make_entry<HardwareCall::Kind::barrier>();

}  // namespace tutti::algorithms::hardware
