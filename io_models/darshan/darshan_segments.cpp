// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/darshan/darshan_lines.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::io_models {
namespace {

constexpr const char* truncated_hint =
    "the text is incomplete; run darshan-dxt-parser again and keep its whole output";
constexpr std::string_view block_keys = "file_id, rank and write_count";

// The text between `key` and the next ", " or the end; nothing without the key. The last key of a
// comment extends to the end, so that names may contain commas.
std::optional<std::string_view> value_of(std::string_view text, std::string_view key,
                                         bool is_last = false) {
  const auto at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const auto value = text.substr(at + key.size());
  return trim(is_last ? value : value.substr(0, value.find(',')));
}

// Splits a row at blanks into fields, up to the first '['; returns their number.
std::size_t split_row(std::string_view row, std::array<std::string_view, 8>& field) {
  row = row.substr(0, row.find('['));
  std::size_t count = 0;
  constexpr std::string_view blanks = " \t";
  for (auto begin = row.find_first_not_of(blanks); begin != std::string_view::npos; ++count) {
    const auto end = std::min(row.find_first_of(blanks, begin), row.size());
    if (count < field.size()) field[count] = row.substr(begin, end - begin);
    begin = row.find_first_not_of(blanks, end);
  }
  return count;
}

std::string counts_of(std::size_t writes, std::size_t reads) {
  return fmt::format("{} and {}", counted(writes, "write"), counted(reads, "read"));
}

}  // namespace

void DarshanSegmentReader::invalid(std::string message, std::string hint) {
  lines_.reject(std::move(message), std::move(hint));
  block_->is_invalid = true;
}

void DarshanSegmentReader::read_comment(std::string_view text, std::size_t rows_left) {
  if (text.starts_with("file_id:")) return start_block(text);
  if (!block_ || block_->is_invalid) return;
  if (const auto rank = value_of(text, "rank:"); rank && text.starts_with("rank:")) {
    block_->rank = lines_.rank(*rank, false);
    if (!block_->rank) block_->is_invalid = true;
  } else if (text.starts_with("write_count:")) {
    read_counts(text, rows_left);
  } else if (text.starts_with("mnt_pt:")) {
    read_mount(text);
  } else if (const auto bytes = value_of(text, "Lustre stripe_size:")) {
    set_stripes(*bytes, value_of(text, "Lustre stripe_count:").value_or(""));
  }
}

void DarshanSegmentReader::start_block(std::string_view text) {
  end_block();
  block_ = Block{};
  block_->line = lines_.number();
  const auto name = value_of(text, "file_name:", true);
  const auto id = lines_.record_id(value_of(text, "file_id:").value_or(""));
  if (!id) {
    block_->is_invalid = true;
  } else if (!name || name->empty()) {
    invalid("the block of a file has no file_name", truncated_hint);
  } else {
    block_->file = lines_.file_of(*id, *name);
  }
}

void DarshanSegmentReader::read_counts(std::string_view text, std::size_t rows_left) {
  block_->writes = lines_.amount("write_count:", value_of(text, "write_count:").value_or(""));
  block_->reads = lines_.amount("read_count:", value_of(text, "read_count:").value_or(""));
  if (!block_->writes || !block_->reads) {
    block_->is_invalid = true;
    return;
  }
  // An invalid number must not reserve more than the text can contain.
  block_->trace.writes.reserve(std::min<std::size_t>(*block_->writes, rows_left));
  block_->trace.reads.reserve(std::min<std::size_t>(*block_->reads, rows_left));
}

void DarshanSegmentReader::read_mount(std::string_view text) {
  const auto mount = value_of(text, "mnt_pt:");
  const auto type = value_of(text, "fs_type:", true);
  if (mount && file().mount.empty()) file().mount = *mount;
  if (type && file().type.empty()) file().type = *type;
}

void DarshanSegmentReader::read_component(std::string_view text) {
  if (!block_ || block_->is_invalid) return;
  const auto bytes = value_of(text, "stripe_size:");
  if (bytes) set_stripes(*bytes, value_of(text, "stripe_count:").value_or(""));
}

void DarshanSegmentReader::set_stripes(std::string_view bytes, std::string_view stripes) {
  const auto size = lines_.amount("stripe_size:", bytes);
  const auto count = lines_.amount("stripe_count:", stripes);
  if (!size || !count) return;
  file().stripe_bytes = *size;
  file().stripes = *count;
}

