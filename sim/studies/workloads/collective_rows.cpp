// SPDX-License-Identifier: BSD-3-Clause
// The table of the options of collectives.
#include "sim/options/shared_options.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/studies/workloads/collective_rows.help.hpp"

namespace tutti::studies {
namespace {

namespace shared = options::shared;
using options::AxisKind;
using options::bytes_axis;
using options::count_axis;
using options::under;
using options::within;

constexpr AxisKind root_axis{parse_integer, 0, platforms::most_procs - 1};
constexpr AxisKind starts_axis{parse_integer, StartChoice::least, StartChoice::most};

// Paths of the request's members into which values are read.
constexpr auto swept = under(&CollectiveRequest::sweep);
constexpr auto common_point = under(swept(&Sweep::common));

// Words of --algorithm, for completion.
std::string_view algorithm_words() {
  static const auto sets = algorithms::selection::rule_sets();
  static const std::string words =
      fmt::format("auto all auto:best auto:best@ all@ auto:{} auto:rules= hierarchical:inter=",
                  fmt::join(sets.begin() + 1, sets.end(), " auto:"));
  return words;
}

const options::OptionTable<CollectiveRequest> collective_table{
    shared::platforms,
    shared::set,
    shared::background,
    {shared::procs, options::required("the number of processes"),
     options::list(count_axis, swept(&Sweep::procs))},
    {shared::ppn, options::list(count_axis, swept(&Sweep::ppn))},
    shared::with_help(texts::collective_rows["--map"], shared::map),
    shared::with_help(texts::collective_rows["--nodes"], shared::nodes),
    shared::with_help(texts::collective_rows["--allocation"], shared::allocation),
    shared::oversubscribe,
    {shared::machine, "--force", "", texts::collective_rows["--force"],
     options::flag(&CollectiveRequest::force)},
    options::needing({.simulation = true}, options::taking("auto flow simgrid ideal",
                                                           {shared::machine, "--engine", "NAME",
                                                            texts::collective_rows["--engine"]})),
    {shared::verify, options::flag(common_point(&Point::verify))},
    options::needing(
        {.simulation = true},
        options::taking(shared::contention_words, {shared::machine, "--contention", "WHEN",
                                                   texts::collective_rows["--contention"]})),
    {options::needing({.simulation = true, .times = true},
                      {shared::machine, "--starts", "N", texts::collective_rows["--starts"]}),
     options::number(starts_axis, within(common_point(&Point::starts), &StartChoice::runs))},
    options::needing({.simulation = true, .times = true},
                     {shared::machine, "--exact-start", "",
                      "Start all ranks at exactly the same time and do not simulate other starts"}),
    {options::needing(
         {.simulation = true, .own_call = true},
         {shared::machine, "--extrapolate", "WHEN", texts::collective_rows["--extrapolate"]}),
     options::choice<bool>({{"auto", true}, {"off", false}}, common_point(&Point::extrapolates))},
    {options::needing(
         {.simulation = true, .own_call = true},
         {shared::machine, "--symmetry", "WHEN", texts::collective_rows["--symmetry"]}),
     options::choice<bool>({{"auto", true}, {"off", false}}, common_point(&Point::folds))},
    shared::model_only,
    {collective_group, "--algorithm", "NAMES", texts::collective_rows["--algorithm"],
     options::takes(algorithm_words())},
    {collective_group, "--profile", "DIR", texts::collective_rows["--profile"]},
    {collective_group, "--message-buffer", "SIZE", texts::collective_rows["--message-buffer"]},
    {collective_group, "--int-buffer", "SIZE",
     "PGMPITuneLib's buffer for count vectors; default: 200000 B"},
    {collective_group, "--message-size", "SIZES", texts::collective_rows["--message-size"],
     options::list(bytes_axis, swept(&Sweep::message_bytes))},
    {collective_group, "--segment-size", "SIZES",
     "Segment sizes in bytes; 0 (default): no segmentation",
     options::list(bytes_axis, swept(&Sweep::segment_bytes))},
    {collective_group, "--radix,--fanout", "N", texts::collective_rows["--fanout"],
     options::list(count_axis, swept(&Sweep::fanouts))},
    {collective_group, "--max-requests", "N",
     "Maximum number of concurrent requests of algorithms that limit them; 0 (default): no limit",
     options::list(options::limit_axis, swept(&Sweep::max_requests))},
    {collective_group, "--counts", "HOW", texts::collective_rows["--counts"],
     options::takes("equal linear random: file:"),
     options::parse_with(workloads::parse_counts, swept(&Sweep::counts))},
    {collective_group, "--non-commutative", "", texts::collective_rows["--non-commutative"],
     options::flag(swept(&Sweep::commutative), false)},
    {collective_group, "--root", "N", texts::collective_rows["--root"],
     options::list(root_axis, swept(&Sweep::roots))},
    {collective_group, "--element-bytes", "SIZE", texts::collective_rows["--element-bytes"],
     options::number(options::some_bytes_axis, swept(&Sweep::element_bytes))},
    shared::repetitions,
    shared::benchmark,
    shared::skew,
    shared::noise,
};

constexpr options::OptionSpec confidence_row = options::needing(
    {.simulation = true, .times = true},
    shared::output_row("--confidence", "", texts::collective_rows["--confidence"]));

}  // namespace

const options::OptionTable<CollectiveRequest>& collective_options() { return collective_table; }

const options::OptionSpec& confidence_option() { return confidence_row; }

}  // namespace tutti::studies
