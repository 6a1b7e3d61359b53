// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/foreign_traces.hpp"

#include <doctest/doctest.h>

#include "tests/support/files.hpp"
#include "workloads/traces/trace_format.hpp"

using namespace tutti;
using studies::replay::foreign_trace;
using tests::TemporaryFolder;

TEST_CASE("files of other formats are rejected with the name of the format") {
  const struct {
    const char* name;
    const char* begin;
    const char* message;
    const char* hint;
  } files[] = {
      {"a.otf", "0:1,2\n1:1,3\n", "a trace in OTF, the format before OTF2", "Score-P"},
      {"a.dim", "#DIMEMAS:\"x\":1,2(1,1)\n", "a Dimemas trace", "prv2dim"},
      {"a.trf", "1 2 3\n", "a Dimemas trace", ".prv"},
      {"dumpi-1.meta", "numprocs=2\nfileprefix=dumpi-1\n", "a DUMPI trace", "dumpi2otf2"},
      {"dumpi-1-0000.bin", "\x01\x02", "a DUMPI trace", "dumpi2otf2"},
      {"a.pcf", "EVENT_TYPE\n", "the labels of a Paraver trace", ".prv"},
      {"a.row", "LEVEL CPU SIZE 2\n", "the labels of a Paraver trace", ".prv"},
      {"a.prv.gz", "\x1f\x8b", "a compressed Paraver trace", "gunzip"},
      {"TRACE.mpits", "/x/TRACE.0.mpit named\n", "an intermediate one of Extrae", "mpi2prv"},
      {"me_eztrace_log_rank_0", "\x01\x02", "a trace of EZTrace 1", "EZTrace 2"},
      {"a.et", "\x0a\x05\x12", "a Chakra execution trace", "OTF2"},
      {"a.json", " {\"traceEvents\": []}", "Chrome's JSON format", "OTF2"},
      {"b.json", "[{\"name\": \"f\", \"ph\": \"B\"}]", "Chrome's JSON format", "OTF2"},
      {"a.perfetto-trace", "\x0a", "a Perfetto trace", "OTF2"},
      {"profile.cube", "<?xml version=\"1.0\"?>\n<cube version=\"3.0\">", "a CUBE profile",
       "SCOREP_ENABLE_TRACING"},
      {"other.json", "{}", "not a trace of a known format", ".prv"},
  };
  const TemporaryFolder folder;
  for (const auto& file : files) {
    CAPTURE(file.name);
    const std::string path = folder.write(file.name, file.begin);
    const auto error = foreign_trace(path);
    REQUIRE(error);
    CHECK(error->place == path);
    CHECK(error->message.find(file.message) != std::string::npos);
    CHECK(error->hint.find(file.hint) != std::string::npos);
    CHECK((error->message + error->hint).find("time-independent") == std::string::npos);
  }
}

TEST_CASE("files that replay reads are of no foreign format") {
  const TemporaryFolder folder;
  CHECK_FALSE(foreign_trace(folder.write("ti.txt", "# of SMPI\n0 init\n0 finalize\n")));
  CHECK_FALSE(foreign_trace(folder.write("list.txt", "ti.txt\n")));
  CHECK_FALSE(foreign_trace(folder.write("traces.otf2", "OTF2")));
  CHECK_FALSE(foreign_trace(folder.write("a.prv", "#Paraver (")));
  CHECK_FALSE(foreign_trace(folder.path()));
  CHECK_FALSE(foreign_trace(folder.file("none")));
}

TEST_CASE("a text is a time-independent trace only if its first line can be one") {
  using workloads::traces::trace_format_of;
  const TemporaryFolder folder;
  CHECK_FALSE(trace_format_of(folder.write("a", "# of SMPI\n\n0 init\n")).has_times);
  CHECK_FALSE(trace_format_of(folder.write("b", "a\na\n")).has_times);
  CHECK_FALSE(trace_format_of(folder.write("with blank", "0 init\n")).has_times);
  CHECK_FALSE(trace_format_of(folder.write("c", "with blank\n")).has_times);
  CHECK(trace_format_of(folder.write("e", "some other text\n")).has_times);
}
