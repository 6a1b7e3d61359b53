// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's classic file of dynamic rules, versions 1 and 2 (see selection/dynamic_rules.hpp).
#include "algorithms/rules_files/readers.hpp"
#include "algorithms/selection/write_rules.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::algorithms::rules_files {
namespace {

constexpr std::string_view whole_file_ignored =
    "Open MPI silently ignores the whole file and applies its fixed rules";
constexpr std::string_view must_ascend =
    "sort them: Open MPI's search stops at the first larger size";
constexpr std::string_view file_version = "rule-file-version-";

class ClassicReader : CountedReader {
 public:
  ClassicReader(std::string_view text, RulesFile& file)
      : CountedReader(text, file, whole_file_ignored), text_(text) {}

  void read() {
    // Versions that do not know the word read its number as a count, as all do if it is not at the
    // beginning.
    const auto version = reads_version() ? tokens_.version() : std::nullopt;
    has_requests_ = version && as_int(*version) > 1;
    file_.format = has_requests_ ? Format::ompi_classic_2 : Format::ompi_classic;
    if (!read_collectives()) return;
    check_end();
    for (const CollectiveRules& rules : file_.collectives) check(rules);
    check_reach(file_, findings_);
  }

 private:
  bool reads_version() const { return file_.library >= Library::ompi_50; }
  static std::int64_t as_int(std::int64_t value) { return static_cast<std::int32_t>(value); }

  // The first line, if it is a version that the library does not read.
  bool ignore_version() {
    LineReader lines(text_, "");
    const auto first = lines.next();
    if (!first || !first->starts_with(file_version)) return false;
    const Spot spot{lines.number(), 1};
    if (reads_version())
      findings_.discard(spot, "the version is not at the beginning of the file",
                        fmt::format("remove what is before it, also blanks: Open MPI reads its "
                                    "number as a count; {}",
                                    whole_file_ignored));
    else
      findings_.discard(
          spot,
          fmt::format("this is the format of Open MPI 5.0, which {} cannot read",
                      std::string(library_title(file_.library))
                          .substr(std::string_view("Open MPI ").size())),
          "remove the line rule-file-version-N and, for version 2, the fifth number of each rule; "
          "until then Open MPI applies its fixed rules");
    return true;
  }

  bool read_collectives() {
    const auto count = tokens_.number();
    if (count && *count < 0 && ignore_version()) return false;
    std::int64_t written = 0;
    if (!take(count, "number of collectives", written)) return false;
    if (as_read(*count) < 0 || as_read(*count) > most_collectives)
      return out_of_range("number of collectives", *count, most_collectives);
    for (std::int64_t i = 0; i < as_read(*count); ++i)
      if (!read_collective()) return false;
    return true;
  }

  bool read_collective() {
    std::int64_t number = 0;
    std::int64_t sizes = 0;
    if (!read_any("collective's number", number)) return false;
    number = as_read(number);
    const Spot spot = tokens_.spot();
    const std::string_view name = open_mpi_collective(number);
    if (name.empty())
      return ignore(fmt::format("unknown collective number {}", number),
                    fmt::format("the numbers are 0 to {}", most_collectives - 1));
    if (!read_count("number of communicator sizes", most_rules, sizes)) return false;
    forget_rules(file_, findings_, name, spot);
    CollectiveRules rules{std::string(name), {}, spot.line};
    std::vector<std::int64_t> minima;
    for (std::int64_t i = 0; i < sizes; ++i)
      if (!read_size(rules, minima)) return false;
    const auto ranges = file_.library == Library::ompi_6 ? ranges_from_former(minima)
                                                         : ranges_of_first_larger(minima);
    for (std::size_t i = 0; i < minima.size(); ++i) rules.procs[i].procs = ranges[i];
    check_first_size(rules, minima);
    file_.collectives.push_back(std::move(rules));
    return true;
  }

  bool read_size(CollectiveRules& collective, std::vector<std::int64_t>& sizes) {
    std::int64_t size = 0;
    std::int64_t count = 0;
    if (!read_int("communicator size", size)) return false;
    const Spot spot = tokens_.spot();
    check_order(sizes, size, "communicator size", spot, must_ascend);
    sizes.push_back(size);
    if (!read_count("number of message sizes", most_rules, count)) return false;
    if (count == 0)
      findings_.warning(spot, "a communicator size without message sizes",
                        "add a rule for size 0: Open MPI's fixed rules decide for this size");
    auto& procs = collective.procs.emplace_back();
    procs.line = spot.line;
    std::vector<std::int64_t> bytes;
    for (std::int64_t i = 0; i < count; ++i)
      if (!read_rule(collective.collective, procs, bytes)) return false;
    const auto ranges =
        file_.library == Library::ompi_6 ? ranges_to_next(bytes) : ranges_of_first_larger(bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) procs.rules[i].bytes = ranges[i];
    return true;
  }

