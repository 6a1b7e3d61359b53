// SPDX-License-Identifier: BSD-3-Clause
// Any text is a file of jobs, or is rejected with a line. What is accepted places each rank on a
// node of the machine, and no two jobs share nodes without share_nodes.
#include "platforms/reader.hpp"
#include "sim/studies/workloads/job_file.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace tutti;

namespace {

const platforms::Machine& eight_nodes() {
  static const auto machine =
      platforms::read_machine(
          R"(<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-7" core="4" )"
          R"(bw="1GBps" lat="1us"/></platform>)",
          "m.xml")
          .value();
  return machine;
}

// Files other than the input are not read, and jobs are small.
bool is_self_contained(std::string_view text) {
  for (const char* word : {"file:", "goal:", "rules=", "arbitrary", "@", "oversubscribe"})
    if (text.find(word) != text.npos) return false;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  if (!is_self_contained(text)) return 0;
  const auto mix = studies::read_jobs_on(text, "jobs.toml", eight_nodes());
  if (!fuzz::explained(mix)) {
    for (const Error& error : mix.errors()) fuzz::must(error.line >= 1, "errors have a line");
    return 0;
  }
  const bool shares = text.find("share_nodes") != text.npos;
  std::map<platforms::HostId, std::size_t> owner;
  for (std::size_t job = 0; job < mix->jobs.size(); ++job) {
    const auto& placement = mix->jobs[job].placement;
    fuzz::must(std::ssize(placement.host_of) == mix->jobs[job].point.placement.procs,
               "every rank is placed");
    for (const auto host : placement.host_of) {
      fuzz::must(host < mix->machine.host_count(), "ranks are on nodes of the machine");
      fuzz::must(owner.try_emplace(host, job).first->second == job || shares,
                 "jobs have nodes of their own");
    }
  }
  return 0;
}
