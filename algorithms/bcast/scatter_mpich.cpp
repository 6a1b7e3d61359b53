// SPDX-License-Identifier: BSD-3-Clause
// MPICH's broadcasts that scatter first: the programs of Open MPI's scatter_allgather and
// scatter_allgather_ring, with blocks of ceil(m/P) bytes, which may divide elements, and without a
// fallback: a message of fewer bytes than ranks has empty blocks at its end. Costs are those of
// Open MPI's algorithms.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/scatter.hpp"

namespace tutti::algorithms {
namespace {

CollectiveArgs in_bytes(CollectiveArgs args) {
  args.element_bytes = 1;
  return args;
}
ModelArgs in_bytes(const ModelArgs& args) {
  return {args.procs, in_bytes(args.call), args.combine_Bps};
}

Task scatter_bytes_and_double(Rank& me, CollectiveArgs args) {
  return scatter_and_double(me, in_bytes(args));
}
Seconds scatter_bytes_and_double_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return scatter_and_double_cost(in_bytes(args), cost);
}
std::int64_t scatter_bytes_and_double_messages(const ModelArgs& args) {
  return scatter_and_double_messages(in_bytes(args));
}

Task scatter_bytes_and_pass_on(Rank& me, CollectiveArgs args) {
  return scatter_and_pass_on(me, in_bytes(args));
}
Seconds scatter_bytes_and_pass_on_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return scatter_and_pass_on_cost(in_bytes(args), cost);
}
std::int64_t scatter_bytes_and_pass_on_messages(const ModelArgs& args) {
  return scatter_and_pass_on_messages(in_bytes(args));
}
std::vector<StepPhase> scatter_bytes_and_pass_on_steps(const ModelArgs& args) {
  return scatter_and_pass_on_steps(in_bytes(args));
}

}  // namespace

const Algorithm bcast::scatter_recursive_doubling_allgather{
    .program = mpich::program<scatter_bytes_and_double>,
    .cost = mpich::cost<scatter_bytes_and_double_cost>,
    .messages = mpich::messages<scatter_bytes_and_double_messages>,
};

const Algorithm bcast::scatter_ring_allgather{
    .program = mpich::program<scatter_bytes_and_pass_on>,
    .cost = mpich::cost<scatter_bytes_and_pass_on_cost>,
    .messages = mpich::messages<scatter_bytes_and_pass_on_messages>,
    .steps = mpich::steps<scatter_bytes_and_pass_on_steps>,
};

}  // namespace tutti::algorithms
