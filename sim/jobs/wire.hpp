// SPDX-License-Identifier: BSD-3-Clause
// Serialization of answers from a forked child to its parent: both are the same program, so plain
// bytes in the order of the fields suffice.
#pragma once

#include <cstring>
#include <type_traits>
#include <variant>

#include "sim/base/common.hpp"
#include "sim/jobs/child_process.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::jobs::wire {

template <class T>
concept Plain = std::is_trivially_copyable_v<T>;

class Writer {
 public:
  const std::string& bytes() const { return bytes_; }

  template <Plain T>
  void operator()(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes_.append(text);
  }
  template <Plain T>
  void operator()(const std::vector<T>& values) {
    (*this)(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }

 private:
  std::string bytes_;
};

// After reading past the end, `good` is false and values are unspecified.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool good() const { return good_; }
  bool at_end() const { return bytes_.empty(); }

  template <Plain T>
  void operator()(T& value) {
    take(&value, sizeof value);
  }
  void operator()(bool& value) {
    unsigned char byte = 0;
    take(&byte, sizeof byte);
    value = byte != 0;
  }
  void operator()(std::string& text) {
    text.resize(take_count(1));
    take(text.data(), text.size());
  }
  template <Plain T>
  void operator()(std::vector<T>& values) {
    values.resize(take_count(sizeof(T)));
    take(values.data(), values.size() * sizeof(T));
  }

 private:
  void take(void* target, std::size_t size) {
    if (size > bytes_.size()) {
      good_ = false;
      bytes_ = {};
    }
    if (!good_ || size == 0) return;
    std::memcpy(target, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  // Limits the count to the remaining bytes.
  std::size_t take_count(std::size_t element_size) {
    std::size_t count = 0;
    take(&count, sizeof count);
    if (count > bytes_.size() / element_size) good_ = false;
    return good_ ? count : 0;
  }

  std::string_view bytes_;
  bool good_ = true;
};

template <class Archive, class Error>
void error_fields(Archive& archive, Error& error) {
  archive(error.kind);
  archive(error.place);
  archive(error.line);
  archive(error.column);
  archive(error.message);
  archive(error.hint);
  archive(error.source);
}

template <class Archive, class Record>
void record_fields(Archive& archive, Record& record) {
  for (const auto& field : fields_of<std::remove_const_t<Record>>)
    std::visit([&](auto member) { archive(record.*member); }, field.member);
}

template <class Archive, class Inside>
void inside_fields(Archive& archive, Inside& inside) {
  archive(inside.links);
  archive(inside.histogram);
  archive(inside.slices);
  archive(inside.messages);
  archive(inside.trace_is_cut);
  archive(inside.last_rank);
  archive(inside.path);
  archive(inside.path_links);
}

// The members of an answer of any kind of job (Answer, IoAnswer).
inline constexpr struct {
  template <class Archive, class AnyAnswer>
  void operator()(Archive& archive, AnyAnswer& answer) const {
    record_fields(archive, answer.record);
    archive(answer.host_of);
    archive(answer.traffic);
    if constexpr (requires { answer.end_s; }) archive(answer.end_s);
    if constexpr (requires { answer.aggregators; }) archive(answer.aggregators);
    inside_fields(archive, answer.inside);
  }
} answer_fields;

// Packs errors, or a value whose fields are visited by `fields(archive, value)`.
template <class T, class Fields>
std::string pack(const Result<T>& result, const Fields& fields) {
  Writer writer;
  const std::size_t errors = result ? 0 : result.errors().size();
  writer(errors);
  if (errors == 0) fields(writer, *result);
  for (std::size_t i = 0; i < errors; ++i) error_fields(writer, result.errors()[i]);
  return writer.bytes();
}
// Unset if there are too few or too many bytes, because the child did not end normally.
template <class T, class Fields>
std::optional<Result<T>> unpack(std::string_view bytes, const Fields& fields) {
  Reader reader(bytes);
  std::size_t count = 0;
  reader(count);
  T value;
  std::vector<Error> errors;
  if (count == 0) fields(reader, value);
  while (errors.size() < count && reader.good()) error_fields(reader, errors.emplace_back());
  if (!reader.good() || !reader.at_end()) return std::nullopt;
  if (count == 0) return value;
  return errors;
}

// Waits for a child and returns the result that it packed, or why it died.
template <class T, class Fields>
Result<T> collect(ChildProcess& child, const Fields& fields) {
  auto result = unpack<T>(child.collect(), fields);
  if (!child.ended_well() || !result) return child.death();
  return *std::move(result);
}

// Serialization of a row of results.

template <class Archive>
void write_cell(Archive& archive, const NamedCell& cell) {
  archive(cell.name);
  archive(cell.value.index());
  std::visit(
      [&](const auto& value) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          archive(value);
      },
      cell.value);
}

template <class T>
void read_value(Reader& reader, Cell& cell) {
  T value{};
  reader(value);
  cell = std::move(value);
}

inline void read_cell(Reader& reader, NamedCell& cell) {
  std::size_t kind = 0;
  reader(cell.name);
  reader(kind);
  if (kind == 1) read_value<bool>(reader, cell.value);
  if (kind == 2) read_value<std::int64_t>(reader, cell.value);
  if (kind == 3) read_value<double>(reader, cell.value);
  if (kind == 4) read_value<std::string>(reader, cell.value);
}

inline constexpr struct {
  void operator()(Writer& writer, const Row& row) const {
    writer(row.size());
    for (const NamedCell& cell : row) write_cell(writer, cell);
  }
  void operator()(Reader& reader, Row& row) const {
    std::size_t count = 0;
    reader(count);
    while (row.size() < count && reader.good()) read_cell(reader, row.emplace_back());
  }
} row_fields;

}  // namespace tutti::jobs::wire
