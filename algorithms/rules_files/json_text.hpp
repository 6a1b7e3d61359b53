// SPDX-License-Identifier: BSD-3-Clause
// JSON values with their places in the text. The parser accepts what Open MPI's and MPICH's parsers
// accept beyond JSON, and lists it. Sources: opal/util/json/3rd-party/json.c (json-parser) of Open
// MPI's main branch; modules/json-c/json_tokener.c of MPICH 4.0.2, not strict.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/text_position.hpp"

namespace tutti::algorithms::rules_files {

struct JsonValue {
  enum class Kind : unsigned char { null, boolean, integer, number, text, array, object };
  struct Member;

  Kind kind = Kind::null;
  TextSpot spot = {};
  std::string text = {};     // of a text; the writing of a number
  std::int64_t integer = 0;  // of an integer; limited to its range
  std::vector<JsonValue> items = {};
  std::vector<Member> members;  // in order, including repeated keys

  // The first member of the key; null if there is none.
  const JsonValue* find(std::string_view key) const;
};

struct JsonValue::Member {
  std::string key;
  TextSpot spot;
  JsonValue value;
};

struct JsonProblem {
  TextSpot spot;
  std::string message;
};

struct ParsedJson {
  std::optional<JsonValue> value;
  std::optional<JsonProblem> invalid;    // if there is no value
  std::vector<JsonProblem> not_in_json;  // what the library accepts: "comma before '}'"
};

// Both accept commas at the end of lists, and line ends in texts. Open MPI's accepts any character
// after a backslash; MPICH's accepts comments, single quotes, text after the value and at most 32
// levels, and of repeated keys takes the last value.
enum class JsonDialect : unsigned char { open_mpi, mpich };

inline constexpr int most_json_depth = 100;  // Open MPI's parser has no limit

ParsedJson parse_json(std::string_view text, JsonDialect dialect);

std::string_view kind_name(JsonValue::Kind kind);

}  // namespace tutti::algorithms::rules_files
