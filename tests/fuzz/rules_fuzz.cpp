// SPDX-License-Identifier: BSD-3-Clause
// Files of other programs that choose algorithms or parameters: Open MPI's dynamic rules and
// parameters, PGMPITuneLib's profiles, OTPO's parameters and results.
#include <array>

#include "algorithms/rules_files/conversion.hpp"
#include "algorithms/selection/dynamic_rules.hpp"
#include "sim/params/mca_names.hpp"
#include "sim/params/otpo_result.hpp"
#include "sim/tune/otpo_file.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "workloads/profiles.hpp"

using namespace tutti;
using fuzz::explained;
using fuzz::must;

namespace {

// Every format reads any text; what can be read can be written, and read again.
void read_formats(const std::string& text) {
  namespace files = algorithms::rules_files;
  files::recognize(text);
  for (const auto& facts : files::formats()) {
    const auto file = files::read_rules(text, facts.format, facts.libraries.front());
    for (const auto& each : file.findings)
      must(!each.message.empty() && !each.fix.empty() && each.line > 0 && each.column >= 0,
           "a finding has a line, a message and a remedy");
    if (file.discarded() != nullptr) continue;
    for (const auto& other : files::formats()) {
      if (file.tree && other.format == files::Format::mpich_json) continue;
      const auto made = files::convert(file, other.format, {"head"});
      must(made.rules == 0 ||
               files::read_rules(made.text, other.format, other.libraries.front()).discarded() ==
                   nullptr,
           "a file that is written can be read");
    }
  }
}

void read_rules(const std::string& text) {
  read_formats(text);
  const algorithms::selection::DynamicRules rules(text, "rules.conf");
  if (rules.ignored()) fuzz::check_error({*rules.ignored()});
  fuzz::check_error(rules.warnings());
  for (const int procs : {1, 2, 7, 64, 100000}) {
    if (const auto wrong = rules.wrong_inside(procs)) fuzz::check_error({*wrong});
    for (const std::string_view collective :
         {"allgather", "allreduce", "alltoall", "barrier", "bcast", "gather", "reduce",
          "reduce_scatter", "scatter"})
      for (const Bytes bytes : {Bytes{0}, Bytes{1000}, Bytes{1} << 40}) {
        const auto choice = rules.choose({.collective = collective,
                                          .procs = procs,
                                          .message_bytes = bytes,
                                          .elements = bytes / 8});
        if (!explained(choice) || !*choice) continue;
        must((*choice)->algorithm != nullptr, "a rule chooses an algorithm");
        must((*choice)->fanout >= 0 && (*choice)->segment_bytes >= 0,
             "fan-outs and segment sizes are not negative");
      }
  }
}

void read_profile(const std::string& text) {
  const auto profile = workloads::profiles::read_profile(text, "scatter.prf");
  if (!explained(profile)) return;
  must(explained(workloads::profiles::read_profile(workloads::profiles::profile_text(*profile),
                                                   "scatter.prf")),
       "a profile that is written can be read");
  for (const Bytes bytes : {Bytes{0}, Bytes{1}, Bytes{4096}, INT64_MAX})
    workloads::profiles::replacement(*profile, bytes);
}

void read_mca(const std::string& text) {
  const auto settings = studies::params::read_mca_file(text, "mca-params.conf");
  if (explained(settings))
    must(explained(studies::params::read_mca_file(studies::params::mca_file_text(*settings, {}),
                                                  "mca-params.conf")),
         "settings that are written can be read");
}

void read_otpo(const std::string& text) {
  const auto parameters = studies::tuning::read_otpo_file(text, "otpo.params");
  if (!explained(parameters)) return;
  for (const auto& each : *parameters) {
    must(!each.values.empty() || each.aggregate, "a parameter has values");
    if (each.condition)
      each.condition->holds(
          [](const std::string& name) { return std::optional<double>(name.size()); });
    if (each.aggregate)
      studies::tuning::expand_aggregate(
          *each.aggregate, [](const std::string& name) { return std::optional(name); });
  }
}

void read_otpo_result(const std::string& text) {
  studies::params::is_otpo_result(text);
  const auto found = studies::params::read_otpo_result(text, "results");
  if (explained(found))
    must(explained(studies::params::read_otpo_result(studies::params::otpo_result_text(*found),
                                                     "results")),
         "results that are written can be read");
}

constexpr std::array readers = {read_rules, read_profile, read_mca, read_otpo, read_otpo_result};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto [reader, text] = fuzz::chosen(data, size, readers.size());
  readers[reader](text);
  return 0;
}
