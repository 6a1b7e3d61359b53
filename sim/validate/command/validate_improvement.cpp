// SPDX-License-Identifier: BSD-3-Clause
// sim validate improvement: the effect of faster messages on collectives, expected and simulated.

#include "sim/base/common.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/improvement.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view tuned_group = "What is tuned";
constexpr std::string_view improved_group = "The collectives";

constexpr const char* usual_sizes = "128,1KiB,12KiB,16KiB,32KiB,64KiB";
constexpr options::AxisKind several_procs{parse_integer, 2, platforms::most_procs};
constexpr std::size_t most_values = 64;  // of one change

struct ImprovementRequest : JobRequest, studies::ImprovementSpec {
  int jobs = default_jobs();
  DocumentOutput document;
};

// ---- what is tuned ----

void add_change(OptionReader& reader, const std::string& text, ImprovementRequest& request) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return reader.wrong("--change",
                        fmt::format("invalid change {}, expected KEY=VALUES", in_quotes(text)),
                        "for example --change mpi/eager_limit=24KiB,48KiB");
  studies::WantedChange change{text.substr(0, equals), words_of(text.substr(equals + 1))};
  if (std::ranges::find(request.changes, change.key, &studies::WantedChange::key) !=
      request.changes.end())
    reader.wrong("--change", fmt::format("{} is given twice", in_quotes(change.key)),
                 "give all its values as one comma-separated list");
  if (std::ranges::find(change.values, "") != change.values.end())
    reader.wrong("--change", fmt::format("empty value of {}", in_quotes(change.key)),
                 "separate values with single commas");
  if (change.values.size() > most_values)
    reader.wrong("--change",
                 fmt::format("{} has {} values", in_quotes(change.key), change.values.size()),
                 fmt::format("at most {} values are allowed", most_values));
  request.changes.push_back(std::move(change));
}

void read_changes(OptionReader& reader, std::string_view option, ImprovementRequest& request) {
  if (reader.values().has("--improvement"))
    reader.wrong("--improvement", "cannot be combined with --change",
                 "the improvement of a change is measured by ping-pong");
  for (const auto& text : reader.values().values(option)) add_change(reader, text, request);
}

std::optional<Bytes> size_of(OptionReader& reader, std::string_view option,
                             const std::string& text) {
  const auto sizes = options::parse_axis(text, some_bytes_axis);
  if (sizes && sizes->size() == 1) return sizes->front();
  if (sizes)
    reader.wrong(option, fmt::format("expected a single size, not {}", in_quotes(text)),
                 "for example 64KiB");
  else
    reader.add(option, sizes.errors());
  return std::nullopt;
}

void add_gain(OptionReader& reader, const std::string& word, ImprovementRequest& request) {
  const auto at = word.find('@');
  const auto part = options::part_in(word.substr(0, at));
  if (!part)
    return reader.wrong("--improvement", fmt::format("invalid improvement {}", in_quotes(word)),
                        "expected for example 10%, 0.1, or 10%@16KiB,5%@32KiB; not below 0");
  if (*part >= 1)
    return reader.wrong("--improvement", fmt::format("{} must be below 100%", in_quotes(word)),
                        "a message cannot take no time at all");
  studies::WantedGain gain{.message_bytes = {}, .improvement = *part};
  if (at != std::string::npos)
    if (!(gain.message_bytes = size_of(reader, "--improvement", word.substr(at + 1)))) return;
  if (std::ranges::find(request.gains, gain.message_bytes, &studies::WantedGain::message_bytes) !=
      request.gains.end())
    reader.wrong("--improvement",
                 fmt::format("{} is the second improvement for its size", in_quotes(word)),
                 "give one improvement per size");
  request.gains.push_back(gain);
}

void read_gains(OptionReader& reader, std::string_view option, ImprovementRequest& request) {
  for (const auto& word : words_of(reader.values().value(option))) add_gain(reader, word, request);
}

// ---- the collectives ----

// Adds the nine algorithms of Table 4.1.
void add_published(ImprovementRequest& request) {
  for (const auto& row : studies::table_4_2()) {
    auto& all = request.collectives;
    if (all.empty() || all.back().first != row.collective) all.push_back({row.collective, {}});
    auto& algorithms = all.back().second;
    if (algorithms.empty() || algorithms.back() != row.algorithm)
      algorithms.push_back(row.algorithm);
  }
}

