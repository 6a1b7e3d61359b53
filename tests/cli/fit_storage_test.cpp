// SPDX-License-Identifier: BSD-3-Clause
// sim fit storage: known storage systems are fitted to bandwidths that `sim run` simulates on them;
// output of IOR and obdfilter-survey.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "sim/base/random.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

// `words` are separated by blanks.
Ended sim_with(const std::string& words) {
  std::vector<std::string> arguments;
  for (auto& word : split(words, ' '))
    if (!word.empty()) arguments.emplace_back(word);
  return run_sim(arguments);
}

std::vector<double> numbers(const Ended& ended, const std::string& name) {
  std::vector<double> found;
  for (const auto& text : column(ended, name)) found.push_back(std::stod(text));
  return found;
}

struct Truth {
  std::string layout;       // keys of --storage
  std::string performance;  // the same
  std::vector<Bytes> transfers{1 << 16, 1 << 20, 1 << 22};
  double noise = 0;  // standard deviation of the bandwidths
};

// Bandwidths of 1 to 16 processes on crill that write and read files of 1 and of all targets.
std::string bandwidths_of(const Truth& truth, int targets) {
  std::string rows = "operation,procs,ppn,transfer_size,block_size,stripe_count,bandwidth_Bps\n";
  std::uint64_t index = 0;
  for (const std::string operation : {"write", "read"})
    for (const Bytes transfer : truth.transfers)
      for (const int count : {1, targets}) {
        const auto bytes = 16 * transfer;
        const auto ended = run_sim(
            {"run", operation, "-p", "crill", "-n", "1,4,16", "--ppn", "4", "--implementation",
             "independent", "--ior", fmt::format("-t {} -b {}", transfer, bytes), "--storage",
             fmt::format("{},stripe_count={},{}", truth.layout, count, truth.performance), "-q",
             "--no-cost", "--format", "csv"});
        const auto procs = column(ended, "procs"), times = column(ended, "time_s"),
                   sizes = column(ended, "file_bytes");
        for (std::size_t i = 0; i < procs.size(); ++i, index += 12) {
          double draw = -6;  // of a standard normal distribution: the sum of 12 uniform draws
          for (std::uint64_t k = 0; k < 12; ++k) draw += random_uniform(7, 1, index + k);
          rows +=
              fmt::format("{},{},4,{},{},{},{}\n", operation, procs[i], transfer, bytes, count,
                          std::stod(sizes[i]) / std::stod(times[i]) * std::exp(truth.noise * draw));
        }
      }
  return rows;
}

struct FittedStorage {
  nlohmann::json report;

  // The rows of a table, as objects.
  std::vector<nlohmann::json> rows(const std::string& name) const {
    std::vector<nlohmann::json> found;
    for (const auto& table : report["tables"])
      for (const auto& row : table["rows"]) {
        if (table["name"] != name) continue;
        if (row.is_object()) {
          found.push_back(row);
          continue;
        }
        nlohmann::json each;
        for (std::size_t i = 0; i < row.size(); ++i)
          each[table["columns"][i].get<std::string>()] = row[i];
        found.push_back(std::move(each));
      }
    return found;
  }
  nlohmann::json row(const std::string& parameter) const {
    for (const auto& each : rows("parameters"))
      if (each["parameter"] == parameter) return each;
    return {};
  }
  double value(const std::string& parameter) const {
    const auto found = row(parameter)["value"];
    REQUIRE_MESSAGE(found.is_number(), parameter);
    return found;
  }
  double worst() const {
    double most = 0;
    for (const auto& each : rows("errors"))
      most = std::max(most, std::abs(each["worst_error"].get<double>()));
    return most;
  }
};

// Several cases need the same fit.
FittedStorage fitted(const TemporaryFolder& folder, const std::string& rows,
                     const std::string& options) {
  static std::map<std::string, FittedStorage> known;
  if (const auto found = known.find(options + rows); found != known.end()) return found->second;
  const auto file = folder.write("measured.csv", rows);
  const auto ended = sim_with("fit storage " + file + " --format json " + options);
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  return known.emplace(options + rows, FittedStorage{nlohmann::json::parse(ended.out)})
      .first->second;
}

