// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/command/fireworks_request.hpp"

#include "platforms/reader.hpp"
#include "sim/base/text_file.hpp"
#include "sim/options/option_reader.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {

namespace fireworks = studies::fireworks;

namespace {

using FireworksOptions = options::OptionTable<FireworksRequest>;

constexpr const char* costs_source = "`sim fireworks --platform NAME --costs FILE` writes it";

// Selects the file's first cost model; options that are read later may override this.
void read_model(OptionReader& read, std::string_view option, FireworksRequest& request) {
  request.model_path = read.values().value(option);
  const auto text = read_text_file(request.model_path);
  if (!text) {
    for (Error error : text.errors()) {
      error.hint = costs_source;
      read.add({error});
    }
    return;
  }
  auto costs = fireworks::read_cost_file(*text, request.model_path);
  if (!costs) return read.add(costs.errors());
  request.costs = *std::move(costs);
  request.platform = request.costs.platform;
  request.order = request.costs.models.front().order;
  request.hot_spots = request.costs.models.front().hot_spots;
}

void check_costs(OptionReader& read, const FireworksRequest& request) {
  if (!read.errors().empty() || request.cost()) return;
  const auto order = workloads::posting_orders[static_cast<std::size_t>(request.order)];
  read.wrong(
      "--costs",
      fmt::format("{} does not contain these costs: {}, {}{}", request.model_path, order,
                  counted(request.hot_spots, "hot spot"),
                  request.form ? fmt::format(", {}", fireworks::form_name(*request.form)) : ""),
      "measure with the same --order and --hot-spots");
}

void read_implementation(OptionReader& read, std::string_view option, FireworksRequest& request) {
  std::vector<std::string> names;
  for (const auto* known : io_models::collective_implementations()) names.emplace_back(known->name);
  const auto chosen = read.names_of(option, "", names);
  if (chosen.size() > 1) read.wrong(option, "expected one name");
  if (!chosen.empty()) request.job.implementation = io_models::find_implementation(chosen.front());
}

constexpr auto exchange_job = options::under(&FireworksRequest::job);

}  // namespace

FireworksOptions cost_options() {
  using fireworks_option::costs;
  return FireworksOptions{
      {{costs, "--costs", "FILE", "Cost file written by `sim fireworks` (required)"},
       options::required(costs_source),
       read_model},
      {costs, "--order", "NAME",
       "Posting order of the costs: intra-first, inter-first; default: the first in the file",
       options::enum_choice<workloads::PostingOrder>(workloads::posting_orders,
                                                     &FireworksRequest::order)},
      {costs, "--hot-spots", "N",
       "Number of hot spots of the costs; default: the fewest in the file",
       options::number(count_axis, &FireworksRequest::hot_spots)},
      {costs, "--form", "NAME",
       "Form of the cost model: linear (the paper's), huber, split, bottleneck, links; default: "
       "the best"
       "\nSelects the costs in the file; default: the form that orders random node sets best, the "
       "first order, the smallest number of hot spots.",
       options::enum_choice<fireworks::Form>(fireworks::form_names, &FireworksRequest::form)},
      {taking(platform_names, {job_option::machine, "-p,--platform", "NAME",
                               "Platform to simulate; default: that of the cost file"}),
       options::text(&FireworksRequest::platform)},
      {job_option::set, options::value_from(options::read_overrides, &FireworksRequest::overrides)},
      {job_option::background,
       options::value_from(options::read_overrides, &FireworksRequest::overrides)},
  }
      .then(check_costs);
}

FireworksOptions exchange_options() {
  using fireworks_option::exchange;
  return {
      {exchange, "--buffer-size", "SIZE", "Collective buffer of each aggregator; default: 16MiB",
       options::number(some_bytes_axis, exchange_job(&fireworks::ExchangeJob::buffer_bytes))},
      {exchange, "--implementation", "NAME",
       "Collective I/O implementation, as for `sim run write`; default: romio",
       options::takes("generic vulcan dynamic_gen2 two_phase romio"), read_implementation},
      {exchange, "--setup", "WHEN",
       "Also simulate the collectives before and between the messages: on (default), off",
       options::choice<bool>({{"on", true}, {"off", false}},
                             exchange_job(&fireworks::ExchangeJob::with_setup))}};
}

FireworksOptions fireworks_output_options(std::vector<std::string> (*parts)()) {
  return FireworksOptions{{jobs_option, options::value_from(read_jobs, &FireworksRequest::jobs)},
                          {plot_option, options::value_from(read_plot, &FireworksRequest::plot)}} +
         document_options({parts}).of(&FireworksRequest::document);
}

Result<platforms::Machine> load_exchange_machine(
    const FireworksRequest& request, const OptionValues& parsed, const Diagnostics& diagnostics,
    const std::function<std::vector<Error>(const platforms::Machine&)>& errors_of_study) {
  auto machine = studies::load_machine(request);
  if (!machine) {
    auto errors = machine.errors();
    for (auto& error : errors)
      if (!parsed.has("--platform") && error.line == 0 && error.kind == ErrorKind::input)
        error.hint =
            fmt::format("this platform is named in {}; give its present path with --platform",
                        in_quotes(request.model_path));
    return errors;
  }
  if (const auto errors = errors_of_study(*machine); !errors.empty()) return parsed.placed(errors);
  for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  if (machine->content_hash != request.costs.platform_hash)
    diagnostics.warning(
        fmt::format("the costs in {} were measured on another platform, or on another version of "
                    "this one ({}): expect larger errors",
                    request.model_path, request.costs.platform));
  return machine;
}

}  // namespace tutti::commands
