// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/common.hpp"
#include "sim/fireworks/report/reports.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

using studies::fireworks::CostModel;
using studies::fireworks::Form;
using studies::fireworks::form_names;

constexpr std::size_t most_surfaces = 4;
constexpr std::size_t most_groups = 16;

// The axis ends 4 % above the largest value.
Axis time_axis(const std::string& words, Seconds low_s, Seconds high_s) {
  return value_axis(Quantity::seconds, words, false, low_s, high_s * 1.04);
}

// With many values only every second, third, ... tick is labeled.
Axis pairs_axis(const std::string& words, const std::set<int>& pairs) {
  const auto every = static_cast<int>(pairs.size() / 8 + 1);
  Axis axis{.label = words,
            .low = static_cast<double>(*pairs.begin()),
            .high = static_cast<double>(*pairs.rbegin()),
            .ticks = {}};
  int i = 0;
  for (const int count : pairs)
    axis.ticks.push_back(
        {static_cast<double>(count), i++ % every == 0 ? fmt::format("{}", count) : ""});
  return axis;
}

class Surfaces {
 public:
  explicit Surfaces(const FireworksReport& report) : report_(report) {
    for (const auto& round : report.rounds) {
      intra_.insert(round.requested.intra_pairs);
      inter_.insert(round.requested.inter_pairs);
    }
  }

  SurfacePicture picture() {
    SurfacePicture picture;
    picture.title = clean_text(
        fmt::format("Communication cost of a node of {}", report_.provenance.platform_name()));
    picture.subtitle = "per pair the hot spot receives one message and sends one";
    picture.series = {"measured", "one plane (least squares)"};
    const auto& models = report_.costs.models;
    for (std::size_t i = 0; i < std::min(models.size(), most_surfaces); ++i)
      picture.panels.push_back(panel(models[i]));
    if (models.size() > most_surfaces)
      picture.notes = {fmt::format("the first {} of {} surfaces", most_surfaces, models.size())};
    picture.x = pairs_axis("pairs inside the node", intra_);
    picture.y = pairs_axis("pairs with other nodes", inter_);
    picture.z = time_axis("time", least_s_, 1.05 * most_s_);
    return picture;
  }

 private:
  SurfacePanel panel(const CostModel& model) {
    // A pair is two messages.
    SurfacePanel panel{
        .title = fmt::format("{}: R² = {:.4f}", model_title(model),
                             model.quality[static_cast<std::size_t>(Form::linear)].r2),
        .xs = {intra_.begin(), intra_.end()},
        .ys = {inter_.begin(), inter_.end()},
        .z = {},
        .plane_x = 2 * model.linear.alpha_s,
        .plane_y = 2 * model.linear.beta_s,
        .plane_z = model.linear.gamma_s};
    for (const int inter : inter_) {
      auto& row = panel.z.emplace_back();
      for (const int intra : intra_) row.push_back(time_of(model, intra, inter));
    }
    for (const double x : panel.xs)
      for (const double y : panel.ys) include(panel.plane_at(x, y));
    return panel;
  }

  // Zero pairs take no time.
  std::optional<double> time_of(const CostModel& model, int intra, int inter) {
    if (intra + inter == 0) return 0;
    for (const auto& round : report_.rounds)
      if (round.requested.intra_pairs == intra && round.requested.inter_pairs == inter &&
          round.requested.exchanged == workloads::Exchanged::both &&
          is_model_for(model, round.requested)) {
        include(round.time_s);
        return round.time_s;
      }
    return std::nullopt;
  }

  void include(Seconds time_s) {
    least_s_ = std::min(least_s_, time_s);
    most_s_ = std::max(most_s_, time_s);
  }

  const FireworksReport& report_;
  std::set<int> intra_, inter_;
  Seconds least_s_ = 0;
  Seconds most_s_ = 0;
};

}  // namespace

SurfacePicture fireworks_picture(const FireworksReport& report) {
  return Surfaces(report).picture();
}

BarsPicture fireworks_predict_picture(const FireworksPredictReport& report) {
  BarsPicture picture;
  picture.title =
      clean_text(fmt::format("Exchange of a file of {}, {} tiles, on {}",
                             rounded_bytes(static_cast<double>(report.job.file_bytes())),
                             tiles_text(report.job), report.provenance.platform_name()));
  picture.subtitle =
      fmt::format("{}, {}; expected: cost model {}", counted(report.job.aggregators, "aggregator"),
                  counted(report.cycles, "cycle"), report.form);
  picture.series = {"expected", "write, simulated", "read, simulated"};
  picture.x_label = "processes of the nodes, in order";
  picture.group_words = "set";
  Seconds most_s = 0;
  for (const auto& set : report.sets) {
    if (picture.groups.size() == most_groups) break;
    const auto& group = picture.groups.emplace_back(BarGroup{
        node_set_text(set.procs_of_node), {set.expected.time_s, set.write_s(), set.read_s}});
    for (const auto& value : group.values) most_s = std::max(most_s, value.value_or(0));
  }
  if (report.sets.size() > most_groups)
    picture.notes = {fmt::format("the first {} of {} node sets", most_groups, report.sets.size())};
  picture.y = time_axis("time", 0, most_s);
  return picture;
}

ScatterPicture fireworks_check_picture(const FireworksCheckReport& report) {
  ScatterPicture picture;
  picture.title = clean_text(fmt::format("Exchanges of {} random node sets on {}",
                                         report.sets.size(), report.provenance.platform_name()));
  picture.subtitle = "on the line, expected and simulated times are equal";
  picture.series_title = "node sets of";
  std::map<std::size_t, std::size_t> series;  // by number of nodes
  for (const auto& set : report.sets) series[set.procs_of_node.size()] = 0;
  for (auto& [nodes, number] : series) {
    number = picture.series.size();
    picture.series.push_back(fmt::format("{} nodes", nodes));
  }
  Seconds least_s = report.sets.front().simulated_s, most_s = least_s;
  for (std::size_t i = 0; i < form_names.size(); ++i) {
    ScatterPanel panel{std::string(form_names[i]), {}};
    panel.points.resize(series.size());
    for (const auto& set : report.sets) {
      if (!set.expected_s[i]) continue;
      panel.points[series[set.procs_of_node.size()]].emplace_back(*set.expected_s[i],
                                                                  set.simulated_s);
      least_s = std::min({least_s, *set.expected_s[i], set.simulated_s});
      most_s = std::max({most_s, *set.expected_s[i], set.simulated_s});
    }
    if (std::ranges::any_of(panel.points, [](const auto& points) { return !points.empty(); }))
      picture.panels.push_back(std::move(panel));
  }
  const bool log = least_s > 0 && most_s > 10 * least_s;
  picture.axis = log ? value_axis(Quantity::seconds, "", true, least_s / 1.1, most_s * 1.1)
                     : time_axis("", 0, most_s);
  picture.x_label = "expected";
  picture.y_label = "simulated";
  return picture;
}

}  // namespace tutti::reports