constexpr double MBps = 1e6;

const Truth disks{"targets=8,servers=4", "bandwidth=300MBps,read_bandwidth=450MBps,request=2ms"};
const Truth links{"targets=8,servers=2", "bandwidth=800MBps,network=900MBps"};
const Truth requests{"targets=4", "bandwidth=1GBps,request=1ms", {1 << 14, 1 << 17, 1 << 20}};

}  // namespace

TEST_CASE("disks that are the bottleneck are fitted") {
  const TemporaryFolder folder;
  const auto fit = fitted(folder, bandwidths_of(disks, 8), "-p crill --servers 4");
  CHECK(fit.value("bandwidth") == close_to(300 * MBps, 0.01));
  CHECK(fit.value("read_bandwidth") == close_to(450 * MBps, 0.01));
  CHECK(fit.value("request") == close_to(2e-3, 0.01));
  CHECK(fit.value("network") == close_to(1942 * MBps, 0.001));  // a node's link
  CHECK(fit.worst() < 0.01);
}

TEST_CASE("links that are the bottleneck are fitted") {
  const TemporaryFolder folder;
  const auto fit = fitted(folder, bandwidths_of(links, 8), "-p crill --servers 2");
  CHECK(fit.value("network") == close_to(900 * MBps, 0.02));
  CHECK(fit.value("bandwidth") == close_to(800 * MBps, 0.05));
  CHECK(fit.worst() < 0.03);
}

TEST_CASE("the time of a request that dominates is fitted") {
  const TemporaryFolder folder;
  const auto fit = fitted(folder, bandwidths_of(requests, 4), "-p crill");
  CHECK(fit.value("request") == close_to(1e-3, 0.01));
  CHECK(fit.value("bandwidth") == close_to(1000 * MBps, 0.05));
  CHECK(fit.worst() < 0.01);
}

TEST_CASE("5 % of noise change the parameters little") {
  const TemporaryFolder folder;
  for (Truth truth : {disks, links, requests}) {
    truth.noise = 0.05;
    const bool is_requests = truth.layout == requests.layout;
    const int targets = is_requests ? 4 : 8;
    const auto fit =
        fitted(folder, bandwidths_of(truth, targets),
               fmt::format("-p crill --servers {}", is_requests ? 4 : truth.layout.back() - '0'));
    CAPTURE(truth.performance);
    if (truth.layout == links.layout)
      CHECK(fit.value("network") == close_to(900 * MBps, 0.05));
    else
      CHECK(fit.value("request") == close_to(is_requests ? 1e-3 : 2e-3, 0.08));
    if (truth.layout == disks.layout) CHECK(fit.value("bandwidth") == close_to(300 * MBps, 0.05));
  }
}

TEST_CASE("repetitions of a job count once") {
  const TemporaryFolder folder;
  Truth truth = disks;
  truth.noise = 0.05;
  const auto once = bandwidths_of(truth, 8);
  const auto rows = once.substr(once.find('\n') + 1);
  const auto fit = fitted(folder, once, "-p crill --servers 4");
  const auto repeated = fitted(folder, once + rows + rows, "-p crill --servers 4");
  CHECK(fit.rows("parameters") == repeated.rows("parameters"));
  CHECK(fit.report["about"][0] != repeated.report["about"][0]);  // the number of measurements

  const auto few = folder.write("few.csv",
                                "operation,procs,transfer_size,bandwidth_MiBps\nwrite,1,1MiB,100\n"
                                "write,1,1MiB,110\nwrite,1,1MiB,90\nwrite,2,1MiB,200\n");
  CHECK(sim_with("fit storage " + few + " -p crill --targets 4")
            .err.find("2 different jobs measured, at least 3 are required") != std::string::npos);
}

