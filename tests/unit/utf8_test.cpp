// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>

#include "sim/base/text.hpp"

using namespace tutti;

TEST_CASE("characters of one to four bytes are UTF-8") {
  for (const char* text : {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xef\xbf\xbd", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    CHECK(!first_not_utf8(text));
  CHECK(count_characters("a\xc3\xa9\xf0\x9f\x8e\xbc\xff") == 4);
}

TEST_CASE("overlong forms, surrogates, truncated text and values above U+10FFFF are not UTF-8") {
  for (const char* wrong :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc2", "\xe1\x80",
        "\xf1\x80\x80", "\xc2 ", "\xe1\x80 ", "\xf1\x80\x80 "}) {
    const std::string text = std::string("ab\xc3\xa9") + wrong;
    CHECK(first_not_utf8(text) == 4);
  }
}

TEST_CASE("a byte order mark is skipped, once") {
  CHECK(without_byte_order_mark("\xef\xbb\xbf"
                                "a") == "a");
  CHECK(without_byte_order_mark("\xef\xbb\xbf\xef\xbb\xbf") == "\xef\xbb\xbf");
  CHECK(without_byte_order_mark("\xef\xbb") == "\xef\xbb");
}
