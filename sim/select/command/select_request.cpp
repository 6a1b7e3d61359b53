// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/command/select_request.hpp"

#include "sim/commands/named_files.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/select/command/select_request.help.hpp"
#include "sim/select/report/reports.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::commands {
namespace {

using OutputKind = RulesOutput::Kind;

constexpr options::OptionGroup rules_group{"The rules", texts::select_request.all};
constexpr options::OptionGroup cells_group{select_option::collectives, texts::select_request.all};

constexpr std::string_view rules_keyword = "rules";
constexpr std::string_view function_word = "hpp";

class RulesOptionReader {
 public:
  RulesOptionReader(OptionReader& reader, RulesRequest& request)
      : reader_(reader), request_(request) {}

  void read() {
    if (!request_.models_path.empty()) read_models();
    read_collectives();
    read_version();
    read_allocations();
    if (request_.is_for_nccl) return read_nccl_output();
    read_outputs();
    study_.for_function = request_.writes(OutputKind::function);
    study_.for_file = request_.writes(OutputKind::rules_file) || !study_.for_function;
  }

 private:
  void read_models() {
    auto models = models_in(request_.models_path);
    if (!models) return reader_.add(models.errors());
    request_.models = *std::move(models);
    for (auto& placement : study_.axes.placements)
      if (!placement.ppn && request_.models->ppn > 0)
        placement.ppn = static_cast<int>(request_.models->ppn);
    if (study_.candidates.hierarchical)
      reader_.wrong("--hierarchical", "has no effect with --models",
                    "hierarchical algorithms have no models");
  }

  // Restricts default values to the calls that the models were fitted to. An explicit value outside
  // of them is an error.
  void keep_to_models() {
    const auto covered = request_.models->coverage(study_.collectives);
    const auto& range = covered.range;
    keep_to(
        "--procs", study_.axes.procs,
        [&](std::int64_t procs) {
          return procs >= covered.least_procs && procs <= covered.most_procs;
        },
        procs_text(covered));
    keep_to(
        "--message-size", study_.axes.message_bytes,
        [&](std::int64_t bytes) {
          return bytes >= range.least_message_bytes && bytes <= range.most_message_bytes;
        },
        fmt::format("{} to {}", format_bytes(range.least_message_bytes),
                    format_bytes(range.most_message_bytes)));
    keep_to(
        "--segment-size", study_.candidates.segment_bytes,
        [&](std::int64_t bytes) { return range.covers_segment(bytes); }, segments_text(range));
  }

  static std::string procs_text(const studies::ModelFile::Coverage& covered) {
    if (covered.least_procs == covered.most_procs)
      return fmt::format("{} processes", covered.most_procs);
    return fmt::format("{} to {} processes", covered.least_procs, covered.most_procs);
  }

  static std::string segments_text(const studies::FittedRange& range) {
    const std::string whole = range.unsegmented ? "unsegmented calls" : "";
    if (range.most_segment_bytes == 0) return whole;
    return fmt::format("{}{}segments of {} to {}", whole, whole.empty() ? "" : ", ",
                       format_bytes(range.least_segment_bytes),
                       format_bytes(range.most_segment_bytes));
  }

  template <class Covers>
  void keep_to(const char* option, std::vector<std::int64_t>& values, const Covers& covers,
               const std::string& fitted) {
    const auto outside = std::ranges::find_if_not(values, covers);
    if (outside == values.end()) return;
    if (values_.has(option) && reader_.errors().empty())
      return reader_.wrong(
          option,
          fmt::format("{} is outside the range that the models were fitted to: {}",
                      option == std::string_view("--procs") ? std::to_string(*outside)
                                                            : format_bytes(*outside),
                      fitted),
          fmt::format("omit it, or fit the models to it: sim fit models {} ...", option));
    std::erase_if(values, [&](std::int64_t value) { return !covers(value); });
    if (values.empty() && reader_.errors().empty())
      reader_.wrong(option, "is required: the models cover none of the default values", fitted);
  }

  bool has_model(std::string_view name) const {
    if (!request_.models) return true;
    return std::ranges::any_of(request_.models->models,
                               [&](const auto& model) { return model.collective == name; });
  }

  void read_collectives() {
    std::vector<std::string> names;
    for (const auto& collective : algorithms::all_collectives()) {
      const auto name = collective.name;
      const bool is_decided = request_.is_for_nccl
                                  ? algorithms::selection::has_nccl(name)
                                  : algorithms::selection::applies_rules_file(name);
      if (is_decided && has_model(name)) names.emplace_back(name);
    }
    study_.collectives = reader_.names_of("--collective", "all", names, true);
    if (request_.models && reader_.errors().empty()) keep_to_models();
    const auto& axes = study_.axes;
    if (const auto error = options::too_many_points(
            {axes.procs.size(), axes.message_bytes.size(), axes.placements.size(),
             study_.candidates.segment_bytes.size(), study_.candidates.fanouts.size()}))
      reader_.add({*error});
  }

