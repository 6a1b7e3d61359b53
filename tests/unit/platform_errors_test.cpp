// SPDX-License-Identifier: BSD-3-Clause
// Invalid and hostile platform files: clear errors with places, never a crash.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "platforms/reader.hpp"
#include "sim/base/text_file.hpp"
#include "tests/support/files.hpp"
#include "tests/support/platform_text.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

constexpr const char* catalog_path = TUTTI_SOURCE_DIR "/platforms/catalog";

}  // namespace

TEST_CASE("invalid attributes are rejected at their place") {
  struct Case {
    std::string attributes;  // in line 4 of the file, from column 3
    int column;              // of the value, or of the name of a forbidden attribute
    std::string message;
  };
  const std::vector<Case> cases = {
      {"bw=\"0\" lat=\"1us\"", 7, "bw: '0' is not a rate: it must be above 0"},
      {"bw=\"-1\" lat=\"1us\"", 7, "bw: '-1' is not a rate: it is negative"},
      {"bw=\"nan\" lat=\"1us\"", 7, "bw: 'nan' is not a rate: it is not finite"},
      {"bw=\"inf\" lat=\"1us\"", 7, "bw: 'inf' is not a rate: it is not finite"},
      {"bw=\"1e400\" lat=\"1us\"", 7, "bw: '1e400' is not a rate: the number is out of range"},
      {"bw=\"1e300\" lat=\"1us\"", 7, "bw: '1e300' is out of range: 1 to 1e+18 bytes/s"},
      {"bw=\"1GBs\" lat=\"1us\"", 7, "bw: '1GBs' is not a rate: unknown unit 'GBs'"},
      {"lat=\"1us\" bw=\"\"", 17, "bw: '' is not a rate: it is empty"},
      {"bw=\"1\" lat=\"-1us\"", 15, "lat: '-1us' is not a time: it is negative"},
      {"bw=\"1\" lat=\"1 \"", 15, "lat: '1 ' is not a time: unknown unit ' '"},
      {"bw=\"1\" lat=\"1us\" core=\"0\"", 26, "core: 0 cores: expected 1 to 1000000"},
      {"bw=\"1\" lat=\"1us\" core=\"two\"", 26,
       "core: 'two' is not a whole number: only digits are allowed"},
      {"bw=\"1\" lat=\"1us\" speed=\"1Gf\"", 20, "attribute 'speed' of <cluster> is given twice"},
      {"bw=\"1\" lat=\"1us\" bb_lat=\"&#49;us&\"", 35,
       "malformed XML: '&' does not begin a known character reference"},
      {"bw=\"1\" lat=\"1us\" cores=\"2\"", 20, "unknown attribute 'cores' of <cluster>"},
      {"bw=\"1\" lat=\"1us\" bb_lat=\"1us\"", 28, "bb_lat: latency without a bandwidth"},
      {"bw=\"1\" lat=\"1us\" bb_bw=\"0\"", 27, "bb_bw: '0' is not a rate: it must be above 0"},
      {"bw=\"1\" lat=\"1us\" loopback_bw=\"0\"", 33,
       "loopback_bw: '0' is not a rate: it must be above 0"},
      {"bw=\"1\" lat=\"1us\" sharing_policy=\"SHRED\"", 36,
       "sharing_policy: unknown policy 'SHRED'"},
      {"bw=\"1\" lat=\"1us\" topology=\"JELLYFISH\"", 30, "topology: unknown topology 'JELLYFISH'"},
      {"bw=\"1\" lat=\"1us\" topo_parameters=\"2\"", 37,
       "topo_parameters: not allowed for a flat cluster"},
      {"bw=\"1\" lat=\"1us\" limiter_link=\"0\"", 34,
       "limiter_link: '0' is not a rate: it must be above 0"}};
  for (const auto& c : cases) {
    CAPTURE(c.attributes);
    const auto errors = bad(platform(c.attributes));
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == ErrorKind::input);
    CHECK(errors[0].place == "my.xml");
    CHECK(errors[0].line == 4);
    CHECK(errors[0].column == c.column);
    CHECK(errors[0].message == c.message);
    CHECK(errors[0].source == "  " + c.attributes + ">");
  }
  CHECK(bad(platform("bw=\"1\" lat=\"1\" cores=\"2\""))[0].hint == "did you mean 'core'?");
}

