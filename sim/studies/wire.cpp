// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/wire.hpp"

namespace tutti::studies::wire {

std::string pack(const Result<Answer>& result) {
  Writer writer;
  const std::size_t errors = result ? 0 : result.errors().size();
  writer(errors);
  if (errors == 0) answer_fields(writer, *result);
  for (std::size_t i = 0; i < errors; ++i) error_fields(writer, result.errors()[i]);
  return writer.bytes();
}

std::optional<Result<Answer>> unpack(std::string_view bytes) {
  Reader reader(bytes);
  std::size_t count = 0;
  reader(count);
  Answer answer;
  std::vector<Error> errors;
  if (count == 0) answer_fields(reader, answer);
  while (errors.size() < count && reader.good()) error_fields(reader, errors.emplace_back());
  if (!reader.good() || !reader.at_end()) return std::nullopt;
  if (count == 0) return answer;
  return errors;
}

}  // namespace tutti::studies::wire
