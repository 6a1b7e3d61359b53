// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/base/text.hpp"

using namespace tutti;

TEST_CASE("names share a word, or a similar one") {
  CHECK(share_word("binary", "split_binary_tree"));
  CHECK(share_word("in-order_binary", "binary"));
  CHECK(share_word("neighbour_exchange", "neighbor"));
  CHECK(share_word("bruck", "modified_bruck"));
  CHECK_FALSE(share_word("ring", "string"));
  CHECK_FALSE(share_word("all_of", "set_of"));
  CHECK_FALSE(share_word("", "bruck"));
}

TEST_CASE("the nearest candidate is suggested, and none if all are too different") {
  const std::vector<std::string> algorithms = {"binomial", "binary_tree", "chain", "pipeline",
                                               "knomial"};
  struct Case {
    std::string word;
    std::string suggestion;
  };
  const std::vector<Case> cases = {{"binomal", "binomial"},  // one letter missing
                                   {"binomiall", "binomial"},
                                   {"bimonial", "binomial"},
                                   {"chian", "chain"},  // two letters swapped
                                   {"Chain", "chain"},  // case
                                   {"pipelime", "pipeline"},
                                   {"knomail", "knomial"},
                                   {"ring", ""},
                                   {"x", ""},
                                   {"", ""},
                                   {"scatter_allgather", ""}};
  for (const auto& c : cases) {
    CAPTURE(c.word);
    CHECK(suggest(c.word, algorithms) == c.suggestion);
  }
  CHECK(suggest("chain", {}).empty());
  CHECK(suggest(std::string(100'000, 'c'), algorithms).empty());
}

TEST_CASE("a short word is not replaced by an entirely different one") {
  CHECK(suggest("a", {"b"}).empty());
  CHECK(suggest("ab", {"ac"}) == "ac");
  CHECK(suggest("abc", {"xyc"}).empty());
}

TEST_CASE("the rejected word itself is never suggested, nor words near it") {
  CHECK(suggest("bus", {"bus", "network"}).empty());
  CHECK(suggest("bus", {"buss", "bus"}).empty());
  CHECK(did_you_mean("bus", {"bus"}, "it is misplaced") == "it is misplaced");
}

TEST_CASE("the hint names the suggestion or another remedy") {
  CHECK(did_you_mean("buss", {"bus", "network"}) == "did you mean 'bus'?");
  CHECK(did_you_mean("cable", {"bus", "network"}, "kinds: bus, network") == "kinds: bus, network");
  CHECK(did_you_mean("cable", {"bus", "network"}).empty());
  CHECK(did_you_mean("a\x1b[31", {"a\x1b[32"}) == "did you mean 'a\\x1b[32'?");
}
