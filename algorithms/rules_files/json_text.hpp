// SPDX-License-Identifier: BSD-3-Clause
// JSON values with their places in the text. The parser accepts what Open MPI's and MPICH's parsers
// accept beyond JSON, and lists it.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::algorithms::rules_files {

struct JsonValue {
  enum class Kind : unsigned char { null, boolean, integer, number, text, array, object };
  struct Member;

  Kind kind = Kind::null;
  int line = 0;
  int column = 0;
  std::string text = {};     // of a text; the writing of a number
  std::int64_t integer = 0;  // of an integer; limited to its range
  std::vector<JsonValue> items = {};
  std::vector<Member> members;  // in order, including repeated keys

  // The first member of the key; null if there is none.
  const JsonValue* find(std::string_view key) const;
};

struct JsonValue::Member {
  std::string key;
  int line = 0;
  int column = 0;
  JsonValue value;
};

struct JsonProblem {
  int line = 0;
  int column = 0;
  std::string message;
};

struct ParsedJson {
  std::optional<JsonValue> value;
  std::optional<JsonProblem> invalid;  // if there is no value
  std::vector<JsonProblem> trailing_commas;
};

inline constexpr int most_json_depth = 100;

ParsedJson parse_json(std::string_view text);

std::string_view kind_name(JsonValue::Kind kind);

}  // namespace tutti::algorithms::rules_files
