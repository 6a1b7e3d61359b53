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

// A row for each sample, of the terms of its load and 1.
template <class Terms>
Equations make_equations(const std::vector<Sample>& samples, const Terms& terms) {
  const auto rows = static_cast<Eigen::Index>(samples.size());
  constexpr auto columns =
      static_cast<Eigen::Index>(std::tuple_size_v<decltype(terms(NodeLoad{}))>);
  Equations equations{MatrixXd::Ones(rows, columns + 1), VectorXd(rows)};
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Sample& sample = samples[static_cast<std::size_t>(i)];
    for (Eigen::Index k = 0; k < columns; ++k)
      equations.X(i, k) = terms(sample.load)[static_cast<std::size_t>(k)];
    equations.y[i] = sample.time_s;
  }
  return equations;
}

Equations plane_equations(const std::vector<Sample>& samples) {
  return make_equations(samples, [](const NodeLoad& load) {
    return std::array{load.intra, load.inter()};
  });
}

Plane make_plane(const VectorXd& solution) { return {solution[0], solution[1], solution[2]}; }

Plane least_squares_plane(const std::vector<Sample>& samples) {
  const auto equations = plane_equations(samples);
  return make_plane(equations.X.colPivHouseholderQr().solve(equations.y));
}

bool determines_plane(const std::vector<Sample>& samples) {
  return samples.size() >= least_of_plane &&
         plane_equations(samples).X.colPivHouseholderQr().rank() == plane_coefficients;
}

VectorXd solve_huber(const Equations& equations) {
  return huber_fit(equations.X, equations.y).coefficients;
}

template <class Test>
std::vector<Sample> samples_that(const std::vector<Sample>& samples, const Test& test) {
  std::vector<Sample> some;
  std::ranges::copy_if(samples, std::back_inserter(some), test);
  return some;
}

template <class At>
double squares(const std::vector<Sample>& samples, const At& at) {
  double sum = 0;
  for (const auto& sample : samples) sum += std::pow(sample.time_s - at(sample.load), 2);
  return sum;
}

// 1 if all samples are equal: there is no variance to explain.
double r2(const std::vector<Sample>& samples, double squares_left) {
  double mean_s = 0;
  for (const auto& sample : samples) mean_s += sample.time_s / static_cast<double>(samples.size());
  const double all = squares(samples, [&](const NodeLoad&) { return mean_s; });
  return all > 0 ? 1 - squares_left / all : 1;
}
double r2(const std::vector<Sample>& samples, const Plane& plane) {
  return r2(samples, squares(samples, [&](const NodeLoad& load) { return plane.at(load); }));
}

double message_count(const NodeLoad& load, Split::By by) {
  return by == Split::By::intra ? load.intra : load.inter();
}

// Empty if one side does not determine a plane.
std::optional<Split> split_at(const std::vector<Sample>& samples, Split::By by, double last_below) {
  std::vector<Sample> below, above;
  for (const auto& sample : samples)
    (message_count(sample.load, by) <= last_below ? below : above).push_back(sample);
  if (!determines_plane(below) || !determines_plane(above)) return std::nullopt;
  const auto lower = least_squares_plane(below), upper = least_squares_plane(above);
  return Split{.by = by,
               .last_below = last_below,
               .below = lower,
               .above = upper,
               .r2_below = r2(below, lower),
               .r2_above = r2(above, upper)};
}

std::optional<Split> best_split(const std::vector<Sample>& samples) {
  std::optional<Split> best;
  double least = std::numeric_limits<double>::infinity();
  for (const auto by : {Split::By::intra, Split::By::inter})
    for (const auto& sample : samples) {
      const auto split = split_at(samples, by, message_count(sample.load, by));
      if (!split) continue;
      const double sum = squares(samples, [&](const NodeLoad& load) { return split->at(load); });
      if (sum >= least) continue;
      least = sum;
      best = split;
    }
  return best;
}

