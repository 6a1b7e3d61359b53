// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/darshan/darshan_calls.hpp"

#include "io_models/darshan/darshan_estimate.hpp"

namespace tutti::io_models {
namespace {

std::string_view verb_of(bool writes) { return writes ? "written" : "read"; }

const std::vector<DarshanSegment>& segments_of(const DarshanTrace& trace, bool writes) {
  return writes ? trace.writes : trace.reads;
}

bool is_traced(const DarshanFile& file, DarshanLayer layer, bool writes) {
  return std::ranges::any_of(file.traces, [&](const DarshanTrace& trace) {
    return trace.layer == layer && !segments_of(trace, writes).empty();
  });
}

Bytes traced_bytes(const DarshanFile& file, DarshanLayer layer, bool writes) {
  Bytes bytes = 0;
  for (const DarshanTrace& trace : file.traces)
    if (trace.layer == layer)
      for (const DarshanSegment& segment : segments_of(trace, writes))
        bytes = bounded_sum(bytes, segment.length);
  return bytes;
}

Bytes counted_bytes(const DarshanFile& file, DarshanLayer layer, bool writes) {
  return std::max<Bytes>(0, operation_of(darshan_totals(file, layer), writes).bytes);
}

constexpr std::array layers{DarshanLayer::mpiio, DarshanLayer::posix, DarshanLayer::stdio};

// Bytes of the operation at the layer where the most are known.
Bytes file_bytes(const DarshanFile& file, bool writes) {
  Bytes most = 0;
  for (const DarshanLayer layer : layers)
    most = std::max({most, counted_bytes(file, layer, writes), traced_bytes(file, layer, writes)});
  return most;
}

bool is_stream(const DarshanFile& file) {
  return file.name.starts_with("<");  // "<STDOUT>"
}

Result<const DarshanFile*> file_by_name(const DarshanLog& log, const std::string& name) {
  std::vector<const DarshanFile*> found;
  std::vector<std::string> names;
  for (const DarshanFile& file : log.files) {
    if (file.name == name) return &file;
    if (file.name.ends_with("/" + name)) found.push_back(&file);
    names.push_back(file.name);
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    return make_error(
        ErrorKind::input, log.source,
        fmt::format("the name {} fits {}", in_quotes(name), counted(found.size(), "file")),
        fmt::format("give the whole path, for example {}", printable(found.front()->name)));
  return make_error(
      ErrorKind::input, log.source, fmt::format("the log contains no file {}", in_quotes(name)),
      did_you_mean(name, names,
                   fmt::format("the log has {}, for example {}", counted(names.size(), "file"),
                               printable(names.front()))));
}

Result<const DarshanFile*> chosen_file(const DarshanLog& log, const DarshanChoice& choice,
                                       DarshanCalls& calls) {
  if (!choice.file.empty()) return file_by_name(log, choice.file);
  const DarshanFile* largest = nullptr;
  Bytes most = 0;
  std::size_t others = 0;
  for (const DarshanFile& file : log.files) {
    const Bytes bytes = is_stream(file) ? 0 : file_bytes(file, choice.writes);
    if (bytes > 0) ++others;
    if (bytes <= most) continue;
    most = bytes;
    largest = &file;
  }
  if (largest == nullptr)
    return make_error(ErrorKind::input, log.source,
                      fmt::format("no file of the log was {}", verb_of(choice.writes)),
                      choice.writes ? "choose the operation read" : "choose the operation write");
  if (!log.missing_modules.empty())
    calls.notes.push_back(
        fmt::format("the header lists modules without rows in the text ({}), "
                    "which may be cut off",
                    fmt::join(log.missing_modules, ", ")));
  if (others > 1)
    calls.notes.push_back(fmt::format("of {} that the job has {}, this one has the most bytes",
                                      counted(others, "file"), verb_of(choice.writes)));
  return largest;
}

// The layer to use: traced ones first.
Result<DarshanLayer> chosen_layer(const DarshanLog& log, const DarshanFile& file,
                                  const DarshanChoice& choice) {
  const auto fits = [&](DarshanLayer layer) { return !choice.layer || *choice.layer == layer; };
  for (const DarshanLayer layer : layers)
    if (fits(layer) && is_traced(file, layer, choice.writes)) return layer;
  for (const DarshanLayer layer : layers)
    if (fits(layer) && counted_bytes(file, layer, choice.writes) > 0) return layer;
  return make_error(
      ErrorKind::input, log.source,
      fmt::format("file {} was not {}{}", in_quotes(file.name), verb_of(choice.writes),
                  choice.layer ? fmt::format(" at the layer {}", name_of(*choice.layer)) : ""),
      "choose another file, operation or layer");
}

using TracesByRank = std::vector<const std::vector<DarshanSegment>*>;

TracesByRank traces_by_rank(const DarshanFile& file, const DarshanCalls& calls,
                            DarshanLayer layer) {
  static const std::vector<DarshanSegment> nothing;
  TracesByRank by_rank(calls.procs, &nothing);
  for (const DarshanTrace& trace : file.traces)
    if (trace.layer == layer) by_rank[trace.rank] = &segments_of(trace, calls.writes);
  return by_rank;
}

bool has_offsets(const TracesByRank& traces) {
  return std::ranges::all_of(traces, [](const auto* segments) {
    return std::ranges::all_of(*segments, [](const auto& segment) { return segment.offset >= 0; });
  });
}

// Whether each call at one layer is one call of the same length at the other.
bool have_equal_lengths(const TracesByRank& a, const TracesByRank& b) {
  for (std::size_t rank = 0; rank < a.size(); ++rank)
    if (!std::ranges::equal(*a[rank], *b[rank], {}, &DarshanSegment::length,
                            &DarshanSegment::length))
      return false;
  return true;
}

std::vector<std::vector<Extent>> recorded_extents(const TracesByRank& traces) {
  std::vector<std::vector<Extent>> extents(traces.size());
  for (std::size_t rank = 0; rank < traces.size(); ++rank) {
    extents[rank].reserve(traces[rank]->size());
    for (const DarshanSegment& segment : *traces[rank])
      extents[rank].push_back({segment.offset, segment.offset + segment.length});
  }
  return extents;
}

std::vector<std::vector<Bytes>> recorded_lengths(const TracesByRank& traces) {
  std::vector<std::vector<Bytes>> lengths(traces.size());
  for (std::size_t rank = 0; rank < traces.size(); ++rank)
    for (const DarshanSegment& segment : *traces[rank]) lengths[rank].push_back(segment.length);
  return lengths;
}

void approximate(DarshanCalls& calls, std::string note) {
  calls.approximate = true;
  calls.notes.push_back(std::move(note));
}

std::vector<std::vector<Extent>> traced_extents(const DarshanFile& file, DarshanCalls& calls) {
  const TracesByRank traces = traces_by_rank(file, calls, calls.layer);
  if (has_offsets(traces)) return recorded_extents(traces);
  const TracesByRank posix = traces_by_rank(file, calls, DarshanLayer::posix);
  if (has_offsets(posix) && have_equal_lengths(traces, posix)) {
    calls.notes.push_back(
        "DXT did not record the offsets of MPI-IO calls: they are those of the POSIX calls, which "
        "have the same lengths");
    return recorded_extents(posix);
  }
  approximate(calls, "DXT did not record the offsets of these calls");
  return placed(recorded_lengths(traces), darshan_layout(file, calls));
}

// Sets `collective`, at the layer MPI-IO.
void find_collective(const DarshanFile& file, DarshanCalls& calls) {
  const auto operation = operation_of(darshan_totals(file, calls.layer), calls.writes);
  const auto known = [](std::int64_t count) { return std::max<std::int64_t>(0, count); };
  const std::int64_t together = known(operation.collective) + known(operation.split);
  const std::int64_t alone = known(operation.calls) + known(operation.nonblocking);
  if (together + alone > 0) {
    calls.collective = together > 0;
    if (together > 0 && alone > 0)
      approximate(calls,
                  fmt::format("the log does not show which of the calls were collective ({}) and "
                              "which independent ({}): all are treated as collective",
                              together, alone));
    return;
  }
  const TracesByRank traces = traces_by_rank(file, calls, calls.layer);
  const std::size_t first = traces.front()->size();
  calls.collective = first > 0 && std::ranges::all_of(traces, [&](auto* segments) {
                       return segments->size() == first;
                     });
  approximate(calls, fmt::format("the log has no counters of MPI-IO for this file: the calls are "
                                 "assumed to be {}; add the output of darshan-parser",
                                 calls.collective ? "collective, since all ranks have equally many"
                                                  : "independent"));
}

// Notes on what DXT does not record, at the layer MPI-IO.
void note_mpiio(const DarshanFile& file, DarshanCalls& calls) {
  const DarshanCounters totals = darshan_totals(file, DarshanLayer::mpiio);
  const auto& operation = operation_of(totals, calls.writes);
  if (totals.views > 0)
    approximate(calls, fmt::format("the job set file views ({}): DXT records the first byte and "
                                   "the length of a call, but not the pieces of a view with gaps",
                                   counted(totals.views, "call")));
  if (operation.split > 0 || operation.nonblocking > 0)
    approximate(calls,
                "Darshan may record wrong offsets for split collective and nonblocking calls "
                "without explicit offsets");
}

// Notes on calls of the MPI library below MPI-IO calls of the job.
void note_posix(const DarshanFile& file, DarshanCalls& calls) {
  const auto operation = operation_of(darshan_totals(file, DarshanLayer::mpiio), calls.writes);
  if (operation.bytes <= 0 && !is_traced(file, DarshanLayer::mpiio, calls.writes)) return;
  approximate(calls, operation.collective > 0 || operation.split > 0
                         ? "these are POSIX accesses of the MPI library's aggregators, not the "
                           "job's collective calls"
                         : "these are POSIX accesses of the MPI library, not the job's calls");
}

void note_missing_bytes(const DarshanFile& file, DarshanCalls& calls) {
  const Bytes expected = counted_bytes(file, calls.layer, calls.writes);
  const Bytes recorded = traced_bytes(file, calls.layer, calls.writes);
  if (expected > 0 && recorded != expected)
    approximate(calls, fmt::format("DXT recorded {} of {}: its memory may have been too small",
                                   format_bytes(recorded), format_bytes(expected)));
}

void note_collective_calls(DarshanCalls& calls, std::span<const std::vector<Extent>> of_rank) {
  std::size_t fewer = 0;
  for (const auto& extents : of_rank)
    if (extents.size() < calls.size()) ++fewer;
  if (fewer > 0)
    calls.notes.push_back(
        fmt::format("{} with fewer calls than others: in the last calls, without data",
                    counted(fewer, "rank")));
  std::size_t overlapping = 0;
  std::vector<Extent> sorted;
  for (std::size_t k = 0; calls.writes && k < calls.size(); ++k) {
    sorted.clear();
    for (const auto& piece : calls.call(k)) sorted.push_back(piece.extent);
    std::ranges::sort(sorted, {}, &Extent::begin);
    const auto overlap = std::ranges::adjacent_find(
        sorted, [](const Extent& a, const Extent& b) { return b.begin < a.end; });
    if (overlap != sorted.end()) ++overlapping;
  }
  if (overlapping > 0)
    approximate(calls, fmt::format("ranks write the same bytes in {} of {}", overlapping,
                                   counted(calls.size(), "call")));
}

std::optional<Seconds> logged_time(const DarshanFile& file, const DarshanCalls& calls) {
  std::optional<Seconds> first_s;
  Seconds last_s = 0;
  for (const DarshanTrace& trace : file.traces) {
    if (trace.layer != calls.layer) continue;
    for (const DarshanSegment& segment : calls.writes ? trace.writes : trace.reads) {
      first_s = std::min(first_s.value_or(segment.start_s), segment.start_s);
      last_s = std::max(last_s, segment.end_s);
    }
  }
  return first_s ? std::optional(last_s - *first_s) : std::nullopt;
}

}  // namespace

Bytes DarshanCalls::bytes() const {
  Bytes sum = 0;
  for (const Piece& piece : pieces_) sum += piece.extent.bytes();
  return sum;
}

void DarshanCalls::set_calls(std::span<const std::vector<Extent>> of_rank) {
  std::size_t most = 0;
  for (const auto& extents : of_rank) most = std::max(most, extents.size());
  first_.assign(most + 1, 0);
  for (const auto& extents : of_rank)
    for (std::size_t k = 0; k < extents.size(); ++k) first_[k + 1] += extents[k].empty() ? 0 : 1;
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  pieces_.assign(first_.back(), {});
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (RankId rank = 0; const auto& extents : of_rank) {
    for (std::size_t k = 0; k < extents.size(); ++k)
      if (!extents[k].empty()) pieces_[next[k]++] = {rank, extents[k]};
    ++rank;
  }
}

Result<DarshanCalls> calls_of(const DarshanLog& log, const DarshanChoice& choice) {
  DarshanCalls calls;
  calls.procs = log.procs;
  calls.writes = choice.writes;
  const DarshanFile& file = *TUTTI_TRY(chosen_file(log, choice, calls));
  calls.file = file.name;
  calls.layer = TUTTI_TRY(chosen_layer(log, file, choice));
  if (file_bytes(file, calls.writes) > most_darshan_bytes)
    return make_error(ErrorKind::input, log.source,
                      fmt::format("more than 2^60 B of file {} were {}", in_quotes(file.name),
                                  verb_of(calls.writes)),
                      "check the log");
  if (calls.layer == DarshanLayer::mpiio) find_collective(file, calls);
  if (calls.layer == DarshanLayer::posix) note_posix(file, calls);
  std::vector<std::vector<Extent>> extents;
  if (is_traced(file, calls.layer, calls.writes)) {
    if (calls.layer == DarshanLayer::mpiio) note_mpiio(file, calls);
    note_missing_bytes(file, calls);
    extents = traced_extents(file, calls);
    calls.logged_s = logged_time(file, calls);
  } else {
    calls.approximate = true;
    const auto lengths = TUTTI_TRY(estimated_lengths(log, file, calls));
    extents = placed(lengths, darshan_layout(file, calls));
  }
  calls.set_calls(extents);
  if (calls.collective) note_collective_calls(calls, extents);
  return calls;
}

std::shared_ptr<const Access> LoggedCalls::call(std::int64_t number) const {
  std::vector<std::vector<Extent>> of_rank(static_cast<std::size_t>(procs()));
  for (const DarshanCalls::Piece& piece : calls_->call(static_cast<std::size_t>(number)))
    of_rank[piece.rank].push_back(piece.extent);
  constexpr bool idle_at_zero = false;  // a log does not have the views of ranks without data
  return std::make_shared<ListAccess>(std::move(of_rank), idle_at_zero);
}

}  // namespace tutti::io_models
