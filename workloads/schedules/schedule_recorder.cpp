// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/schedules/schedule_recorder.hpp"

#include <zlib.h>

#include "sim/base/output_file.hpp"

namespace tutti::workloads::schedules {

using runtime::RankId;
using runtime::Slice;

ScheduleRecorder::ScheduleRecorder(int procs) : ranks_(static_cast<std::size_t>(procs)) {}

void ScheduleRecorder::on_request(RankId rank, const runtime::RequestedMessage& requested) {
  Recorded& recorded = of(rank);
  OpKind kind = OpKind::receive;
  if (requested.is_send)
    kind = requested.kind == runtime::SendKind::immediate  ? OpKind::send
           : requested.kind == runtime::SendKind::blocking ? OpKind::blocking_send
                                                           : OpKind::synchronous_send;
  pending_[requested.request] = static_cast<std::uint32_t>(recorded.ops.size());
  recorded.ops.push_back({.size = requested.data.bytes,
                          .peer = requested.peer,
                          .tag = requested.tag,
                          .details = static_cast<std::uint32_t>(recorded.details.size()),
                          .kind = kind});
  recorded.details.push_back(requested.data.offset);
  recorded.details.push_back(packed(requested.data.buffer, 0));
}

// Consecutive waits in order are one.
void ScheduleRecorder::on_wait(RankId rank, std::span<const runtime::Request> requests,
                               bool of_all) {
  if (requests.empty()) return;
  Recorded& recorded = of(rank);
  const bool continues =
      !of_all && !recorded.ops.empty() && recorded.ops.back().kind == OpKind::wait;
  if (!continues)
    recorded.ops.push_back({.details = static_cast<std::uint32_t>(recorded.details.size()),
                            .kind = of_all ? OpKind::wait_all : OpKind::wait});
  for (const runtime::Request& request : requests) {
    const auto found = pending_.extract(request.index);
    if (found.empty()) continue;  // of a collective in hardware
    recorded.details.push_back(found.mapped());
    ++recorded.ops.back().size;
  }
}

void ScheduleRecorder::on_local_work(RankId rank, Seconds duration_s) {
  of(rank).work_s = duration_s;
}

void ScheduleRecorder::add_work(RankId rank, OpKind kind, Bytes bytes,
                                std::initializer_list<std::int64_t> details) {
  Recorded& recorded = of(rank);
  const double ns = std::round(std::exchange(recorded.work_s, 0) * 1e9);
  constexpr double most = std::numeric_limits<std::uint32_t>::max();
  recorded.ops.push_back({.size = bytes,
                          .line = static_cast<std::uint32_t>(std::min(ns, most)),
                          .details = static_cast<std::uint32_t>(recorded.details.size()),
                          .kind = kind});
  recorded.details.insert(recorded.details.end(), details);
}

void ScheduleRecorder::on_compute(RankId rank, Seconds duration_s) {
  of(rank).work_s = duration_s;
  add_work(rank, OpKind::compute, 0, {std::bit_cast<std::int64_t>(duration_s)});
}

void ScheduleRecorder::on_allocate(RankId rank, Bytes bytes) {
  add_work(rank, OpKind::allocate, bytes, {});
}

void ScheduleRecorder::on_copy(RankId rank, Slice into, Slice from) {
  add_work(
      rank, OpKind::copy, into.bytes,
      {into.offset, packed(into.buffer, static_cast<std::uint32_t>(from.buffer)), from.offset});
}

void ScheduleRecorder::on_copy(RankId rank, const runtime::Strided& into,
                               const runtime::Strided& from) {
  add_work(
      rank, OpKind::copies, into.first.bytes,
      {into.first.offset, packed(into.first.buffer, static_cast<std::uint32_t>(from.first.buffer)),
       from.first.offset, into.count, into.stride, from.stride});
}

void ScheduleRecorder::on_clear(RankId rank, Slice into) {
  add_work(rank, OpKind::clear, into.bytes, {into.offset, packed(into.buffer, 0)});
}

void ScheduleRecorder::on_combine(RankId rank, Slice into, Slice from, runtime::Operand from_is) {
  add_work(
      rank, from_is == runtime::Operand::left ? OpKind::combine_left : OpKind::combine, into.bytes,
      {into.offset, packed(into.buffer, static_cast<std::uint32_t>(from.buffer)), from.offset});
}

void ScheduleRecorder::on_hardware_join(std::uint32_t /*index*/, RankId /*rank*/,
                                        const runtime::HardwareCall& /*call*/) {
  has_hardware_ = true;
}

namespace {

// Writes the operations of one rank. Operation i has the label l<i>. Annotations have lines of
// their own, because txt2bin accepts no comment after an operation.
class RankText {
 public:
  RankText(const std::vector<Op>& ops, const std::vector<std::int64_t>& details, std::string& text)
      : ops_(ops), details_(details), text_(text) {}

  void write() {
    for (std::uint32_t i = 0; i < ops_.size(); ++i) {
      const Op& op = ops_[i];
      if (is_wait(op.kind)) {
        write_wait(op);
        continue;
      }
      if (is_message(op.kind))
        write_message(i, op);
      else
        write_work(i, op);
      write_requirements(i);
    }
  }