TEST_CASE("a file that is not UTF-8 is rejected at the first invalid byte") {
  const auto named = [](const std::string& id) {
    return "<platform version=\"4.1\">\n<cluster id=\"" + id +
           "\" prefix=\"n\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1\" lat=\"1us\"/>\n"
           "</platform>\n";
  };
  for (const char* wrong : {"\xff\xfe", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe9"}) {
    const auto errors = bad(named(std::string("c") + wrong));
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].line == 2);
    CHECK(errors[0].column == 15);
    CHECK(errors[0].message.starts_with("not UTF-8: invalid byte 0x"));
    CHECK(errors[0].source.starts_with("<cluster id=\"c "));
  }
  CHECK(bad(named("c\xef\xbf\xbf"))[0].message.find("U+FFFF") != std::string::npos);
  for (const char* wrong : {"&#xD800;", "&#57343;", "&#xFFFE;"})
    CHECK(bad(named(wrong))[0].message.find("does not begin a known character") !=
          std::string::npos);
  CHECK(platforms::read_machine("\xef\xbb\xbf" + named("caf\xc3\xa9"), "my.xml"));
}

TEST_CASE("invalid host numbers are rejected") {
  struct Case {
    std::string radical;
    std::string message;
  };
  const std::vector<Case> cases = {{"", "invalid host number or range ''"},
                                   {"a", "invalid host number or range 'a'"},
                                   {"0-", "invalid host number or range '0-'"},
                                   {"-3", "invalid host number or range '-3'"},
                                   {"0-3-5", "invalid host number or range '0-3-5'"},
                                   {"0,", "invalid host number or range ''"},
                                   {"0-1.5", "invalid host number or range '0-1.5'"},
                                   {"99999999999", "invalid host number or range '99999999999'"},
                                   {"3-0", "the range '3-0' is reversed"},
                                   {"0-3,2", "host number 2 is given twice"},
                                   {"5,5", "host number 5 is given twice"},
                                   {"0-16777216", "more than 16777216 hosts"},
                                   {"0-2147483647,0-2147483647", "more than 16777216 hosts"}};
  for (const auto& c : cases) {
    CAPTURE(c.radical);
    const auto errors = bad("<platform version='4.1'><cluster id='c' radical='" + c.radical +
                            "' bw='1' lat='0'/></platform>");
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message == "radical: " + c.message);
    CHECK_FALSE(errors[0].hint.empty());
  }
}

TEST_CASE("unsupported or misplaced elements are rejected by name") {
  const std::string cluster = "<cluster id='c' radical='0' bw='1' lat='0'/>\n";
  struct Case {
    std::string content;  // of <platform>, from line 2
    int line;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"", 1, "the file has no zone and no cluster"},
      {cluster + cluster, 3, "a second <cluster> at the top of the platform"},
      {"<host id='a' speed='1Gf'/>\n<host id='b' speed='1Gf'/>\n" + cluster, 2,
       "<host> is misplaced in <platform>"},
      {cluster + "<link id='l'/>", 3, "<link> is misplaced in <platform>"},
      {cluster + "<include file='x.xml'/>", 3, "<include> is not supported in <platform>"},
      {"<zone id='z' routing='Full'>\n" + cluster + "<bypassRoute/></zone>", 4,
       "<bypassRoute> is not supported in <zone>"},
      {"<zone id='z' routing='Vivaldi'>" + cluster + "</zone>", 2, "unsupported routing 'Vivaldi'"},
      {"<clustr/>" + cluster, 2, "unknown element <clustr>"},
      {"<config><cluster id='c'/></config>" + cluster, 2, "<cluster> is misplaced in <config>"},
      {"<cluster id='c' radical='0' bw='1' lat='0'>\n<cluster/></cluster>", 3,
       "<cluster> is misplaced in <cluster>"},
      {"<prop id='a' value='1'/>" + cluster, 2, "<prop> is misplaced in <platform>"},
      {"<platform/>" + cluster, 2, "<platform> is misplaced in <platform>"},
      {"<zone id='z'>" + cluster + "<config/></zone>", 3, "<config> is misplaced in <zone>"},
      {"some text" + cluster, 1, "text between the elements of <platform>"},
      {"<zone>" + cluster + "</zone>", 2, "<zone> has no attribute 'id'"},
      {"<config><prop id='mpi/gap'/></config>" + cluster, 2, "<prop> has no attribute 'value'"},
      {"<config><prop id='' value='1'/></config>" + cluster, 2, "a prop with an empty id"},
      {"<config><prop id='mpi/gap' value='0'/><prop id='mpi/gap' value='1'/></config>" + cluster, 2,
       "'mpi/gap' is given twice in <config>"}};
  for (const auto& c : cases) {
    CAPTURE(c.content);
    const auto errors = bad("<platform version='4.1'>\n" + c.content + "</platform>");
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].line == c.line);
    CHECK(errors[0].message == c.message);
    CHECK(errors[0].hint.find("did you mean 'cluster'?") ==
          (c.message.ends_with("<clustr>") ? 0 : std::string::npos));
  }
}

