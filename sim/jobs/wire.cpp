// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/wire.hpp"

namespace tutti::jobs::wire {
namespace {

constexpr auto fields = [](auto& archive, auto& answer) { answer_fields(archive, answer); };

}  // namespace

std::string pack(const Result<Answer>& result) { return pack(result, fields); }

std::optional<Result<Answer>> unpack(std::string_view bytes) {
  return unpack<Answer>(bytes, fields);
}

}  // namespace tutti::jobs::wire
