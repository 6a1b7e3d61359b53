// SPDX-License-Identifier: BSD-3-Clause
// Jobs whose ranks use a storage, on a machine with round numbers.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "io_models/storage/storage.hpp"
#include "platforms/servers.hpp"
#include "platforms/topologies/flat_cluster.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"
#include "tests/support/topology_checks.hpp"

namespace tutti::tests {

using ClientProgram = std::function<runtime::Task(runtime::Rank&, io_models::Storage&)>;

// Every node and every server has a link of 1 GB/s and 1 us in each direction to one switch (L = 2
// us); eager up to 1000 B, no overheads.
inline platforms::Machine machine_at_one_switch(int hosts) {
  platforms::Machine machine = test_machine(1);
  machine.topology =
      std::make_shared<platforms::FlatCluster>(flat_spec(static_cast<std::uint32_t>(hosts)));
  return machine;
}

struct StorageOutcome {
  std::vector<Seconds> done_s;  // by client, before it closes the storage
  std::vector<io_models::TargetUse> use;
  std::vector<Seconds> end_s;  // by rank, servers included
  std::vector<std::string> problems;
};

class StorageJob {
 public:
  StorageJob(const platforms::Machine& machine, int clients, const io_models::StorageSpec& spec,
             ClientProgram program)
      : storage_(spec, clients),
        machine_(platforms::with_servers(machine, storage_.servers())),
        placement_(platforms::with_server_ranks(test_placement(clients), machine_,
                                                storage_.rank_servers())),
        program_(std::move(program)),
        done_s_(static_cast<std::size_t>(clients)) {}

  engines::Job job() {
    return {.machine = machine_, .placement = placement_, .program = [this](runtime::Rank& me) {
              return run(me);
            }};
  }
  StorageOutcome outcome(engines::Outcome of_engine) {
    return {done_s_,
            {storage_.use().begin(), storage_.use().end()},
            std::move(of_engine.end_s),
            std::move(of_engine.problems)};
  }

 private:
  runtime::Task run(runtime::Rank& me) {
    if (storage_.is_server(me.id())) {
      co_await io_models::storage_server(me, storage_);
      co_return;
    }
    co_await program_(me, storage_);
    done_s_[static_cast<std::size_t>(me.id())] = me.now();
    co_await io_models::close_storage(
        me, storage_, runtime::Group(0, static_cast<runtime::RankId>(done_s_.size())), me.id());
  }

  io_models::Storage storage_;
  platforms::Machine machine_;
  platforms::Placement placement_;
  ClientProgram program_;
  std::vector<Seconds> done_s_;
};

// Runs the job on the flow engine. Requires that it has no problems, and that the engine simgrid
// agrees on every rank's end.
inline StorageOutcome run_with_storage(const platforms::Machine& machine, int clients,
                                       const io_models::StorageSpec& spec,
                                       const ClientProgram& program) {
  StorageJob reference(machine, clients, spec, program);
  const ChildOutcome in_simgrid = run_simgrid_in_child(reference.job());
  CHECK(in_simgrid.problems == "");
  StorageJob job(machine, clients, spec, program);
  StorageOutcome outcome = job.outcome(engines::run_flow(job.job()));
  CHECK(outcome.problems == std::vector<std::string>{});
  CHECK(largest_difference(outcome.end_s, in_simgrid.end_s) <= 1e-9);
  return outcome;
}

}  // namespace tutti::tests
