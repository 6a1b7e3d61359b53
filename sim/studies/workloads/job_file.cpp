// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/workloads/job_file.hpp"

#include "platforms/placing/map_words.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/study_points.hpp"
#include "sim/studies/sweep.hpp"
#include "sim/studies/toml.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::studies {
namespace {

using options::OptionValues;
using platforms::HostId;

constexpr int most_repeats = 1'000'000;
constexpr Seconds latest_start_s = 86400;

// The options of `sim run COLLECTIVE` that describe a call and its placement.
bool is_of_job(std::string_view name) {
  constexpr std::string_view names[] = {
      "algorithm", "procs",         "ppn",          "message_size", "segment_size",
      "fanout",    "radix",         "max_requests", "counts",       "non_commutative",
      "root",      "element_bytes", "map",          "allocation",   "oversubscribe"};
  return std::ranges::find(names, name) != std::end(names);
}

const std::vector<StudyOption>& job_options() {
  static const auto options = [] {
    auto all = study_options();
    std::erase_if(all, [](const StudyOption& option) { return !is_of_job(option.key); });
    return all;
  }();
  return options;
}

const options::OptionSpec& collective_spec(std::string_view key) {
  for (const auto& spec : collective_options().specs())
    if (options::key_of(spec.name()) == key) return spec;
  TUTTI_CHECK(false, "a job has an option that collectives do not have");
  return collective_options().specs().front();
}

// A [[job]] as it is written.
struct WrittenJob {
  TextSpot spot;  // of `run`, else of the section
  std::string name = {};
  std::string run = {};
  StudyGroup options = {};
  Seconds start_s = 0;
  int repeat = 1;
  std::string nodes = {};  // as --nodes; empty: the next free ones
  TextSpot nodes_spot = {};

  // Whether the job has nodes of its own, by the key nodes or a file of its map.
  bool names_nodes() const {
    platforms::PlacementRequest request;
    for (const auto& axis : options)
      if (axis.name == "map")
        if (auto mapped = platforms::with_map({}, axis.values.front().text))
          request = *std::move(mapped);
    return !nodes.empty() || platforms::names_nodes(request);
  }
};

class JobFileReader : private TomlSections {
 public:
  JobFileReader(const std::string& text, const std::string& path, options::MachineRequest& request)
      : TomlSections(text, path, job_options()), request_(request) {}

  // Loads the machine, unless one is given.
  Result<JobMix> read(const platforms::Machine* given = nullptr) {
    const auto root = TUTTI_TRY(text_.parse());
    read_root(root);
    if (!errors_.empty()) return errors_.errors();
    auto machine = given ? Result<platforms::Machine>(*given) : load_machine(request_);
    if (!machine) return place_on_platform(machine.errors());
    JobMix mix{.machine = *std::move(machine), .jobs = {}};
    nodes_.resize(written_.size());
    for (std::size_t i = 0; i < written_.size(); ++i) reserve_named(mix.machine, i);
    if (!errors_.empty()) return errors_.errors();
    jobs_.resize(written_.size());
    // Jobs without nodes get those that no other job names.
    for (const bool named : {true, false})
      for (std::size_t i = 0; i < written_.size(); ++i)
        if (written_[i].names_nodes() == named) add_job(mix.machine, i);
    if (!errors_.empty()) return errors_.errors();
    for (auto& job : jobs_) mix.jobs.push_back(*std::move(job));
    check_cores(mix);
    if (!errors_.empty()) return errors_.errors();
    if (auto warning = shared_nodes_warning(mix.machine, placement_of(mix).host_of))
      mix.machine.warnings.push_back(*std::move(warning));
    return mix;
  }

 private:
  // ---- the file ----

  void read_root(const toml::table& root) {
    for (const auto& [key, node] : root) {
      if (key.str() == "platform")
        read_platform(node);
      else if (key.str() == "share_nodes")
        share_nodes_ = read_as<bool>(node, "share_nodes must be true or false").value_or(false);
      else if (key.str() == "job")
        with_tables(key, node, [&](const toml::table& table) { read_job(table); });
      else
        unknown_key(key, {"platform", "share_nodes", "job"}, "the file");
    }
    if (written_.empty() && errors_.empty())
      wrong({1, 0}, "the file has no jobs", "write [[job]] above the keys of each job");
    if (request_.platform.empty() && errors_.empty())
      wrong({1, 0}, "missing platform", "for example platform = \"crill\", or use --platform");
  }

  template <class Value>
  std::optional<Value> read_as(const toml::node& node, std::string message) {
    const auto value = node.value_exact<Value>();
    if (!value) wrong(spot_of(node), std::move(message));
    return value;
  }

  void read_platform(const toml::node& node) {
    const auto name = read_as<std::string>(node, "platform must be a text in quotes");
    if (!name || !request_.platform.empty()) return;
    request_.platform = *name;
    platform_spot_ = spot_of(node);
    if (name->empty())
      wrong(platform_spot_, "platform is empty", "`sim list platforms` lists names");
  }