TEST_CASE("a file that is not a platform file of version 4 is rejected") {
  struct Case {
    std::string text;
    std::string message;
  };
  const std::string cluster = "<cluster id='c' radical='0' bw='1' lat='0'/>";
  const std::vector<Case> cases = {
      {"", "the file is empty"},
      {" \n\t", "the file is empty"},
      {std::string("\x7f"
                   "ELF\0\0",
                   6),
       "not a text file: it contains a NUL byte"},
      {"hello", "malformed XML: the file has no element"},
      {"<platform version='4.1'>", "malformed XML: Start-end tags mismatch"},
      {"<platform version='4.1'><cluster", "malformed XML: Error parsing start element tag"},
      {"<html/>", "the root element is <html>, not <platform>"},
      {"<platform>" + cluster + "</platform>", "<platform> has no attribute 'version'"},
      {"<platform version='3'>" + cluster + "</platform>", "unsupported format version '3'"},
      {"<platform version='41'>" + cluster + "</platform>", "unsupported format version '41'"},
      {"<platform version='4.1'>" + cluster + "</platform><x/>",
       "a second element <x> at the top of the file"}};
  for (const auto& c : cases) {
    CAPTURE(c.text);
    const auto errors = bad(c.text);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message == c.message);
    CHECK(errors[0].line >= 1);
    CHECK(errors[0].column >= 1);
  }
}

TEST_CASE("text around the outermost element is rejected at its place") {
  const std::string element =
      "<platform version='4.1'>\n<cluster id='c' radical='0' bw='1' lat='0'/>\n</platform>";
  struct Case {
    std::string before;
    std::string behind;
    int line;
    int column;
  };
  const std::vector<Case> cases = {{"garbage ", "", 1, 1},
                                   {"", " junk", 3, 13},
                                   {"\n ", "\n\n  junk\n", 6, 3},
                                   {"\n x", "y", 2, 2},
                                   {"", "<![CDATA[x]]>", 3, 21}};
  for (const auto& c : cases) {
    CAPTURE(c.before);
    CAPTURE(c.behind);
    const auto errors = bad(c.before + element + c.behind);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message == "malformed XML: text outside the outermost element");
    CHECK(errors[0].line == c.line);
    CHECK(errors[0].column == c.column);
  }
  CHECK(good("<!-- a -->" + element + "\n<!-- b -->\n").host_count() == 1);
}

TEST_CASE("only the predefined XML references are accepted") {
  for (const std::string wrong : {"&", "& ", "&;", "&lt", "&nbsp;", "&#;", "&#x;", "&#0;", "&#27;",
                                  "&#xd800000;", "&#1x;", "&#-1;", "&#X41;", "a&b=c;"}) {
    CAPTURE(wrong);
    const auto errors = bad("<platform version='4.1'>\n<cluster id='" + wrong +
                            "' radical='0' bw='1' lat='0'/></platform>");
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message == "malformed XML: '&' does not begin a known character reference");
    CHECK(errors[0].line == 2);
    CHECK(errors[0].column == static_cast<int>(14 + wrong.find('&')));
  }
}

TEST_CASE("every entry of a list of speeds is checked") {
  struct Case {
    std::string speed;
    std::string named;
  };
  const std::vector<Case> cases = {
      {"", "''"},           {"Gf", "'Gf'"},          {"1Gf,-1Gf", "'-1Gf'"}, {"1Gf,", "''"},
      {"1Gf,0Gx", "'0Gx'"}, {"1Gf,2Gx,-1", "'2Gx'"}, {"1Gf,nan", "'nan'"}};
  for (const auto& c : cases) {
    CAPTURE(c.speed);
    const auto errors =
        bad("<platform version='4.1'><cluster id='c' radical='0' bw='1' lat='0' "
            "speed='" +
            c.speed + "'/></platform>");
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message == "speed: invalid speed " + c.named);
  }
  for (const char* speed :
       {"100Mf, 50Mf,\n 0f", "0f", "1.f", "1e9f", "1e-3Yf", "8.4gigaflops", "7"}) {
    CAPTURE(speed);
    CHECK(read_machine(fmt::format("<platform version='4.1'><cluster id='c' radical='0' bw='1GBps' "
                                   "lat='0' speed='{}'/></platform>",
                                   speed),
                       "s.xml"));
  }
}

