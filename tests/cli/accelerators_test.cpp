// SPDX-License-Identifier: BSD-3-Clause
// Machines whose nodes have accelerators: what a rank is, and a warning of large messages.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

const std::string meaning = "is a process on the CPUs with buffers in host memory";

std::string in_one_line(std::string text) {
  for (std::size_t at; (at = text.find("\n#")) != std::string::npos;) text.erase(at, 2);
  for (std::size_t at; (at = text.find("  ")) != std::string::npos;) text.erase(at, 1);
  return text;
}

Ended bcast_on(const std::string& platform, const Args& more = {}) {
  Args args{"run", "bcast", "-p", platform, "-n", "8", "--ppn", "4", "--algorithm", "binomial"};
  args.insert(args.end(), more.begin(), more.end());
  return run_sim(args);
}

}  // namespace

TEST_CASE("reports on machines with accelerators state that a rank is a process on the CPUs") {
  for (const char* name :
       {"alps", "h100-pod", "jupiter-booster", "leonardo", "lumi", "marenostrum5", "roce"}) {
    CAPTURE(name);
    const Ended text = bcast_on(name, {"--message-size", "1KiB"});
    CHECK(text.err.empty());
    CHECK(mentions(in_one_line(text.out), meaning));
    CHECK(mentions(in_one_line(text.out), "GPU-aware MPI"));
    const std::set<std::string> without{"leonardo", "lumi", "roce"};
    const bool has_nccl = !without.contains(name);
    CHECK(mentions(in_one_line(text.out),
                   has_nccl ? "in NCCL's algorithms" : "(NCCL, RCCL) are not modeled"));
    const auto json =
        Json::parse(bcast_on(name, {"--message-size", "1KiB", "--format", "json"}).out);
    CHECK(json["platform"]["accelerators"].get<std::string>().ends_with(" per node"));
    const Ended shown = run_sim({"platform", "show", name});
    CHECK(mentions(shown.out, has_nccl ? "NCCL" : "accelerators"));
    CHECK(!Json::parse(run_sim({"platform", "show", name, "--format", "json"}).out)["accelerators"]
               .get<std::string>()
               .empty());
  }
  CHECK(!mentions(bcast_on("crill").out, "accelerators"));
  CHECK(!mentions(run_sim({"platform", "show", "leonardo-dcgp"}).out, "accelerators"));
}

TEST_CASE("the list of platforms names the accelerators, and what is modeled of them") {
  const std::string list = run_sim({"list", "platforms"}).out;
  CHECK(mentions(list, "GPUs: 4 GH200 per node, with NCCL"));
  CHECK(mentions(list, "GPUs: 8 H100 per node, not modeled"));
}

TEST_CASE("messages of a GiB on machines with accelerators are warned of, by every command") {
  const std::string warning = "the times are those of buffers in host memory";
  const Args large{"--message-size", "1KiB,1GiB"}, below{"--message-size", "1KiB,1023MiB"};
  CHECK(mentions(bcast_on("alps", large).err, warning));
  CHECK(!mentions(bcast_on("alps", below).err, warning));
  CHECK(!mentions(bcast_on("crill", large).err, warning));
  const TemporaryFolder folder(folder_in_memory());
  const std::string study =
      folder.write("s.toml",
                   "[base]\nworkload = \"bcast\"\nplatform = \"alps\"\nprocs = 8\nppn = 4\n"
                   "message_size = \"1GiB\"\nalgorithm = \"binomial\"\n");
  CHECK(mentions(run_sim({"sweep", study}).err, warning));
  CHECK(
      mentions(run_sim({"run", "pingpong", "-p", "alps", "--message-size", "1GiB"}).err, warning));
  CHECK(mentions(run_sim({"place", "bcast", "-p", "alps", "-n", "8", "--ppn", "4", "--budget", "0",
                          "--message-size", "1GiB"})
                     .err,
                 warning));
  CHECK(mentions(
      run_sim({"explain", "bcast", "-p", "alps", "-n", "8", "--ppn", "4", "--message-size", "1GiB"})
          .err,
      warning));
}

TEST_CASE("a platform file declares its accelerators itself") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string file = folder.write(
      "mine.xml",
      "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3\" "
      "core=\"8\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"><prop id=\"info/accelerators\" "
      "value=\"2 MI300A per node\"/></cluster></platform>\n");
  const Ended ended = bcast_on(file, {"--message-size", "2GiB"});
  CHECK(mentions(in_one_line(ended.out), "2 MI300A per node"));
  CHECK(mentions(ended.err, "messages of 2 GiB on mine"));
}