void read_collectives(OptionReader& reader, ImprovementRequest& request) {
  const auto& values = reader.values();
  if (!values.has("--collective") && !values.has("--algorithm")) return add_published(request);
  const std::vector all{std::string(workloads::all_name)};
  const auto wanted = reader.value_of("--algorithm", all.front()) == all.front()
                          ? all
                          : reader.names_of("--algorithm", "", studies::algorithm_names());
  for (const auto& name : reader.names_of("--collective", "bcast,allgather,alltoall",
                                          studies::collective_names(), true))
    if (auto found = studies::algorithms_among(wanted, name); !found.empty())
      request.collectives.emplace_back(name, std::move(found));
  if (reader.errors().empty() && request.collectives.empty())
    reader.wrong("--algorithm", "none of the requested collectives has this algorithm",
                 "`sim list algorithms` lists the algorithms of each collective");
}

// ---- sizes and weights ----

void add_weight(OptionReader& reader, const std::string& word, ImprovementRequest& request) {
  const auto colon = word.find(':');
  const auto weight = parse_number(colon == std::string::npos ? "" : word.substr(colon + 1));
  constexpr double least = 1e-18, most = 1e18;
  if (!weight || *weight < least || *weight > most)
    return reader.wrong(
        "--weights", fmt::format("invalid weight {}, expected SIZE:WEIGHT", in_quotes(word)),
        fmt::format("for example 1KiB:100,64KiB:1, or equal; weights are from {:g} to {:g}", least,
                    most));
  const auto size = size_of(reader, "--weights", word.substr(0, colon));
  if (!size) return;
  if (std::ranges::find(request.weights, *size, &studies::WantedWeight::message_bytes) !=
      request.weights.end())
    reader.wrong("--weights", fmt::format("{} is given twice", format_bytes(*size)),
                 "give one weight per size");
  request.weights.push_back({*size, *weight});
}

void read_weights(OptionReader& reader, std::string_view option, ImprovementRequest& request) {
  request.has_weights = true;
  if (reader.values().value(option) == "equal") return;
  for (const auto& word : words_of(reader.values().value(option)))
    add_weight(reader, word, request);
}

// The sizes of the improvements if all of them have one, else the default sizes.
std::vector<std::int64_t> usual_sizes_of(const std::vector<studies::WantedGain>& gains) {
  std::vector<std::int64_t> sizes;
  for (const auto& gain : gains)
    if (gain.message_bytes) sizes.push_back(*gain.message_bytes);
  if (sizes.empty() || sizes.size() < gains.size())
    sizes = options::parse_axis(usual_sizes, some_bytes_axis).value();
  return sizes;
}

// ---- the job ----

void read_job(OptionReader& reader, ImprovementRequest& request) {
  constexpr const char* own[] = {"--set",           "--ppn",          "--map",
                                 "--change",        "--improvement",  "--collective",
                                 "--algorithm",     "--message-size", "--parameters-from",
                                 "--oversubscribe", "--nodes",        "--allocation"};
  request.as_published =
      std::ranges::none_of(own, [&](const char* name) { return reader.values().has(name); });
  auto& job = request.job;
  if (job.procs.empty()) job.procs = {32, 64};
  auto& sizes = job.message_bytes;
  if (sizes.empty()) sizes = usual_sizes_of(request.gains);
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  job.common.engine = engines::EngineKind::flow;
  platforms::PlacementRequest placement;
  reader.read_placement(placement);
  request.placements = {placement};
  if (reader.values().has("--map")) return;
  placement.policy = platforms::MapPolicy::round_robin;
  request.placements.push_back(placement);
}

constexpr auto improved_job = options::under(&ImprovementRequest::job);

void check_part(OptionReader& reader, const ImprovementRequest& request) {
  if (request.document.part == "weighted" && !request.has_weights)
    reader.wrong("--part", "weighted requires weights",
                 "add --weights equal or --weights SIZE:W,...");
}

using ImprovementOptions = options::OptionTable<ImprovementRequest>;

