// SPDX-License-Identifier: BSD-3-Clause
// Platform files with SMPI's keys: `sim run pingpong` takes as long as the same messages in smpirun
// (40 random files, 200 with TUTTI_FULL_PRODUCTS=1).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/files.hpp"
#include "tests/support/smpi.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

namespace {

std::string prop(const std::string& key, const std::string& value) {
  return fmt::format("    <prop id=\"{}\" value=\"{}\"/>\n", key, value);
}

std::string file_with(const std::string& config, const std::string& network) {
  return "<?xml version='1.0'?>\n"
         "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n  <config>\n" +
         config + "  </config>\n" + network + "</platform>\n";
}

// A cluster, or two hosts and a link: n0 and n1.
class RandomFile {
 public:
  explicit RandomFile(std::uint64_t seed) : draw_(seed) {
    draw_limits();
    text_ = file_with(config(), network());
    is_inside_node_ = draw_.chance(15);
    std::set<std::uint64_t> sizes;
    while (sizes.size() < 20) sizes.insert(size());
    for (const auto each : sizes) sizes_.push_back(std::to_string(each));
  }

  const std::string& text() const { return text_; }
  const std::vector<std::string>& sizes() const { return sizes_; }
  bool is_inside_node() const { return is_inside_node_; }

 private:
  // From `low` to `high`, evenly in orders of magnitude.
  double number(double low, double high) {
    const double part = static_cast<double>(draw_.below(1'000'000)) / 1e6;
    return low * std::pow(high / low, part);
  }
  std::uint64_t limit() {
    const auto bytes = static_cast<std::uint64_t>(number(1, 2e6));
    return draw_.chance(40) ? std::uint64_t{1} << draw_.below(21) : bytes;
  }

  void draw_limits() {
    has_async_ = draw_.chance(60);
    has_detached_ = draw_.chance(60);
    detached_ = has_detached_ ? (draw_.chance(10) ? 0 : limit()) : 65536;
    if (has_async_) async_ = draw_.chance(10) ? 0 : std::min(limit(), detached_);
  }

  template <class Value>
  std::string sections(Value value) {
    std::set<std::uint64_t> limits{draw_.chance(80) ? 0 : limit()};
    for (auto i = draw_.below(8); i > 0; --i) limits.insert(limit());
    std::vector<std::string> all;
    for (const auto each : limits) all.push_back(fmt::format("{}:{}", each, value()));
    draw_.shuffle(all);
    return fmt::format("{}", fmt::join(all, ";"));
  }
  std::string overhead() {
    return sections([&] {
      return fmt::format("{:.4g}:{:.4g}", number(1e-8, 1e-5),
                         draw_.chance(50) ? 0 : number(1e-12, 1e-9));
    });
  }
  std::string factors(double low, double high) {
    return sections([&] { return fmt::format("{:.6g}", number(low, high)); });
  }

  std::string config() {
    std::string props = prop("smpi/os", draw_.chance(70) ? overhead() : "0:0:0:0:0");
    if (has_async_) props += prop("smpi/async-small-thresh", std::to_string(async_));
    if (has_detached_) props += prop("smpi/send-is-detached-thresh", std::to_string(detached_));
    if (draw_.chance(50)) props += prop("smpi/ois", overhead());
    if (draw_.chance(70)) props += prop("smpi/or", overhead());
    if (draw_.chance(60)) props += prop("smpi/lat-factor", factors(0.1, 20));
    if (draw_.chance(60)) props += prop("smpi/bw-factor", factors(0.2, 1.6));
    if (draw_.chance(15)) props += prop("network/TCP-gamma", std::to_string(limit()));
    if (draw_.chance(15)) props += prop("network/crosstraffic", draw_.pick({"no", "yes", "0"}));
    if (draw_.chance(10)) props += prop("network/latency-factor", "3.5");
    if (draw_.chance(10)) props += prop("network/bandwidth-factor", "0.5");
    return props;
  }

