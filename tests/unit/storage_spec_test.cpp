// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/storage_spec.hpp"

#include <doctest/doctest.h>

#include "tests/support/files.hpp"

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
        "targets=3,bandwidth=123456789Bps,stripe=1000B,lock=3000B,lock_penalty=0.1s",
        "targets=6,bandwidth=1GBps,stripe=1MiB,servers=2,stripe_count=3,cache=8GiB,"
        "cache_bandwidth=10GBps,burst=1TiB,burst_bandwidth=5GBps,read_ahead=4MiB,metadata=50us"}) {
    const auto spec = parse_storage(text);
    REQUIRE_MESSAGE(spec, text);
    CHECK(format_storage(*spec) == text);
  }
  CHECK(format_storage(*parse_storage("targets=2,bandwidth=8Gbps,network_latency=0")) ==
        "targets=2,bandwidth=1GBps,stripe=1MiB,network_latency=0s");
}

TEST_CASE("a name of the catalog gives the values of keys that are not given") {
  const auto named = parse_storage("lustre-hdd");
  REQUIRE(named);
  CHECK(named->targets == 16);
  CHECK(named->server_count() == 8);
  CHECK(named->file_targets() == 16);
  const auto other = parse_storage("lustre-hdd,stripe=4MiB,stripe_count=2,bandwidth=2GBps");
  REQUIRE(other);
  CHECK(other->stripe_bytes == 4 << 20);
  CHECK(other->file_targets() == 2);
  CHECK(other->write_Bps == 2e9);
  CHECK(other->request_s == named->request_s);
  CHECK(parse_storage("lustre-hdd,stripe_count=2")->stripe_bytes == named->stripe_bytes);
}