TEST_CASE("the scatter of repetitions is a lower bound of that of the bandwidths") {
  const TemporaryFolder folder;
  const auto exact = bandwidths_of(disks, 8);
  // The median is the exact value: s = log(1.2), and a job's deviation is s sqrt(pi / 2 / 3).
  std::string rows = exact;
  for (const auto line : split(std::string_view(exact).substr(exact.find('\n') + 1), '\n')) {
    const auto at = line.rfind(',') + 1;
    if (at == 0) continue;
    const double Bps = std::stod(std::string(line.substr(at)));
    for (const double factor : {1.2, 1 / 1.2})
      rows += fmt::format("{}{}\n", line.substr(0, at), Bps * factor);
  }
  const auto half = [&](const std::string& text) {
    const auto row = fitted(folder, text, "-p crill --servers 4").row("bandwidth");
    REQUIRE(row["high"].is_number());
    return std::log(row["high"].get<double>() / row["low"].get<double>()) / 2;
  };
  CHECK(half(rows) / half(exact) ==
        close_to(std::log(1.2) * std::sqrt(std::numbers::pi / 6) / 2e-3, 0.01));
}

namespace {

// Jobs that write on crill, and their simulated bandwidths.
std::string simulated_writes(int procs, int ppn, const std::string& storage,
                             std::initializer_list<std::pair<Bytes, Bytes>> transfers_and_blocks) {
  std::string rows = "operation,procs,ppn,transfer,block,bandwidth_Bps\n";
  for (const auto& [transfer, block] : transfers_and_blocks) {
    const auto ended = run_sim({"run",
                                "write",
                                "-p",
                                "crill",
                                "-n",
                                std::to_string(procs),
                                "--ppn",
                                std::to_string(ppn),
                                "--implementation",
                                "independent",
                                "--ior",
                                fmt::format("-t {} -b {}", transfer, block),
                                "--storage",
                                storage,
                                "--extrapolate",
                                "off",
                                "-q",
                                "--no-cost",
                                "--format",
                                "csv"});
    rows += fmt::format("write,{},{},{},{},{}\n", procs, ppn, transfer, block,
                        numbers(ended, "file_bytes").at(0) / numbers(ended, "time_s").at(0));
  }
  return rows;
}

}  // namespace

TEST_CASE("small transfers of many processes are simulated in whole rounds over the targets") {
  const TemporaryFolder folder;
  constexpr Bytes block = 40 << 20;
  const auto rows = simulated_writes(192, 16, disks.layout + "," + disks.performance,
                                     {{1 << 18, block}, {1 << 20, block}, {1 << 22, block}});
  // In the first 42 of 160 transfers of 256 KiB, processes meet at a target more often than later.
  const auto fit = fitted(folder, rows, "-p crill --targets 8 --servers 4");
  CHECK(fit.worst() < 0.03);
  CHECK(fit.value("bandwidth") == close_to(300 * MBps, 0.03));
}

TEST_CASE("the fit does not depend on the number of concurrent simulations") {
  const TemporaryFolder folder;
  // Each evaluation simulates 11,520 requests, more than one process does without children.
  const auto rows =
      simulated_writes(96, 8, "targets=8,servers=2,bandwidth=300MBps,request=1ms",
                       {{1 << 18, 10 << 20}, {1 << 20, 40 << 20}, {1 << 22, 40 << 20}});
  const auto one = fitted(folder, rows, "-p crill --targets 8 --servers 2 --jobs 1");
  const auto three = fitted(folder, rows, "-p crill --targets 8 --servers 2 --jobs 3");
  CHECK(one.rows("parameters") == three.rows("parameters"));
  CHECK(one.value("bandwidth") == close_to(300e6, 0.05));
}

TEST_CASE("rows that state the default and rows without a value are repetitions of one job") {
  const TemporaryFolder folder;
  const auto file = folder.write("measured.csv",
                                 "operation,procs,ppn,targets,transfer,bandwidth_MiBps\n"
                                 "write,8,,,1m,500\nwrite,8,4,,1m,510\nwrite,8,,8,1m,505\n"
                                 "write,16,4,8,1m,900\n");
  const auto ended =
      run_sim({"fit", "storage", file, "-p", "crill", "--ppn", "4", "--targets", "8"});
  CHECK(ended.exit_code != 0);
  CHECK_MESSAGE(mentions(ended.err, "2 different jobs measured"), ended.err);
}

