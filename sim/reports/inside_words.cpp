// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/inside_words.hpp"

namespace tutti::reports {

const std::array<std::string_view, runtime::work_kinds> work_words{"overhead of sends",
                                                                   "overhead of receives",
                                                                   "copying received data out",
                                                                   "computing",
                                                                   "combining",
                                                                   "copying",
                                                                   "collective hardware"};
const std::array<std::string_view, runtime::work_kinds> work_keys{
    "send_overhead", "recv_overhead", "copy_out", "compute", "combine", "copy", "hardware"};
const std::array<std::string_view, engines::transit_parts> transit_words{
    "waiting for the sender's card", "handshakes", "latency", "transfer at the path's bandwidth",
    "sharing links with other messages"};
const std::array<std::string_view, runtime::work_kinds> work_names{
    "sending",   "receiving", "copying out",        "computing",
    "combining", "copying",   "collective hardware"};
const std::array<std::string_view, engines::transit_parts> transit_keys{
    "card", "handshake", "latency", "transfer", "sharing"};

double utilisation(Bytes bytes, double bandwidth_Bps, Seconds time_s) {
  return time_s > 0 ? static_cast<double>(bytes) / (bandwidth_Bps * time_s) : 0;
}

}  // namespace tutti::reports
