// SPDX-License-Identifier: BSD-3-Clause
// sim platform: output, width and exit codes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

std::string output_of(Args args) {
  args.insert(args.begin(), "platform");
  return out_of(args);
}

Json json_of(Args args) {
  args.insert(args.end(), {"--format", "json"});
  return Json::parse(output_of(args));
}

Ended failing(Args args, int exit_code) {
  args.insert(args.begin(), "platform");
  Ended ended = run_sim(args);
  CAPTURE(ended.err);
  CHECK(ended.exit_code == exit_code);
  return ended;
}

}  // namespace

TEST_CASE("every text is at most 80 columns wide") {
  for (const Args& args : {Args{"--help"}, Args{"list"}, Args{"list", "--help"},
                           Args{"show", "crill"}, Args{"show", "--help"}, Args{"check", "crill"},
                           Args{"check", "--help"}, Args{"routes", "crill", "0", "15"},
                           Args{"routes", "--help"}, Args{"draw", "--help"}, Args{"new", "--help"}})
    for (const auto& line : split(output_of(args), '\n')) {
      CAPTURE(line);
      CHECK((line.size() <= 80 || line.find('/') != std::string::npos));  // a path is not cut
      CHECK((line.empty() || line.back() != ' '));
    }
}

TEST_CASE("values of crill are shown with their sources") {
  const Json crill = json_of({"show", "crill", "--set", "mpi/eager_limit=24KiB"});
  CHECK(crill["hosts"] == 16);
  CHECK(crill["parameters"] == "");
  CHECK(crill["diameter"]["links"] == 2);
  CHECK(crill["diameter"]["latency_s"].get<double>() == exactly(0.8e-6));
  CHECK(crill["bisection_Bps"].get<double>() == exactly(8 * 1.9415e9));
  CHECK(crill["links"][0]["count"] == 32);
  CHECK(crill["messages"]["eager_limit"]["between_nodes"]["value"] == "24 KiB");
  CHECK(crill["messages"]["eager_limit"]["between_nodes"]["from"] == "--set");
  CHECK(crill["messages"]["gap"]["between_nodes"]["from"] == "default");
  CHECK(crill["messages"]["recv_overhead"]["inside_node"]["value"] == "0.2us");
  CHECK(crill["messages"]["eager_credits"]["between_nodes"]["value"] == "none");
  const Json tuned = json_of(
      {"show", "crill", "--set", "mpi/eager_credits=16", "--set", "mpi/intra_fragment_size=32KiB"});
  const Json& messages = tuned["messages"];
  CHECK(messages["eager_credits"]["between_nodes"]["value"] == "16");
  CHECK(messages["eager_credits"]["inside_node"]["value"] == "none");
  CHECK(messages["fragment_size"]["between_nodes"]["value"] == "none");
  CHECK(messages["fragment_size"]["inside_node"]["value"] == "32 KiB");
  const Json limited = json_of({"show", "crill", "--set", "mpi/rank_bandwidth=300MBps"});
  CHECK(limited["rank_bandwidth_Bps"] == 3e8);
  CHECK_FALSE(crill.contains("rank_bandwidth_Bps"));
  CHECK(output_of({"show", "crill", "--set", "mpi/rank_bandwidth=300MBps"})
            .find("each sends at most 300MBps (--set) to other nodes") != std::string::npos);
  CHECK(json_of({"show", "juqueen"})["parameters"] == "28,8,8,8,2");
  CHECK(json_of({"show", "fugaku"})["parameters"] == "8,8,8 on 2,2,2,4,4,4");
  CHECK(output_of({"show", "fugaku", "--set", "mpi/rank_receive_bandwidth=5GBps"})
            .find("each receives at most 5GBps (--set) from other nodes") != std::string::npos);
  CHECK(output_of({"show", "fugaku", "--set", "torus/network_axes=5"}).find("topology    torus") !=
        std::string::npos);
  CHECK(output_of({"check", "fugaku"})
            .find("not compared: SimGrid does not support torus/network_axes") !=
        std::string::npos);
}