TEST_CASE("a single transfer size does not separate the request from the bandwidth") {
  const TemporaryFolder folder;
  Truth truth = disks;
  truth.transfers = {1 << 20};
  const auto fit = fitted(folder, bandwidths_of(truth, 8), "-p crill --servers 4");
  CHECK(fit.worst() < 0.05);
  const auto request = fit.row("request");
  CHECK(request["value"].is_null());
  CHECK(std::string(request["note"]).find("do not separate") != std::string::npos);
  CHECK(fit.row("bandwidth")["status"] == "uncertain");
  CHECK(fit.row("bandwidth")["high"].is_null());
  // 1 MiB in 2 ms and 1 MiB / 300 MB/s.
  CHECK(fit.value("bandwidth") == close_to(1048576 / (2e-3 + 1048576 / 300e6), 0.01));
}

TEST_CASE("the specification that sim fit storage prints is one that sim run accepts") {
  const TemporaryFolder folder;
  const auto fit = fitted(folder, bandwidths_of(disks, 8), "-p crill --servers 4");
  REQUIRE(fit.rows("storage").size() == 1);
  const std::string spec = fit.rows("storage")[0]["storage"];
  CHECK(spec.find("targets=8,") == 0);
  const auto ended = run_sim({"run", "write", "-p", "crill", "-n", "4", "--storage", spec, "-q"});
  CHECK_MESSAGE(ended.exit_code == 0, ended.err);
}

TEST_CASE("obdfilter-survey determines disks without a platform") {
  const TemporaryFolder folder;
  // 4 OSTs of 500 MiB/s and 1 ms: 4 m / (1 ms + m / 500 MiB/s).
  const auto file = folder.write(
      "survey.txt",
      "Fri Sep 25 11:14:03 EDT 2015 Obdfilter-survey for case=disk from oss1\n"
      "ost  4 sz 16777216K rsz 1024K obj    4 thr    4 write 1333.33 [ 301.97, 412.91] rewrite "
      "1300.00 [ 300.00, 400.00] read 1333.33 [ 938.96,2634.87]\n"
      "ost  4 sz 16777216K rsz 4096K obj    4 thr    8 write 1777.78 [ 301.97, 412.91] read "
      "1777.78 [ 938.96,2634.87]\n"
      "ost  4 sz 16777216K rsz 256K obj    4 thr    8 write 666.67 [ 301.97, 412.91] read SHORT\n"
      "case=\n"
      "done!\n");
  const auto ended = sim_with("fit storage " + file + " --format json");
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(ended.err.find(
            "2 of 7 rows are skipped: operation 'rewrite' (1 row), bandwidth 'short' (1 ") !=
        std::string::npos);
  const FittedStorage fit{nlohmann::json::parse(ended.out)};
  CHECK(fit.value("bandwidth") == close_to(500 * 1048576.0, 0.01));
  CHECK(fit.value("request") == close_to(1e-3, 0.01));
  CHECK(fit.row("network").is_null());
}

