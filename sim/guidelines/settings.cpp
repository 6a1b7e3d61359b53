// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/settings.hpp"

#include "sim/jobs/memory_estimate.hpp"
#include "workloads/profiles.hpp"

namespace tutti::studies::guidelines {
namespace {

using algorithms::selection::Choice;

class Maker {
 public:
  Maker(const Spec& spec, const platforms::Machine& machine) : spec_(spec), machine_(machine) {}

  Result<std::vector<Setting>> make() {
    const std::vector<std::string_view> collectives(spec_.collectives.begin(),
                                                    spec_.collectives.end());
    for (const auto procs : spec_.procs)
      if (auto wrong = spec_.selection->wrong(collectives, static_cast<int>(procs)))
        return *std::move(wrong);
    for (const auto& collective : spec_.collectives)
      for (const auto procs : spec_.procs)
        for (const auto bytes : spec_.message_bytes) {
          add(collective, static_cast<int>(procs), bytes);
          if (!errors_.empty()) return errors_;
        }
    return std::move(settings_);
  }

 private:
  // Rounds down to whole elements, but at least one unless the message is empty.
  Bytes whole_elements(Bytes bytes) const {
    return bytes == 0 ? 0 : std::max(bytes / spec_.element_bytes, Bytes{1}) * spec_.element_bytes;
  }

  void add(const std::string& collective, int procs, Bytes requested_bytes) {
    const Bytes bytes = whole_elements(requested_bytes);
    const auto is_same = [&](const Setting& last) {
      return last.collective == collective && last.procs == procs && last.message_bytes == bytes;
    };
    if (!settings_.empty() && is_same(settings_.back())) return;
    Setting setting{collective, procs, bytes, {}};
    add_default(setting);
    for (const Mockup* mockup : spec_.mockups)
      if (mockup->algorithm.collective == collective && errors_.empty())
        fill_mockup(setting.sides.emplace_back(Side{mockup, {}, {}, {}}), setting, *mockup);
    skip_alone(setting);
    settings_.push_back(std::move(setting));
  }

  void skip_alone(Setting& setting) const {
    auto& sides = setting.sides;
    const auto is_skipped = [](const Side& side) { return !side.skipped.empty(); };
    if (is_skipped(sides.front())) {
      for (Side& side : sides)
        if (!is_skipped(side)) side.skipped = "its default is skipped";
    } else if (std::all_of(sides.begin() + 1, sides.end(), is_skipped) &&
               spec_.selection->replacements == nullptr) {  // profiles are from a comparison
      sides.front().skipped = "all of its mock-ups are skipped";
    }
  }

  // The call as the selection runs it: a mock-up of the profiles, or the chosen algorithm with its
  // segment size and fan-out.
  void add_default(Setting& setting) {
    const algorithms::selection::Query query{
        .collective = setting.collective,
        .procs = setting.procs,
        .message_bytes = setting.message_bytes,
        .elements = setting.message_bytes / spec_.element_bytes};
    Side& side = setting.sides.emplace_back(Side{nullptr, {}, {}, {}});
    const auto* replacements = spec_.selection->replacements;
    const auto replacement = replacements == nullptr ? std::nullopt : replacements->find(query);
    if (replacement)
      fill_mockup(
          side, setting,
          *algorithms::guidelines::find_mockup(setting.collective, replacement->algorithm->name));
    else
      fill_default(side, setting, spec_.selection->choose(query));
  }

  void fill_default(Side& side, const Setting& setting, const Choice& choice) {
    auto request = make_request(setting, choice.algorithm->name);
    if (choice.algorithm->segmented) request.segment_bytes = choice.segment_bytes;
    auto call = resolved(request);
    if (!call) return;
    call->args.fanout = choice.fanout;
    const auto* replacements = spec_.selection->replacements;
    workloads::apply_selection(
        *call, {spec_.selection,
                replacements == nullptr ? spec_.selection.get() : &replacements->of_mpi()});
    take(side, *std::move(call), setting.procs);
  }

  void fill_mockup(Side& side, const Setting& setting, const Mockup& mockup) {
    auto call = resolved(make_request(setting, mockup.algorithm.name));
    if (!call) return;
    const auto elements = setting.message_bytes / spec_.element_bytes;
    call->args.segment_bytes =
        std::min<Bytes>(spec_.chunk_elements, elements) * spec_.element_bytes;
    workloads::apply_selection(*call, inside(spec_.selection, mockup, call->args, setting.procs));
    side.skipped = rejected(mockup, call->args, setting.procs);
    take(side, *std::move(call), setting.procs);
  }

  std::string rejected(const Mockup& mockup, const algorithms::CollectiveArgs& args, int procs) {
    auto why = rejected_inside(mockup, args, procs);
    if (why) return *std::move(why);
    errors_ = why.errors();
    return errors_.front().message;
  }

  workloads::CallRequest make_request(const Setting& setting, std::string_view algorithm) const {
    return {.collective = setting.collective,
            .algorithm = std::string(algorithm),
            .procs = setting.procs,
            .message_bytes = setting.message_bytes,
            .element_bytes = spec_.element_bytes};
  }

  std::optional<workloads::CollectiveCall> resolved(const workloads::CallRequest& request) {
    auto call = workloads::resolve(request, machine_, spec_.common.placement);
    if (call) return *std::move(call);
    errors_ = call.errors();
    return std::nullopt;
  }

  void take(Side& side, workloads::CollectiveCall call, int procs) {
    Point& point = side.point;
    point = spec_.common;
    point.requested_algorithm = call.algorithm->name;
    point.call = std::move(call);
    point.placement.procs = procs;
    if (!side.skipped.empty()) return;
    if (const auto rejected = workloads::rejection(point.call, machine_, procs)) {
      side.skipped = rejected->message;
      return;
    }
    const auto messages = workloads::expected_messages(point.call, procs);
    if (messages > most_messages && spec_.skips_longest)
      side.skipped = fmt::format("{:.2g} messages would take too long; --force simulates them",
                                 static_cast<double>(messages));
  }

  const Spec& spec_;
  const platforms::Machine& machine_;
  std::vector<Setting> settings_;
  std::vector<Error> errors_;
};

// An error if in every setting the default or all of its mock-ups are skipped.
std::optional<Error> nothing_left(const std::vector<Setting>& settings) {
  std::string why;
  for (const auto& setting : settings) {
    const auto runs = [](const Side& side) { return side.skipped.empty(); };
    if (runs(setting.sides.front()) &&
        std::any_of(setting.sides.begin() + 1, setting.sides.end(), runs))
      return std::nullopt;
    const auto skipped = std::ranges::find_if_not(setting.sides, runs);
    if (why.empty() && skipped != setting.sides.end()) why = skipped->skipped;
  }
  return usage_error("options", "leave nothing to compare", why);
}

}  // namespace

Result<std::vector<Setting>> make_settings(const Spec& spec, const platforms::Machine& machine) {
  return Maker(spec, machine).make();
}

std::vector<Error> check_settings(const std::vector<Setting>& settings,
                                  const platforms::Machine& machine, bool force) {
  if (const auto error = nothing_left(settings)) return {*error};
  std::vector<Point> points;
  for (const auto& setting : settings)
    for (const auto& side : setting.sides)
      if (side.skipped.empty()) points.push_back(side.point);
  return job_errors(points, machine, force);
}

}  // namespace tutti::studies::guidelines
