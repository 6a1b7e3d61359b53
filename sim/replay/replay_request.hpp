// SPDX-License-Identifier: BSD-3-Clause
// What a replay is asked for: the traces, what is changed, the model.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/replay/replay_model.hpp"
#include "sim/replay/trace_options.hpp"

namespace tutti::studies {

namespace replay_option {
inline constexpr std::string_view changed = "What is changed";
inline constexpr options::OptionSpec hypothesis{
    changed, "--hypothesis", "FILE",
    "TOML: [[scale]], [[balance]], [[cut]], [[replace]]; or a configuration "
    "of SILAS; default: nothing, and every "
    "time stays"};
inline constexpr options::OptionSpec cpu_factor{changed, "--cpu-factor", "FACTOR",
                                                "of all computation; default: 1"};
inline constexpr std::array of_change{hypothesis, cpu_factor};
}  // namespace replay_option

struct ReplayRequest {
  std::vector<TraceRequest> traces;
  std::string hypothesis_path;
  replay::ReplayArgs args;
  ReplayModelRequest model;
};

class ReplayReader : public options::OptionReader {
 public:
  ReplayReader(const options::OptionValues& values, ReplayRequest& request)
      : OptionReader(values), common_(request) {}

  // As many as `example` names; none of their files is written.
  void read_traces(std::size_t count, const std::string& example);
  void read_change();
  // Traces without times want a model that knows what calls take.
  void read_model();
  // For what such traces cannot be asked.
  void refuse_without_times(const std::string& option, const std::string& message,
                            const std::string& hint);

 private:
  ReplayRequest& common_;
};

}  // namespace tutti::studies
