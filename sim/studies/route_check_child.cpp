// SPDX-License-Identifier: BSD-3-Clause
// The route check in a child of its own: SimGrid aborts the process on files that it does not like.
#include <fmt/format.h>
#include <sys/mman.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <new>

#include "sim/base/quote.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/studies/child_process.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/route_check.hpp"
#include "sim/studies/wire.hpp"

namespace tutti::studies {
namespace {

constexpr Seconds between_reports_s = 0.2;

constexpr auto route_check_fields = [](auto& archive, auto& check) {
  archive(check.pairs);
  archive(check.all_pairs);
  archive(check.links);
  archive(check.renamed);
  archive(check.reordered);
  archive(check.same_host_left_out);
  archive(check.differences);
  auto told = check.first_told.size();
  archive(told);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(check)>>)
    check.first_told.resize(std::min<std::size_t>(told, 100));
  for (auto& each : check.first_told) archive(each);
};

// A number that a child and its parent share.
using Counter = std::atomic<std::uint64_t>;
struct Unmap {
  void operator()(Counter* counter) const { ::munmap(counter, sizeof *counter); }
};
std::unique_ptr<Counter, Unmap> shared_counter() {
  void* memory =
      ::mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return std::unique_ptr<Counter, Unmap>(new (memory) Counter(0));
}

std::vector<std::string> keys_of(const platforms::Machine& machine) {
  std::vector<std::string> keys;
  for (const auto& each : machine.given) keys.push_back(each.key);
  return keys;
}

// "[0.000000] [xbt_exception/ERROR] Parse error at ..." -> "Parse error at ...": the first line
// that SimGrid's log marks as an error.
std::string reason_in(const std::string& said) {
  for (const char* mark : {"/CRITICAL] ", "/ERROR] "})
    if (const auto at = said.find(mark); at != std::string::npos) {
      const auto start = said.find("] ", at) + 2;
      return said.substr(start, said.find('\n', start) - start);
    }
  return {};
}

Error refused(const platforms::Machine& machine, const std::string& reason) {
  return make_error(ErrorKind::run, machine.file,
                    fmt::format("SimGrid does not accept the file: {}", printable(reason)),
                    reason.find("prolog") == std::string::npos
                        ? ""
                        : "SimGrid wants <!DOCTYPE platform SYSTEM "
                          "\"https://simgrid.org/simgrid.dtd\"> before <platform>");
}

Error out_of_memory(const platforms::Machine& machine, const RouteCheckRequest& request) {
  return make_error(
      ErrorKind::run, machine.file,
      fmt::format("SimGrid ran out of memory; {} nodes need about {}", machine.host_count(),
                  rounded_memory(memory_of_check(machine, request))),
      "check a smaller machine of the same shape, or raise the limit (ulimit -v)");
}

// SimGrid throws at some wrong files, and aborts at others.
Result<RouteCheck> compare(const platforms::Machine& machine, const RouteCheckRequest& request,
                           const std::function<void(std::uint64_t)>& done) {
  std::unique_ptr<engines::SimgridRoutes> simgrid;
  try {
    simgrid =
        engines::open_simgrid_routes(std::filesystem::absolute(machine.file), keys_of(machine));
  } catch (const std::bad_alloc&) {
    return out_of_memory(machine, request);
  } catch (const std::exception& exception) {
    return refused(machine, exception.what());
  }
  return compare_routes(machine, *simgrid, request, done);
}

Error death_of(const ChildProcess& child, const platforms::Machine& machine) {
  Error death = child.death();
  if (death.kind != ErrorKind::internal) return death;  // of memory, by a signal from outside
  if (const auto reason = reason_in(child.said()); !reason.empty()) return refused(machine, reason);
  const std::string how = death.message.substr(std::string("the simulation").size());
  return make_error(ErrorKind::run, machine.file, "the comparison with SimGrid" + how,
                    "SimGrid 3.32 crashes on some files (platforms/README.md, Zones); "
                    "`sim platform show` and --engine flow do without it");
}

}  // namespace

Result<RouteCheck> check_routes(const platforms::Machine& machine, const RouteCheckRequest& request,
                                const std::function<void(std::uint64_t)>& progress) {
  if (auto error = engines::load_simgrid()) return *std::move(error);
  const auto done = shared_counter();
  const auto work = [&] {
    return compare(machine, request, [&](std::uint64_t pairs) { *done = pairs; });
  };
  auto child = ChildProcess::start([&] { return wire::pack(guarded(work), route_check_fields); });
  if (!child) return child.errors();
  while (!child->wait_for(between_reports_s)) progress(*done);
  auto result = wire::unpack<RouteCheck>(child->collect(), route_check_fields);
  if (!child->ended_well() || !result) return death_of(*child, machine);
  return std::move(*result);
}

}  // namespace tutti::studies