TEST_CASE("NIC sharing is shown, whether explicit or implied") {
  struct Shown {
    Args settings;
    std::vector<std::string> between;  // order, time per byte, and source of the order
    std::vector<std::string> inside;
  };
  const std::string as_between = "as between";
  for (const Shown& each : {
           Shown{{}, {"shared", "none", "default"}, {as_between, as_between, ""}},
           Shown{{"mpi/nic_order=fifo"},
                 {"fifo", "1/bandwidth", "--set"},
                 {as_between, as_between, ""}},
           Shown{{"mpi/gap_per_byte=1ns"}, {"fifo", "1ns", "--set"}, {as_between, as_between, ""}},
           Shown{{"mpi/intra_gap_per_byte=1ns"},
                 {"shared", "none", "default"},
                 {"fifo", "1ns", "--set"}},
           Shown{{"mpi/intra_nic_order=fifo"},
                 {"shared", "none", "default"},
                 {"fifo", "1/bandwidth", "--set"}},
       }) {
    Args args{"show", "crill"};
    for (const auto& setting : each.settings) args.insert(args.end(), {"--set", setting});
    CAPTURE(args.back());
    const Json messages = json_of(args)["messages"];
    for (const auto& [place, values] :
         {std::pair{"between_nodes", each.between}, {"inside_node", each.inside}}) {
      CHECK(messages["nic_order"][place]["value"] == values[0]);
      CHECK(messages["gap_per_byte"][place]["value"] == values[1]);
      CHECK(messages["nic_order"][place]["from"] == values[2]);
    }
  }
}

TEST_CASE("routes equal those of SimGrid") {
  const TemporaryFolder folder;
  for (const auto& policy : {"SPLITDUPLEX", "SHARED"})
    for (const auto& more : {"", "bb_bw=\"2GBps\" bb_lat=\"3us\"",
                             "loopback_bw=\"9GBps\" "
                             "loopback_lat=\"0.1us\""}) {
      CAPTURE(policy);
      CAPTURE(more);
      const auto file = folder.write(
          "mine.xml", std::string("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                                  "\"https://simgrid.org/simgrid.dtd\">\n<platform "
                                  "version=\"4.1\"><config><prop id=\"smpi/os\" "
                                  "value=\"0:1e-6:0\"/><prop id=\"mpi/gap\" value=\"1us\"/>"
                                  "</config><cluster id=\"c\" prefix=\"n\" suffix=\".x\" "
                                  "radical=\"0-4,7\" speed=\"1Gf\" bw=\"1.5GBps\" lat=\"2us\" "
                                  "sharing_policy=\"") +
                          policy + "\" " + more + "/></platform>\n");
      const Json check = json_of({"check", file, "-q"});
      CHECK(check["good"] == true);
      CHECK(check["routes"]["all_pairs"] == true);
      CHECK(check["routes"]["differences"] == 0);
      const bool loopback = std::string(more).starts_with("loopback");
      CHECK(check["routes"]["pairs"] == (loopback ? 30 : 36));
    }
}

TEST_CASE("routes of cabinets, and of older and empty attributes, equal those of SimGrid") {
  const TemporaryFolder folder;
  const std::string head =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">";
  const std::string cabinets =
      "<cabinet id=\"c1\" prefix=\"a-\" suffix=\".x\" radical=\"1-3,7\" speed=\"1Gf\" "
      "bw=\"1GBps\" lat=\"1us\"/><cabinet id=\"c2\" prefix=\"b-\" suffix=\"\" radical=\"0-1\" "
      "speed=\"1Gf\" bw=\"2GBps\" lat=\"2us\"/>";
  const std::string backbone = "<backbone id=\"bb\" bandwidth=\"5GBps\" latency=\"3us\"/>";
  const std::string host =
      "<host id=\"h\" speed=\"100Mf, 50Mf,\n 0f\"><disk id=\"d\" read_bw=\"1MBps\" "
      "write_bw=\"1MBps\"><prop id=\"size\" value=\"1GB\"/></disk></host>"
      "<link id=\"l\" bandwidth=\"1GBps\" latency=\"5us\" sharing_policy=\"FULLDUPLEX\"/>"
      "<host_link id=\"h\" up=\"l_UP\" down=\"l_DOWN\"/>";
  const auto zone = [](const std::string& contents) {
    return "<zone id=\"z\" routing=\"Cluster\">" + contents + "</zone>";
  };
  for (const auto& contents :
       {zone(cabinets), zone(cabinets + backbone), zone(host + backbone + cabinets),
        "<zone id=\"all\" routing=\"Full\">" + zone(cabinets + "<router id=\"r\"/>") + "</zone>",
        std::string("<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-5\" speed=\"0f\" "
                    "bw=\"1GBps\" lat=\"1us\" sharing_policy=\"FULLDUPLEX\" bb_bw=\"\" "
                    "bb_lat=\"0s\" limiter_link=\"\" loopback_bw=\"\" loopback_lat=\"\"/>")}) {
    CAPTURE(contents);
    const auto file = folder.write("c.xml", head + contents + "</platform>\n");
    const Json check = json_of({"check", file, "-q"});
    CHECK(check["good"] == true);
    CHECK(check["routes"]["differences"] == 0);
    CHECK(check["routes"]["pairs"] >= 30);
  }
  const auto apart = folder.write(
      "full.xml", head + "<zone id=\"z\" routing=\"Full\">" + cabinets + "</zone></platform>\n");
  CHECK(failing({"check", apart}, 2).err.find("<cabinet> in a zone that is not a star of hosts") !=
        std::string::npos);
  const auto twice = folder.write("twice.xml", head + zone(cabinets + cabinets) + "</platform>\n");
  CHECK(failing({"check", twice}, 2).err.find("a second host 'a-1.x'") != std::string::npos);
}

