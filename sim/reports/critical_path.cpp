// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/critical_path.hpp"

#include <nlohmann/json.hpp>

#include "platforms/job_links.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {

const std::array<std::string_view, runtime::work_kinds> work_words{
    "send overhead", "receive overhead", "copying received data out", "computing",
    "combining",     "copying",          "collective hardware"};
const std::array<std::string_view, runtime::work_kinds> work_keys{
    "send_overhead", "recv_overhead", "copy_out", "compute", "combine", "copy", "hardware"};
const std::array<std::string_view, engines::transit_parts> transit_words{
    "waiting for the sender's NIC",
    "handshakes",
    "latency",
    "transfer at the path's bandwidth",
    "sharing links with other messages",
    "acknowledgments to senders"};
const std::array<std::string_view, runtime::work_kinds> work_names{
    "sending",   "receiving", "copying out",        "computing",
    "combining", "copying",   "collective hardware"};
const std::array<std::string_view, engines::transit_parts> transit_keys{
    "nic", "handshake", "latency", "transfer", "sharing", "ack"};

double utilization(const engines::LinkLoad& load, Seconds time_s) {
  return time_s > 0 ? static_cast<double>(load.bytes) / (load.capacity_Bps * time_s) : 0;
}

using engines::PathStep;
using runtime::RankId;

bool is_target(RankId rank, std::optional<RankId> first_target) {
  return first_target && rank >= *first_target;
}

std::string rank_name(RankId rank, std::optional<RankId> first_target) {
  return is_target(rank, first_target) ? fmt::format("target {}", rank - *first_target)
                                       : fmt::format("rank {}", rank);
}

CriticalPath critical_path_of(const SeenJob& job, const platforms::Machine& machine) {
  const platforms::Placement placement{.host_of = job.host_of};
  const platforms::JobLinks links(machine, placement);
  CriticalPath path{.first_target = job.first_target,
                    .last_rank = job.inside.last_rank,
                    .steps = job.inside.path};
  path.end_s = path.steps.empty() ? 0 : path.steps.back().end_s;
  for (const auto& link : job.inside.path_links) {
    path.links.push_back({.name = links.name(link.load.link),
                          .bandwidth_Bps = links.link(link.load.link).bandwidth_Bps,
                          .utilization = utilization(link.load, path.end_s),
                          .busy_share = link.load.busy_s / path.end_s,
                          .peak_flows = link.load.peak_flows,
                          .messages = link.messages,
                          .flow_s = link.flow_s});
  }
  return path;
}

PathShares shares_of(const CriticalPath& path) {
  constexpr auto disk = static_cast<std::size_t>(runtime::Work::compute);
  PathShares shares;
  for (const PathStep& step : path.steps) {
    const bool is_work = step.kind == PathStep::Kind::work;
    const bool has_disk = is_work && is_target(step.source, path.first_target);
    if (has_disk) shares.disks_s += step.parts[disk];
    for (std::size_t i = 0; is_work && i < shares.work.size(); ++i)
      if (!has_disk || i != disk) shares.work[i] += step.parts[i];
    for (std::size_t i = 0; !is_work && i < shares.transit.size(); ++i)
      shares.transit[i] += step.parts[i];
    shares.messages += !is_work;
    shares.late_receivers += step.late_receiver;
    shares.waited_s += step.waited_s;
  }
  return shares;
}

namespace {

using Json = nlohmann::ordered_json;

template <class Keys, class Parts>
void add_parts(const Keys& keys, const Parts& parts, Json& object) {
  for (std::size_t i = 0; i < keys.size(); ++i) object[std::string(keys[i]) + "_s"] = parts[i];
}

Json step_of(const PathStep& step, std::optional<runtime::RankId> first_target) {
  Json json{{"begin_s", step.begin_s}, {"end_s", step.end_s}};
  if (step.kind == PathStep::Kind::work) {
    json["rank"] = step.source;
    add_parts(work_keys, step.parts, json);
    if (is_target(step.source, first_target)) {
      json["disks_s"] = json["compute_s"];
      json["compute_s"] = 0;
    }
    return json;
  }
  json["source"] = step.source;
  json["destination"] = step.destination;
  json["message_bytes"] = step.bytes;
  json["tag"] = step.tag;
  json["protocol"] = protocol_name(step.protocol);
  json["late_receiver"] = step.late_receiver;
  json["waited_for_receiver_s"] = step.waited_s;
  add_parts(transit_keys, step.parts, json);
  return json;
}

}  // namespace

Json critical_path_json(const CriticalPath& path) {
  const PathShares shares = shares_of(path);
  Json json{{"rank", path.last_rank}, {"end_s", path.end_s}, {"messages", shares.messages}};
  if (path.first_target) json["first_target"] = *path.first_target;
  json["late_receivers"] = shares.late_receivers;
  json["waited_for_receivers_s"] = shares.waited_s;
  Json spent = Json::object();
  add_parts(work_keys, shares.work, spent);
  add_parts(transit_keys, shares.transit, spent);
  if (path.first_target) spent["disks_s"] = shares.disks_s;
  json["spent"] = std::move(spent);
  const std::size_t shown = std::min(path.steps.size(), most_json_steps);
  json["steps_omitted"] = path.steps.size() - shown;
  json["steps"] = Json::array();
  for (std::size_t i = 0; i < shown; ++i)
    json["steps"].push_back(step_of(path.steps[i], path.first_target));
  json["links"] = Json::array();
  for (const auto& link : path.links)
    json["links"].push_back({{"link", link.name},
                             {"bandwidth_Bps", link.bandwidth_Bps},
                             {"utilization", link.utilization},
                             {"busy_share", link.busy_share},
                             {"peak_flows", link.peak_flows},
                             {"path_messages", link.messages},
                             {"path_flow_s", link.flow_s}});
  return json;
}