  bool read_rule(std::string_view collective, ProcsRules& procs, std::vector<std::int64_t>& sizes) {
    SizeRule rule;
    std::int64_t bytes = 0;
    if (!read_number("message size", bytes)) return false;
    const Spot spot = tokens_.spot();
    rule.line = spot.line;
    if (sizes.empty() && bytes != 0)
      return ignore(fmt::format("the first message size is {}, not 0", bytes),
                    fmt::format("add the rule \"0 0 0 0{}\" before it and count it",
                                has_requests_ ? " 0" : ""));
    check_order(sizes, bytes, "message size", spot, must_ascend);
    sizes.push_back(bytes);
    if (!read_int("algorithm", rule.id)) return false;
    check_algorithm(collective, rule.id);
    if (!read_int("fan-out", rule.fanout)) return false;
    if (!read_number("segment size", rule.segment_bytes)) return false;
    check_segment(rule.segment_bytes);
    if (has_requests_ && !read_requests(rule)) return false;
    rule.algorithm =
        rule.id == 0 ? std::string() : std::string(tuned_name(collective, rule.id, file_.library));
    procs.rules.push_back(std::move(rule));
    return true;
  }

  bool read_requests(SizeRule& rule) {
    if (!tokens_.digit_follows()) {
      findings_.warning({tokens_.spot().line},
                        "the fifth number, the limit of requests, is missing",
                        "add it (0: no limit); coll_tuned_alltoall_max_requests applies");
      return true;
    }
    std::int64_t requests = 0;
    if (!read_int("limit of requests", requests)) return false;
    rule.max_requests = requests;
    return true;
  }

  // Open MPI passes segment sizes as unsigned numbers of 32 bits.
  void check_segment(std::int64_t bytes) {
    const auto seen = static_cast<std::uint32_t>(bytes);
    if (seen != bytes)
      findings_.error(tokens_.spot(), fmt::format("segment size {} is read as {}", bytes, seen),
                      "segment sizes have 32 bits; 0 means no segments");
  }

  void check_algorithm(std::string_view collective, std::int64_t id) {
    const auto all = tuned_algorithms(collective, file_.library);
    if (all.empty() || id == 0) return;
    if (id <= all.back().id) return;
    findings_.error(tokens_.spot(),
                    fmt::format("{} of {} has no algorithm number {}", collective,
                                library_title(file_.library), id),
                    fmt::format("use 0 to {}: a job that reaches this rule aborts with "
                                "MPI_ERR_ARG",
                                all.back().id),
                    Effect::aborts);
  }

  // Communicators below the first size use its rules, too.
  void check_first_size(const CollectiveRules& rules, const std::vector<std::int64_t>& sizes) {
    constexpr std::int64_t smallest = 2;
    if (sizes.empty()) return;
    const auto& first = rules.procs.front();
    if (sizes.front() > smallest &&
        std::ranges::any_of(first.rules, [](const SizeRule& rule) { return rule.id != 0; }))
      findings_.warning({first.line},
                        fmt::format("the rules of {} for size {} apply to smaller communicators, "
                                    "too",
                                    rules.collective, sizes.front()),
                        "begin with size 2 and the single rule \"0 0 0 0\" if that is not meant");
    if (sizes.size() > 1 && file_.library == Library::ompi_6)
      findings_.warning({first.line},
                        fmt::format("Open MPI 6 applies the rules of {} one entry too low: those "
                                    "for size {} up to {}, those for {} from there on",
                                    rules.collective, sizes.front(), sizes.front() - 1, sizes[1]),
                        "convert the file to ompi-json");
  }

  void check(const CollectiveRules& rules) {
    if (!tuned_applies(rules.collective, file_.library))
      findings_.warning({rules.line},
                        fmt::format("coll/tuned of {} does not apply rules to {}",
                                    library_title(file_.library), rules.collective),
                        "remove them");
  }

  void check_end() {
    if (const auto more = tokens_.number(); more) {
      int numbers = 1;
      const Spot spot = tokens_.spot();
      while (tokens_.number()) ++numbers;
      findings_.error(spot,
                      fmt::format("{} after the last rule {} not read", counted(numbers, "number"),
                                  numbers == 1 ? "is" : "are"),
                      numbers_fix());
    }
    report_skipped(tokens_, findings_);
  }

  std::string numbers_fix() const {
    return has_requests_ ? "correct the counts before the rules"
                         : "correct the counts before the rules; rules of five numbers require "
                           "rule-file-version-2 in the first line";
  }

  // Open MPI 3.1 converts to 32 bits before it tests the sign, later versions afterwards.
  std::int64_t as_read(std::int64_t value) const {
    return file_.library == Library::ompi_31 ? as_int(value) : value;
  }

  bool read_count(std::string_view what, std::int64_t most, std::int64_t& value) {
    if (!read_any(what, value)) return false;
    value = as_read(value);
    return (value >= 0 && value <= most) || out_of_range(what, value, most);
  }

  // A number that is stored in 32 bits.
  bool read_int(std::string_view what, std::int64_t& value) {
    if (!read_any(what, value)) return false;
    const std::int64_t written = value;
    value = as_int(value);
    if ((file_.library == Library::ompi_31 ? value : written) < 0) return negative(what, written);
    if (value != written)
      findings_.error(tokens_.spot(), fmt::format("{} {} exceeds 32 bits", what, written),
                      fmt::format("Open MPI reads {} instead: use at most 2147483647", value));
    return true;
  }

  bool read_number(std::string_view what, std::int64_t& value) {
    return read_any(what, value) && (value >= 0 || negative(what, value));
  }

  bool negative(std::string_view what, std::int64_t value) {
    return ignore(fmt::format("{} {} is negative", what, value), "use at least 0");
  }

  static constexpr std::int64_t most_rules = 1'000'000;

  std::string_view text_;
  bool has_requests_ = false;
};

}  // namespace

void read_classic(std::string_view text, RulesFile& file) { ClassicReader(text, file).read(); }

}  // namespace tutti::algorithms::rules_files