bool DarshanSegmentReader::fits_block(const Fields& field) {
  const auto layer = field[0] == "X_MPIIO" ? DarshanLayer::mpiio : DarshanLayer::posix;
  const auto rank = lines_.rank(field[1], false);
  if (!rank) {
    block_->is_invalid = true;
  } else if (!block_->rank || !block_->writes) {
    invalid(fmt::format("the block's header is incomplete: it needs {}", block_keys),
            truncated_hint);
  } else if (*rank != *block_->rank) {
    invalid(fmt::format("a row of rank {} in the block of rank {}", *rank, *block_->rank),
            truncated_hint);
  } else if (block_->layer && *block_->layer != layer) {
    invalid("rows of X_POSIX and X_MPIIO in one block", truncated_hint);
  } else if (!block_->layer && !seen_.insert({block_->file, layer, *rank}).second) {
    invalid(fmt::format("a second {} block of rank {} for file {}", field[0], *rank,
                        in_quotes(file().name)),
            "the text contains the output of darshan-dxt-parser twice; remove one");
  } else {
    block_->layer = layer;
  }
  return !block_->is_invalid;
}

void DarshanSegmentReader::read_row(std::string_view row) {
  if (!block_) {
    if (!lacks_block_)
      lines_.reject("a row of a segment before the header of its block ('# DXT, file_id: ...')",
                    "keep the comments of darshan-dxt-parser: they name file and rank");
    lacks_block_ = true;
    return;
  }
  if (block_->is_invalid) return;
  Fields field;
  const std::size_t count = split_row(row, field);
  if (block_->columns == 0 && (count == 7 || count == 8)) block_->columns = static_cast<int>(count);
  if (block_->columns == 0 || count != static_cast<std::size_t>(block_->columns))
    return invalid(fmt::format("a row of a segment has {} instead of {}", counted(count, "column"),
                               block_->columns == 0 ? 8 : block_->columns),
                   truncated_hint);
  if (!fits_block(field)) return;
  const bool writes = field[2] == "write";
  if (!writes && field[2] != "read")
    return invalid(fmt::format("invalid operation {}: expected write or read", in_quotes(field[2])),
                   truncated_hint);
  auto& segments = writes ? block_->trace.writes : block_->trace.reads;
  const bool has_offset = count == 8;
  const auto number = lines_.amount("segment", field[3]);
  if (number && *number != static_cast<std::int64_t>(segments.size()))
    return invalid(
        fmt::format("segment {} follows instead of segment {}", *number, segments.size()),
        truncated_hint);
  DarshanSegment segment;
  std::optional<Bytes> offset = -1;
  if (has_offset && field[4] != "-1" && field[4] != "N/A")
    offset = lines_.amount("offset", field[4]);
  const auto* rest = field.data() + (has_offset ? 5 : 4);
  const auto length = lines_.amount("length", rest[0]);
  const auto start = lines_.seconds("start", rest[1]);
  const auto end = lines_.seconds("end", rest[2]);
  if (!number || !offset || !length || !start || !end) {
    block_->is_invalid = true;
  } else if (*offset > (Bytes{1} << 60) - *length) {
    invalid("the segment ends beyond 2^60 B", truncated_hint);
  } else if (*end < *start) {
    invalid(fmt::format("the segment ends at {} s, before its start at {} s", *end, *start),
            "the clock of the node was set back, or columns are missing");
  } else {
    segments.push_back({*offset, *length, *start, *end});
  }
}

void DarshanSegmentReader::end_block() {
  if (!block_) return;
  DarshanTrace& trace = block_->trace;
  const bool is_complete = block_->rank && block_->writes && block_->reads;
  if (!block_->is_invalid && !is_complete)
    lines_.reject_line(block_->line,
                       fmt::format("the block's header is incomplete: it needs {}", block_keys),
                       truncated_hint);
  else if (!block_->is_invalid &&
           (static_cast<std::size_t>(*block_->writes) != trace.writes.size() ||
            static_cast<std::size_t>(*block_->reads) != trace.reads.size()))
    lines_.reject_line(block_->line,
                       fmt::format("the block announces {}, but contains {}",
                                   counts_of(*block_->writes, *block_->reads),
                                   counts_of(trace.writes.size(), trace.reads.size())),
                       truncated_hint);
  else if (!block_->is_invalid && block_->layer) {
    trace.layer = *block_->layer;
    trace.rank = *block_->rank;
    trace.writes.shrink_to_fit();
    trace.reads.shrink_to_fit();
    file().traces.push_back(std::move(trace));
  }
  block_.reset();
}

}  // namespace tutti::io_models
