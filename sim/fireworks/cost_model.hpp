// SPDX-License-Identifier: BSD-3-Clause
// What messages cost a node, from the surface that cFireworks measured. The paper's form (equation
// 1) is T = alpha ca + beta ce + gamma of the messages inside the node, ca, and those to and from
// other nodes, ce; split where the node's throughput saturates, it has one such plane on each side.
// A plane cannot say that messages in and out of the node, or inside it, do not wait for each
// other: the form `bottleneck` is the greatest of what each of them takes alone.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/fireworks.hpp"

namespace tutti::studies::fireworks {

// Of one node, in a round of messages.
struct NodeLoad {
  double intra = 0;  // ca: messages inside the node
  double in = 0;     // from other nodes
  double out = 0;    // to other nodes

  double inter() const { return in + out; }  // ce
};
NodeLoad load_of(const workloads::Fireworks& requested);

struct Sample {
  NodeLoad load;
  Seconds time_s = 0;
  bool both_ways = true;  // as all of the paper's are
};

struct Plane {
  Seconds alpha_s = 0;
  Seconds beta_s = 0;
  Seconds gamma_s = 0;

  Seconds at(const NodeLoad& load) const {
    return alpha_s * load.intra + beta_s * load.inter() + gamma_s;
  }
};

// Planes on both sides of a number of messages.
struct Split {
  enum class By : std::uint8_t { intra, inter } by = By::intra;
  double last_below = 0;  // the most messages of the plane below
  Plane below, above;
  double r2_below = 0;  // of each side's points alone
  double r2_above = 0;

  Seconds at(const NodeLoad& load) const {
    const double messages = by == By::intra ? load.intra : load.inter();
    return (messages <= last_below ? below : above).at(load);
  }
};

struct CostLine {
  Seconds per_message_s = 0;
  Seconds once_s = 0;

  Seconds at(double messages) const { return messages > 0 ? per_message_s * messages + once_s : 0; }
};
struct Bottleneck {
  CostLine intra, in, out;
  CostLine
      inter;  // of both ways together: half of the others where they do not wait for each other

  Seconds at(const NodeLoad& load) const;
};

enum class Form : std::uint8_t { linear, huber, split, bottleneck };
inline constexpr std::array<std::string_view, 4> form_names = {"linear", "huber", "split",
                                                               "bottleneck"};
std::optional<Form> form_of(std::string_view name);
std::string_view name_of(Form form);

// How well a form fits. R^2 of the paper's points, which go both ways; the rest of all.
struct Quality {
  double r2 = 0;
  double r2_all = 0;
  Seconds rms_s = 0;
  Seconds largest_residual_s = 0;
};

// Of one posting order, number of hot spots and message size.
struct CostModel {
  workloads::PostingOrder order = workloads::PostingOrder::intra_first;
  int hot_spots = 1;
  Bytes message_bytes = 0;
  Plane linear;                // by least squares, of the points both ways
  Plane huber;                 // by Huber's regression, of the same
  std::optional<Split> split;  // none: too few points
  Bottleneck bottleneck;
  std::array<Quality, form_names.size()> quality = {};  // by form; of all samples
  Form best = Form::linear;

  bool has(Form form) const { return form != Form::split || split.has_value(); }
  // Never below 0, and nothing without messages.
  Seconds at(const NodeLoad& load, Form form) const;
};

// R^2 of one plane through those of the samples that go both ways, by least squares; nothing where
// they determine none.
std::optional<double> r2_of_plane(const std::vector<Sample>& samples);

// Points both ways that are on no line, which the planes need.
bool determine_costs(const std::vector<Sample>& samples);
// `samples` determine them. Fills in all but what the samples
// are of. The best form has the least root mean square residual, a simpler one where it is at most
// a tenth more.
CostModel fit_cost_model(const std::vector<Sample>& samples);

// What cFireworks prints of its regressions, beside ours.

struct PrintedCost {
  std::string item;
  std::string printed;  // empty: not printed of this machine
  std::optional<double> ours;
};

// Of a machine of the paper ("tachyon1", "tachyon2") and one hot spot with messages of its size;
// empty: it has none such. `samples`: those that the model was fitted to.
std::vector<PrintedCost> beside_printed_costs(std::string_view platform, const CostModel& model,
                                              const std::vector<Sample>& samples);

}  // namespace tutti::studies::fireworks
