// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/cost_model.hpp"

#include "sim/fit/line_fits.hpp"

namespace tutti::studies::fireworks {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Eigen::Index plane_coefficients = 3;
constexpr std::size_t least_of_plane = 4;

struct Equations {
  MatrixXd X;
  VectorXd y;
};

Equations plane_equations(const std::vector<Sample>& samples) {
  const auto rows = static_cast<Eigen::Index>(samples.size());
  Equations equations{MatrixXd(rows, plane_coefficients), VectorXd(rows)};
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Sample& sample = samples[static_cast<std::size_t>(i)];
    equations.X.row(i) << sample.load.intra, sample.load.inter(), 1;
    equations.y[i] = sample.time_s;
  }
  return equations;
}

Plane plane_of(const VectorXd& solution) { return {solution[0], solution[1], solution[2]}; }

Plane least_squares_plane(const std::vector<Sample>& samples) {
  const auto equations = plane_equations(samples);
  return plane_of(equations.X.colPivHouseholderQr().solve(equations.y));
}

bool determines_plane(const std::vector<Sample>& samples) {
  return samples.size() >= least_of_plane &&
         plane_equations(samples).X.colPivHouseholderQr().rank() == plane_coefficients;
}

Plane huber_plane(const std::vector<Sample>& samples) {
  const auto equations = plane_equations(samples);
  return plane_of(huber_fit(equations.X, equations.y).coefficients);
}

template <class At>
double squares(const std::vector<Sample>& samples, const At& at) {
  double sum = 0;
  for (const auto& sample : samples) sum += std::pow(sample.time_s - at(sample.load), 2);
  return sum;
}

// 1 if all samples are equal: there is no variance to explain.
double r2_of(const std::vector<Sample>& samples, double squares_left) {
  double mean_s = 0;
  for (const auto& sample : samples) mean_s += sample.time_s / static_cast<double>(samples.size());
  const double all = squares(samples, [&](const NodeLoad&) { return mean_s; });
  return all > 0 ? 1 - squares_left / all : 1;
}
double r2_of(const std::vector<Sample>& samples, const Plane& plane) {
  return r2_of(samples, squares(samples, [&](const NodeLoad& load) { return plane.at(load); }));
}

double messages_of(const NodeLoad& load, Split::By by) {
  return by == Split::By::intra ? load.intra : load.inter();
}

// Empty if one side does not determine a plane.
std::optional<Split> split_at(const std::vector<Sample>& samples, Split::By by, double last_below) {
  std::vector<Sample> below, above;
  for (const auto& sample : samples)
    (messages_of(sample.load, by) <= last_below ? below : above).push_back(sample);
  if (!determines_plane(below) || !determines_plane(above)) return std::nullopt;
  const auto lower = least_squares_plane(below), upper = least_squares_plane(above);
  return Split{.by = by,
               .last_below = last_below,
               .below = lower,
               .above = upper,
               .r2_below = r2_of(below, lower),
               .r2_above = r2_of(above, upper)};
}

std::optional<Split> best_split(const std::vector<Sample>& samples) {
  std::optional<Split> best;
  double least = std::numeric_limits<double>::infinity();
  for (const auto by : {Split::By::intra, Split::By::inter})
    for (const auto& sample : samples) {
      const auto split = split_at(samples, by, messages_of(sample.load, by));
      if (!split) continue;
      const double sum = squares(samples, [&](const NodeLoad& load) { return split->at(load); });
      if (sum >= least) continue;
      least = sum;
      best = split;
    }
  return best;
}

// The line through the samples that have only messages of this kind.
CostLine line_of(const std::vector<Sample>& samples, bool both_ways,
                 const std::function<double(const NodeLoad&)>& messages) {
  std::vector<std::pair<double, Seconds>> points;
  for (const auto& sample : samples) {
    const double of_load = messages(sample.load);
    if (sample.both_ways == both_ways && of_load > 0 &&
        of_load == sample.load.intra + sample.load.inter())
      points.emplace_back(of_load, sample.time_s);
  }
  if (points.empty()) return {};
  const auto rows = static_cast<Eigen::Index>(points.size());
  Equations equations{MatrixXd(rows, 2), VectorXd(rows)};
  for (Eigen::Index i = 0; i < rows; ++i) {
    equations.X.row(i) << points[static_cast<std::size_t>(i)].first, 1;
    equations.y[i] = points[static_cast<std::size_t>(i)].second;
  }
  const auto solution = huber_fit(equations.X, equations.y).coefficients;
  return {solution[0], solution[1]};
}

Bottleneck bottleneck_of(const std::vector<Sample>& samples) {
  return {.intra = line_of(samples, true, [](const NodeLoad& load) { return load.intra; }),
          .in = line_of(samples, false, [](const NodeLoad& load) { return load.in; }),
          .out = line_of(samples, false, [](const NodeLoad& load) { return load.out; }),
          .inter = line_of(samples, true, [](const NodeLoad& load) { return load.inter(); })};
}

// Empty if the loads of the links are unknown, or do not determine the time.
std::optional<LinkLine> link_line(const std::vector<Sample>& samples) {
  const auto rows = static_cast<Eigen::Index>(samples.size());
  Equations equations{MatrixXd(rows, 2), VectorXd(rows)};
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Sample& sample = samples[static_cast<std::size_t>(i)];
    if (sample.load.busy_s <= 0) return std::nullopt;
    equations.X.row(i) << sample.load.busy_s, 1;
    equations.y[i] = sample.time_s;
  }
  if (equations.X.colPivHouseholderQr().rank() < 2) return std::nullopt;
  const auto solution = huber_fit(equations.X, equations.y).coefficients;
  if (solution[0] <= 0) return std::nullopt;
  return LinkLine{solution[0], solution[1]};
}

