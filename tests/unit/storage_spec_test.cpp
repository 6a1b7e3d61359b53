// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/storage_spec.hpp"

#include <doctest/doctest.h>

using namespace tutti;
using io_models::format_storage;
using io_models::parse_storage;

namespace {

// "message | hint" of the only error.
std::string rejected(std::string_view text) {
  const auto spec = parse_storage(text);
  REQUIRE_FALSE(spec);
  REQUIRE(spec.errors().size() == 1);
  CHECK(spec.error().kind == ErrorKind::usage);
  CHECK(spec.error().place == "--storage");
  return spec.error().message + " | " + spec.error().hint;
}

}  // namespace

TEST_CASE("by default there is no storage") {
  const auto spec = parse_storage("none");
  REQUIRE(spec);
  CHECK_FALSE(spec->exists());
  CHECK(format_storage(*spec) == "none");
}

TEST_CASE("a storage needs targets and their bandwidth, the rest has defaults") {
  const auto spec = parse_storage("bandwidth=500MBps,targets=16");
  REQUIRE(spec);
  CHECK(spec->exists());
  CHECK(spec->targets == 16);
  CHECK(spec->write_Bps == 500e6);
  CHECK(spec->read_Bps == 500e6);
  CHECK(spec->stripe_bytes == 1 << 20);
  CHECK(spec->lock_bytes == 1 << 20);
  CHECK(spec->request_s == 0);
  CHECK(spec->lock_penalty_s == 0);
  CHECK(spec->threads == 64);
  CHECK_FALSE(spec->network_Bps);
  CHECK_FALSE(spec->network_latency_s);
}

TEST_CASE("a written storage specification is read back") {
  for (const std::string text :
       {"targets=16,bandwidth=500MBps,stripe=1MiB",
        "targets=1,bandwidth=1.5GBps,stripe=64KiB,read_bandwidth=2GBps,request=0.5ms,lock=4KiB,"
        "lock_penalty=1ms,threads=1,network=12.5GBps,network_latency=2us",
        "targets=3,bandwidth=123456789Bps,stripe=1000B,lock=3000B,lock_penalty=0.1s"}) {
    const auto spec = parse_storage(text);
    REQUIRE_MESSAGE(spec, text);
    CHECK(format_storage(*spec) == text);
  }
  CHECK(format_storage(*parse_storage("targets=2,bandwidth=8Gbps,network_latency=0")) ==
        "targets=2,bandwidth=1GBps,stripe=1MiB,network_latency=0s");
}

TEST_CASE("an invalid storage specification is rejected with a hint") {
  const std::string keys =
      "keys: targets, bandwidth, read_bandwidth, stripe, request, lock, lock_penalty, threads, "
      "network, network_latency";
  const std::string example = "for example targets=16,bandwidth=500MBps,stripe=1MiB";
  CHECK(rejected("") == "empty specification | " + example);
  CHECK(rejected("nonne") == "invalid entry 'nonne': expected KEY=VALUE | did you mean 'none'?");
  CHECK(rejected("16") == "invalid entry '16': expected KEY=VALUE | " + example);
  CHECK(rejected("targets=16") == "the bandwidth of a target is missing | " + example);
  CHECK(rejected("bandwidth=1GBps") == "targets are missing | " + example);
  CHECK(rejected("targets=1,bandwith=1GBps") ==
        "unknown key 'bandwith' | did you mean 'bandwidth'?");
  CHECK(rejected("targets=1,bandwidth=1GBps,color=red") == "unknown key 'color' | " + keys);
  CHECK(rejected("targets=1,targets=2,bandwidth=1GBps") == "targets is given twice | ");
  CHECK(rejected("targets=0,bandwidth=1GBps") == "targets must be a number from 1 to 4096 | ");
  CHECK(rejected("targets=4097,bandwidth=1GBps") == "targets must be a number from 1 to 4096 | ");
  CHECK(rejected("targets=1,bandwidth=0.5Bps") == "bandwidth must be from 1 B/s to 1e18 B/s | ");
  CHECK(rejected("targets=1,bandwidth=1GBps,stripe=0") == "stripe must be from 1 B to 1 PiB | ");
  CHECK(rejected("targets=1,bandwidth=1GBps,request=2h") == "request must be at most an hour | ");
  CHECK(rejected("targets=1,bandwidth=1GBps,threads=0") ==
        "threads must be a number from 1 to 4096 | ");
  CHECK(rejected("targets=1,bandwidth=1GBps,stripe=1MiB,lock=1.5MiB") ==
        "a lock unit of 1536 KiB and a stripe of 1 MiB: neither is a multiple of the other | a "
        "lock unit must divide the stripe or be a multiple of it");
  CHECK(rejected("targets=1,bandwidth=1GBps,lock=").starts_with("lock: '' is not a size"));
  CHECK(rejected("targets=x,bandwidth=1GBps").starts_with("targets: 'x' is not a whole number"));
  CHECK(rejected("targets=1,bandwidth=1GBps,") ==
        "invalid entry '': expected KEY=VALUE | " + example);
  CHECK(parse_storage("targets=x,bandwidth=y,z=1").errors().size() == 3);
}