TEST_CASE("a value that only SimGrid rejects is named by its key and line") {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "m.xml",
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><config>\n<prop id=\"network/TCP-gamma\" value=\"1e6\"/>\n"
      "<prop id=\"network/weight-S\" value=\"x\"/></config><cluster id=\"c\" prefix=\"n\" "
      "suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/></platform>\n");
  CHECK(failing({"check", file, "-q"}, 1)
            .err.find("m.xml:5: error: SimGrid rejects the file: network/weight-S: ") !=
        std::string::npos);
}

TEST_CASE("an error of a file that only SimGrid rejects quotes SimGrid") {
  const TemporaryFolder folder;
  const auto file = folder.write("no_doctype.xml",
                                 "<platform version=\"4.1\"><cluster id=\"c\" radical=\"0-3\" "
                                 "prefix=\"n\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" "
                                 "lat=\"1us\"/></platform>\n");
  const Ended ended = failing({"check", file, "-q"}, 1);
  CHECK(ended.err.find("SimGrid rejects the file: Parse error") != std::string::npos);
  CHECK(ended.err.find("<!DOCTYPE") != std::string::npos);
  CHECK(failing({"check", folder.file("none.xml")}, 2).err.find("unknown platform: no such file") !=
        std::string::npos);
}

TEST_CASE("routes are printed as text and as CSV") {
  const auto rows = split(output_of({"routes", "crill", "crill-2", "3", "--format", "csv"}), '\n');
  REQUIRE(rows.size() >= 5);
  CHECK(rows[0] == "source,destination,hop,link,bandwidth_Bps,latency_s,sharing");
  CHECK(rows[1] == "crill-2,crill-3,1,crill_link_2_UP,1941500000,4e-07,shared");
  CHECK(rows[4] == "crill-3,crill-2,2,crill_link_2_DOWN,1941500000,4e-07,shared");
  const Json same = json_of({"routes", "crill", "5", "5"});
  REQUIRE(same["routes"].size() == 1);
  CHECK(same["routes"][0]["links"][0]["name"] == "crill-5_bus");
  CHECK(failing({"routes", "crill", "0", "16"}, 2).err.find("the platform has no node '16'") !=
        std::string::npos);
}

TEST_CASE("one invalid file does not hide the rest of the catalog") {
  const TemporaryFolder folder;
  folder.write("bad.xml", "<platform version=\"4.1\">\n<nonsense/></platform>");
  folder.write("good.xml", read_file(TUTTI_SOURCE_DIR "/platforms/catalog/crill.xml"));
  const Ended ended =
      run({.args = {sim_path(), "platform", "list"}, .env = {{"TUTTI_CATALOG", folder.path()}}});
  CHECK(ended.exit_code == 0);
  CHECK(ended.out.find("error in line 2: unknown element <nonsense>") != std::string::npos);
  CHECK(ended.out.find("good     16          48    768  flat cluster") != std::string::npos);
}

TEST_CASE("a new machine is read back, checked and drawn") {
  const TemporaryFolder folder;
  const auto file = folder.file("new.xml");
  output_of({"new", "flat", "--nodes", "20", "--like", "crill", "-o", file});
  const Json shown = json_of({"show", file});
  CHECK(shown["hosts"] == 20);
  CHECK(shown["cores_per_host"] == 48);
  CHECK(shown["messages"]["eager_limit"]["between_nodes"]["value"] == "12 KiB");
  CHECK(json_of({"check", file})["good"] == true);
  const std::string svg = output_of({"draw", file});
  CHECK(svg.starts_with("<svg "));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg.find("node-19") != std::string::npos);
}