// The line through the samples that have only messages of this kind.
template <class Messages>
CostLine fit_line(const std::vector<Sample>& samples, bool both_ways, const Messages& messages) {
  const auto alone = samples_that(samples, [&](const Sample& sample) {
    const double count = messages(sample.load);
    return sample.both_ways == both_ways && count > 0 &&
           count == sample.load.intra + sample.load.inter();
  });
  if (alone.empty()) return {};
  const auto solution = solve_huber(
      make_equations(alone, [&](const NodeLoad& load) { return std::array{messages(load)}; }));
  return {solution[0], solution[1]};
}

Bottleneck fit_bottleneck(const std::vector<Sample>& samples) {
  return {.intra = fit_line(samples, true, [](const NodeLoad& load) { return load.intra; }),
          .in = fit_line(samples, false, [](const NodeLoad& load) { return load.in; }),
          .out = fit_line(samples, false, [](const NodeLoad& load) { return load.out; }),
          .inter = fit_line(samples, true, [](const NodeLoad& load) { return load.inter(); })};
}

// Empty if the loads of the links are unknown, or do not determine the time.
std::optional<LinkLine> fit_links(const std::vector<Sample>& samples) {
  if (std::ranges::any_of(samples, [](const Sample& sample) { return sample.load.busy_s <= 0; }))
    return std::nullopt;
  const auto equations =
      make_equations(samples, [](const NodeLoad& load) { return std::array{load.busy_s}; });
  if (equations.X.colPivHouseholderQr().rank() < 2) return std::nullopt;
  const auto solution = solve_huber(equations);
  if (solution[0] <= 0) return std::nullopt;
  return LinkLine{solution[0], solution[1]};
}

std::vector<Sample> samples_both_ways(const std::vector<Sample>& samples) {
  return samples_that(samples, [](const Sample& sample) { return sample.both_ways; });
}

Quality measure_quality(const CostModel& model, Form form, const std::vector<Sample>& samples) {
  const auto at = [&](const NodeLoad& load) { return model.at(load, form); };
  const auto of_paper = samples_both_ways(samples);
  const double all = squares(samples, at);
  Quality quality{.r2 = r2(of_paper, squares(of_paper, at)),
                  .r2_all = r2(samples, all),
                  .rms_s = std::sqrt(all / static_cast<double>(samples.size()))};
  for (const auto& sample : samples)
    quality.largest_residual_s =
        std::max(quality.largest_residual_s, std::abs(sample.time_s - at(sample.load)));
  return quality;
}

}  // namespace

NodeLoad requested_load(const workloads::Fireworks& requested) {
  const double inter = requested.inter_pairs;
  return {.intra = static_cast<double>(requested.intra_pairs * requested.messages_of_pair()),
          .in = requested.exchanged == workloads::Exchanged::sends ? 0 : inter,
          .out = requested.exchanged == workloads::Exchanged::receives ? 0 : inter};
}

Seconds Bottleneck::at(const NodeLoad& load) const {
  return std::max({intra.at(load.intra), in.at(load.in), out.at(load.out), inter.at(load.inter())});
}

std::string_view form_name(Form form) { return form_names[static_cast<std::size_t>(form)]; }

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
  return determines_plane(samples_both_ways(samples));
}

CostModel fit_cost_model(const std::vector<Sample>& samples) {
  constexpr double clearly = 0.9;
  const auto of_paper = samples_both_ways(samples);
  CostModel model;
  model.linear = least_squares_plane(of_paper);
  model.huber = make_plane(solve_huber(plane_equations(of_paper)));
  model.split = best_split(of_paper);
  model.bottleneck = fit_bottleneck(samples);
  model.links = fit_links(samples);
  for (std::size_t i = 0; i < form_names.size(); ++i) {
    const auto form = static_cast<Form>(i);
    if (!model.has(form)) continue;
    model.quality[i] = measure_quality(model, form, samples);
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

// R^2 of one plane; empty if these samples do not determine one.
std::optional<double> r2_from_two_pairs(const std::vector<Sample>& samples) {
  const auto saturated = samples_that(samples, [](const Sample& sample) {
    return sample.both_ways && sample.load.intra >= 2 * messages_of_pair;
  });
  if (!determines_plane(saturated)) return std::nullopt;
  return r2(saturated, least_squares_plane(saturated));
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