const ImprovementOptions improvement_options =
    (ImprovementOptions({}) + machine_options() +
     ImprovementOptions{
         {job_option::machine, "-n,--procs", "N",
          "Numbers of processes, at least 2; default: 32,64"
          "\nNumbers of processes. Default: 32 and 64 processes over all nodes, placed in blocks "
          "and round-robin; if there are more nodes than processes, blocks fill nodes.",
          options::list(several_procs, improved_job(&studies::Sweep::procs))},
         {job_option::machine, "--ppn", "N",
          "Processes per node; default: use all nodes, or fill nodes by block if there are more "
          "nodes than processes",
          options::list(count_axis, improved_job(&studies::Sweep::ppn))},
         {job_option::with_help("Placement of ranks, as in `sim run`; default: block and "
                                "round-robin",
                                job_option::map)},
         {job_option::nodes},
         {job_option::allocation},
         {job_option::oversubscribe},
         {{tuned_group, "--change", "KEY=VALUES",
           "Values to try for a key of --set; repeated options: all combinations; default: eager "
           "limits from 1/8 to 4 times the machine's"
           "\nComma-separated values to try for a key of `--set`; with several such options, all "
           "combinations are tried. For each message size the change with the fastest ping-pong "
           "between the first two nodes is used; among those within 0.1 % of it, the one that is "
           "best for the collective, as in section 4.1.4. Default: eager limits from 1/8 to 4 "
           "times the machine's own.",
           true},
          read_changes},
         {tuned_group, "--improvement", "I[@SIZE],...",
          "Improvement of single messages, for example 10%@16KiB, simulated on machines modified "
          "to have it"
          "\nThe improvement of single messages, as in `10%` or `10%@16KiB,5%@32KiB`, from 0 to "
          "below 100 %. For each size three machines are created whose ping-pong has this "
          "improvement: by less processor overhead (compared with o), by less overhead and latency "
          "(compared with l), and by less time per byte (compared with b and G). A machine is "
          "omitted if the reduced component is too small a part of the time.",
          read_gains},
         {taking(studies::collective_names,
                 {improved_group, "--collective", "NAMES",
                  "Collectives to simulate; default: those of the dissertation"})},
         {improved_group, "--algorithm", "NAMES",
          "Algorithms of these collectives; default: the nine of the dissertation, else all",
          options::takes("all")},
         {improved_group, "--message-size", "SIZES",
          "Message sizes; default: 128,1KiB,12KiB,16KiB,32KiB,64KiB"
          "\nMessage sizes. Default: the sizes of `--improvement` if all of its values have one, "
          "else 128,1KiB,12KiB,16KiB,32KiB,64KiB.",
          options::list(some_bytes_axis, improved_job(&studies::Sweep::message_bytes))},
         {improved_group, "--weights", "SIZE:W,...",
          "Weights of the message sizes of a job, or `equal`: report their combined gain"
          "\nReport the combined gain of these message sizes, by the weighted sums of their times, "
          "under one change for all.",
          read_weights},
         {parameters_from_option(improved_group),
          whose_parameters(&ImprovementRequest::parameters)},
         {jobs_option, options::made(jobs_of, &ImprovementRequest::jobs)}}
         .then(read_job)
         .then(read_collectives) +
     document_options({reports::improvement_document_parts}).of(&ImprovementRequest::document))
        .then(check_part);

// The dissertation measured with shared memory disabled (section 4.1.4).
void route_over_network(ImprovementRequest& request) {
  constexpr const char* key = "mpi/intra_node";
  for (const auto& each : request.overrides)
    if (each.key == key) return;
  request.overrides.push_back({key, "network"});
}

std::optional<Error> missing_table(const ImprovementRequest& request,
                                   const reports::Document& document) {
  const std::string& part = request.document.part;
  if (part.empty()) return std::nullopt;
  for (const auto& table : document.tables)
    if (table.name == part) return std::nullopt;
  return usage_error("--part", fmt::format("table {} is not available for these options", part),
                     "it was measured on crill: use --platform crill with no options but --procs "
                     "and those of the output");
}

Result<int> check_improvement(const ImprovementRequest& request, const platforms::Machine& machine,
                              const studies::ImprovementPlan& plan,
                              const Diagnostics& diagnostics) {
  auto found = improved_calls(plan, machine, runner(request.jobs, diagnostics));
  if (found.calls.empty()) return found.run.code;
  reports::ImprovementReport report;
  begin_report(report, request, machine, found.run);
  report.tuning = plan.tuning;
  report.tried = plan.tried;
  report.notes = plan.notes;
  report.calls = std::move(found.calls);
  if (!plan.table_4_4.empty()) report.published = std::move(found.published);
  const auto document = reports::improvement_document(report);
  if (const auto error = missing_table(request, document)) return *error;
  TUTTI_TRY(write_document(document, request.document));
  return found.run.code;
}

Result<int> run_validate_improvement(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(request_of(parsed, improvement_options, "validate improvement"));
  route_over_network(request);
  auto machine = TUTTI_TRY(studies::load_machine(request));
  const auto shared = std::make_shared<const platforms::Machine>(std::move(machine));
  const auto plan = studies::plan_improvement(request, request, shared);
  if (!plan) return parsed.placed(plan.errors());
  for (const auto& warning : shared->warnings) diagnostics.warning(warning);
  return check_improvement(request, *shared, *plan, diagnostics);
}

}  // namespace

const Subcommand validate_improvement{
    .usage = "improvement",
    .summary = "compare gains of collectives with those of messages",
    .help =
        "Changes parameters of the machine, measures by ping-pong how much single messages gain, "
        "and compares the gains of collectives that the models of chapter 4 of Jha's dissertation "
        "expect with simulated ones. Messages inside nodes use the network, as in the "
        "dissertation, unless --set mpi/intra_node is given.",
    .specs = improvement_options,
    .run = run_validate_improvement};

}  // namespace tutti::commands
