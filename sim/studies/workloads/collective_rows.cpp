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

constexpr options::OptionGroup of_job{shared::machine, texts::collective_rows.all};
constexpr options::OptionGroup of_call{collective_group, texts::collective_rows.all};

// Paths of the request's members into which values are read.
constexpr auto swept = under(&CollectiveRequest::sweep);
constexpr auto common_point = under(swept(&Sweep::common));

// Words of --algorithm, for completion.
std::string_view algorithm_words() {
  static const auto sets = algorithms::selection::rule_sets();
  static const std::string words = fmt::format(
      "auto all auto:best auto:best@ all@ auto:{} auto:{} auto:rules= "
      "hierarchical:inter=",
      fmt::join(sets.begin() + 1, sets.end(), " auto:"),
      fmt::join(workloads::nccl_rules(), " auto:"));
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
    {of_job("--force", ""), options::flag(&CollectiveRequest::force)},
    options::needing({.simulation = true},
                     options::taking("auto flow simgrid ideal", of_job("--engine", "NAME"))),
    {shared::verify, options::flag(common_point(&Point::verify))},
    options::needing({.simulation = true},
                     options::taking(shared::contention_words, of_job("--contention", "WHEN"))),
    {options::needing({.simulation = true, .times = true}, of_job("--starts", "N")),
     options::number(starts_axis, within(common_point(&Point::starts), &StartChoice::runs))},
    options::needing({.simulation = true, .times = true}, of_job("--exact-start", "")),
    {options::needing({.simulation = true, .own_call = true}, of_job("--extrapolate", "WHEN")),
     options::choice<bool>({{"auto", true}, {"off", false}}, common_point(&Point::extrapolates))},
    {options::needing({.simulation = true, .own_call = true}, of_job("--symmetry", "WHEN")),
     options::choice<bool>({{"auto", true}, {"off", false}}, common_point(&Point::folds))},
    shared::model_only,
    taking(algorithm_words(), of_call("--algorithm", "NAMES")),
    of_call("--profile", "DIR"),
    of_call("--message-buffer", "SIZE"),
    of_call("--int-buffer", "SIZE"),
    {of_call("--message-size", "SIZES"), options::list(bytes_axis, swept(&Sweep::message_bytes))},
    {of_call("--segment-size", "SIZES"), options::list(bytes_axis, swept(&Sweep::segment_bytes))},
    {of_call("--radix,--fanout", "N"), options::list(count_axis, swept(&Sweep::fanouts))},
    {of_call("--max-requests", "N"),
     options::list(options::limit_axis, swept(&Sweep::max_requests))},
    {taking("equal linear random: file:", of_call("--counts", "HOW")),
     options::parse_with(workloads::parse_counts, swept(&Sweep::counts))},
    {of_call("--non-commutative", ""), options::flag(swept(&Sweep::commutative), false)},
    {of_call("--root", "N"), options::list(root_axis, swept(&Sweep::roots))},
    {of_call("--element-bytes", "SIZE"),
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