TEST_CASE("names with control characters are escaped in messages") {
  const std::string csi = "\xc2\x9b";  // some terminals interpret it as ESC [
  const auto element = bad("<" + csi + "x/>");
  CHECK(element[0].message == "the root element is <\\xc2\\x9bx>, not <platform>");
  const auto set = bad(with_props(""), {{"model/loggp/\x1b[1m/L", "-1"}});
  CHECK(set[0].message.starts_with("model/loggp/\\x1b[1m/L: '-1' is not a time"));
  const auto machine = read_machine(with_props(""), "dir/\x1b[1m.xml");
  REQUIRE(machine);
  REQUIRE(machine->warnings.size() == 1);
  CHECK(
      machine->warnings[0].starts_with("dir/\\x1b[1m.xml: the platform lacks message parameters"));
}

TEST_CASE("invalid settings are rejected at their place") {
  struct Case {
    std::string key;
    std::string value;
    std::string message;
    std::string hint;
  };
  const std::vector<Case> cases = {
      {"mpi/eager_limt", "1", "unknown key 'mpi/eager_limt'", "did you mean 'mpi/eager_limit'?"},
      {"model/loggp/io/X", "1", "unknown key 'model/loggp/io/X'", "model/loggp/io/"},
      {"link/speed", "1", "unknown key 'link/speed'", "PLATFORM KEYS"},
      {"mpi/eager_limit", "-1", "mpi/eager_limit: '-1' is not a size: it is negative", "KiB"},
      {"mpi/send_overhead", "1kB", "mpi/send_overhead: '1kB' is not a time: unknown unit 'kB'",
       "us"},
      {"mpi/gap", "1:1us;1:2us", "mpi/gap: section 2 begins at 1 B, the previous section at 1 B",
       "ascend"},
      {"mpi/bandwidth_factor", "0",
       "mpi/bandwidth_factor: invalid factor '0': expected 1e-09 to 1e+09", ""},
      {"mpi/bandwidth_factor", "1KiB:1e-316",
       "mpi/bandwidth_factor: invalid factor '1e-316': expected 1e-09 to 1e+09", ""},
      {"smpi/bw-factor", "9e-10", "smpi/bw-factor: invalid factor '9e-10': expected 1e-09 to 1e+09",
       ""},
      {"mpi/latency_factor", "1e-300",
       "mpi/latency_factor: invalid factor '1e-300': expected 0 or 1e-09 to 1e+09", ""},
      {"model/loggp//L", "1", "unknown key 'model/loggp//L'", "a LogGP set is model/loggp/SET/L"},
      {"model/loggp/a/b/L", "1", "unknown key 'model/loggp/a/b/L'", "a LogGP set is"},
      {"mpi/copy_bandwidth", "0", "mpi/copy_bandwidth: '0' is not a rate: it must be above 0",
       "GBps"},
      {"mpi/ppn", "0", "mpi/ppn: 0 is out of range: 1 to 1000000", ""},
      {"mpi/ppn", "3", "mpi/ppn: 3 processes do not fit on the 2 core(s) of a host", "core"},
      {"mpi/intra_node", "buss", "mpi/intra_node: invalid value 'buss': expected bus or network",
       "'bus'"},
      {"mpi/nic_order", "fiof",
       "mpi/nic_order: invalid value 'fiof': expected shared, fifo or free", "'fifo'"},
      {"mpi/intra_node", "bus", "mpi/intra_node: the memory bus has no bandwidth",
       "mpi/bus_bandwidth"},
      {"mpi/bus_latency", "1us", "mpi/bus_latency: the platform has no memory bus",
       "mpi/bus_bandwidth"},
      {"mpi/eager_credits", "0", "mpi/eager_credits: 0 is out of range: 1 to 1000000", "none"},
      {"mpi/intra_fragment_size", "0", "mpi/intra_fragment_size: it must have at least 1 byte",
       "'none'"},
      {"mpi/window", "0", "mpi/window: it must have at least 1 byte", "'none'"},
      {"mpi/envelope", "2GiB", "mpi/envelope: '2GiB' is out of range: 0 to 1 GiB", ""},
      {"mpi/pipeline_depth", "4", "mpi/pipeline_depth: messages are not split into fragments",
       "also set mpi/fragment_size"},
      {"mpi/intra_fragment_overhead", "1us",
       "mpi/intra_fragment_overhead: messages are not split into fragments",
       "also set mpi/intra_fragment_size"},
      {"smpi/os", "0:x:0", "smpi/os: 'x' is not a time: it does not begin with a number", ""}};
  for (const auto& c : cases) {
    CAPTURE(c.key);
    const auto in_file = bad(with_props(prop(c.key, c.value)));
    REQUIRE(in_file.size() == 1);
    CHECK(in_file[0].place == "my.xml");
    CHECK(in_file[0].line == 5);
    CHECK(in_file[0].message == c.message);
    CHECK(in_file[0].hint.find(c.hint) != std::string::npos);
    const auto in_set = bad(with_props(""), {{c.key, c.value}});
    REQUIRE(in_set.size() == 1);
    CHECK(in_set[0].kind == ErrorKind::usage);
    CHECK(in_set[0].place == "--set");
    CHECK(in_set[0].line == 0);
    CHECK(in_set[0].message == c.message);
  }
  CHECK(bad(with_props(""), {{"smpi/host-speed", "1"}})[0].message ==
        "unknown key 'smpi/host-speed'");
}