 private:
  std::int64_t detail(const Op& op, std::size_t i) const { return details_[op.details + i]; }
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  void write_message(std::uint32_t i, const Op& op) {
    static constexpr std::string_view words[] = {"isend", "send", "issend", "irecv"};
    const bool sends = is_send(op.kind);
    add("l{}: {} {}b {} {} tag {}", i, sends ? "send" : "recv", op.size, sends ? "to" : "from",
        op.peer, op.tag);
    const std::int32_t buffer = buffer_of(detail(op, 1));
    if (buffer != unnamed_buffer || op.kind > OpKind::send)
      add("\n// tutti {} {}:{}", words[static_cast<std::size_t>(op.kind)],
          buffer == unnamed_buffer ? 0 : buffer, detail(op, 0));
    text_ += '\n';
  }

  void write_slice(const Op& op, bool of_operand) {
    const std::int64_t packed = detail(op, 1);
    if (of_operand)
      add(" {}:{}", low_of(packed), detail(op, 2));
    else
      add(" {}:{}", buffer_of(packed), detail(op, 0));
  }

  void write_work(std::uint32_t i, const Op& op) {
    static constexpr std::string_view words[] = {"compute", "copy",    "copies",  "clear",
                                                 "combine", "combine", "allocate"};
    add("l{}: calc {}\n// tutti {}", i, op.line,
        words[static_cast<std::size_t>(op.kind) - static_cast<std::size_t>(OpKind::compute)]);
    if (op.kind == OpKind::compute) {
      add(" {}\n", std::bit_cast<double>(detail(op, 0)));
      return;
    }
    if (op.kind != OpKind::allocate) write_slice(op, false);
    if (op.kind != OpKind::allocate && op.kind != OpKind::clear) write_slice(op, true);
    add(" {}", op.size);
    if (op.kind == OpKind::copies) add(" {} {} {}", detail(op, 3), detail(op, 4), detail(op, 5));
    if (op.kind == OpKind::combine) text_ += " right";
    if (op.kind == OpKind::combine_left) text_ += " left";
    text_ += '\n';
  }

  void write_wait(const Op& op) {
    text_ += op.kind == OpKind::wait ? "// tutti wait" : "// tutti wait_all";
    for (std::int64_t i = 0; i < op.size; ++i) {
      const std::int64_t request = detail(op, static_cast<std::size_t>(i));
      add(" l{}", request);
      awaited_.push_back(request);
    }
    text_ += '\n';
  }

  // For other tools: an operation starts after the one before it (a message: after its start), and
  // after the requests that were waited for in between.
  void write_requirements(std::uint32_t i) {
    for (const std::int64_t request : awaited_) add("l{} requires l{}\n", i, request);
    const bool is_awaited = std::ranges::find(awaited_, std::int64_t{last_}) != awaited_.end();
    if (last_ != none_ && !is_awaited)
      add("l{} {} l{}\n", i, is_message(ops_[last_].kind) ? "irequires" : "requires", last_);
    awaited_.clear();
    last_ = i;
  }

  static constexpr std::uint32_t none_ = std::numeric_limits<std::uint32_t>::max();

  const std::vector<Op>& ops_;
  const std::vector<std::int64_t>& details_;
  std::string& text_;
  std::vector<std::int64_t> awaited_;
  std::uint32_t last_ = none_;
};

}  // namespace

namespace {

// A file, compressed if its name ends in .gz.
class TextOutput {
 public:
  explicit TextOutput(const std::string& path) : file_(path), compresses_(path.ends_with(".gz")) {
    constexpr int gzip_window = 15 + 16, usual_memory = 8;
    if (compresses_)
      TUTTI_CHECK(deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window,
                               usual_memory, Z_DEFAULT_STRATEGY) == Z_OK,
                  "zlib accepts these parameters");
  }
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;
  ~TextOutput() {
    if (compresses_) deflateEnd(&stream_);
  }

  // Writes and clears the text.
  void write(std::string& text) {
    if (!compresses_) file_.write(text);
    for (std::size_t at = 0; compresses_ && at < text.size(); at += piece)
      compress(std::span(text).subspan(at, std::min(piece, text.size() - at)), Z_NO_FLUSH);
    text.clear();
  }
  std::optional<Error> close() {
    if (compresses_) compress({}, Z_FINISH);
    return file_.close();
  }

  static constexpr std::size_t piece = 1 << 20;

 private:
  void compress(std::span<char> text, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(text.data());
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      std::array<char, std::size_t{1} << 16> block;
      stream_.next_out = reinterpret_cast<Bytef*>(block.data());
      stream_.avail_out = static_cast<uInt>(block.size());
      deflate(&stream_, flush);
      file_.write({block.data(), block.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  OutputFile file_;
  bool compresses_;
  z_stream stream_ = {};
};

}  // namespace

std::optional<Error> ScheduleRecorder::write(const std::string& path,
                                             const std::optional<ScheduledCall>& call,
                                             const std::vector<std::string>& head) const {
  TextOutput file(path);
  std::string text = "// tutti schedule 1\n";
  if (call)
    text += fmt::format("// tutti call {} bytes={} element={} root={}\n", call->collective,
                        call->message_bytes, call->element_bytes, call->root);
  for (const auto& line : head) text += fmt::format("// {}\n", line);
  text += fmt::format("num_ranks {}\n", ranks_.size());
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    text += fmt::format("rank {} {{\n", rank);
    RankText(ranks_[rank].ops, ranks_[rank].details, text).write();
    text += "}\n";
    if (text.size() >= TextOutput::piece) file.write(text);
  }
  file.write(text);
  return file.close();
}

}  // namespace tutti::workloads::schedules