TEST_CASE("a new machine has the messages of another one, but not its network") {
  const TemporaryFolder folder;
  const auto file = folder.file("new.xml");
  for (const char* like : {"fugaku", "h100-pod", "leonardo", "lumi"}) {
    CAPTURE(like);
    output_of({"new", "torus", "--dims", "4x4", "--like", like, "-o", file, "-q"});
    const auto xml = read_file(file);
    for (const char* key : {"torus/", "topology/", "link/", "mpi/rails"})
      CHECK(xml.find(key) == std::string::npos);
    CHECK(xml.find("mpi/eager_limit") != std::string::npos);
    CHECK(json_of({"show", file, "-q"})["hosts"] == 16);
  }
}

TEST_CASE("machines that cannot be created or drawn are rejected with a remedy") {
  const TemporaryFolder folder;
  const auto file = folder.file("x.xml");
  CHECK(failing({"new", "fat-tree", "--nodes", "16384", "--levels", "3", "--oversubscription", "2",
                 "-o", file},
                2)
            .err.find("at most 15552 fit; use --radix 48") != std::string::npos);
  CHECK(failing({"new", "fat-tree", "--nodes", "37", "-o", file}, 2)
            .err.find("the nearest sizes that fit: 36 and 38") != std::string::npos);
  CHECK(failing({"new", "torus", "--dims", "4xx4", "-o", file}, 2).err.find("--dims") !=
        std::string::npos);
  CHECK(failing({"new", "flat"}, 2).err.find("--output: is required") != std::string::npos);
  CHECK(failing({"new", "mesh", "-o", file}, 2).err.find("unknown kind 'mesh'") !=
        std::string::npos);
  output_of({"new", "flat", "--nodes", "10000", "-o", file});
  CHECK(output_of({"draw", file}).find(">10000 nodes x 16 cores</text>") != std::string::npos);
  CHECK(failing({"draw", file, "--all-nodes"}, 2).err.find("too many to draw each one") !=
        std::string::npos);
  CHECK(failing({"shwo", "crill"}, 2).err.find("did you mean 'show'?") != std::string::npos);
}

TEST_CASE("one mistake gives one error that names the typed word") {
  const auto lines_of = [](const Args& args) {
    const Ended ended = run_sim(args);
    CHECK(ended.exit_code == 2);
    return split(ended.err, '\n');
  };
  const std::string empty_name = "help: the name is empty; is a variable of the shell unset?";
  CHECK(lines_of({"run", "bcast", "--platform", "crill", "--procs", "4", "-o", ""}) ==
        Args{"sim: error: -o: needs the name of a file", empty_name});
  CHECK(lines_of({"platform", "draw", "crill", "--output", ""}) ==
        Args{"sim: error: --output: needs the name of a file", empty_name});
  CHECK(lines_of({"platform", "show", ""}).front() == "sim: error: the platform name is empty");
  CHECK(lines_of({"run", "bcast", "--platform", "", "--procs", "4"}).front() ==
        "sim: error: --platform: needs the name of a platform");
  CHECK(output_of({"check", "crill", "--pairs", "1"}).find(" 1 pair of nodes, a sample") !=
        std::string::npos);
}

TEST_CASE("large machines are shown at once, with the size of the sample") {
  const TemporaryFolder folder;
  const auto file = folder.file("large.xml");
  output_of({"new", "torus", "--dims", "256x256x256", "-o", file});
  const Json torus = json_of({"show", file});
  CHECK(torus["diameter"]["links"] == 384);
  CHECK(torus["diameter"]["all_pairs"] == true);
  CHECK(torus["links"][0]["count"] == 3 * 2 << 24);
  CHECK(torus["switches"].is_null());
  CHECK(torus["bisection_Bps"].is_null());
  const std::string text = output_of({"show", file});
  CHECK(text.find("switches not counted: network too large") != std::string::npos);
  CHECK(text.find("bisection   not computed: network too large") != std::string::npos);
  output_of({"new", "dragonfly", "--groups", "16", "--chassis", "16", "--routers", "16",
             "--nodes-per-router", "16", "-o", file});
  const Json fly = json_of({"show", file});
  CHECK(fly["diameter"]["all_pairs"] == false);
  const std::regex sample("computed\\s+for\\s+" + fly["diameter"]["pairs"].dump() + "\\s+of");
  CHECK(std::regex_search(output_of({"show", file}), sample));
}