  // NCCL has a single output, and rules of its own.
  void read_nccl_output() {
    reader_.reject(
        {"--models", "--over", "--open-mpi", "--format", "--part", "--hierarchical", "--schedules",
         "--max-requests", "--segment-size", "--fanout", "--refine", "--loss", "--objective"},
        "has no effect with --for nccl", "omit it");
    RulesOutput output{.kind = OutputKind::rules_file, .path = {}};
    const auto paths =
        values_.has("--output") ? values_.values("--output") : std::vector<std::string>{"-"};
    if (paths.size() > 1)
      reader_.wrong("--output", "several outputs of a tuner CSV", "name one file");
    if (paths.front() != "-") output.path = paths.front();
    request_.outputs.push_back(std::move(output));
  }

  void read_version() {
    const auto version = read_choice(values_, "--open-mpi", {"4.1", "5.0", "6"});
    if (!version) return reader_.add(version.errors());
    const bool has_limits = *version != "4.1";
    study_.candidates.library = "ompi-" + *version;
    if (has_limits) study_.candidates.max_requests = {8, 32};
    reader_.read_axis("--max-requests", count_axis, study_.candidates.max_requests);
    if (!has_limits && values_.has("--max-requests"))
      reader_.wrong("--max-requests", "is not supported by the rules file of Open MPI 4.1",
                    "use --open-mpi 5.0");
  }

  void read_allocations() {
    auto& axes = study_.axes;
    axes.most_allocations = static_cast<std::size_t>(
        reader_.single("--sample", count_axis, static_cast<std::int64_t>(axes.most_allocations)));
    if (request_.allocations_path.empty()) {
      if (values_.has("--sample"))
        reader_.wrong("--sample", "has no effect without --over", "omit it");
      return;
    }
    const auto is_file = [](const auto& placement) { return !placement.file.empty(); };
    if (std::ranges::any_of(axes.placements, is_file))
      return reader_.wrong("--map", "a map file names the nodes, which --over does", "omit one");
    reader_.reject({"--nodes", "--allocation"}, "has no effect with --over, which names the nodes",
                   "omit one");
    const auto text = read_text_file(request_.allocations_path);
    if (!text) return reader_.add(text.errors());
    auto allocations = platforms::read_allocations(*text, request_.allocations_path);
    if (!allocations) return reader_.add(allocations.errors());
    for (auto& allocation : *allocations)
      axes.allocations.push_back(
          std::make_shared<const platforms::Allocation>(std::move(allocation)));
  }

  // Without a file, or if all files are rules, functions or maps, the report goes to standard
  // output.
  void read_outputs() {
    std::vector<std::string> paths;
    if (values_.has("--output")) paths = values_.values("--output");
    if (paths.size() > 1 && values_.has("--format"))
      reader_.wrong("--format", "applies to one output, but there are several",
                    "omit it: their extensions choose the format (.rules, .hpp, .csv, ...)");
    if (paths.empty()) paths.emplace_back("-");
    for (const auto& path : paths) add_output(path);
    const auto is_shown = [](const auto& output) {
      return !output.path || output.kind == OutputKind::document;
    };
    if (std::ranges::none_of(request_.outputs, is_shown)) return add_shown();
    if (values_.has("--part") && reader_.errors().empty() && !request_.writes(OutputKind::document))
      reader_.wrong("--part", "has no effect: no report is printed",
                    "omit --format, or add -o FILE.csv");
  }

  // Adds the report on standard output.
  void add_shown() {
    OptionValues values = values_;
    values.erase("--output");
    values.erase("--format");
    add_report({}, values);
  }

  void add_report(RulesOutput output, const OptionValues& values) {
    auto document = document_output(values, reports::rules_document_parts());
    if (!document) return reader_.add(document.errors());
    output.document = *std::move(document);
    request_.outputs.push_back(std::move(output));
  }

