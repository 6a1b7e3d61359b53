// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/improvement_plan.hpp"

#include "sim/options/axis.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/run_point.hpp"
#include "sim/validate/improvement_published.hpp"
#include "sim/validate/message_gain.hpp"

namespace tutti::studies {
namespace {

// Machines for all combinations of values of some parameters.

using platforms::Override;

constexpr std::size_t most_changed_machines = 256;

std::vector<Override> combination(const std::vector<WantedChange>& changes, std::size_t number) {
  std::vector<Override> set(changes.size());
  for (std::size_t i = changes.size(); i-- > 0;) {
    const auto& [key, values] = changes[i];
    set[i] = {key, values[number % values.size()]};
    number /= values.size();
  }
  return set;
}

std::string change_name(const std::vector<Override>& set) {
  if (set.size() == 1) return set.front().value;
  std::vector<std::string> words;
  for (const auto& each : set) words.push_back(fmt::format("{}={}", each.key, each.value));
  return fmt::format("{}", fmt::join(words, " "));
}

// A change replaces the --set value of its key.
Result<ChangedMachine> changed_machine(const options::MachineRequest& request,
                                       const std::vector<Override>& set) {
  std::vector<Override> overrides = request.overrides;
  std::erase_if(overrides, [&](const Override& one) {
    return std::ranges::find(set, one.key, &Override::key) != set.end();
  });
  overrides.insert(overrides.end(), set.begin(), set.end());
  auto machine = studies::load_machine({request.platform, overrides});
  if (machine)
    return ChangedMachine{change_name(set),
                          std::make_shared<const platforms::Machine>(*std::move(machine))};
  auto errors = machine.errors();
  for (auto& error : errors)
    if (error.place == "--set") error.place = "--change";
  return errors;
}

// The last key's values vary fastest. With a single key, the names are the values only. Errors:
// invalid values of --change, too many combinations.
Result<std::vector<ChangedMachine>> changed_machines(const options::MachineRequest& request,
                                                     const std::vector<WantedChange>& changes) {
  std::size_t count = 1;
  for (const auto& change : changes) {
    count *= change.values.size();
    if (count > most_changed_machines)
      return usage_error("--change",
                         fmt::format("more than {} combinations", most_changed_machines),
                         "give fewer values");
  }
  std::vector<ChangedMachine> machines;
  for (std::size_t number = 0; number < count; ++number) {
    machines.push_back(TUTTI_TRY(changed_machine(request, combination(changes, number))));
  }
  return machines;
}

// A size in the syntax of options: "12KiB", "1500B".
std::string value_text(Bytes bytes) {
  return bytes % 1024 == 0 ? fmt::format("{}KiB", bytes / 1024) : fmt::format("{}B", bytes);
}

// From 1/8 to 4 times the machine's eager limit; with crill's 12 KiB these are the values of the
// dissertation's Table 3.1. Error: the machine has no eager limit.
Result<WantedChange> usual_change(const platforms::Machine& machine) {
  const Bytes limit = machine.inter.eager_max;
  if (limit < 8 || limit > options::most_bytes)
    return usage_error(
        "--change",
        fmt::format("is required: {} has no eager limit to tune", printable(machine.name)),
        "for example --change mpi/send_overhead=0.2us");
  WantedChange change{"mpi/eager_limit", {}};
  for (const Bytes part : {8, 4, 2, 1}) change.values.push_back(value_text(limit / part));
  for (const Bytes times : {2, 4}) change.values.push_back(value_text(limit * times));
  return change;
}

// The values of --improvement by size. Errors: missing sizes, sizes that are not simulated.
Result<std::vector<double>> gains_of(const ImprovementSpec& spec, const std::vector<Bytes>& sizes) {
  std::vector<double> gains;
  for (const Bytes size : sizes) {
    const WantedGain* found = nullptr;
    for (const auto& gain : spec.gains)
      if (gain.message_bytes == size || (!gain.message_bytes && found == nullptr)) found = &gain;
    if (found == nullptr)
      return usage_error("--improvement", fmt::format("no improvement for {}", format_bytes(size)),
                         "an improvement without a size applies to all other sizes");
    gains.push_back(found->improvement);
  }
  for (const auto& gain : spec.gains)
    if (gain.message_bytes && std::ranges::find(sizes, *gain.message_bytes) == sizes.end())
      return usage_error("--improvement",
                         fmt::format("{} is not simulated", format_bytes(*gain.message_bytes)),
                         "add the size to --message-size");
  return gains;
}

// The weights by size; empty without --weights. Errors: sizes that are not simulated.
Result<std::vector<double>> weights_of(const ImprovementSpec& spec,
                                       const std::vector<Bytes>& sizes) {
  if (!spec.has_weights) return std::vector<double>();
  if (spec.weights.empty()) return std::vector<double>(sizes.size(), 1);
  std::vector<double> weights(sizes.size(), 0);
  for (const auto& [size, weight] : spec.weights) {
    const auto at = std::ranges::find(sizes, size);
    if (at == sizes.end())
      return usage_error("--weights", fmt::format("{} is not simulated", format_bytes(size)),
                         "add the size to --message-size");
    weights[static_cast<std::size_t>(at - sizes.begin())] = weight;
  }
  return weights;
}

using platforms::Machine;
using platforms::MapPolicy;
using platforms::PlacementRequest;
using Errors = std::vector<Error>;  // empty: success
using Machines = std::map<std::size_t, MachineRef>;

// Without --ppn a job uses all nodes, as is usual on a small cluster. If there are more nodes than
// processes, blocks fill nodes, so that the two placements differ.
std::vector<std::int64_t> ppn_of(const PlacementRequest& placement, std::int64_t procs,
                                 const Machine& machine) {
  const std::int64_t hosts = machine.host_count();
  if (!placement.file.empty()) return {};
  if (placement.policy == MapPolicy::block && procs <= hosts) return {};
  PlacementRequest tried = placement;
  tried.procs = static_cast<int>(procs);
  for (std::int64_t ppn = (procs + hosts - 1) / hosts; ppn <= machine.cores_per_host; ++ppn) {
    tried.ppn = static_cast<int>(ppn);
    if (platforms::place(machine, tried)) return {ppn};
  }
  return {};  // the call reports the error
}

// All points of a sweep's collective under several placements; equal placements count once.
class PlacedPoints {
 public:
  explicit PlacedPoints(const Machine& machine) : machine_(machine) {}

