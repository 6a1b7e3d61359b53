// SPDX-License-Identifier: BSD-3-Clause
// The reports of `sim fireworks`, and their pictures in the style of Figures 2 to 4 and 6 of the
// cFireworks paper.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/exchange_study.hpp"
#include "sim/fireworks/node_set_check.hpp"
#include "sim/fireworks/surface.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

// Communication cost of a node.

struct FireworksReport : ReportHead, studies::fireworks::MeasuredCosts {};

Document fireworks_document(const FireworksReport& report);
std::vector<std::string> fireworks_document_parts();
// The surface of each model (at most four) with its plane. Requires at least one model.
SurfacePicture fireworks_picture(const FireworksReport& report);

// "4 MiB, intra-first, 1 hot spot"
std::string model_title(const studies::fireworks::CostModel& model);
// Whether the model was fitted to this round.
bool is_model_for(const studies::fireworks::CostModel& model,
                  const workloads::Fireworks& requested);

// Expected and simulated times of a data exchange on node sets.

struct FireworksPredictReport : ReportHead, studies::fireworks::PredictedExchange {};

Document fireworks_predict_document(const FireworksPredictReport& report);
std::vector<std::string> fireworks_predict_document_parts();
// Expected time, write and read of each node set.
BarsPicture fireworks_predict_picture(const FireworksPredictReport& report);

// "4x4"
std::string tiles_text(const studies::fireworks::ExchangeJob& job);
// "4,4,2,2"
std::string node_set_text(const std::vector<int>& procs_of_node);

// Check that predictions order random node sets as the simulation does.

struct FireworksCheckReport : ReportHead, studies::fireworks::CheckedExchanges {
  double clearly = 0;
};

Document fireworks_check_document(const FireworksCheckReport& report);
std::vector<std::string> fireworks_check_document_parts();
// Expected and simulated times of all node sets, one panel per form. Requires at least one node
// set.
ScatterPicture fireworks_check_picture(const FireworksCheckReport& report);

}  // namespace tutti::reports