  void add_output(const std::string& path) {
    RulesOutput output;
    if (path != "-") output.path = path;
    const std::string extension = std::filesystem::path(path).extension();
    const std::string word = values_.has("--format") ? values_.value("--format")
                             : extension.empty()     ? ""
                                                     : extension.substr(1);
    if (word == rules_keyword) {
      output.kind = OutputKind::rules_file;
      if (output.path && study_.candidates.library == "ompi-5.0")
        if (auto error =
                claim_output(algorithms::selection::han_path(path), values_.typed("--output")))
          reader_.add({*std::move(error)});
    } else if (word == function_word || word == "h") {
      output.kind = OutputKind::function;
    } else if (!values_.has("--format") && picture_output(path)) {
      output.kind = OutputKind::picture;
      output.picture = picture_output(path);
      reader_.add(claim_pictures(path, study_.collectives, values_.typed("--output")));
    } else {
      return add_document(std::move(output), path, word);
    }
    request_.outputs.push_back(std::move(output));
  }

  void add_document(RulesOutput output, const std::string& path, const std::string& word) {
    const bool is_known = path == "-" || values_.has("--format") || reports::format_of_file(path);
    if (!is_known || (values_.has("--format") && !reports::format_of(word)))
      return reader_.wrong(
          is_known ? "--format" : "--output",
          is_known ? fmt::format("unknown format {}", in_quotes(word))
                   : fmt::format("unknown file extension of {}", in_quotes(path)),
          did_you_mean(word, {"rules", "hpp", "csv", "json", "jsonl", "md", "text"},
                       is_known ? "rules, hpp, csv, json, jsonl, md, text"
                                : ".rules (Open MPI's file), .hpp, .csv, .json, .jsonl, "
                                  ".md, .txt; .svg, .png, .pdf, .vg"));
    OptionValues values = values_;
    values.set("--output", {path});
    add_report(std::move(output), values);
  }

  OptionReader& reader_;
  const OptionValues& values_ = reader_.values();
  RulesRequest& request_;
  studies::select::RuleStudy& study_ = request_.study;
};

void sort_axis(std::vector<std::int64_t>& axis) {
  std::ranges::sort(axis);
  axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
}

void read_placements(OptionReader& reader, studies::select::CellStudy& study) {
  std::vector<std::int64_t> ppn;
  reader.read_axis("--ppn", count_axis, ppn);
  for (const auto& map : split_words(reader.values().value_or("--map", "block"), ',')) {
    platforms::PlacementRequest placement;
    reader.read_placement(placement, map);
    if (ppn.empty()) study.axes.placements.push_back(placement);
    for (const auto count : ppn) {
      placement.ppn = static_cast<int>(count);
      study.axes.placements.push_back(placement);
    }
  }
}

// A message size that is not a multiple of the element is rounded down to whole elements.
void read_sizes(OptionReader& reader, std::string_view default_sizes,
                studies::select::CellAxes& axes) {
  axes.message_bytes = options::parse_axis(default_sizes, bytes_axis).value();
  reader.read_axis("--message-size", bytes_axis, axes.message_bytes);
  for (auto* axis : {&axes.procs, &axes.message_bytes, &axes.element_bytes}) sort_axis(*axis);
  const auto least = axes.element_bytes.front();
  for (auto& bytes : axes.message_bytes) bytes -= bytes % least;
  if (least > 1) std::erase(axes.message_bytes, 0);
  sort_axis(axes.message_bytes);
  if (axes.message_bytes.empty())
    reader.wrong("--message-size",
                 fmt::format("all sizes are smaller than an element of {} B", least),
                 "add larger messages, or set the size of elements with --element-bytes");
}

void read_refine(OptionReader& reader, std::string_view option, RulesRequest& request) {
  constexpr options::AxisKind rounds_axis{parse_integer, 0, 10};
  std::vector<std::int64_t> rounds{request.study.rounds};
  reader.read_axis(option, rounds_axis, rounds);
  if (rounds.size() != 1) reader.wrong(option, "must be one number", "expected 0 to 10");
  request.study.rounds = static_cast<int>(rounds.front());
}

constexpr auto of_study = options::under(&RulesRequest::study);

using RulesOptions = options::OptionTable<RulesRequest>;

// Names of files, as algorithms.
void read_schedules(OptionReader& read, std::string_view option, RulesRequest& request) {
  for (const std::string_view file : split(read.values().value(option), ','))
    request.study.candidates.schedules.push_back(fmt::format("goal:{}", file));
  if (read.values().has("--models"))
    read.wrong(option, "has no effect with --models", "schedules have no models");
}

RulesOptions requested_options() {
  return RulesOptions({}) + machine_options() + cell_job_options().of(&RulesRequest::study) +
         RulesOptions{{model_option::force, options::flag(&RulesRequest::force)}} +
         cell_options(
             {.collectives =
                  "Collectives, a list; default: all that Open MPI's dynamic rules can control",
              .sizes = "1:4MiB",
              .sizes_shown =
                  "Message sizes, as the collective defines them; default: 1:4MiB, doubling"})
             .of(&RulesRequest::study) +
         RulesOptions{
             cells_group("--max-requests", "N"),
             {cells_group("--hierarchical", ""),
              options::flag(options::within(of_study(&studies::select::RuleStudy::candidates),
                                            &studies::select::CandidateSpec::hierarchical))},
             {cells_group("--schedules", "FILES"), read_schedules}};
}

RulesOptions rule_options() {
  return RulesOptions{
      {rules_group("--models", "FILE"), options::text(&RulesRequest::models_path)},
      {rules_group("--loss", "PERCENT"),
       options::fraction(of_study(&studies::select::RuleStudy::most_loss))},
      {rules_group("--objective", "WHAT"),
       options::choice<studies::select::Objective>(
           {{"max", studies::select::Objective::max}, {"mean", studies::select::Objective::mean}},
           of_study(&studies::select::RuleStudy::objective))},
      {rules_group("--over", "FILE"), options::text(&RulesRequest::allocations_path)},
      rules_group("--sample", "N"),
      {rules_group("--refine", "N"), read_refine},
      taking("4.1 5.0 6", rules_group("--open-mpi", "VERSION")),
      {taking("ompi nccl", rules_group("--for", "LIBRARY")),
       options::choice<bool>({{"ompi", false}, {"nccl", true}}, &RulesRequest::is_for_nccl)},
  };
}

RulesOptions written_options() {
  return RulesOptions{
      {jobs_option, options::value_from(read_jobs, &RulesRequest::jobs)},
      {taking(reports::rules_document_parts,
              job_option::output_row("--part", "NAME", texts::select_request["--part"]))},
      {taking("text csv json jsonl md rules hpp",
              job_option::output_row("--format", "FORMAT", texts::select_request["--format"]))},
      {written({job_option::output, "-o,--output", "FILE", texts::select_request["--output"], true,
                false})},
      {job_option::provenance},
      {job_option::color},
      {job_option::quiet},
      {job_option::help}}
      .then([](OptionReader& reader, RulesRequest& request) {
        RulesOptionReader(reader, request).read();
      });
}

}  // namespace

