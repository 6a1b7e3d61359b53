// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/wire.hpp"

namespace tutti::studies::wire {
namespace {

constexpr auto fields = [](auto& archive, auto& answer) { answer_fields(archive, answer); };

}  // namespace

std::string pack(const Result<Answer>& result) { return pack(result, fields); }

std::optional<Result<Answer>> unpack(std::string_view bytes) {
  return unpack<Answer>(bytes, fields);
}

}  // namespace tutti::studies::wire
