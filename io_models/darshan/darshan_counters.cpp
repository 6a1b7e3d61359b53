// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/darshan/darshan_lines.hpp"

namespace tutti::io_models {
namespace {

using Counters = DarshanCounters;

// A counter's name after "POSIX_", "MPIIO_" or "STDIO_", and its place. Counts and times differ in
// type: one of the functions is null.
struct CounterField {
  std::string_view posix;  // also of STDIO
  std::string_view mpiio;
  std::int64_t& (*count)(Counters&);
  Seconds& (*time)(Counters&) = nullptr;
};

#define TUTTI_COUNT(member) [](Counters& c) -> std::int64_t& { return c.member; }
#define TUTTI_TIME(member) nullptr, [](Counters& c) -> Seconds& { return c.member; }
constexpr std::array counter_fields{
    CounterField{"OPENS", "INDEP_OPENS", TUTTI_COUNT(opens)},
    CounterField{"", "COLL_OPENS", TUTTI_COUNT(collective_opens)},
    CounterField{"READS", "INDEP_READS", TUTTI_COUNT(reads.calls)},
    CounterField{"WRITES", "INDEP_WRITES", TUTTI_COUNT(writes.calls)},
    CounterField{"", "COLL_READS", TUTTI_COUNT(reads.collective)},
    CounterField{"", "COLL_WRITES", TUTTI_COUNT(writes.collective)},
    CounterField{"", "SPLIT_READS", TUTTI_COUNT(reads.split)},
    CounterField{"", "SPLIT_WRITES", TUTTI_COUNT(writes.split)},
    CounterField{"", "NB_READS", TUTTI_COUNT(reads.nonblocking)},
    CounterField{"", "NB_WRITES", TUTTI_COUNT(writes.nonblocking)},
    CounterField{"", "HINTS", TUTTI_COUNT(hints)},
    CounterField{"", "VIEWS", TUTTI_COUNT(views)},
    CounterField{"BYTES_READ", "BYTES_READ", TUTTI_COUNT(reads.bytes)},
    CounterField{"BYTES_WRITTEN", "BYTES_WRITTEN", TUTTI_COUNT(writes.bytes)},
    CounterField{"MAX_BYTE_READ", "", TUTTI_COUNT(reads.last_byte)},
    CounterField{"MAX_BYTE_WRITTEN", "", TUTTI_COUNT(writes.last_byte)},
    CounterField{"CONSEC_READS", "", TUTTI_COUNT(reads.consecutive)},
    CounterField{"CONSEC_WRITES", "", TUTTI_COUNT(writes.consecutive)},
    CounterField{"ACCESS1_ACCESS", "ACCESS1_ACCESS", TUTTI_COUNT(common[0].bytes)},
    CounterField{"ACCESS2_ACCESS", "ACCESS2_ACCESS", TUTTI_COUNT(common[1].bytes)},
    CounterField{"ACCESS3_ACCESS", "ACCESS3_ACCESS", TUTTI_COUNT(common[2].bytes)},
    CounterField{"ACCESS4_ACCESS", "ACCESS4_ACCESS", TUTTI_COUNT(common[3].bytes)},
    CounterField{"ACCESS1_COUNT", "ACCESS1_COUNT", TUTTI_COUNT(common[0].count)},
    CounterField{"ACCESS2_COUNT", "ACCESS2_COUNT", TUTTI_COUNT(common[1].count)},
    CounterField{"ACCESS3_COUNT", "ACCESS3_COUNT", TUTTI_COUNT(common[2].count)},
    CounterField{"ACCESS4_COUNT", "ACCESS4_COUNT", TUTTI_COUNT(common[3].count)},
    CounterField{"SLOWEST_RANK", "SLOWEST_RANK", TUTTI_COUNT(slowest_rank)},
    CounterField{"F_READ_TIME", "F_READ_TIME", TUTTI_TIME(reads.time_s)},
    CounterField{"F_WRITE_TIME", "F_WRITE_TIME", TUTTI_TIME(writes.time_s)},
    CounterField{"F_META_TIME", "F_META_TIME", TUTTI_TIME(meta_time_s)},
    CounterField{"F_SLOWEST_RANK_TIME", "F_SLOWEST_RANK_TIME", TUTTI_TIME(slowest_rank_time_s)}};
#undef TUTTI_COUNT
#undef TUTTI_TIME
static_assert(counter_fields.size() <= 64, "Record::seen has a bit for each");

// Index of the field of a full counter name: "MPIIO_COLL_WRITES".
std::optional<std::size_t> field_of(std::string_view counter) {
  static const auto fields = [] {
    std::unordered_map<std::string, std::size_t> all;
    for (std::size_t i = 0; i < counter_fields.size(); ++i) {
      const CounterField& field = counter_fields[i];
      if (!field.mpiio.empty()) all.emplace(fmt::format("MPIIO_{}", field.mpiio), i);
      for (const char* layer : {"POSIX", "STDIO"})
        if (!field.posix.empty()) all.emplace(fmt::format("{}_{}", layer, field.posix), i);
    }
    return all;
  }();
  const auto found = fields.find(std::string(counter));
  return found == fields.end() ? std::nullopt : std::optional(found->second);
}

std::optional<DarshanLayer> layer_of_module(std::string_view module) {
  if (module == "POSIX") return DarshanLayer::posix;
  if (module == "MPI-IO" || module == "MPIIO") return DarshanLayer::mpiio;
  if (module == "STDIO") return DarshanLayer::stdio;
  return std::nullopt;
}

void set_mount(DarshanFile& file, std::string_view mount, std::string_view type) {
  if (file.mount.empty()) file.mount = mount;
  if (file.type.empty()) file.type = type;
}

}  // namespace

void DarshanCounterReader::read(std::string_view row) {
  enum { module, rank, id, counter, value, name, mount, type, columns };
  std::array<std::string_view, columns> field;
  std::size_t count = 0;
  for (std::size_t begin = 0;; ++count) {
    const auto end = std::min(row.find('\t', begin), row.size());
    if (count < columns) field[count] = row.substr(begin, end - begin);
    begin = end + 1;
    if (end == row.size()) break;
  }
  if (++count != columns)
    return lines_.reject(
        fmt::format("a row of counters has {} instead of {}", counted(count, "column"), +columns),
        "columns of darshan-parser are separated by tabs; copy its output unchanged");
  const auto layer = layer_of_module(field[module]);
  const bool is_lustre = field[module] == "LUSTRE";
  if (!layer && !is_lustre) return;
  const auto its_rank = lines_.rank(field[rank], true);
  const auto file_id = its_rank ? lines_.record_id(field[id]) : std::nullopt;
  if (!file_id) return;
  if (is_lustre) {
    DarshanFile& file = lines_.log().files[lines_.file_of(*file_id, field[name])];
    set_mount(file, field[mount], field[type]);
    return read_stripes(file, field[counter], field[value]);
  }
  Record& record = record_of({*file_id, *its_rank, *layer}, field[name]);
  set_mount(lines_.log().files[record.file], field[mount], field[type]);
  read_counter(record, field[counter], field[value]);
}

DarshanCounterReader::Record& DarshanCounterReader::record_of(const Key& key,
                                                              std::string_view name) {
  if (last_key_ == key) return *last_;
  const auto [found, is_new] = records_.try_emplace(key);
  if (is_new) {
    found->second.file = lines_.file_of(key.file_id, name);
    auto& counters = lines_.log().files[found->second.file].counters;
    found->second.index = counters.size();
    DarshanCounters added;
    added.layer = key.layer;
    added.rank = key.rank;
    counters.push_back(added);
  }
  last_key_ = key;
  last_ = &found->second;
  return *last_;
}

void DarshanCounterReader::read_counter(Record& record, std::string_view counter,
                                        std::string_view value) {
  const auto field = field_of(counter);
  if (!field) return;
  DarshanFile& file = lines_.log().files[record.file];
  DarshanCounters& counters = file.counters[record.index];
  const std::uint64_t bit = std::uint64_t{1} << *field;
  if ((record.seen & bit) != 0) {
    if (!repeats_)
      lines_.reject(fmt::format("{} of file {} is listed twice for rank {}", counter,
                                in_quotes(file.name), counters.rank),
                    "the text contains the output of darshan-parser twice; remove one");
    repeats_ = true;
    return;
  }
  record.seen |= bit;
  const CounterField& its = counter_fields[*field];
  if (value == "-1" || value == "-1.000000") return;  // not monitored
  if (its.count != nullptr)
    its.count(counters) = lines_.amount(counter, value).value_or(-1);
  else
    its.time(counters) = lines_.seconds(counter, value).value_or(-1);
}

void DarshanCounterReader::read_stripes(DarshanFile& file, std::string_view counter,
                                        std::string_view value) {
  // LUSTRE_STRIPE_SIZE, or of newer versions, LUSTRE_COMP1_STRIPE_SIZE; components are in order.
  const bool is_lustre =
      counter.starts_with("LUSTRE_STRIPE_") || counter.starts_with("LUSTRE_COMP");
  if (!is_lustre || value == "-1") return;
  if (counter.ends_with("_STRIPE_SIZE")) {
    if (const auto bytes = lines_.amount(counter, value)) file.stripe_bytes = *bytes;
  } else if (counter.ends_with("_STRIPE_WIDTH") || counter.ends_with("_STRIPE_COUNT")) {
    if (const auto stripes = lines_.amount(counter, value)) file.stripes = *stripes;
  }
}

}  // namespace tutti::io_models