CellOptions cell_job_options() {
  using studies::select::CellAxes;
  using studies::select::CellStudy;
  constexpr options::AxisKind procs_axis{parse_integer, 2, platforms::most_procs};
  return CellOptions{
      {{job_option::machine, "-n,--procs", "N", "Numbers of processes, as in 4,8,16 (required)"},
       options::required("as in 4,8,16"),
       options::list(procs_axis, options::within(&CellStudy::axes, &CellAxes::procs))},
      {job_option::machine, "--ppn", "N",
       "Processes per node; with a list, all placements are covered"},
      {job_option::with_help("Placement of ranks: block (default), round-robin, random:SEED, "
                             "slurm:DISTRIBUTION, hostfile:PATH, rankfile:PATH, file:PATH; with a "
                             "list, all placements are covered",
                             job_option::map)},
      {job_option::nodes},
      {job_option::allocation},
      {job_option::oversubscribe}}
      .then(read_placements);
}

CellOptions cell_options(const CellDefaults& defaults) {
  using studies::select::CandidateSpec;
  using studies::select::CellAxes;
  using studies::select::CellStudy;
  const auto competing = [](auto member) {
    return options::within(&CellStudy::candidates, member);
  };
  return CellOptions{
      {taking("all", taking(studies::collective_names, {select_option::collectives, "--collective",
                                                        "NAMES", defaults.collectives}))},
      {select_option::collectives, "--message-size", "SIZES", defaults.sizes_shown},
      {cells_group("--element-bytes", "SIZES"),
       options::list(some_bytes_axis, options::within(&CellStudy::axes, &CellAxes::element_bytes))},
      {cells_group("--segment-size", "SIZES"),
       options::list(bytes_axis, competing(&CandidateSpec::segment_bytes))},
      {cells_group("--fanout", "N"),
       options::list(fanout_axis, competing(&CandidateSpec::fanouts))}}
      .then([sizes = defaults.sizes](OptionReader& reader, CellStudy& study) {
        study.common.engine = engines::EngineKind::flow;
        read_sizes(reader, sizes, study.axes);
      });
}

bool RulesRequest::writes(RulesOutput::Kind kind) const {
  return std::ranges::any_of(outputs, [&](const auto& output) { return output.kind == kind; });
}

const RulesOptions& select_rules_options() {
  static const RulesOptions table = requested_options() + rule_options() + written_options();
  return table;
}

}  // namespace tutti::commands
