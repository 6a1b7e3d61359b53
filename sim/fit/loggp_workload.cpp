// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/loggp_workload.hpp"

#include "sim/studies/workloads/pair_options.hpp"

namespace tutti::studies {
namespace {

namespace shared = options::shared;

void read_one_path(options::OptionReader& read, std::string_view option, LogGPRequest& request) {
  const auto names = read_paths(read, option);
  if (names.size() > 1)
    read.wrong(std::string(option), "expected a single value",
               fmt::format("use one of {}", fmt::join(names, ", ")));
  if (!names.empty()) request.nodes.path = names.front();
}

const options::OptionTable<LogGPRequest> loggp_table{
    shared::platform,
    shared::set,
    shared::background,
    {pair_option::between,
     options::text(options::within(&LogGPRequest::nodes, &PairRequest::between))},
    {shared::machine, "--path", "NAME",
     "Path: inter (default, between the first two nodes), intra (between two processes of the "
     "first node)",
     options::takes("inter intra"), read_one_path},
    {pair_option::engine, pair_option::timed_engine(&LogGPRequest::engine)},
    {pair_option::messages, "--message-size", "SIZES", "Message sizes; default: 1:1MiB",
     options::list(options::bytes_axis, &LogGPRequest::sizes)},
};

Result<WorkloadPoints> reject_study(const options::OptionValues&, PointInputs&) {
  return usage_error("", "loggp measures a set of parameters, which cannot be a point of a study",
                     "use `sim run loggp`, or workload = \"pingpong\"");
}

}  // namespace

const options::OptionTable<LogGPRequest>& loggp_options() { return loggp_table; }

void read_loggp(options::OptionReader& reader, LogGPRequest& request) {
  request.sizes = pair_sizes();
  reader.reject_more_words();
  reader.read_machine(request);
  loggp_table.read(reader, request);
}

const Workload loggp_workload{.names = [] { return std::vector<std::string>{"loggp"}; },
                              .options = [] { return loggp_options().specs(); },
                              .points = reject_study};

}  // namespace tutti::studies