TEST_CASE("IOR's output of several runs is read, of old and new versions") {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "ior.txt",
      "IOR-3.3.0: MPI Coordinated Test of Parallel I/O\n"
      "Command line        : ior -t 2m\n"
      "Options: \n"
      "access              : single-shared-file\n"
      "type                : independent\n"
      "segments            : 1024\n"
      "nodes               : 1\n"
      "tasks               : 4\n"
      "clients per node    : 4\n"
      "xfersize            : 2 MiB\n"
      "blocksize           : 32 MiB\n"
      "\n"
      "Results: \n"
      "\n"
      "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   "
      "close(s)   total(s)   iter\n"
      "------    ---------  ----       ----------  ---------- ---------  --------   --------   "
      "--------   --------   ----\n"
      "write     800.00     400.0      0.01        32768      2048.00    0.001      40.0       "
      "0.001      40.0       0\n"
      "read      850.00     425.0      0.01        32768      2048.00    0.001      40.0       "
      "0.001      40.0       0\n"
      "remove    -          -          -           -          -          -          -          -   "
      "       0.004206   0\n"
      "Max Write: 800.00 MiB/sec (838.86 MB/sec)\n"
      "Max Read:  850.00 MiB/sec (891.29 MB/sec)\n"
      "\n"
      "IOR-3.0.1: MPI Coordinated Test of Parallel I/O\n"
      "\n"
      "Summary:\n"
      "\tapi                = POSIX\n"
      "\taccess             = file-per-process\n"
      "\tclients            = 16 (8 per node)\n"
      "\txfersize           = 262144 bytes\n"
      "\tblocksize          = 8 MiB\n"
      "\n"
      "Max Write: 500.00 MiB/sec (524.29 MB/sec)\n");
  const auto ended =
      sim_with("fit storage " + file + " -p crill --targets 4 --part points --format csv");
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(column(ended, "operation") == std::vector<std::string>{"write", "read", "write"});
  CHECK(column(ended, "procs") == std::vector<std::string>{"4", "4", "16"});
  CHECK(column(ended, "ppn") == std::vector<std::string>{"4", "4", "8"});
  CHECK(column(ended, "transfer_bytes") ==
        std::vector<std::string>{"2097152", "2097152", "262144"});
  CHECK(numbers(ended, "measured_Bps") == std::vector<double>{838860800, 891289600, 524288000});
  CHECK(column(ended, "line") == std::vector<std::string>{"17", "18", "32"});
  // The only read is predicted exactly, however much the writes disagree.
  CHECK(std::stod(column(ended, "predicted_Bps")[1]) == close_to(891289600.0, 0.06));
}

TEST_CASE("each test of one run of IOR has its own options") {
  const TemporaryFolder folder;
  const auto test = [](const std::string& options, const std::string& transfer) {
    return options + "tasks : 4\nclients per node : 4\nxfersize : " + transfer +
           "\nblocksize : 4 MiB\n\nMax Write: 500.00 MiB/sec (524.29 MB/sec)\n\n";
  };
  const auto file = folder.write(
      "ior.txt", "IOR-3.3.0: MPI Coordinated Test of Parallel I/O\n" +
                     test("type : independent\nnodes : 1\n", "1 MiB") +
                     test("type : collective\nnodes : 1\n", "2 MiB") +
                     test("type : independent\nordering in a file : random\n", "1 MiB") +
                     test("type : independent\nordering in a file : sequential\n", "2 MiB") +
                     test("", "4 MiB"));
  const auto ended =
      sim_with("fit storage " + file + " -p crill --targets 1 --part points --format csv");
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(ended.err.find("2 of 5 rows are skipped") != std::string::npos);
  CHECK(column(ended, "transfer_bytes") ==
        std::vector<std::string>{"1048576", "2097152", "4194304"});
}

TEST_CASE("synonyms, units and IOR's CSV are understood") {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "ior.csv",
      "access,bw(MiB/s),IOPS,Latency,block(KiB),xfer(KiB),open(s),wr/rd(s),close(s),total(s),"
      "numTasks,iter\n"
      "write,100.0,30.3795,1.5543,131072.0000,1024.0000,15.0489,202.2413,35.0600,202.6921,48,0\n"
      "read,200.5,2026.8185,0.0158,131072.0000,1024.0000,0.4558,3.0314,1.0307,3.0536,48,0\n");
  const auto other = folder.write("other.csv",
                                  "Mode,clients,xfer,osts,throughput\n"
                                  "W,4,1MiB,2,0.5GB/s\n"
                                  "r,4,1048576,2,600 MB/s\n"
                                  "write,4,4MiB,2,\n");
  const auto ended = sim_with("fit storage " + file + " " + other +
                              " -p crill --ppn 4 --part points --format csv");
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(ended.err.find("other.csv:4: 1 of 3 rows is skipped: no bandwidth") != std::string::npos);
  CHECK(numbers(ended, "measured_Bps") ==
        std::vector<double>{104857600, 210239488, 500000000, 600000000});
  CHECK(column(ended, "transfer_bytes") == std::vector<std::string>(4, "1048576"));
}