TEST_CASE("an invalid storage specification is rejected with a hint") {
  const std::string keys =
      "keys: targets, bandwidth, read_bandwidth, servers, stripe, stripe_count, request, lock, "
      "lock_penalty, threads, cache, cache_bandwidth, burst, burst_bandwidth, read_ahead, "
      "metadata, "
      "network, network_latency";
  const std::string catalog = "`sim list storage` lists systems with their values";
  const std::string example = "for example targets=16,bandwidth=500MBps,stripe=1MiB";
  CHECK(rejected("") == "empty specification | " + example);
  CHECK(rejected("none,targets=4") == "none has no values | remove it, or the values");
  CHECK(rejected("nonne") == "unknown storage 'nonne' | did you mean 'none'?");
  CHECK(rejected("lumip") == "unknown storage 'lumip' | did you mean 'lumi-p'?");
  CHECK(rejected("16") == "unknown storage '16' | `sim list storage` lists the names; " + example);
  CHECK(rejected("targets=1,lumi-p") ==
        "invalid entry 'lumi-p': expected KEY=VALUE | a name of the catalog must come first");
  CHECK(rejected("targets=1,16") == "invalid entry '16': expected KEY=VALUE | " + example);
  CHECK(rejected("targets=16") == "the bandwidth of a target is missing | " + example);
  CHECK(rejected("bandwidth=1GBps") == "targets are missing | " + example);
  CHECK(rejected("targets=1,bandwith=1GBps") ==
        "unknown key 'bandwith' | did you mean 'bandwidth'?");
  CHECK(rejected("targets=1,bandwidth=1GBps,color=red") == "unknown key 'color' | " + keys);
  CHECK(rejected("targets=1,targets=2,bandwidth=1GBps") ==
        "targets is given twice | omit one of them");
  CHECK(rejected("targets=0,bandwidth=1GBps") ==
        "targets must be a number from 1 to 4096 | " + catalog);
  CHECK(rejected("targets=4097,bandwidth=1GBps") ==
        "targets must be a number from 1 to 4096 | " + catalog);
  CHECK(rejected("targets=1,bandwidth=0.5Bps") ==
        "bandwidth must be from 1 B/s to 1e18 B/s | " + catalog);
  CHECK(rejected("targets=1,bandwidth=1GBps,stripe=0") ==
        "stripe must be from 1 B to 1 PiB | " + catalog);
  CHECK(rejected("targets=1,bandwidth=1GBps,request=2h") ==
        "request must be at most an hour | " + catalog);
  CHECK(rejected("targets=1,bandwidth=1GBps,threads=0") ==
        "threads must be a number from 1 to 4096 | " + catalog);
  CHECK(rejected("targets=6,servers=4,bandwidth=1GBps") ==
        "targets=6 is not a multiple of servers=4 | all servers have the same number of targets");
  CHECK(rejected("lustre-hdd,targets=7") ==
        "targets=7 is not a multiple of servers=8 | all servers have the same number of targets");
  CHECK(rejected("targets=6,stripe_count=7,bandwidth=1GBps") ==
        "stripe_count=7 exceeds targets=6 | a file has at most one object per target");
  CHECK(rejected("targets=6,servers=0,bandwidth=1GBps") ==
        "servers must be a number from 1 to 4096 | " + catalog);
  CHECK(rejected("targets=1,bandwidth=1GBps,cache_bandwidth=1GBps") ==
        "cache_bandwidth without a cache | add cache=SIZE");
  CHECK(rejected("targets=1,bandwidth=1GBps,burst_bandwidth=1GBps") ==
        "burst_bandwidth without a burst buffer | add burst=SIZE");
  CHECK(rejected("targets=8,servers=2,bandwidth=1GBps,cache=3") ==
        "the cache of a server is smaller than 1 B per target | a server has 4 targets");
  CHECK(rejected("targets=1,bandwidth=1GBps,cache=0") ==
        "cache must be from 1 B to 1 PiB | " + catalog);
  CHECK(rejected("targets=1,bandwidth=1GBps,metadata=2h") ==
        "metadata must be at most an hour | " + catalog);
  CHECK(rejected("targets=1,bandwidth=1GBps,read_ahead=x").starts_with("read_ahead: 'x' is not"));
  CHECK(rejected("targets=1,bandwidth=1GBps,stripe=1MiB,lock=1.5MiB") ==
        "a lock unit of 1536 KiB and a stripe of 1 MiB: neither is a multiple of the other | a "
        "lock unit must divide the stripe or be a multiple of it");
  CHECK(rejected("targets=1,bandwidth=1GBps,lock=").starts_with("lock: '' is not a size"));
  CHECK(rejected("targets=x,bandwidth=1GBps").starts_with("targets: 'x' is not a whole number"));
  CHECK(rejected("targets=1,bandwidth=1GBps,") ==
        "invalid entry '': expected KEY=VALUE | " + example);
  CHECK(parse_storage("targets=x,bandwidth=y,z=1").errors().size() == 3);
}

TEST_CASE("all keys of a storage are described, and in the table of io_models/README.md") {
  const std::string readme = tests::read_file(TUTTI_SOURCE_DIR "/io_models/README.md");
  CHECK(io_models::storage_keys().size() == 18);
  for (const auto& key : io_models::storage_keys()) {
    const std::string name(key.name);
    CHECK_MESSAGE(readme.find('`' + name + '`') != std::string::npos, name);
    const std::string value = key.unit == "number" ? "1"
                              : key.unit == "rate" ? "1GBps"
                              : key.unit == "size" ? "1MiB"
                                                   : "1ms";
    std::string text = name + '=' + value;
    for (const std::string required : {"targets=1", "bandwidth=1GBps"})
      if (!required.starts_with(name + '=')) text += ',' + required;
    if (name == "cache_bandwidth" || name == "burst_bandwidth")
      text += ',' + name.substr(0, name.find('_')) + "=1GiB";
    CHECK_MESSAGE(parse_storage(text), text);
    const auto negative = parse_storage(name + "=-1,targets=1,bandwidth=1GBps");
    CHECK_FALSE_MESSAGE(negative, name);
  }
}
