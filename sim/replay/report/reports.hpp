// SPDX-License-Identifier: BSD-3-Clause
// The reports and pictures of `sim replay` and its subcommands.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/suggest.hpp"
#include "sim/replay/timeline.hpp"
#include "sim/replay/trace_diff.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

// The common part of the reports about a replayed trace.
struct TraceReport : ReportHead {
  std::string trace;               // its path
  std::string model;               // "recorded", "loggp", "platform NAME, ..."
  bool has_times = true;           // the trace itself has times
  std::vector<std::string> notes;  // of the trace
  std::string written;             // the file or folder that the command wrote; empty: none
};

// A trace and its replay: `sim replay`.

struct ReplayReport : TraceReport {
  std::string hypothesis;  // its path; empty: none
  // The model's run time of the unchanged program; unset if that is the time in the trace, or if
  // nothing is changed.
  std::optional<workloads::traces::Ticks> end_without_change = {};
  double cpu_factor = 1;  // multiplies all computation
  bool causes = false;    // the result contains them
};

// `definitions` and `result` are those of the replay.
Document replay_document(const ReplayReport& report,
                         const workloads::traces::TraceDefinitions& definitions,
                         const studies::replay::ReplayResult& result);
std::vector<std::string> replay_document_parts();

// Texts that the replay commands share. `model` is the value of --model.
std::string replay_model_words(const std::string& model);
inline constexpr const char* sums_note =
    "end: time of the last rank; other rows: sums over the ranks";
inline constexpr const char* no_times_words =
    "The trace has no times: computation takes the time of its flops, calls take no time";
// "4 ranks and 12 more threads"
std::string location_words(const workloads::traces::TraceDefinitions& definitions);
// "4 ranks, 80 events, 12 messages, 8 collective calls"
std::string size_words(const workloads::traces::TraceDefinitions& definitions,
                       const studies::replay::ReplayResult& result);
// Relative change from `before` to `after`; empty if `before` is 0 or negligible.
Cell change_of(double before, double after);
// A sentence about the violations; unset if there are none.
std::optional<std::string> violation_words(const studies::replay::Violations& violations,
                                           const workloads::traces::TraceDefinitions& definitions);

// How far the replay can be trusted: the fraction of the time in calls whose causes are not
// modeled.
std::string verdict_words(const studies::replay::Verdict& verdict,
                          const workloads::traces::TraceDefinitions& definitions);
bool needs_warning(const studies::replay::Verdict& verdict);
// The violations and the verdict of a replay, one sentence each; empty for a trace without times.
std::vector<std::string> trust_words(const TraceReport& report,
                                     const studies::replay::Violations& violations,
                                     const studies::replay::Verdict& verdict,
                                     const workloads::traces::TraceDefinitions& definitions);

// Comparison of two traces: `sim replay diff`.

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

// Changes to a traced program that gain most: `sim replay suggest`.

Document replay_suggest_document(const TraceReport& report,
                                 const workloads::traces::TraceDefinitions& definitions,
                                 const studies::replay::Suggestions& suggestions);
std::vector<std::string> replay_suggest_document_parts();

// The timeline of the ranks, in the trace and replayed, as a picture.

struct ReplayTimeline {
  std::string trace;         // its path
  bool is_changed = false;   // by a hypothesis or a model; otherwise a rank has only one bar
  bool has_times = true;     // the trace itself has times; only then is its change meaningful
  bool is_for_page = false;  // which zooms
};

TimelinePicture replay_timeline_picture(const ReplayTimeline& report,
                                        const workloads::traces::TraceDefinitions& definitions,
                                        const studies::replay::ReplayResult& result,
                                        const studies::replay::Timeline& timeline);

}  // namespace tutti::reports