TEST_CASE("earlier names of SimGrid's keys are errors with the present name, as in SimGrid") {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"smpi/bw_factor", "smpi/bw-factor"},
      {"smpi/lat_factor", "smpi/lat-factor"},
      {"smpi/async_small_thres", "smpi/async-small-thresh"},
      {"smpi/async-small-thres", "smpi/async-small-thresh"},
      {"smpi/async_small_thresh", "smpi/async-small-thresh"},
      {"smpi/send_is_detached_thres", "smpi/send-is-detached-thresh"},
      {"bw_factor", "smpi/bw-factor"},
      {"async_small_thres", "smpi/async-small-thresh"},
      {"lat-factor", "smpi/lat-factor"},
      {"smpi/cpu_threshold", "smpi/cpu-threshold"},
      {"smpi/running_power", "smpi/host-speed"},
      {"network/bandwidth_factor", "network/bandwidth-factor"},
      {"network/TCP_gamma", "network/TCP-gamma"}};
  for (const auto& [earlier, present] : names) {
    CAPTURE(earlier);
    const auto in_file = bad(with_props("", config(prop(earlier, "1"))));
    REQUIRE(in_file.size() == 1);
    CHECK(in_file[0].line == 4);
    CHECK(in_file[0].message == "SimGrid has renamed '" + earlier + "'");
    CHECK(in_file[0].hint == "use '" + present + "'");
    CHECK(bad(with_props(""), {{earlier, "1"}})[0].hint == "use '" + present + "'");
  }
  const auto warnings =
      good(with_props("", config(prop("smpi/reduce_scatter", "ompi") + prop("os", "linux"))))
          .warnings;
  CHECK(warnings[0].ends_with("replays of time-independent traces follow smpi/reduce_scatter"));
  CHECK(warnings[1].ends_with("unknown keys are ignored: 'os'"));
}

TEST_CASE("values that SMPI would read in another way, or not at all, are errors in a file") {
  struct Case {
    std::string props;
    std::string message;
    std::string hint;
  };
  const auto eager = [](const char* bytes) { return prop("smpi/async-small-thresh", bytes); };
  const std::vector<Case> cases = {
      {eager("64KiB"), "smpi/async-small-thresh: SMPI reads no unit in '64KiB'", "write 65536"},
      {prop("smpi/bw-factor", "0:1;64KiB:0.9"), "smpi/bw-factor: SMPI reads no unit in '64KiB'",
       "write 65536"},
      {eager("65537"),
       "smpi/async-small-thresh: 65537 is above smpi/send-is-detached-thresh = 65536 (SMPI's "
       "default)",
       "smpi/send-is-detached-thresh"},
      {eager("2000") + prop("smpi/send-is-detached-thresh", "1000"),
       "smpi/async-small-thresh: 2000 is above smpi/send-is-detached-thresh = 1000", "larger"},
      {prop("network/crosstraffic", "perhaps"),
       "network/crosstraffic: invalid value 'perhaps': expected yes, no, on, off, true, false, 1 "
       "or 0",
       ""},
      {prop("network/TCP-gamma", "-1"), "network/TCP-gamma: '-1' is out of range: 0 to 1e+18", ""}};
  for (const auto& c : cases) {
    const auto errors = bad(with_props("", config(c.props)));
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message == c.message);
    CHECK(errors[0].hint.find(c.hint) != std::string::npos);
  }
  CHECK(good(with_props(""), {{"smpi/bw-factor", "0:1;64KiB:0.9"}}).inter.efficiency(70000) == 0.9);
}