  Errors add(Sweep sweep, const std::vector<PlacementRequest>& placements) {
    sweep.common.starts.runs = 0;  // the formulas start all ranks at once
    const auto all_procs = sweep.procs;
    const auto all_ppn = sweep.ppn;
    for (const auto procs : all_procs) {
      seen_.clear();
      for (const auto& placement : placements) {
        sweep.common.placement = placement;
        sweep.procs = {procs};
        sweep.ppn = all_ppn.empty() ? ppn_of(placement, procs, machine_) : all_ppn;
        if (auto errors = add(sweep); !errors.empty()) return errors;
      }
    }
    return {};
  }
  std::vector<Point> take() { return std::move(points_); }

 private:
  Errors add(const Sweep& sweep) {
    const auto found = TUTTI_TRY(points_of(sweep, machine_));
    const auto before = seen_;
    for (const auto& point : found.all) {
      const auto placed = TUTTI_TRY(platforms::place(machine_, point.placement));
      if (before.contains(placed.host_of)) continue;
      seen_.insert(placed.host_of);
      if (point.call.algorithm->cost != nullptr) points_.push_back(point);
    }
    return {};
  }

  const Machine& machine_;
  std::vector<Point> points_;
  std::set<std::vector<platforms::HostId>> seen_;
};

class Planning {
 public:
  Planning(const ImprovementSpec& spec, const options::MachineRequest& of, MachineRef machine)
      : spec_(spec), of_(of), machine_(std::move(machine)) {}

  Result<ImprovementPlan> plan() {
    Errors errors = find_parameters();
    if (errors.empty()) errors = find_points();
    if (errors.empty()) errors = spec_.gains.empty() ? try_changes() : make_gains();
    if (errors.empty() && is_published()) errors = add_published();
    if (!errors.empty()) return errors;
    for (const auto& point : points_) plan_.calls.push_back(wanted(point, machines_for(point)));
    return std::move(plan_);
  }