std::vector<Sample> both_ways(const std::vector<Sample>& samples) {
  std::vector<Sample> of_paper;
  for (const auto& sample : samples)
    if (sample.both_ways) of_paper.push_back(sample);
  return of_paper;
}

Quality quality_of(const CostModel& model, Form form, const std::vector<Sample>& samples) {
  const auto at = [&](const NodeLoad& load) { return model.at(load, form); };
  const auto of_paper = both_ways(samples);
  const double all = squares(samples, at);
  Quality quality{.r2 = r2_of(of_paper, squares(of_paper, at)),
                  .r2_all = r2_of(samples, all),
                  .rms_s = std::sqrt(all / static_cast<double>(samples.size()))};
  for (const auto& sample : samples)
    quality.largest_residual_s =
        std::max(quality.largest_residual_s, std::abs(sample.time_s - at(sample.load)));
  return quality;
}

}  // namespace

NodeLoad load_of(const workloads::Fireworks& requested) {
  const double inter = requested.inter_pairs;
  return {.intra = static_cast<double>(requested.intra_pairs * requested.messages_of_pair()),
          .in = requested.exchanged == workloads::Exchanged::sends ? 0 : inter,
          .out = requested.exchanged == workloads::Exchanged::receives ? 0 : inter};
}

Seconds Bottleneck::at(const NodeLoad& load) const {
  return std::max({intra.at(load.intra), in.at(load.in), out.at(load.out), inter.at(load.inter())});
}

std::optional<Form> form_of(std::string_view name) {
  const auto found = std::ranges::find(form_names, name);
  if (found == form_names.end()) return std::nullopt;
  return static_cast<Form>(found - form_names.begin());
}

std::string_view name_of(Form form) { return form_names[static_cast<std::size_t>(form)]; }

Seconds CostModel::at(const NodeLoad& load, Form form) const {
  if (load.intra + load.inter() == 0) return 0;
  switch (form) {
    case Form::linear:
      return std::max(0.0, linear.at(load));
    case Form::huber:
      return std::max(0.0, huber.at(load));
    case Form::split:
      return std::max(0.0, split.value().at(load));
    case Form::links:
      return std::max(0.0, links.value().at(load));
    case Form::bottleneck:
      break;
  }
  return std::max(0.0, bottleneck.at(load));
}

bool determine_costs(const std::vector<Sample>& samples) {
  return determines_plane(both_ways(samples));
}

std::optional<double> r2_of_plane(const std::vector<Sample>& samples) {
  const auto of_paper = both_ways(samples);
  if (!determines_plane(of_paper)) return std::nullopt;
  return r2_of(of_paper, least_squares_plane(of_paper));
}

CostModel fit_cost_model(const std::vector<Sample>& samples) {
  constexpr double clearly = 0.9;
  const auto of_paper = both_ways(samples);
  CostModel model;
  model.linear = least_squares_plane(of_paper);
  model.huber = huber_plane(of_paper);
  model.split = best_split(of_paper);
  model.bottleneck = bottleneck_of(samples);
  model.links = link_line(samples);
  for (std::size_t i = 0; i < form_names.size(); ++i) {
    const auto form = static_cast<Form>(i);
    if (!model.has(form)) continue;
    model.quality[i] = quality_of(model, form, samples);
    const auto& best = model.quality[static_cast<std::size_t>(model.best)];
    if (model.quality[i].rms_s < clearly * best.rms_s) model.best = form;
  }
  return model;
}

namespace {

constexpr int messages_of_pair = 2;

// cFireworks paper, section IV.A and Figures 2 to 4: planes through the times of messages of 4 MiB.
// "Approximately" 0.98 for both machines; 0.99 and the saturation are reported for Tachyon I.
// Figure 4b has more digits. Empty: not printed.
struct PrintedPlanes {
  std::string_view platform;
  const char* r2_intra_first;
  const char* r2_inter_first;
  const char* r2_from_two_pairs;
  const char* saturated_pairs;
};
constexpr PrintedPlanes printed_planes[] = {{"tachyon1", "0.98", "0.98", "0.99", "2"},
                                            {"tachyon2", "0.98", "0.984673", "", ""}};
constexpr Bytes printed_message_bytes = Bytes{4} << 20;

std::optional<double> r2_from_two_pairs(const std::vector<Sample>& samples) {
  std::vector<Sample> saturated;
  for (const auto& sample : samples)
    if (sample.load.intra >= 2 * messages_of_pair) saturated.push_back(sample);
  return r2_of_plane(saturated);
}

std::optional<double> pairs_of_split(const CostModel& model) {
  if (!model.split || model.split->by != Split::By::intra) return std::nullopt;
  return model.split->last_below / messages_of_pair;
}

}  // namespace

std::vector<PrintedCost> beside_printed_costs(std::string_view platform, const CostModel& model,
                                              const std::vector<Sample>& samples) {
  const auto* printed = std::ranges::find(printed_planes, platform, &PrintedPlanes::platform);
  if (printed == std::end(printed_planes) || model.message_bytes != printed_message_bytes ||
      model.hot_spots != 1)
    return {};
  const bool is_inter_first = model.order == workloads::PostingOrder::inter_first;
  return {
      {"R^2 of one plane", is_inter_first ? printed->r2_inter_first : printed->r2_intra_first,
       model.quality[static_cast<std::size_t>(Form::linear)].r2},
      {"R^2 of one plane, 2 or more pairs inside", printed->r2_from_two_pairs,
       r2_from_two_pairs(samples)},
      {"pairs inside before the node saturates", printed->saturated_pairs, pairs_of_split(model)}};
}

}  // namespace tutti::studies::fireworks
