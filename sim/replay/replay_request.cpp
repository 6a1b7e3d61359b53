// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/file_roles.hpp"
#include "sim/base/text_file.hpp"
#include "sim/replay/hypothesis_file.hpp"

namespace tutti::studies {

void ReplayReader::read_traces(std::size_t count, const std::string& example) {
  for (const auto& path : parsed_.arguments) {
    auto trace = trace_request(path, parsed_);
    if (!trace) return add(trace.errors());
    for (const auto& file : files_of(*trace))
      if (auto error = register_input(file, "part of the trace")) errors_.add(*std::move(error));
    common_.traces.push_back(*std::move(trace));
  }
  if (common_.traces.size() == count) return;
  if (count == 1)
    wrong("", common_.traces.empty() ? "which trace?" : "takes one trace", example);
  else
    wrong("", fmt::format("takes {} traces", count), example);
}

void ReplayReader::read_change() {
  if (parsed_.has("--cpu-factor")) {
    const auto factor = parse_number(parsed_.value("--cpu-factor"));
    if (!factor || *factor < 0)
      wrong("--cpu-factor", "is a number from 0 on", "as in 0.5: twice as fast");
    else if (*factor > replay::most_factor)
      wrong("--cpu-factor", fmt::format("is at most {:g}", replay::most_factor),
            "as in 0.5: twice as fast");
    else
      common_.args.cpu_factor = *factor;
  }
  if (!parsed_.has("--hypothesis")) return;
  common_.hypothesis_path = parsed_.value("--hypothesis");
  const auto text = read_text_file(common_.hypothesis_path);
  if (!text) return add(text.errors());
  auto hypothesis = replay::read_hypothesis(*text, common_.hypothesis_path);
  if (!hypothesis) return add(hypothesis.errors());
  common_.args.hypothesis = *std::move(hypothesis);
}

void ReplayReader::read_model() {
  read_replay_model(*this, common_.model);
  if (common_.model.name == "recorded")
    refuse_without_times("--model", "a time independent trace does not tell what calls take",
                         "--model loggp and --model platform do");
}

void ReplayReader::refuse_without_times(const std::string& option, const std::string& message,
                                        const std::string& hint) {
  if (std::ranges::any_of(common_.traces, &TraceRequest::is_ti)) wrong(option, message, hint);
}

}  // namespace tutti::studies