  std::vector<Error> place_on_platform(std::vector<Error> errors) const {
    for (Error& error : errors)
      if (error.line == 0 && error.place != "--set" && platform_spot_.line > 0)
        error = text_.error_at(platform_spot_, error.message, error.hint);
    return errors;
  }

  void read_job(const toml::table& table) {
    WrittenJob job{.spot = spot_of(table)};
    for (const auto& [key, node] : table) read_key(key, node, job);
    if (job.run.empty())
      wrong(spot_of(table), "missing run",
            "for example run = \"alltoall\", the word after `sim run`");
    if (job.name.empty()) job.name = fmt::format("{}-{}", job.run, written_.size() + 1);
    if (std::ranges::find(written_, job.name, &WrittenJob::name) != written_.end())
      wrong(job.spot, fmt::format("two jobs have the name {}", in_quotes(job.name)),
            "give each job a name of its own");
    written_.push_back(std::move(job));
  }

  void read_key(const toml::key& key, const toml::node& node, WrittenJob& job) {
    const std::string_view name = key.str();
    if (name == "name") {
      job.name = read_as<std::string>(node, "name must be a text in quotes").value_or("");
    } else if (name == "run") {
      job.run = read_as<std::string>(node, "run must be a text in quotes").value_or("?");
      job.spot = spot_of(node);
    } else if (name == "nodes") {
      job.nodes = read_as<std::string>(node, "nodes must be a text in quotes").value_or("?");
      job.nodes_spot = spot_of(node);
      if (job.nodes.empty())
        wrong(job.nodes_spot, "nodes is empty", "for example nodes = \"0-15\"");
    } else if (name == "start") {
      read_start(node, job);
    } else if (name == "repeat") {
      read_repeat(node, job);
    } else if (!is_of_job(name)) {
      auto names = known_.keys();
      names.insert(names.end(), {"name", "run", "nodes", "start", "repeat"});
      wrong(spot_of(key), fmt::format("unknown key {} in [[job]]", in_quotes(name)),
            did_you_mean(name, names,
                         "expected name, run, nodes, start, repeat, or an option of the call such "
                         "as procs, ppn, message_size, algorithm, map"));
    } else if (auto axis = read_axis(key, node, "[[job]]")) {
      if (node.is_array() || axis->values.size() > 1)
        wrong(axis->spot, fmt::format("{} has several values", in_quotes(name)),
              "a job has one value for each option; write a [[job]] for each");
      else
        job.options.push_back(*std::move(axis));
    }
  }

  void read_start(const toml::node& node, WrittenJob& job) {
    const auto text = read_as<std::string>(node, "start must be a time in quotes, as \"1ms\"");
    if (!text) return;
    const auto start_s = parse_seconds(*text);
    if (!start_s)
      wrong(spot_of(node), "start: " + start_s.error().message, start_s.error().hint);
    else if (*start_s < 0 || *start_s > latest_start_s)
      wrong(spot_of(node), "start is out of range", "expected 0s to 86400s");
    else
      job.start_s = *start_s;
  }

  void read_repeat(const toml::node& node, WrittenJob& job) {
    const auto repeat = node.value_exact<std::int64_t>();
    if (!repeat || *repeat < 1 || *repeat > most_repeats)
      return wrong(spot_of(node), "repeat must be a whole number from 1 to 1000000",
                   "it is the number of calls of the job, for example repeat = 3");
    job.repeat = static_cast<int>(*repeat);
  }

  // ---- nodes ----

  // False, with an error, if another job has the node.
  bool reserve(const platforms::Machine& machine, HostId node, std::size_t job, TextSpot spot) {
    const auto [entry, is_new] = owner_.try_emplace(node, job);
    if (is_new || entry->second == job || share_nodes_) return true;
    wrong(spot,
          fmt::format("jobs {} and {} share node {}", in_quotes(written_[entry->second].name),
                      in_quotes(written_[job].name), printable(machine.topology->host_name(node))),
          "use other nodes, or share_nodes = true at the top of the file");
    return false;
  }

  void reserve_named(const platforms::Machine& machine, std::size_t number) {
    const WrittenJob& job = written_[number];
    if (job.nodes.empty()) return;
    const auto reject = [&](const Error& error) {
      if (error.place.empty())
        wrong(job.nodes_spot, "nodes: " + error.message, error.hint);
      else
        errors_.add({error});
    };
    auto allocation = options::read_allocation(job.nodes);
    if (!allocation) return reject(allocation.error());
    const auto nodes = platforms::hosts_of(machine, *allocation);
    if (!nodes) return reject(nodes.error());
    nodes_[number] = std::make_shared<const platforms::Allocation>(*std::move(allocation));
    for (const HostId node : *nodes)
      if (!reserve(machine, node, number, job.nodes_spot)) return;
  }

  // The nodes that no other job has; null: all. A job of P processes needs at most the first P of
  // them, unless it is spread or gets a part of them.
  std::shared_ptr<const std::vector<HostId>> free_nodes(
      const platforms::Machine& machine, const platforms::PlacementRequest& request) const {
    if (owner_.empty()) return nullptr;
    const bool needs_all = machine.spreads_jobs || request.fragmentation;
    std::vector<HostId> nodes;
    for (HostId node = 0; node < machine.host_count(); ++node) {
      if (!needs_all && std::ssize(nodes) >= request.procs) break;
      if (!owner_.contains(node)) nodes.push_back(node);
    }
    return std::make_shared<const std::vector<HostId>>(std::move(nodes));
  }

