// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/command/fireworks_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "platforms/reader.hpp"
#include "sim/base/counted.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/text_file.hpp"
#include "sim/options/overrides.hpp"

namespace tutti::commands {

namespace fireworks = studies::fireworks;

namespace {
constexpr const char* made_by = "`sim fireworks --platform NAME --model FILE` makes it";
}  // namespace

fireworks::CostFunction FireworksRequest::cost() const {
  return fireworks::CostFunction::of(costs, order, hot_spots, form).value();
}
fireworks::CostFunction FireworksRequest::cost(fireworks::Form of) const {
  return fireworks::CostFunction::of(costs, order, hot_spots, of).value();
}

Result<platforms::Machine> machine_of(const FireworksRequest& request, const OptionValues& parsed) {
  auto machine = platforms::load_machine(request.platform, request.overrides);
  if (machine || parsed.has("--platform")) return machine;
  auto errors = machine.errors();
  for (auto& error : errors)
    if (error.line == 0 && error.kind == ErrorKind::input)
      error.hint = fmt::format("it is the platform of {}; --platform says where it is now",
                               in_quotes(request.model_path));
  return errors;
}

void FireworksReading::read_common(FireworksRequest& request) {
  refuse_arguments();
  read_costs(request);
  read_exchange(request);
  if (auto overrides = read_overrides(parsed_))
    request.overrides = *std::move(overrides);
  else
    add(overrides.errors());
}

void FireworksReading::read_costs(FireworksRequest& request) {
  if (!parsed_.has("--model")) return wrong("--model", "is required", made_by);
  request.model_path = parsed_.value("--model");
  const auto text = read_text_file(request.model_path);
  if (!text) {
    for (Error error : text.errors()) {
      error.hint = made_by;
      errors_.add(std::move(error));
    }
    return;
  }
  auto costs = fireworks::read_cost_file(*text, request.model_path);
  if (!costs) return add(costs.errors());
  request.costs = *std::move(costs);
  request.platform = value_of("--platform", request.costs.platform);

  const auto& first = request.costs.models.front();
  const std::string first_order(workloads::posting_orders[static_cast<std::size_t>(first.order)]);
  const auto order = choice_of(
      parsed_, "--order", {workloads::posting_orders.begin(), workloads::posting_orders.end()});
  if (!order) return add(order.errors());
  const auto& wanted_order = parsed_.has("--order") ? *order : first_order;
  request.order = static_cast<workloads::PostingOrder>(
      std::ranges::find(workloads::posting_orders, wanted_order) -
      workloads::posting_orders.begin());
  request.hot_spots = static_cast<int>(single("--hot-spots", count_axis, first.hot_spots));
  if (parsed_.has("--form")) {
    const auto form =
        choice_of(parsed_, "--form", {fireworks::form_names.begin(), fireworks::form_names.end()});
    if (!form) return add(form.errors());
    request.form = fireworks::form_of(*form);
  }
  if (!fireworks::CostFunction::of(request.costs, request.order, request.hot_spots, request.form))
    wrong("--model",
          fmt::format("{} has no such costs: {}, {}{}", request.model_path, wanted_order,
                      counted(request.hot_spots, "hot spot"),
                      request.form ? fmt::format(", {}", fireworks::name_of(*request.form)) : ""),
          "measure with the same --order and --hot-spots");
}

void FireworksReading::read_exchange(FireworksRequest& request) {
  request.buffer_bytes = single("--buffer-size", some_bytes_axis, Bytes{16} << 20);
  std::vector<std::string> names;
  for (const auto* each : io_models::all_implementations()) names.emplace_back(each->name);
  const auto found = names_of("--implementation", "romio", names);
  if (found.size() > 1) wrong("--implementation", "takes one");
  if (!found.empty()) request.implementation = io_models::find_implementation(found.front());
  const auto setup = choice_of(parsed_, "--setup", {"on", "off"});
  if (setup)
    request.with_setup = *setup == "on";
  else
    add(setup.errors());
}

void FireworksReading::read_output(FireworksRequest& request,
                                   const std::vector<std::string>& parts) {
  if (const auto jobs = jobs_of(parsed_))
    request.jobs = *jobs;
  else
    add(jobs.errors());
  if (auto plot = plot_of(parsed_))
    request.plot = *std::move(plot);
  else
    add(plot.errors());
  if (auto output = document_output(parsed_, parts))
    request.document = *std::move(output);
  else
    add(output.errors());
}

std::optional<Error> too_large(const fireworks::ExchangeJob& job) {
  if (!fireworks::is_too_large(job)) return std::nullopt;
  return usage_error("--buffer-size", "this exchange has more than 50 million messages",
                     "take a larger buffer, a smaller file or fewer processes");
}

std::optional<std::string> other_machine(const FireworksRequest& request,
                                         const platforms::Machine& machine) {
  if (machine.content_hash == request.costs.platform_hash) return std::nullopt;
  return fmt::format("{} has the costs of another machine, or of another state of this one: {}",
                     request.model_path, request.costs.platform);
}

}  // namespace tutti::commands
