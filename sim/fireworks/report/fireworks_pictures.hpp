// SPDX-License-Identifier: BSD-3-Clause
// The reports of `sim fireworks` as pictures, in the manner of the paper's Figures 2 to 4 and 6.
#pragma once

#include "sim/fireworks/report/fireworks_predict_report.hpp"
#include "sim/fireworks/report/fireworks_report.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

// The surface of each model, four at most, with its plane. There is a model.
SurfacePicture fireworks_picture(const FireworksReport& report);
// Expected time, write and read of each node set.
BarsPicture fireworks_predict_picture(const FireworksPredictReport& report);
// Expected and simulated times of all node sets, a panel for each form. There is a node set.
ScatterPicture fireworks_check_picture(const FireworksCheckReport& report);

}  // namespace tutti::reports