  // ---- jobs ----

  OptionValues option_values(const WrittenJob& job) {
    OptionValues values;
    values.arguments = {job.run};
    values.missing = job.spot;
    values.may_have = [](std::string_view option) { return option.starts_with("--"); };
    values.error_at = [this](TextSpot spot, std::string message, std::string hint) {
      return text_.error_at(spot, std::move(message), std::move(hint));
    };
    values.set("--platform", {request_.platform});
    for (const auto& axis : job.options) {
      const auto& spec = collective_spec(axis.name);
      const auto& value = axis.values.front();
      if (!spec.value.empty() || value.text == "true")
        values.add(spec.name(), value.text, {axis.spot, value.spot});
    }
    return values;
  }

  void add_job(const platforms::Machine& machine, std::size_t number) {
    const WrittenJob& written = written_[number];
    const auto values = option_values(written);
    auto job = resolve_job(written, values, machine, number);
    if (!job) return errors_.add(values.placed(job.errors()));
    for (const HostId node : job->placement.host_of)
      if (!reserve(machine, node, number, written.spot)) return;
    jobs_[number] = *std::move(job);
  }

  // The places of errors are options.
  Result<ConcurrentJob> resolve_job(const WrittenJob& written, const OptionValues& values,
                                    const platforms::Machine& machine, std::size_t number) {
    options::OptionReader reader(values);
    CollectiveRequest request;
    read_collective(reader, {}, request);
    if (!reader.errors().empty()) return reader.errors().errors();
    Sweep& sweep = request.sweep;
    sweep.skips_impossible = false;
    if (sweep.message_bytes.size() > 1)
      return usage_error("--message-size", "is required", "for example message_size = \"64KiB\"");
    auto& placement = sweep.common.placement;
    placement.procs = static_cast<int>(sweep.procs.front());
    placement.allocation = nodes_[number];
    if (!platforms::names_nodes(placement)) placement.free_nodes = free_nodes(machine, placement);
    if (placement.free_nodes && placement.free_nodes->empty())
      return usage_error("--procs", "no node is left for the job",
                         "use fewer nodes for the others, or share_nodes = true and nodes");
    auto points = TUTTI_TRY(make_points(sweep, machine));
    if (points.all.size() != 1 || points.all.front().contest != 0)
      return usage_error("--algorithm", "names several algorithms",
                         "a job has one; name it, or omit the key for the library's choice");
    ConcurrentJob job{.name = written.name,
                      .point = std::move(points.all.front()),
                      .start_s = written.start_s,
                      .repeat = written.repeat};
    if (job.point.requested_algorithm.find("hardware") != std::string::npos && written_.size() > 1)
      return usage_error("--algorithm", "hardware collectives include all ranks of a simulation",
                         "name another algorithm, or write a file with this job only");
    job.placement = TUTTI_TRY(platforms::place(machine, job.point.placement));
    return job;
  }

  // The ranks of all jobs on a node need cores, unless a job is oversubscribed.
  void check_cores(const JobMix& mix) {
    std::map<HostId, int> ranks;
    for (std::size_t i = 0; i < mix.jobs.size(); ++i)
      for (const HostId node : mix.jobs[i].placement.host_of)
        if (++ranks[node] > mix.machine.cores_of(node) &&
            !mix.jobs[i].point.placement.oversubscribe)
          return wrong(written_[i].spot,
                       fmt::format("the jobs have more ranks than node {} has cores ({})",
                                   printable(mix.machine.topology->host_name(node)),
                                   mix.machine.cores_of(node)),
                       "use a smaller ppn, or oversubscribe = true");
  }

  options::MachineRequest& request_;
  TextSpot platform_spot_;
  bool share_nodes_ = false;
  std::vector<WrittenJob> written_;
  std::vector<std::shared_ptr<const platforms::Allocation>> nodes_;  // by job; null: not named
  std::vector<std::optional<ConcurrentJob>> jobs_;  // by job; unset: not placed yet
  std::map<HostId, std::size_t> owner_;             // the first job that has the node
};

Result<WorkloadPoints> no_job_points(const OptionValues&, PointInputs&) {
  return usage_error("", "jobs are described by a file, which cannot be a point of a study",
                     "use `sim run FILE.toml`");
}

}  // namespace

Result<JobMix> read_jobs(const std::string& text, const std::string& path,
                         options::MachineRequest& request) {
  return JobFileReader(text, path, request).read();
}

Result<JobMix> read_jobs_on(const std::string& text, const std::string& path,
                            const platforms::Machine& machine) {
  options::MachineRequest request{.platform = machine.file, .overrides = {}};
  return JobFileReader(text, path, request).read(&machine);
}

const Workload jobs_workload{.names = [] { return std::vector{std::string(jobs_word)}; },
                             .options = [] { return std::span<const options::OptionSpec>(); },
                             .points = no_job_points};

}  // namespace tutti::studies