 private:
  MessageTuning& tuning() { return plan_.tuning; }

  Errors find_parameters() {
    tuning().parameters = TUTTI_TRY(parameters_of(spec_.parameters, *machine_));
    return find_nodes();
  }

  Errors find_nodes() {
    const bool is_alone = machine_->host_count() == 1;
    const auto nodes =
        node_pair(*machine_, {.path = std::string(is_alone ? intra_path : inter_path)});
    if (!nodes)
      return {usage_error("--platform", nodes.error().message,
                          "use a machine with at least two cores")};
    nodes_ = *nodes;
    if (is_alone)
      plan_.notes.emplace_back("the machine has one node: messages are measured inside it");
    return {};
  }

  // ---- the calls ----

  Errors find_points() {
    PlacedPoints points(*machine_);
    for (const auto& [name, algorithms] : spec_.collectives) {
      Sweep sweep = spec_.job;
      sweep.collective = name;
      sweep.algorithms = algorithms;
      if (!algorithms::find_collective(name)->has_message) sweep.message_bytes = {0};
      if (auto errors = points.add(sweep, spec_.placements); !errors.empty()) return errors;
    }
    points_ = points.take();
    if (points_.empty())
      return {usage_error("options", "select nothing to simulate",
                          "choose an algorithm that has a formula")};
    std::set<Bytes> sizes;
    for (const auto& point : points_) sizes.insert(point.call.args.message_bytes);
    sizes_ = {sizes.begin(), sizes.end()};
    tuning().weights = TUTTI_TRY(weights_of(spec_, sizes_));
    return {};
  }

  std::size_t size_of(const Point& point) const {
    const auto found = std::ranges::find(sizes_, point.call.args.message_bytes);
    return static_cast<std::size_t>(found - sizes_.begin());
  }

  WantedCall wanted(const Point& point, Machines machines) const {
    const auto placement = platforms::place(*machine_, point.placement).value();
    return {.point = point,
            .call = {.algorithm = point.call.algorithm,
                     .args = model_args(point, *machine_),
                     .nodes = placement.nodes,
                     .ppn = placement.ppn,
                     .map = map_name(point.placement),
                     .size = size_of(point),
                     .tuned_s = {}},
            .machines = std::move(machines)};
  }

  // The changed machines on which the call must be simulated.
  Machines machines_for(const Point& point) const {
    const std::size_t size = size_of(point);
    if (plan_.tuning.is_given) return made_[size];
    auto needed = plan_.tuning.best_of(size);
    if (!plan_.tuning.weights.empty() && plan_.tuning.weights[size] > 0)
      for (const auto change : plan_.tuning.best_of_all()) needed.push_back(change);
    Machines machines;
    for (const auto change : needed) machines[change] = changes_[change].machine;
    return machines;
  }

  // ---- the machines ----

  Errors try_changes() {
    auto changes = spec_.changes;
    if (changes.empty()) {
      auto usual = TUTTI_TRY(usual_change(*machine_));
      changes.push_back(std::move(usual));
    }
    for (const auto& change : changes)
      plan_.tried.push_back(fmt::format("{} = {}", change.key, fmt::join(change.values, ", ")));
    changes_ = TUTTI_TRY(changed_machines(of_, changes));
    tuning().gains = TUTTI_TRY(size_gains(*machine_, changes_, nodes_, sizes_));
    for (const auto& change : changes_) tuning().changes.push_back(change.name);
    note_nothing();
    return {};
  }

  void note_nothing() {
    for (std::size_t size = 0; size < sizes_.size(); ++size)
      if (tuning().improvement_of(size) != 0) return;
    plan_.notes.push_back(
        "the changes affect no message of these sizes: all expected improvements are 0, and "
        "nothing is compared; try " +
        proposal());
  }

