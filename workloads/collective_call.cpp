// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/collective_call.hpp"

#include "algorithms/guidelines/mockup.hpp"
#include "algorithms/hardware/hardware.hpp"
#include "algorithms/segments.hpp"
#include "algorithms/selection/decision.hpp"
#include "workloads/hierarchical_spec.hpp"

namespace tutti::workloads {
namespace {

using algorithms::Algorithm;
using algorithms::Collective;

constexpr std::string_view automatic = "auto";

// Every segment is a message to each rank: larger numbers take days and exceed the memory.
constexpr std::int64_t most_segments = std::int64_t{1} << 24;
constexpr std::int64_t most_segment_messages = std::int64_t{1} << 31;

// The possible words after "auto:".
std::vector<std::string> kinds_of_automatic() {
  std::vector<std::string> kinds;
  for (const auto rules : algorithms::selection::rule_sets()) kinds.emplace_back(rules);
  for (auto& rules : nccl_rules()) kinds.push_back(std::move(rules));
  kinds.insert(kinds.end(), {"rules=FILE", "best"});
  return kinds;
}

Error unknown_rules(const CallRequest& request, std::string_view name) {
  const auto kinds = kinds_of_automatic();
  const std::string there_are =
      fmt::format("expected one of {} after auto:", fmt::join(kinds, ", "));
  return usage_error("--algorithm",
                     fmt::format("unknown decision rules {}", in_quotes(request.algorithm)),
                     name.empty() ? there_are : did_you_mean(name, kinds, there_are));
}

// If no name is similar: names that share a word, of this collective or of others.
std::string hint_of_words(const CallRequest& request) {
  std::vector<std::string_view> its_own;
  for (const auto* algorithm : algorithms::algorithms_of(request.collective))
    if (share_word(algorithm->name, request.algorithm)) its_own.push_back(algorithm->name);
  if (!its_own.empty()) return fmt::format("did you mean {}?", fmt::join(its_own, " or "));
  const auto others = algorithms_like(request.algorithm);
  if (!others.empty())
    return fmt::format("algorithms with a similar name: {}", fmt::join(others, ", "));
  return "`sim list algorithms` lists the names; auto and all are also accepted";
}

Error unknown_algorithm(const CallRequest& request) {
  std::vector<std::string> names{"all", std::string(automatic)};
  for (const auto& kind : kinds_of_automatic())
    names.push_back(fmt::format("{}:{}", automatic, kind));
  for (const auto* algorithm : algorithms::algorithms_of(request.collective))
    names.emplace_back(algorithm->name);
  for (const auto* mockup : algorithms::guidelines::find_mockups(request.collective))
    names.emplace_back(mockup->algorithm.name);
  return usage_error(
      "--algorithm",
      fmt::format("unknown {} algorithm {}", request.collective, in_quotes(request.algorithm)),
      did_you_mean(request.algorithm, names, hint_of_words(request)));
}

const Collective& collective_of(const CallRequest& request) {
  const Collective* collective = algorithms::find_collective(request.collective);
  TUTTI_CHECK(collective != nullptr, "the call has an unknown collective");
  return *collective;
}

// Checks the size of the result of all ranks together: a whole vector or all blocks per rank.
std::optional<Error> check_size(const CallRequest& request) {
  const bool in_blocks = collective_of(request).in_blocks;
  const Bytes procs = request.procs;
  if (request.message_bytes <= most_wire_bytes / procs / (in_blocks ? procs : 1))
    return std::nullopt;
  return usage_error(
      "--message-size",
      fmt::format("sending {} B {} each of {} processes exceeds 2^61 B in total",
                  request.message_bytes, in_blocks ? "from each to" : "to", request.procs),
      "use a smaller message size or fewer processes");
}

std::vector<Error> check_arguments(const CallRequest& request) {
  std::vector<Error> errors;
  const bool rooted = collective_of(request).rooted;
  if (rooted && (request.root < 0 || request.root >= request.procs))
    errors.push_back(
        usage_error("--root", fmt::format("root {} is out of range", request.root),
                    fmt::format("with {} process{}, the root must be in 0..{}", request.procs,
                                request.procs == 1 ? "" : "es", request.procs - 1)));
  if (request.message_bytes % request.element_bytes != 0)
    errors.push_back(usage_error("--message-size",
                                 fmt::format("{} B is not a multiple of the element size ({} B)",
                                             request.message_bytes, request.element_bytes),
                                 "use a multiple of --element-bytes"));
  if (auto error = check_size(request)) errors.push_back(*std::move(error));
  return errors;
}

Result<CollectiveCall> check_segments(const CallRequest& request, const CollectiveCall& call) {
  const std::int64_t count = segments_of(call);
  if (count <= most_segments && count <= most_segment_messages / request.procs) return call;
  const std::string message =
      fmt::format("{} segments to each of {} processes exceed the limit of {}", count,
                  request.procs, count > most_segments ? "2^24 per message" : "2^31 per job");
  if (is_automatic(request.algorithm))
    return usage_error("--message-size", message,
                       "use a smaller message size or name an algorithm");
  return usage_error("--segment-size", message, "use a larger --segment-size");
}

namespace selection = algorithms::selection;

// The machine and the placement of a call.
struct JobPlace {
  const platforms::Machine& machine;
  platforms::PlacementRequest placement;
};

Result<platforms::Placement> placement_of(const JobPlace& job, int procs) {
  auto placement = job.placement;
  placement.procs = procs;
  return platforms::place(job.machine, placement);
}

// Divides the ranks by their nodes.
std::optional<Error> place_on_nodes(const JobPlace& job, int procs, CollectiveCall& call) {
  const auto placed = placement_of(job, procs);
  if (!placed) return placed.error();
  auto nodes = make_hierarchy({}, *placed, call.args);
  if (!nodes) return nodes.error();
  call.hierarchy = *std::move(nodes);
  call.args.hierarchy = call.hierarchy.get();
  call.args.nodes = call.hierarchy->shape();
  return std::nullopt;
}

// The name of the fixed rules.
std::string_view rules_in(const CallRequest& request) {
  if (request.rules) return request.rules->fixed_rules();
  const bool is_named = request.algorithm != automatic;
  return is_named ? std::string_view(request.algorithm).substr(automatic.size() + 1)
                  : selection::default_rule_set();
}

// Groups the ranks of a chosen hierarchical algorithm by nodes; the rules choose on its levels.
Result<CollectiveCall> with_levels(CollectiveCall call, const platforms::Placement& placed,
                                   std::string_view set,
                                   const std::shared_ptr<const selection::DynamicRules>& rules) {
  const auto spec = TUTTI_TRY(parse_hierarchical(hierarchical_name, *call.algorithm));
  call.hierarchy = TUTTI_TRY(make_hierarchy(spec, placed, call.args));
  call.args.hierarchy = call.hierarchy.get();
  apply_selection(call, std::make_shared<const selection::Selection>(
                            selection::Selection{.rule_set = std::string(set), .rules = rules}));
  return call;
}

// Chooses as NCCL.
Result<CollectiveCall> choose_device_call(const CallRequest& request, CollectiveCall call,
                                          const JobPlace& job) {
  const auto placed = TUTTI_TRY(placement_of(job, request.procs));
  const auto* rules = request.rules && request.rules->is_of_nccl() ? request.rules.get() : nullptr;
  const auto choice = TUTTI_TRY(choose_as_nccl(request.algorithm,
                                               {request.collective, call.args.message_bytes, rules},
                                               job.machine, placed));
  call.algorithm = choice.algorithm;
  call.args.fanout = choice.channels;
  call.decided_by = choice.line > 0 ? decided_by_file : std::string_view(choice.version);
  call.rules_line = choice.line;
  if (choice.line > 0) call.rules_file = rules->file();
  call.component = "nccl";
  call.nccl = choice.prediction;
  if (call.algorithm->by_nodes)
    if (auto wrong = place_on_nodes(job, request.procs, call)) return *std::move(wrong);
  return call;
}

// Chooses by the rules file if there is one, otherwise by the fixed rules.
Result<CollectiveCall> choose(const CallRequest& request, selection::Query query,
                              CollectiveCall call, const JobPlace& job) {
  const auto take = [&](const selection::Choice& choice, std::string_view decided_by) {
    call.algorithm = choice.algorithm;
    call.args.segment_bytes = choice.segment_bytes;
    call.args.fanout = choice.fanout;
    if (choice.max_requests > 0) call.args.max_requests = choice.max_requests;
    call.decided_by = decided_by;
    call.rules_line = choice.line;
    call.component = choice.component;
    call.table = choice.table;
    return call;
  };
  if (is_nccl_choice(request.algorithm) || (request.rules && request.rules->is_of_nccl()))
    return choose_device_call(request, std::move(call), job);
  const std::string_view rules = rules_in(request);
  if (rules_file_of(request.algorithm) == "")
    return usage_error("--algorithm", "auto:rules= has no file name", "expected auto:rules=FILE");
  const auto set = selection::find_rule_set(rules);
  if (!set) return unknown_rules(request, rules);
  const bool has_han = selection::has_han(*set);
  if (has_han || (request.rules && request.rules->depends_on_nodes())) {
    if (auto wrong = place_on_nodes(job, request.procs, call)) return *std::move(wrong);
    query.nodes = call.args.nodes;
  }
  if (has_han || request.rules)
    apply_selection(call, std::make_shared<const selection::Selection>(selection::Selection{
                              .rule_set = std::string(*set), .rules = request.rules}));
  std::optional<selection::Choice> by_file;
  if (request.rules) {
    by_file = TUTTI_TRY(request.rules->choose(query));
    call.rules_file = request.rules->file();
    if (auto wrong = request.rules->wrong_inside(request.procs)) return *std::move(wrong);
  }
  // Compositions of MPICH's device, which a rules file does not change.
  if (selection::depends_on_nodes(*set, request.collective)) {
    const auto placed = TUTTI_TRY(placement_of(job, request.procs));
    query.nodes = TUTTI_TRY(make_hierarchy({}, placed, call.args))->shape();
    const auto composed = TUTTI_TRY(selection::choose(*set, query));
    if (!composed.algorithm->levels.inter.empty()) {
      take(composed, request.rules ? decided_by_file : *set);
      return with_levels(std::move(call), placed, *set, request.rules);
    }
  }
  if (by_file) return take(*by_file, decided_by_file);
  return take(TUTTI_TRY(selection::choose(*set, query)), *set);
}

Result<CollectiveCall> resolve_automatic(const CallRequest& request, CollectiveCall call,
                                         const JobPlace& job) {
  if (request.segment_bytes || request.fanout)
    return usage_error(
        request.segment_bytes ? "--segment-size" : "--fanout",
        fmt::format("has no effect with --algorithm {}: the rules decide it", request.algorithm),
        "omit it or name an algorithm");
  const selection::Query query{.collective = request.collective,
                               .procs = request.procs,
                               .message_bytes = call.args.message_bytes,
                               .elements = call.args.message_bytes / request.element_bytes,
                               .commutative = request.commutative,
                               .has_counts = call.args.counts != nullptr};
  auto chosen = choose(request, query, std::move(call), job);
  if (chosen) return chosen;
  auto errors = chosen.errors();
  for (auto& error : errors)
    if (error.place.empty()) error.place = "--algorithm";
  return errors;
}

// Resolves an algorithm's name, or a hierarchical algorithm with parameters.
Result<CollectiveCall> resolve_named(const CallRequest& request, CollectiveCall call,
                                     const JobPlace& job) {
  const bool has_levels = is_hierarchical(request.algorithm);
  call.algorithm = algorithms::guidelines::find_algorithm_or_mockup(
      request.collective, has_levels ? hierarchical_name : std::string_view(request.algorithm));
  if (call.algorithm == nullptr) return unknown_algorithm(request);
  if (call.algorithm->segmented)
    call.args.segment_bytes = request.segment_bytes.value_or(call.algorithm->default_segment);
  if (call.algorithm->default_fanout > 0)
    call.args.fanout = request.fanout.value_or(call.algorithm->default_fanout);
  if (call.algorithm->default_fanout > 0 && call.args.fanout < call.algorithm->least_fanout)
    return usage_error(
        "--fanout", fmt::format("invalid radix {} for {}", call.args.fanout, call.algorithm->name),
        fmt::format("the radix must be at least {}", call.algorithm->least_fanout));
  if (call.algorithm->by_nodes)
    if (auto wrong = place_on_nodes(job, request.procs, call)) return *std::move(wrong);
  if (!has_levels) return call;
  const auto spec = TUTTI_TRY(parse_hierarchical(request.algorithm, *call.algorithm));
  const auto placed = TUTTI_TRY(placement_of(job, request.procs));
  call.hierarchy = TUTTI_TRY(make_hierarchy(spec, placed, call.args));
  call.args.hierarchy = call.hierarchy.get();
  return call;
}

// Resolves a schedule.
Result<CollectiveCall> resolve_schedule(const CallRequest& request, std::string file,
                                        CollectiveCall call) {
  if (call.counts != nullptr)
    return usage_error("--counts", "does not apply to schedules, whose blocks are equal",
                       "omit it or name an algorithm");
  call.scheduled = TUTTI_TRY(schedules::scheduled_algorithm({.collective = request.collective,
                                                             .algorithm = request.algorithm,
                                                             .file = std::move(file),
                                                             .procs = request.procs,
                                                             .message_bytes = request.message_bytes,
                                                             .element_bytes = request.element_bytes,
                                                             .root = request.root}));
  call.algorithm = &call.scheduled->algorithm;
  return call;
}

// Sets the arguments that do not depend on the algorithm.
Result<CollectiveCall> common_part(const CallRequest& request) {
  const Collective& collective = collective_of(request);
  CollectiveCall call;
  call.args = {.message_bytes = request.message_bytes,
               .root = collective.rooted ? request.root : 0,
               .element_bytes = request.element_bytes,
               .max_requests = request.max_requests,
               .commutative = request.commutative || !collective.reduces};
  if (!collective.has_counts || request.counts.kind == CountsSpec::Kind::equal) return call;
  const bool deals_out = !collective.in_blocks;  // distributes the vector over the ranks
  const Bytes total_bytes = request.message_bytes * (deals_out ? 1 : request.procs);
  call.counts =
      TUTTI_TRY(make_counts(request.counts, request.procs, total_bytes, request.element_bytes));
  call.args.counts = call.counts.get();
  call.args.message_bytes = call.counts->total() / (deals_out ? 1 : request.procs);
  return call;
}

// The algorithm `hardware` runs if the machine declares the collective.
std::optional<Error> rejection_of_hardware(const CollectiveCall& call,
                                           const platforms::Machine& machine) {
  if (call.algorithm->name != algorithms::hardware::name) return std::nullopt;
  if (algorithms::hardware::is_there(machine, call.algorithm->collective)) return std::nullopt;
  return usage_error(
      "--algorithm",
      fmt::format("the network of {} has no hardware {}", machine.name, call.algorithm->collective),
      "mpi/hardware_collectives of the platform lists the supported collectives");
}

std::string what_runs(std::string_view collective, const platforms::Machine& machine,
                      const algorithms::ModelArgs& args) {
  std::vector<std::string_view> names;
  for (const Algorithm* algorithm : algorithms::algorithms_of(collective)) {
    const bool is_hardware = algorithm->name == algorithms::hardware::name;
    if (is_hardware && !algorithms::hardware::is_there(machine, collective)) continue;
    if (algorithm->runs == nullptr || algorithm->runs(args)) names.push_back(algorithm->name);
  }
  return fmt::format("usable algorithms: {}; --algorithm all skips the others",
                     fmt::join(names, ", "));
}

}  // namespace

std::optional<Error> rejection(const CollectiveCall& call, const platforms::Machine& machine,
                               int procs) {
  if (auto error = rejection_of_hardware(call, machine)) return error;
  const Algorithm& algorithm = *call.algorithm;
  if (algorithm.runs == nullptr || algorithm.runs({procs, call.args})) return std::nullopt;
  Error error = usage_error(
      "--algorithm",
      fmt::format("{} cannot run {} with {} process{}: it requires {}", algorithm.name,
                  algorithm.collective, procs, procs == 1 ? "" : "es", algorithm.restriction),
      what_runs(algorithm.collective, machine, {procs, call.args}));
  if (call.rules_line == 0) return error;
  error.place = call.rules_file;
  error.line = call.rules_line;
  return error;
}

void apply_selection(CollectiveCall& call,
                     std::shared_ptr<const algorithms::selection::Selection> selection) {
  call.selection = std::move(selection);
  call.args.selection = call.selection.get();
}

std::vector<std::string> algorithms_like(std::string_view name) {
  std::vector<std::string> found;
  for (const auto& algorithm : algorithms::all_algorithms())
    if (share_word(algorithm.name, name))
      found.push_back(fmt::format("{} {}", algorithm.collective, algorithm.name));
  return found;
}

std::int64_t segments_of(const CollectiveCall& call) {
  return call.algorithm->segmented ? algorithms::segments_of(call.args).count() : 1;
}

Result<CollectiveCall> resolve(const CallRequest& request, const platforms::Machine& machine,
                               const platforms::PlacementRequest& placement) {
  if (auto errors = check_arguments(request); !errors.empty()) return errors;
  auto common = common_part(request);
  if (!common) return common;
  if (auto file =
          schedules::schedule_file_of(request.algorithm, request.procs, request.message_bytes))
    return resolve_schedule(request, *std::move(file), *std::move(common));
  auto call = is_automatic(request.algorithm)
                  ? resolve_automatic(request, *std::move(common), {machine, placement})
                  : resolve_named(request, *std::move(common), {machine, placement});
  if (!call) return call;
  if (!call->algorithm->limits_requests) call->args.max_requests = 0;
  return check_segments(request, *call);
}

std::string runs_as(const CollectiveCall& call, int procs) {
  return algorithms::runs_as(*call.algorithm, {procs, call.args});
}

std::int64_t expected_messages(const CollectiveCall& call, int procs) {
  if (call.scheduled) return call.scheduled->scheduled.schedule->messages;
  return call.algorithm->messages({procs, call.args});
}

Bytes working_set(const CollectiveCall& call, int procs) {
  if (call.args.counts != nullptr) return call.args.counts->total();
  const bool in_blocks = algorithms::find_collective(call.algorithm->collective)->in_blocks;
  return call.args.message_bytes * (in_blocks ? procs : 1);
}

platforms::NodeLoad node_load(const CollectiveCall& call, int procs, int ppn) {
  const auto& collective = *algorithms::find_collective(call.algorithm->collective);
  const Bytes whole = working_set(call, procs);
  if (collective.rooted && collective.in_blocks)
    return {whole, ppn};  // most ranks have one block only
  const bool reads_as_much = collective.reduces || collective.name.starts_with("alltoall");
  const bool only_root_works = collective.rooted && call.algorithm->name == "linear";
  return {(reads_as_much ? 2 : 1) * whole * ppn, only_root_works ? 1 : ppn};
}

runtime::Program program_of(const CollectiveCall& call) {
  if (call.scheduled) return schedules::program_of(call.scheduled);
  return [call](runtime::Rank& me) { return call.algorithm->program(me, call.args); };
}

}  // namespace tutti::workloads
