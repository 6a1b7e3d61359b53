// SPDX-License-Identifier: BSD-3-Clause
// The reports of `sim fireworks`, and as pictures in the manner of the paper's Figures 2 to 4
// and 6.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/exchange_study.hpp"
#include "sim/fireworks/surface.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

// What messages cost a node.

struct FireworksReport : ReportHead, studies::fireworks::MeasuredCosts {};

Document fireworks_document(const FireworksReport& report);
std::vector<std::string> fireworks_document_parts();
// The surface of each model, four at most, with its plane. There is a model.
SurfacePicture fireworks_picture(const FireworksReport& report);

// "4 MiB, intra-first, 1 hot spot"
std::string model_title(const studies::fireworks::CostModel& model);
// That the round is one of those which the model was made of.
bool is_of(const studies::fireworks::CostModel& model, const workloads::Fireworks& requested);

// What an exchange of data is expected to take on node sets, beside simulations.

struct FireworksPredictReport : ReportHead, studies::fireworks::PredictedExchange {};

Document fireworks_predict_document(const FireworksPredictReport& report);
std::vector<std::string> fireworks_predict_document_parts();
// Expected time, write and read of each node set.
BarsPicture fireworks_predict_picture(const FireworksPredictReport& report);

// "4x4"
std::string tiles_text(const studies::fireworks::ExchangeJob& job);
// "4,4,2,2"
std::string node_set_text(const std::vector<int>& procs_of_node);

// Whether predictions order random node sets as the simulation does.

struct FireworksCheckReport : ReportHead, studies::fireworks::CheckedExchanges {
  double clearly = 0;
};

Document fireworks_check_document(const FireworksCheckReport& report);
std::vector<std::string> fireworks_check_document_parts();
// Expected and simulated times of all node sets, a panel for each form. There is a node set.
ScatterPicture fireworks_check_picture(const FireworksCheckReport& report);

}  // namespace tutti::reports