  // Options that gain at least 1 % here: eager limits, for messages just above the machine's own.
  std::string proposal() const {
    const Bytes limit = machine_->inter.eager_max;
    auto usual = usual_change(*machine_);
    if (usual)
      if (const auto text = gain_of({*usual}, {limit, limit * 3 / 2, 2 * limit, 4 * limit}))
        return *text;
    const Seconds overhead_s = machine_->inter.send_overhead(0);
    for (const WantedChange& change :
         {WantedChange{"mpi/rendezvous_overhead", {"0"}},
          WantedChange{"mpi/copy_bandwidth", {"none"}},
          WantedChange{"mpi/send_overhead", {fmt::format("{:.4g}us", overhead_s / 2 * 1e6)}}})
      if (const auto text = gain_of({change}, sizes_)) return *text;
    return "--improvement 10%, which modifies the machine accordingly";
  }

  // "--message-size 64KiB,128KiB: a message of 128 KiB gains 5.6 %"; unset if no size gains enough.
  std::optional<std::string> gain_of(const std::vector<WantedChange>& changes,
                                     const std::vector<Bytes>& sizes) const {
    constexpr double least_gain = 0.01;
    const auto machines = changed_machines(of_, changes);
    if (!machines) return std::nullopt;
    const auto gains = size_gains(*machine_, *machines, nodes_, sizes);
    if (!gains) return std::nullopt;
    const auto gain_at = [&](const SizeGain& gain) {
      return gain.improvement(best_changes({gain}, {1}).front());
    };
    const auto best = std::ranges::max_element(*gains, {}, gain_at);
    if (gain_at(*best) < least_gain) return std::nullopt;
    std::string options;
    if (sizes == sizes_)
      options = fmt::format("--change {}={}", changes.front().key,
                            fmt::join(changes.front().values, ","));
    else
      options = "--message-size " + sizes_text(sizes);
    return fmt::format("{}: a message of {} gains {:.1f} %", options,
                       format_bytes(best->message_bytes), 100 * gain_at(*best));
  }

  static std::string sizes_text(const std::vector<Bytes>& sizes) {
    std::vector<std::string> words;
    for (const Bytes size : sizes) words.push_back(value_text(size));
    return fmt::format("{}", fmt::join(words, ","));
  }

  Errors make_gains() {
    const auto improvements = TUTTI_TRY(gains_of(spec_, sizes_));
    auto gains = TUTTI_TRY(size_gains(*machine_, {}, nodes_, sizes_));
    tuning().is_given = true;
    tuning().gains = std::move(gains);
    std::vector<std::string> impossible;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      tuning().given.push_back({sizes_[i], (improvements)[i]});
      if (auto errors = make_machines(tuning().given.back(), impossible); !errors.empty())
        return errors;
    }
    if (!impossible.empty())
      plan_.notes.push_back(
          fmt::format("not simulated, because these parts of the time are too small: {}",
                      fmt::join(impossible, "; ")));
    return {};
  }

  Errors make_machines(const MessageGain& gain, std::vector<std::string>& impossible) {
    Machines& made = made_.emplace_back();
    for (const auto realised : all_realised) {
      auto machine = TUTTI_TRY(improved_machine(*machine_, nodes_, gain, realised));
      if (machine)
        made[static_cast<std::size_t>(realised)] =
            std::make_shared<const Machine>(*std::move(machine));
      else
        impossible.push_back(
            fmt::format("{} of {}", name_of(realised), format_bytes(gain.message_bytes)));
    }
    return {};
  }

  // ---- the dissertation's measurements ----

  bool is_published() const { return spec_.as_published && machine_->name == "crill"; }

  Errors add_published() {
    if (auto errors = add_table_3_2(); !errors.empty()) return errors;
    return add_table_4_4();
  }

  Errors add_table_3_2() {
    Sweep sweep = spec_.job;
    sweep.collective = "alltoall";
    sweep.message_bytes = {table_3_2_bytes};
    std::set<std::int64_t> procs;
    for (const auto& row : table_3_2()) {
      procs.insert(row.procs);
      if (std::ranges::find(sweep.algorithms, row.algorithm) == sweep.algorithms.end())
        sweep.algorithms.emplace_back(row.algorithm);
    }
    PlacedPoints points(*machine_);
    for (const auto each : procs) {
      sweep.procs = {each};
      sweep.ppn = {machine_->cores_per_host, each / machine_->host_count()};
      if (auto errors = points.add(sweep, spec_.placements); !errors.empty()) return errors;
    }
    for (const auto& point : points.take())
      plan_.table_3_2.push_back(wanted(point, machines_for(point)));
    return {};
  }