TEST_CASE("lists of machines are available in every format, and in a file") {
  const auto facts = output_of({"check", "fugaku", "-q", "--format", "csv"});
  CHECK(facts.starts_with("name,value\nplatform,fugaku\n"));
  CHECK(facts.find("\nconnected,true\n") != std::string::npos);
  CHECK(output_of({"show", "crill", "--part", "links", "--format", "csv"}) ==
        "count,bandwidth_Bps,latency_s,sharing\n32,1941500000,4e-07,shared\n");
  const auto rows = split(output_of({"show", "crill", "--format", "jsonl"}), '\n');
  CHECK(Json::parse(rows[0])["name"] == "eager_limit");
  CHECK(Json::parse(rows[0])["between_nodes"]["value"] == "12 KiB");
  const auto markdown = output_of({"list", "--format", "md"});
  CHECK(markdown.starts_with(
      "| name | nodes | cores each | cores | topology | description | GPUs |\n"));
  CHECK(markdown.find("| crill | 16 | 48 | 768 |") != std::string::npos);
  CHECK(output_of({"check", "crill", "-q", "--part", "routes.first_differences"}).find("none") ==
        std::string::npos);
  const TemporaryFolder folder;
  const auto file = folder.file("routes.json");
  CHECK(output_of({"routes", "crill", "0", "3", "-o", file}).empty());
  CHECK(Json::parse(read_file(file)) == json_of({"routes", "crill", "0", "3"}));
  CHECK(failing({"routes", "crill", "0", "3", "--part", "link"}, 2).err.find("'links'") !=
        std::string::npos);
}

