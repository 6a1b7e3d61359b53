// SPDX-License-Identifier: BSD-3-Clause
// Model of what messages cost a node, fitted to the surface that cFireworks measures. The paper's
// form (equation 1) is T = alpha ca + beta ce + gamma, where ca is the number of messages inside
// the node and ce the number of messages to and from other nodes. The form `split` has one such
// plane on each side of the point where the node's throughput saturates. A plane cannot express
// that messages into, out of and inside the node do not wait for each other: the form `bottleneck`
// is the maximum of the times that each of them takes alone. The form `links` looks beyond the
// node: T = a busy + c, where busy is the time that the busiest link of the node's messages needs
// for all bytes that cross it, also those of other nodes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/node_sets.hpp"
#include "workloads/fireworks.hpp"

namespace tutti::studies::fireworks {

// Messages of one node in a round.
struct NodeLoad {
  double intra = 0;  // ca: messages inside the node
  double in = 0;     // from other nodes
  double out = 0;    // to other nodes
  // Longest time that a link which these messages cross needs for all its bytes, at full bandwidth.
  // 0: unknown.
  Seconds busy_s = 0;

  double inter() const { return in + out; }  // ce
};
NodeLoad requested_load(const workloads::Fireworks& requested);

struct Sample {
  NodeLoad load;
  Seconds time_s = 0;
  bool both_ways = true;  // as in all rounds of the paper
};

struct Plane {
  Seconds alpha_s = 0;
  Seconds beta_s = 0;
  Seconds gamma_s = 0;

  Seconds at(const NodeLoad& load) const {
    return alpha_s * load.intra + beta_s * load.inter() + gamma_s;
  }
};

// One plane up to a number of messages, another one above it.
struct Split {
  enum class By : std::uint8_t { intra, inter } by = By::intra;
  double last_below = 0;  // largest number of messages at which `below` applies
  Plane below, above;
  double r2_below = 0;  // of the points on this side only
  double r2_above = 0;

  Seconds at(const NodeLoad& load) const {
    const double messages = by == By::intra ? load.intra : load.inter();
    return (messages <= last_below ? below : above).at(load);
  }
};

// Time of a node whose busiest link is busy for `busy_s`.
struct LinkLine {
  double factor = 1;  // how much longer than at full bandwidth
  Seconds once_s = 0;

  Seconds at(const NodeLoad& load) const { return factor * load.busy_s + once_s; }
};

struct CostLine {
  Seconds per_message_s = 0;
  Seconds once_s = 0;

  Seconds at(double messages) const { return messages > 0 ? per_message_s * messages + once_s : 0; }
};
struct Bottleneck {
  CostLine intra, in, out;
  // Messages in both directions. Half of `in` and `out` per message if the two directions do not
  // wait for each other.
  CostLine inter;

  Seconds at(const NodeLoad& load) const;
};

enum class Form : std::uint8_t { linear, huber, split, bottleneck, links };
inline constexpr std::array<std::string_view, 5> form_names = {"linear", "huber", "split",
                                                               "bottleneck", "links"};
std::string_view form_name(Form form);

// How well a form orders simulated node sets, and how close its times are to the simulated ones.
struct Trial : Ordering {
  // 5th and 95th percentile of the ratio of expected and simulated time.
  double low_ratio = 0;
  double high_ratio = 0;
};

// How well a form fits. `r2` refers to the paper's points, which go both ways, the other members to
// all points.
struct Quality {
  double r2 = 0;
  double r2_all = 0;
  Seconds rms_s = 0;
  Seconds largest_residual_s = 0;
};

// The model of one posting order, number of hot spots and message size.
struct CostModel {
  workloads::PostingOrder order = workloads::PostingOrder::intra_first;
  int hot_spots = 1;
  Bytes message_bytes = 0;
  Plane linear;                // least squares through the points that go both ways
  Plane huber;                 // Huber regression through the same points
  std::optional<Split> split;  // unset: too few points
  Bottleneck bottleneck;
  std::optional<LinkLine> links;                        // unset: the loads of the links are unknown
  std::array<Quality, form_names.size()> quality = {};  // by form; of all samples
  Form best = Form::linear;
  std::optional<Trial> trial;  // of `best`; unset: it was chosen by its residuals

  bool has(Form form) const {
    return form == Form::split ? split.has_value() : form != Form::links || links.has_value();
  }
  // At least 0; 0 without messages.
  Seconds at(const NodeLoad& load, Form form) const;
};

// Whether the samples that go both ways determine a plane: at least four, not all on one line.
bool determine_costs(const std::vector<Sample>& samples);
// Requires determine_costs(samples). Sets all members except order, hot_spots, message_bytes and
// trial. The best form has the smallest root mean square residual; a simpler form is preferred
// unless the more complex one reduces the residual by more than 10 %.
CostModel fit_cost_model(const std::vector<Sample>& samples);

// The paper's regressions compared with ours.

struct PrintedCost {
  std::string item;
  std::string printed;  // empty: the paper has no value for this machine
  std::optional<double> ours;
};

// The values for a machine of the paper ("tachyon1", "tachyon2") with one hot spot and the model's
// message size; otherwise empty. `samples` are those that the model was fitted to.
std::vector<PrintedCost> beside_printed_costs(std::string_view platform, const CostModel& model,
                                              const std::vector<Sample>& samples);

}  // namespace tutti::studies::fireworks
