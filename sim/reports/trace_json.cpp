// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/trace_json.hpp"

#include <nlohmann/json.hpp>

#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Rounded to whole picoseconds, so that adjacent slices stay adjacent when written.
double picoseconds(Seconds date_s) { return std::round(date_s * 1e12); }
std::string ps_in_us(double ps) { return fmt::format("{:.6f}", ps * 1e-6); }
std::string date(Seconds date_s) { return ps_in_us(picoseconds(date_s)); }

class Trace {
 public:
  Trace(const SeenJob& job, const std::vector<engines::RankRange>& ranks)
      : job_(job), ranks_(ranks) {}

  void name_tracks(const platforms::Machine& machine) {
    std::set<platforms::HostId> named;
    for (runtime::RankId rank = 0; rank < static_cast<int>(job_.host_of.size()); ++rank) {
      if (!engines::contains(ranks_, rank)) continue;
      const platforms::HostId host = job_.host_of[static_cast<std::size_t>(rank)];
      if (named.insert(host).second)
        add("process_name", "M", rank,
            fmt::format(R"("args":{{"name":{}}})", quoted(machine.topology->host_name(host))));
      add("thread_name", "M", rank,
          fmt::format(R"("args":{{"name":"{}"}})", rank_name(rank, job_.first_target)));
      add("thread_sort_index", "M", rank, fmt::format(R"("args":{{"sort_index":{}}})", rank));
    }
  }

  void add_slices() {
    for (const auto& slice : job_.inside.slices) {
      const double begin = picoseconds(slice.begin_s);
      std::string fields = fmt::format(R"("ts":{},"dur":{},"cat":"{}")", ps_in_us(begin),
                                       ps_in_us(picoseconds(slice.end_s) - begin),
                                       slice.serial > 0 ? "wait" : "work");
      if (slice.serial > 0) fields += fmt::format(R"(,"args":{{"message":{}}})", slice.serial);
      add(slice.serial > 0 ? "wait" : name_of(slice), "X", slice.rank, fields);
    }
  }

  // Adds an asynchronous slice from send to arrival. If both ranks are shown, also adds an arrow
  // from the sender's overhead to the receiver's.
  void add_message(const engines::TraceMessage& message) {
    const std::string id = fmt::format(R"("cat":"message","id":{})", message.serial);
    const std::string name =
        fmt::format("{} -> {}, {} B", message.source, message.destination, message.bytes);
    const auto side =
        engines::contains(ranks_, message.source) ? message.source : message.destination;
    add(name, "b", side,
        fmt::format(
            R"("ts":{},{},"args":{{"message":{},"source":{},"destination":{},"bytes":{},"tag":{},)"
            R"("protocol":"{}","flow_start_us":{}}})",
            date(message.sent_s), id, message.serial, message.source, message.destination,
            message.bytes, message.tag, protocol_name(message.protocol),
            date(message.flow_start_s)));
    add(name, "e", side, fmt::format(R"("ts":{},{})", date(message.arrived_s), id));
    if (!engines::contains(ranks_, message.source) ||
        !engines::contains(ranks_, message.destination))
      return;
    const std::string category = fmt::format(R"("cat":"arrow","id":{})", message.serial);
    add(name, "s", message.source, fmt::format(R"("ts":{},{})", date(message.called_s), category));
    add(name, "f", message.destination,
        fmt::format(R"("ts":{},{},"bp":"e")", date(message.received_s), category));
  }

  std::string take() { return std::move(events_); }

 private:
  std::string_view name_of(const engines::TraceSlice& slice) const {
    if (slice.work == runtime::Work::compute && is_target(slice.rank, job_.first_target))
      return "disk";
    return work_words[static_cast<std::size_t>(slice.work)];
  }

  // Process IDs start at 1: some viewers interpret process 0 as the idle process.
  void add(std::string_view name, std::string_view phase, runtime::RankId rank,
           const std::string& fields) {
    events_ += fmt::format("{}\n{{\"name\":\"{}\",\"ph\":\"{}\",\"pid\":{},\"tid\":{},{}}}",
                           events_.empty() ? "" : ",", name, phase,
                           job_.host_of[static_cast<std::size_t>(rank)] + 1, rank, fields);
  }

  const SeenJob& job_;
  const std::vector<engines::RankRange>& ranks_;
  std::string events_;
};

}  // namespace

std::string ranges_text(const std::vector<engines::RankRange>& ranks) {
  std::string text;
  for (const auto& range : ranks) {
    if (!text.empty()) text += ',';
    text += range.first == range.last ? fmt::format("{}", range.first)
                                      : fmt::format("{}-{}", range.first, range.last);
  }
  return text;
}

std::string trace_json(const ReportHead& report, const SeenJob& job,
                       const std::vector<engines::RankRange>& ranks,
                       const platforms::Machine& machine) {
  Trace trace(job, ranks);
  trace.name_tracks(machine);
  trace.add_slices();
  for (const auto& message : job.inside.messages) trace.add_message(message);
  std::string provenance;
  for (const auto& line : provenance_lines(report)) provenance += quoted(line) + ',';
  if (!provenance.empty()) provenance.pop_back();
  return fmt::format(
      R"({{"displayTimeUnit":"ns","otherData":{{"provenance":[{}],"procs":{},"ranks_shown":"{}",)"
      R"("cut":{}}},"traceEvents":[{}]}})"
      "\n",
      provenance, job.procs(), ranges_text(ranks), job.inside.trace_is_cut, trace.take() + '\n');
}

}  // namespace tutti::reports
