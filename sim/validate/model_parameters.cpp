// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/model_parameters.hpp"

#include "platforms/parameters/models.hpp"
#include "sim/fit/loggp_measurement.hpp"

namespace tutti::studies {
namespace {

// Stores the result in `parameters`, or returns its error.
template <class Parameters>
std::vector<Error> take(Result<Parameters> result, Parameters& parameters) {
  if (result) {
    parameters = *std::move(result);
    return {};
  }
  Error error = result.error();
  error.place = "--parameters";
  error.hint = "use platform or protocol; `sim run loggp` prints the measurement";
  return {error};
}

Result<ModelParameters> measured_parameters(const platforms::Machine& machine,
                                            const std::vector<std::string>& models) {
  const auto measured = TUTTI_TRY(measure_loggp(machine, {.nodes = first_nodes(machine)}));
  ModelParameters parameters = derived_parameters(machine);
  for (const auto& model : models) {
    const auto errors = model == "hockney" ? take(hockney_of(measured), parameters.hockney)
                                           : take(loggp_of(measured), parameters.loggp);
    if (!errors.empty()) return errors;
  }
  return parameters;
}

}  // namespace

ModelParameters derived_parameters(const platforms::Machine& machine) {
  return {platforms::derived_hockney(machine), platforms::derived_loggp(machine)};
}

Result<ModelParameters> find_parameters(const std::string& whose, const platforms::Machine& machine,
                                        const std::vector<std::string>& models) {
  if (whose == "measured") return measured_parameters(machine, models);
  if (whose == "protocol") return derived_parameters(machine);
  return ModelParameters{machine.hockney, machine.loggp};
}

}  // namespace tutti::studies
