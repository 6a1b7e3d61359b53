// SPDX-License-Identifier: BSD-3-Clause
// What `sim fit platform` makes of measurements: the parameters, and the file that has them.
#pragma once

#include "platforms/writer/platform_file.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/joint_fit.hpp"
#include "sim/fit/report/fit_report.hpp"

namespace tutti::commands {

struct FitPlatformRequest {
  std::vector<std::string> files;
  std::vector<std::string> intra_files;
  std::vector<std::string> collective_files;
  std::vector<std::string> sharing_files;
  studies::OnlyRows only;
  const workloads::Harness* harness = nullptr;
  studies::ProtocolFitOptions fit;
  std::optional<platforms::Machine> like;
  studies::HardwareClass hardware = studies::hardware_classes().front();
  int jobs = 1;
  platforms::PlatformFile file;
  bool nodes_given = false;
  bool cores_given = false;
  std::string output;
  ReportOutputs outputs;
};

// What was measured, and the machine that came of it.
struct Fitted {
  reports::FittedPath inter;
  studies::ProtocolFit messages;  // the fit to messages between nodes alone, where there are some
  std::optional<reports::FittedPath> intra;
  std::vector<studies::MeasuredCollective> collectives;
  std::optional<double> bus_Bps;                       // where collectives show it
  std::optional<studies::SystemParameters> system;     // the same
  std::optional<studies::CrossValidation> validation;  // of the fit to collectives

  const reports::FittedPath* inside() const { return intra ? &*intra : nullptr; }
};

// The class, or the machine that --like names.
studies::HardwareClass hardware_of(const FitPlatformRequest& request);

// How many links a message between the first two nodes crosses: the fitted latency is theirs.
Result<int> links_between_nodes(platforms::PlatformFile file);

// Times inside a node give the request's machine cores. `links`: as above.
Result<Fitted> fit_machine(FitPlatformRequest& request, int links, const FitData& data,
                           const Diagnostics& diagnostics);

// The machine's file; `sharing`: what is said of messages of many pairs, or nothing.
std::string machine_text(const FitPlatformRequest& request, const Fitted& fitted, int links,
                         const std::vector<std::string>& sharing);

// What was measured compared with what the machine of that text simulates, into the report.
Result<bool> add_simulated(const Fitted& fitted, const FitPlatformRequest& request,
                           const std::string& text, reports::FitReport& report);

}  // namespace tutti::commands