  Errors add_table_4_4() {
    Sweep sweep = spec_.job;
    sweep.collective = "bcast";
    sweep.algorithms = {"binary_tree"};
    sweep.message_bytes = {table_4_4_bytes};
    const auto change = std::ranges::find(tuning().changes, table_4_4_change);
    plan_.table_4_4_change = static_cast<std::size_t>(change - tuning().changes.begin());
    PlacedPoints points(*machine_);
    for (const auto& row : table_4_4()) {
      sweep.procs = {row.procs};
      sweep.ppn.clear();
      for (const std::int64_t ppn : {48, 16, 8, 4, 2})
        if (row.procs <= ppn * machine_->host_count()) sweep.ppn.push_back(ppn);
      if (auto errors = points.add(sweep, spec_.placements); !errors.empty()) return errors;
    }
    for (const auto& point : points.take())
      plan_.table_4_4.push_back(
          wanted(point, {{plan_.table_4_4_change, changes_[plan_.table_4_4_change].machine}}));
    return {};
  }

  const ImprovementSpec& spec_;
  const options::MachineRequest& of_;
  MachineRef machine_;
  ImprovementPlan plan_;
  NodePair nodes_;
  std::vector<Point> points_;
  std::vector<Bytes> sizes_;
  std::vector<ChangedMachine> changes_;
  std::vector<Machines> made_;  // by size, of --improvement
};

constexpr const char* untuned_column = "untuned";

// Simulates in a child process; the columns are the time without changes and by each change.
Result<Row> simulated(const WantedCall& wanted, const platforms::Machine& machine) {
  Row row;
  const auto add = [&](std::string name, const platforms::Machine& on) -> std::vector<Error> {
    const auto answer = TUTTI_TRY(run_point(wanted.point, on));
    row.push_back({std::move(name), *answer.record.time_s});
    return {};
  };
  if (auto errors = add(untuned_column, machine); !errors.empty()) return errors;
  for (const auto& [number, changed] : wanted.machines)
    if (auto errors = add(fmt::format("{}", number), *changed); !errors.empty()) return errors;
  return row;
}

ImprovedCall with_times(const WantedCall& wanted, const Row& row) {
  ImprovedCall call = wanted.call;
  call.untuned_s = number_of(cell_in(row, untuned_column)).value();
  for (const auto& [number, changed] : wanted.machines)
    call.tuned_s[number] = number_of(cell_in(row, fmt::format("{}", number))).value();
  return call;
}

}  // namespace

Result<ImprovementPlan> plan_improvement(const ImprovementSpec& spec,
                                         const options::MachineRequest& of,
                                         const MachineRef& machine) {
  return Planning(spec, of, machine).plan();
}

ImprovedCalls improved_calls(const ImprovementPlan& plan, const platforms::Machine& machine,
                             const RunPoints& run) {
  ImprovedCalls found;
  found.published.change = plan.table_4_4_change;
  std::vector<StudyPoint> points;
  std::vector<std::pair<const WantedCall*, std::vector<ImprovedCall>*>> wanted;
  const auto add = [&](const std::vector<WantedCall>& calls, std::vector<ImprovedCall>& answers) {
    for (const auto& call : calls) {
      points.push_back(
          simulation_of(call.point, [&call, &machine] { return simulated(call, machine); }));
      wanted.emplace_back(&call, &answers);
    }
  };
  add(plan.calls, found.calls);
  add(plan.table_3_2, found.published.alltoall);
  add(plan.table_4_4, found.published.broadcast);
  found.run = run(points);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const auto& answer = found.run.answers[i])
      wanted[i].second->push_back(with_times(*wanted[i].first, *answer));
  return found;
}

}  // namespace tutti::studies