TEST_CASE("only the ends of a route with millions of links are printed") {
  const TemporaryFolder folder;
  const auto file = folder.file("ring.xml");
  output_of({"new", "torus", "--dims", "16777216", "-o", file});
  const auto lines = split(output_of({"routes", file, "0", "8000000"}), '\n');
  CHECK(lines.size() < 100);
  CHECK(lines[1].find(": 8000000 links, latency 800 ms") != std::string::npos);
  CHECK(lines[6].find(" 1  ring_link_from_0_to_1_UP ") != std::string::npos);
  CHECK(lines[25].find(" 20  ring_link") != std::string::npos);
  CHECK(lines[26].find("7999981  ring_link") != std::string::npos);
  CHECK(lines[45].find("8000000  ring_link_from_7999999_to_8000000_UP ") != std::string::npos);
  const Ended ended = run_sim({"platform", "routes", file, "0", "100001", "--format", "json"});
  const Json there = Json::parse(ended.out)["routes"][0];
  CHECK(there["link_count"] == 100'001);
  CHECK(there["links"].size() == 100'000);
  CHECK(ended.err.find("the first 100000 of 100001 links are listed") != std::string::npos);
}

TEST_CASE("a new machine copies the message parameters of another one, not its network") {
  const TemporaryFolder folder;
  const auto old = folder.write("old.xml", R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="old" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1us">
    <prop id="mpi/send_overhead" value="0.7us"/>
    <prop id="link/bandwidth" value="3GBps"/>
    <prop id="model/hockney/latency" value="9us"/>
    <prop id="model/hockney/bandwidth" value="0.9GBps"/>
  </cluster>
</platform>
)");
  const auto file = folder.file("new.xml");
  output_of({"new", "flat", "--nodes", "20", "--like", old, "--bandwidth", "5GBps", "-o", file});
  const Json shown = json_of({"show", file});
  CHECK(shown["messages"]["send_overhead"]["between_nodes"]["value"] == "0.7us");
  CHECK(shown["links"][0]["bandwidth_Bps"].get<double>() == exactly(5e9));
  CHECK(shown["hockney"]["set"] == "derived from the protocol");
  CHECK(shown["hockney"]["b_Bps"].get<double>() == exactly(5e9));
  CHECK(
      read_file(file).find("<!-- Messages: those of old. Parameters of its network are omitted") !=
      std::string::npos);
}

TEST_CASE("--output - prints a new machine on standard output") {
  const TemporaryFolder folder;
  const Args args{sim_path(), "platform", "new", "torus", "--dims", "4x4", "-o"};
  Args to_stdout = args;
  to_stdout.emplace_back("-");
  const Ended ended = run({.args = to_stdout, .folder = folder.path()});
  CHECK(ended.exit_code == 0);
  CHECK(ended.out.starts_with("<?xml "));
  CHECK(ended.out.find("<cluster id=\"torus\"") != std::string::npos);
  CHECK(ended.err.starts_with("sim: standard output: 16 nodes"));
  CHECK(!std::filesystem::exists(folder.file("-")));
  Args to_file = args;
  to_file.emplace_back("./-");
  CHECK(run({.args = to_file, .folder = folder.path()}).out.empty());
  CHECK(std::filesystem::exists(folder.file("-")));
}

TEST_CASE("errors of a new machine name the option") {
  const TemporaryFolder folder;
  const auto reported = [&](Args args) {
    args.insert(args.begin(), "new");
    args.insert(args.end(), {"-o", folder.file("x.xml")});
    const Ended ended = failing(args, 2);
    CHECK(ended.err.find("x.xml") == std::string::npos);
    return ended.err;
  };
  CHECK(reported({"dragonfly", "--groups", "9", "--routers", "4"})
            .starts_with("sim: error: --groups: 9 groups, but 4 routers per chassis\n"));
  CHECK(reported({"flat", "--nodes", "8", "--bandwidth", "1e19"})
            .starts_with("sim: error: --bandwidth: '1e19' is out of range"));
  CHECK(reported({"flat", "--nodes", "8", "--latency", "1e9"})
            .starts_with("sim: error: --latency: '1e9' is too long"));
  CHECK(reported({"flat", "--nodes", "4", "--dims", "4x4"}) ==
        "sim: error: --dims: does not apply to a flat cluster\n"
        "help: its shape is set by --nodes, --rails, --rail-order\n");
  CHECK(reported({"flat", "--nodes", "4", "--radix", "3"})
            .starts_with("sim: error: --radix: does not apply to a flat"));
  const auto tree = [&](const char* option, const char* value) {
    return reported({"fat-tree", "--nodes", "36", option, value});
  };
  for (const char* value : {"0", "1", "4097"})
    CHECK(tree("--radix", value).find("is out of range: 2 to 4096") != std::string::npos);
  for (const char* value : {"0", "33"})
    CHECK(tree("--levels", value).find("is out of range: 1 to 6") != std::string::npos);
  for (const char* value : {"0.9", "36", "-1"})
    CHECK(tree("--oversubscription", value).find("is out of range: 1 to 35") != std::string::npos);
}

TEST_CASE("a fat tree uses the nearest oversubscription with whole links, and reports it") {
  const TemporaryFolder folder;
  const auto file = folder.file("tree.xml");
  const auto made = [&](const char* nodes, const char* ratio) {
    const Ended ended = run_sim(
        {"platform", "new", "fat-tree", "--nodes", nodes, "--oversubscription", ratio, "-o", file});
    CHECK(ended.exit_code == 0);
    return ended.err;
  };
  CHECK(made("500", "1.25").find("1.25:1 oversubscribed;") != std::string::npos);
  CHECK(json_of({"show", file})["parameters"] == "2;20,25;1,16;1,1");
  const char* nearest = "3.6:1 oversubscribed (4:1 was requested)";
  CHECK(made("18", "4").find(nearest) != std::string::npos);
  CHECK(read_file(file).find(nearest) != std::string::npos);
}

TEST_CASE("the example platform file of the documentation is also valid in SimGrid") {
  const TemporaryFolder folder;
  const std::string readme = read_file(TUTTI_SOURCE_DIR "/platforms/README.md");
  const std::string fence = "```xml\n";
  const auto begin = readme.find(fence) + fence.size();
  const auto file =
      folder.write("mine.xml", readme.substr(begin, readme.find("```", begin) - begin));
  CHECK(json_of({"check", file, "-q"})["good"] == true);
}

TEST_CASE("SimGrid accepts a new torus of any dimensions") {
  const TemporaryFolder folder;
  const auto file = folder.file("torus.xml");
  for (const char* dims : {"4x1", "1", "1x4", "2x2", "2x1x2"}) {
    CAPTURE(dims);
    output_of({"new", "torus", "--dims", dims, "-o", file});
    CHECK(json_of({"check", file})["good"] == true);
  }
  for (const auto& [dims, hint] : {std::pair("4x1x1", "--dims 4"), {"1x1x1", "--dims 1"}}) {
    const auto rejected = failing({"new", "torus", "--dims", dims, "-o", folder.file("no.xml")}, 2);
    CHECK(rejected.err.find("at most one dimension of size 1") != std::string::npos);
    CHECK(rejected.err.find(hint) != std::string::npos);
  }
  CHECK(failing({"new", "fat-tree", "--nodes", "5003", "--levels", "6", "--radix", "4096", "-o",
                 folder.file("no.xml")},
                2)
            .err.find("5003 nodes do not fill 6 levels") != std::string::npos);
}
