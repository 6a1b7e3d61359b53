// SPDX-License-Identifier: BSD-3-Clause
// What `sim replay` and its subcommands print and draw.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/suggest.hpp"
#include "sim/replay/timeline.hpp"
#include "sim/replay/trace_diff.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

// A trace and its replay: `sim replay`.

struct ReplayReport : ReportHead {
  std::string trace;       // its path
  std::string hypothesis;  // its path; empty: none
  std::string model;       // "recorded", "loggp", "platform NAME, ..."
  // What the model takes for the program as it is; nothing: the trace's own time, or no change.
  std::optional<workloads::traces::Ticks> end_without_change = {};
  double cpu_factor = 1;           // of all computation
  bool has_times = true;           // of the trace itself
  bool causes = false;             // they are in the result
  std::vector<std::string> notes;  // of the trace
  std::string written;             // the folder of the new trace; empty: none
};

// `definitions` and `result` are those of the replay.
Document replay_document(const ReplayReport& report,
                         const workloads::traces::TraceDefinitions& definitions,
                         const studies::replay::ReplayResult& result);
std::vector<std::string> replay_document_parts();

// What the commands of replay say alike. `model`: as the option has it.
std::string replay_model_words(const std::string& model);
inline constexpr const char* no_times_words =
    "The trace has no times: in it, computation takes what its operations do, calls nothing";
// "4 ranks, 80 events, 12 messages, 8 collective calls"
std::string size_words(const workloads::traces::TraceDefinitions& definitions,
                       const studies::replay::ReplayResult& result);
// By which part the one after is more than the one before; nothing: the one before is nothing, or
// next to it.
Cell change_of(double before, double after);
// Nothing: there are none.
std::optional<std::string> violation_words(const studies::replay::Violations& violations,
                                           const workloads::traces::TraceDefinitions& definitions);

// Two traces side by side: `sim replay diff`.

struct ReplayDiffReport : ReportHead {
  struct Side {
    std::string trace;               // its path
    std::vector<std::string> notes;  // of the trace
  };
  std::array<Side, 2> sides;
};

Document replay_diff_document(const ReplayDiffReport& report, const studies::replay::DiffSide& a,
                              const studies::replay::DiffSide& b);
std::vector<std::string> replay_diff_document_parts();

// What would be worth changing in a traced program: `sim replay suggest`.

struct ReplaySuggestReport : ReportHead {
  std::string trace;               // its path
  std::string model;               // "recorded", "loggp", "platform NAME, ..."
  bool has_times = true;           // of the trace itself
  std::vector<std::string> notes;  // of the trace
  std::string written;             // the file of all steps as a hypothesis; empty: none
};

Document replay_suggest_document(const ReplaySuggestReport& report,
                                 const workloads::traces::TraceDefinitions& definitions,
                                 const studies::replay::Suggestions& suggestions);
std::vector<std::string> replay_suggest_document_parts();

// What ranks do over time, in the trace and replayed, as a picture.

struct ReplayTimeline {
  std::string trace;        // its path
  bool is_changed = false;  // by a hypothesis, or a model: else one bar for both
  bool has_times = true;    // of the trace itself: only then a change of its end means something
};

TimelinePicture replay_timeline_picture(const ReplayTimeline& report,
                                        const workloads::traces::TraceDefinitions& definitions,
                                        const studies::replay::ReplayResult& result,
                                        const studies::replay::Timeline& timeline);

}  // namespace tutti::reports