TEST_CASE("all errors of a file are reported at once, in its order, at most twenty") {
  const auto errors =
      bad(platform("bw=\"0\" lat=\"-1\"", prop("mpi/ppn", "x") + prop("mpi/gap", "x")),
          {{"mpi/foo", "1"}});
  REQUIRE(errors.size() == 5);
  CHECK(errors[0].message.starts_with("bw: "));
  CHECK(errors[1].message.starts_with("lat: "));
  CHECK(errors[2].message.starts_with("mpi/ppn: "));
  CHECK(errors[3].message.starts_with("mpi/gap: "));
  CHECK(errors[4].place == "--set");
  std::string many;
  for (int i = 0; i < 50; ++i) many += prop("mpi/x" + std::to_string(i), "1");
  CHECK(bad(with_props(many)).size() == 20);
}

TEST_CASE("a file with endless nesting is rejected") {
  for (const int depth : {65, 100'000}) {
    std::string xml = "<platform version='4.1'>";
    for (int i = 0; i < depth; ++i) xml += "<zone id='z'>";
    xml += "<cluster id='c' radical='0' bw='1' lat='0'/>";
    for (int i = 0; i < depth; ++i) xml += "</zone>";
    CHECK(bad(xml + "</platform>")[0].message == "zones are nested more than 64 levels deep");
  }
}

TEST_CASE("files with huge numbers of props, attributes and elements are rejected quickly") {
  std::string props;
  std::string attributes = "bw=\"1\" lat=\"1\"";
  std::string elements;
  std::string zones;
  for (int i = 0; i < 30'000; ++i) {
    const auto name = "a" + std::to_string(i);
    props += prop(name, "1");
    attributes += " " + name + "=\"\"";
    elements += "<" + name + "/>";
    zones += "<zone id='' routing=''/><zone/>";
  }
  CHECK(bad(with_props(props))[0].message == "more than 10000 props");
  CHECK(bad(platform(attributes)).size() == 20);
  CHECK(bad(with_props(elements)).size() == 20);
  CHECK(bad("<platform version='4.1'>" + zones + "</platform>").size() == 20);
  CHECK(bad(with_props(prop("mpi/gap", std::string(1'000'000, ';'))))[0].message ==
        "mpi/gap: too many sections (1000001): at most 1000");
}

TEST_CASE("files that cannot be read are rejected by name") {
  setenv("TUTTI_CATALOG", catalog_path, 1);
  const auto missing = load_machine("/nonexistent/crill.xml");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::input);
  CHECK(missing.error().place == "/nonexistent/crill.xml");
  const auto directory = load_machine("/tmp");
  REQUIRE_FALSE(directory);
  CHECK(directory.error().message == "this is a directory, not a platform file");
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("big.xml", "<platform version='4.1'>");
  std::filesystem::resize_file(path, 64 * 1024 * 1024 + 1);
  const auto big = load_machine(path);
  REQUIRE_FALSE(big);
  CHECK(big.error().message == "the file is longer than 64 MiB");
}

TEST_CASE("a file truncated anywhere or with any byte changed gives a machine or errors") {
  const auto text = read_text_file(std::string(catalog_path) + "/crill.xml");
  REQUIRE(text);
  const auto whole = text->rfind("</platform>") + std::string("</platform>").size();
  for (std::size_t length = 0; length < whole; ++length) {
    CAPTURE(length);
    const auto cut = read_machine(std::string_view(*text).substr(0, length), "cut.xml");
    REQUIRE_FALSE(cut);
    CHECK(cut.error().line >= 1);
  }
  std::mt19937 random(1);
  int rejected = 0;
  for (int i = 0; i < 1000; ++i) {
    auto damaged = *text;
    for (int n = 0; n < 1 + i % 4; ++n)
      damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    const auto machine = read_machine(damaged, "damaged.xml");
    if (machine) continue;
    ++rejected;
    for (const auto& error : machine.errors()) CHECK_FALSE(error.message.empty());
  }
  CHECK(rejected > 300);
}