namespace {

constexpr std::size_t most_steps = 20;
constexpr double us_per_s = 1e6;

double percent(Seconds part_s, Seconds all_s) { return all_s > 0 ? 100 * part_s / all_s : 0; }

// Names of the parts of a transit in one word.
constexpr std::array<std::string_view, engines::transit_parts> transit_names{
    "NIC", "handshake", "latency", "transfer", "sharing", "acknowledgment"};

// Names of the work of a storage target.
constexpr auto target_names = [] {
  std::array<std::string_view, runtime::work_kinds> names{};
  names.fill("messages");
  names[static_cast<std::size_t>(runtime::Work::compute)] = "disk";
  return names;
}();

template <class Parts, class Words>
void add_shares(const Parts& parts, const Words& words, Seconds end_s, std::string& text) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i] > 0)
      text += fmt::format("{:11.2f} {:12.2f}  {}\n", percent(parts[i], end_s), us_per_s * parts[i],
                          words[i]);
}

// The largest part of the step, the first one if parts are equal: "sharing 92 %".
template <class Words>
std::string mostly(const PathStep& step, const Words& words) {
  constexpr double rounding = 1e-9;
  const auto largest =
      std::max_element(step.parts.begin(), step.parts.begin() + std::ssize(words),
                       [](Seconds a, Seconds b) { return a * (1 + rounding) < b; });
  return fmt::format("{} {:.0f} %", words[static_cast<std::size_t>(largest - step.parts.begin())],
                     percent(*largest, step.end_s - step.begin_s));
}

using FirstTarget = std::optional<runtime::RankId>;

// "3"; "target 1" for a storage target.
std::string end_of(runtime::RankId rank, FirstTarget first_target) {
  return is_target(rank, first_target) ? rank_name(rank, first_target) : fmt::format("{}", rank);
}

std::string what(const PathStep& step, FirstTarget targets) {
  if (step.kind == PathStep::Kind::work)
    return fmt::format("{}: {}", rank_name(step.source, targets),
                       mostly(step, is_target(step.source, targets) ? target_names : work_names));
  return fmt::format("{} -> {}, {}, {}{}: {}", end_of(step.source, targets),
                     end_of(step.destination, targets), format_bytes(step.bytes),
                     protocol_name(step.protocol), step.late_receiver ? ", late receiver" : "",
                     mostly(step, transit_names));
}

// The longest steps in chronological order.
std::vector<std::size_t> longest(const std::vector<PathStep>& steps) {
  std::vector<std::size_t> all(steps.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
    return steps[a].end_s - steps[a].begin_s > steps[b].end_s - steps[b].begin_s;
  });
  all.resize(std::min(all.size(), most_steps));
  std::sort(all.begin(), all.end());
  return all;
}

void add_steps(const CriticalPath& path, std::string& text) {
  const auto shown = longest(path.steps);
  text += shown.size() == path.steps.size()
              ? "#\n# Steps, and where each spends most of its time:\n"
              : fmt::format(
                    "#\n# The {} longest of {} steps, and where each spends most of its time:\n",
                    shown.size(), path.steps.size());
  text += "# From (us)    Time (us)  Step\n";
  for (const std::size_t i : shown) {
    const PathStep& step = path.steps[i];
    const auto times = fmt::format("{:11.2f} {:12.2f}  ", us_per_s * step.begin_s,
                                   us_per_s * (step.end_s - step.begin_s));
    text += paragraph(what(step, path.first_target), times.size(), times);
  }
}

void add_links(const CriticalPath& path, std::string& text) {
  if (path.links.empty()) return;
  text += "#\n# Busiest links on the path:\n";
  text += "# Use (%)  Busy (%)  Peak flows  Messages    Time (us)  Link\n";
  for (const auto& link : path.links) {
    const std::string name = printable(link.name);
    const auto figures =
        fmt::format("{:9.2f} {:9.2f} {:11} {:9} {:12.2f}  ", 100 * link.utilization,
                    100 * link.busy_share, link.peak_flows, link.messages, us_per_s * link.flow_s);
    if (figures.size() + name.size() <= page_width)
      text += figures + name + '\n';
    else
      text += figures + '\n' + std::string(8, ' ') + name + '\n';
  }
}

}  // namespace

std::string critical_path_text(const CriticalPath& path) {
  const PathShares shares = shares_of(path);
  std::string text = fmt::format("#\n# Critical path of rank {}, the last to finish: {}\n",
                                 path.last_rank, counted(shares.messages, "message"));
  if (shares.late_receivers > 0)
    text += fmt::format("# {} of them waited for a late receiver, {:.2f} us in total\n",
                        shares.late_receivers, us_per_s * shares.waited_s);
  text += "# Share (%)   Time (us)  Spent on\n";
  add_shares(shares.work, work_words, path.end_s, text);
  add_shares(std::array{shares.disks_s}, std::array{"disks of the storage targets"}, path.end_s,
             text);
  add_shares(shares.transit, transit_words, path.end_s, text);
  text += fmt::format("{:11.2f} {:12.2f}  all\n", 100.0, us_per_s * path.end_s);
  add_steps(path, text);
  add_links(path, text);
  return text;
}

}  // namespace tutti::reports
