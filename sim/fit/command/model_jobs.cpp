// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/command/model_jobs.hpp"

#include "sim/base/text_file.hpp"
#include "sim/commands/output.hpp"

namespace tutti::commands {

namespace {

constexpr const char* model_sizes = "8KiB:4MiB";

}  // namespace

void read_model_job(OptionReader& reader, const char* segments, studies::Sweep& job) {
  job.segment_bytes = options::parse_axis(segments, bytes_axis).value();
  job.message_bytes = options::parse_axis(model_sizes, bytes_axis).value();
  constexpr options::AxisKind several{parse_integer, 2, platforms::most_procs};
  reader.read_axis("--procs", several, job.procs);
  reader.read_axis("--ppn", count_axis, job.ppn);
  if (job.ppn.size() > 1) reader.wrong("--ppn", "takes one value");
  reader.read_placement(job.common.placement);
  reader.read_axis("--segment-size", bytes_axis, job.segment_bytes);
  reader.read_axis("--message-size", bytes_axis, job.message_bytes);
  reader.read_axis("--fanout", count_axis, job.fanouts);
  job.common.engine = engines::EngineKind::flow;
  if (!reader.values().has("--noise")) return;
  if (const auto noise = workloads::parse_noise(reader.values().value("--noise")))
    job.common.benchmark.noise = *noise;
  else
    reader.add(noise.errors());
}

Result<studies::ModelFile> models_in(const std::string& path) {
  return studies::read_model_file(TUTTI_TRY(read_text_file(path)), path);
}

void warn_of_models(const studies::ModelFile& file, const std::string& path,
                    const platforms::Machine& machine, const Diagnostics& diagnostics) {
  if (file.platform_hash != machine.content_hash)
    diagnostics.warning(fmt::format(
        "{} was fitted on another machine ({}, hash {}); its predictions may not apply here",
        printable(path), file.platform, file.platform_hash));
}

}  // namespace tutti::commands