  std::string network() {
    if (draw_.chance(30)) return zone();
    std::string more;
    if (draw_.chance(25)) more += " sharing_policy=\"SHARED\"";
    if (draw_.chance(25))
      more += fmt::format(" bb_bw=\"{:.5g}Bps\" bb_lat=\"{:.5g}s\"", number(1e8, 2.5e10),
                          number(1e-7, 1e-4));
    if (draw_.chance(25))
      more += fmt::format(" loopback_bw=\"{:.5g}Bps\" loopback_lat=\"{:.5g}s\"", number(1e9, 1e11),
                          number(1e-8, 1e-6));
    return fmt::format(
        "  <cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" "
        "core=\"2\" bw=\"{:.5g}Bps\" lat=\"{:.5g}s\"{}/>\n",
        number(1e8, 2.5e10), number(1e-7, 1e-3), more);
  }
  std::string zone() {
    const std::string hosts =
        "    <host id=\"n0\" speed=\"1Gf\" core=\"2\"/>\n"
        "    <host id=\"n1\" speed=\"1Gf\" core=\"2\"/>\n";
    std::string links, route;
    for (const char* name : {"a", "b"}) {
      const std::string policy = draw_.pick({"", "SPLITDUPLEX", "FATPIPE", "SHARED"});
      links += fmt::format("    <link id=\"{}\" bandwidth=\"{:.5g}Bps\" latency=\"{:.5g}s\"{}/>\n",
                           name, number(1e8, 2.5e10), number(1e-7, 1e-3),
                           policy.empty() ? "" : " sharing_policy=\"" + policy + "\"");
      route += fmt::format("<link_ctn id=\"{}\"{}/>", name,
                           policy == "SPLITDUPLEX" ? " direction=\"UP\"" : "");
    }
    return "  <zone id=\"z\" routing=\"Full\">\n" + hosts + links +
           "    <route src=\"n0\" dst=\"n1\">" + route + "</route>\n  </zone>\n";
  }

  // Often near the end of a message class, or of a section of the factors.
  std::uint64_t size() {
    const std::uint64_t end = draw_.pick({async_, detached_, std::uint64_t{1} << draw_.below(23)});
    const std::uint64_t near = end + draw_.pick<std::uint64_t>({0, 1, 17});
    const std::uint64_t below = draw_.pick<std::uint64_t>({0, 1, 16});
    if (draw_.chance(40)) return static_cast<std::uint64_t>(number(1, 4e6));
    return near > below ? near - below : 0;
  }

  Draw draw_;
  bool has_async_ = false, has_detached_ = false;
  std::uint64_t async_ = 0, detached_ = 0;
  std::string text_;
  std::vector<std::string> sizes_;
  bool is_inside_node_ = false;
};

// The times of messages in SMPI and in `sim`.
class BothPrograms {
 public:
  BothPrograms() : program_(folder_.file("ping_pong")) {
    const auto source = TUTTI_SOURCE_DIR "/tests/support/ping_pong.c";
    REQUIRE(run({.args = {smpicc, "-O1", source, "-o", program_}}).exit_code == 0);
  }

  std::vector<double> of_smpi(const std::string& text, bool inside,
                              const std::vector<std::string>& sizes) const {
    Command command{.args = {smpirun, "-np", "2", "-platform", folder_.write("p.xml", text),
                             "-hostfile", folder_.write("hosts", inside ? "n0\nn0\n" : "n0\nn1\n"),
                             "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0",
                             "--log=root.thres:critical", program_}};
    command.args.insert(command.args.end(), sizes.begin(), sizes.end());
    const Ended ended = run(command);
    REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
    return numbers(split(ended.out, '\n'));
  }

  std::vector<double> of_sim(const std::string& text, bool inside,
                             const std::vector<std::string>& sizes,
                             const std::string& engine = "flow") const {
    const Ended ended =
        run_sim({"run", "pingpong", "-p", folder_.write("p.xml", text), "--between",
                 inside ? "n0,n0" : "n0,n1", "--engine", engine, "--message-size",
                 fmt::format("{}", fmt::join(sizes, ",")), "--format", "csv", "-q"});
    REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
    REQUIRE(column(ended, "message_bytes") == sizes);
    return numbers(column(ended, "time_s"));
  }

 private:
  static std::vector<double> numbers(const std::vector<std::string>& lines) {
    std::vector<double> all;
    for (const auto& line : lines)
      if (!line.empty()) all.push_back(std::stod(line));
    return all;
  }

  TemporaryFolder folder_;
  std::string program_;
};

}  // namespace

TEST_CASE("messages of random files with SMPI's keys take as long as in smpirun") {
  if (!has_smpi()) return;
  const BothPrograms both;
  const char* full = std::getenv("TUTTI_FULL_PRODUCTS");
  const std::uint64_t files = full != nullptr && *full == '1' ? 200 : 40;
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= files; ++seed) {
    const RandomFile file(seed);
    CAPTURE(seed);
    CAPTURE(file.text());
    CAPTURE(file.is_inside_node());
    const auto smpi = both.of_smpi(file.text(), file.is_inside_node(), file.sizes());
    const auto sim = both.of_sim(file.text(), file.is_inside_node(), file.sizes());
    REQUIRE(smpi.size() == file.sizes().size());
    for (std::size_t i = 0; i < smpi.size(); ++i) {
      CAPTURE(file.sizes()[i]);
      CHECK(sim[i] == close_to(smpi[i], 1e-4));
      worst = std::max(worst, std::abs(sim[i] / smpi[i] - 1));
    }
  }
  MESSAGE(files << " files, largest deviation " << worst);
}
