// SPDX-License-Identifier: BSD-3-Clause
// Small parallel programs as lists of actions: one list per MPI rank, OpenMP thread and accelerator
// stream. run.hpp executes them under an exact timing rule, in ns:
//
//   A call begins `gap` after the preceding event of its location and takes at least o.
//   An eager message is there o + L + G * bytes after the begin of its send; a receive ends o
//   after its begin and that. A synchronous one (MPI_Ssend, MPI_Issend, or at least `eager_limit`
//   bytes) ends, on both sides, o + L + G * bytes after the later of the send and the receive.
//   A collective ends C after the last begin of those that it waits for (meetings.hpp).
//   One-sided calls: windows.hpp; threads: threads.hpp; kernels: streams.hpp.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tutti::tests::truth {

using Time = std::int64_t;  // ns
inline constexpr Time us = 1000, ms = 1'000'000;
inline constexpr Time o = 1000, L = 2000, G = 1, C = 20000, gap = 500;
inline constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB, eager_limit = 64 * KiB;

// Who waits for whom in rooted collectives and scans.
enum class Library : std::uint8_t {
  by_definition,    // members for the root of bcast and scatter, the root of reduce and gather for
                    // all, in scans each rank for the lower ones
  all_with_last,    // every member for every other one
  root_and_members  // in addition, the root of bcast and scatter for all, members of reduce and
                    // gather for the root
};

struct Compute {
  std::string region;  // empty: outside all regions
  Time duration = 0;
};
struct Mark {  // one end of a region around other actions
  std::string region;
  bool enters = true;
};
struct Send {
  std::string region;
  int to = 0;
  std::uint64_t bytes = 8;
  std::uint32_t tag = 0;
  int request = -1;  // of a nonblocking call
  bool is_synchronous() const {
    return region == "MPI_Ssend" || region == "MPI_Issend" || bytes >= eager_limit;
  }
};
struct Recv {
  int from = 0;
  std::uint64_t bytes = 8;
  std::uint32_t tag = 0;
  int request = -1;
};
struct Sendrecv {
  Send send;
  Recv recv;
};
struct Probe {
  int from = 0;
  std::uint32_t tag = 0;
};
struct Complete {  // MPI_Wait, MPI_Waitall, MPI_Waitany, MPI_Test
  std::string region;
  std::vector<int> requests;
  bool repeats = false;  // a test, until it succeeds
  bool is_test() const { return region.starts_with("MPI_Test"); }
  bool is_any() const { return region == "MPI_Waitany"; }
};
struct RecvAny {  // MPI_ANY_SOURCE
  std::vector<int> from;
  std::uint32_t tag = 0;
};
struct Reply {  // a message to the source of the last RecvAny
  std::uint32_t tag = 0;
};
struct Peek {  // MPI_Iprobe
  int from = 0;
  std::uint32_t tag = 0;
};
struct Again {  // repeats the last actions if the last test or MPI_Iprobe failed
  std::size_t actions = 0;
};
struct Draw {  // takes pieces of work from a counter of all ranks until there are none
  std::string region;
  std::vector<Time> durations;
  int counter = 0;
};
struct Flag {  // shmem_put, or the start of a process
  std::string region;
  int to = 0;
};
struct AwaitFlag {  // shmem_wait_until; no region: the process begins then
  std::string region;
  int from = 0;
};
struct Meet {  // a collective call
  std::string region;
  OTF2_CollectiveOp op = OTF2_COLLECTIVE_OP_BARRIER;
  int comm = 0;
  int root = -1;  // a rank of the communicator
  std::uint64_t bytes = 8;
  int request = -1;
  enum class Records : std::uint8_t { mpi, window, none } records = Records::mpi;
  int object = -1;  // the window, or the communicator that the call creates
};
struct Put {
  int window = 0;
  int target = 0;
  std::uint64_t bytes = 8;
};
struct Epoch {
  enum class Call : std::uint8_t {
    post,
    start,
    complete,
    wait,
    test_until_done  // MPI_Win_test instead of MPI_Win_wait
  } call = Call::post;
  int window = 0;
  std::vector<int> group = {};  // of post and start
};
struct Lock {
  int window = 0;
  int target = 0;
  bool is_shared = false;
};
struct Unlock {
  int window = 0;
  int target = 0;
};
struct Fork {};
struct Team {
  bool begins = true;
};
struct Join {};
struct Barrier {  // of a team of threads
  std::string region;
};
struct Launch {
  int stream = 0;  // of the rank
  std::string kernel;
  Time duration = 0;
  std::string call = "cudaLaunchKernel";
  bool blocks = false;          // the call ends after the kernel
  std::vector<int> peers = {};  // of a collective kernel: all ranks that run it
};
struct Await {  // a call of the host that waits for streams, then copies
  std::string region;
  std::vector<int> streams;  // of the rank
  std::uint64_t bytes = 0;
  int event = -1;
};
struct RecordEvent {  // cudaEventRecord
  int stream = 0;
  int event = 0;
};
struct OrderStream {  // cudaStreamWaitEvent: the next kernel of the stream waits
  int stream = 0;
  int event = 0;
};
struct QueryStreams {  // whether kernels have ended; Again repeats it
  std::string region;
  std::vector<int> streams;
  int event = -1;
};

// A lock of the rank's threads (locks.hpp): a critical section, or a mutex.
struct Acquire {
  int lock = 0;
  bool is_critical = true;
};
struct Release {
  int lock = 0;
  bool is_critical = true;
};
// Puts an item into a queue, or takes one, as the owner of its mutex, which a condition variable
// lets it wait for.
struct Produce {
  int queue = 0;
};
struct Consume {
  int queue = 0;
};
// Work that threads share (tasks.hpp).
struct Create {  // a task
  std::string region;
  Time duration = 0;
};
struct TaskBarrier {  // in which threads run tasks
  bool is_entered = false;
};
struct EndTask {};
struct Iterate {  // takes the next iteration of a loop, until there are none
  int loop = 0;
  std::vector<std::pair<std::string, Time>> iterations = {};
};

using Action =
    std::variant<Compute, Mark, Send, Recv, Sendrecv, Probe, Complete, Meet, Put, Epoch, Lock,
                 Unlock, Fork, Team, Join, Barrier, Launch, Await, RecvAny, Reply, Peek, Again,
                 Draw, Flag, AwaitFlag, RecordEvent, OrderStream, QueryStreams, Acquire, Release,
                 Produce, Consume, Create, TaskBarrier, EndTask, Iterate>;
using Actions = std::vector<Action>;

// The actions of one MPI rank or thread. Nonblocking calls return a request.
class Script {
 public:
  void compute(const std::string& region, Time duration) { add(Compute{region, duration}); }
  void enter(const std::string& region) { add(Mark{region, true}); }
  void leave(const std::string& region) { add(Mark{region, false}); }

  void send(int to, std::uint64_t bytes = 8, std::uint32_t tag = 0) {
    add(Send{"MPI_Send", to, bytes, tag});
  }
  void ssend(int to, std::uint64_t bytes = 8, std::uint32_t tag = 0) {
    add(Send{"MPI_Ssend", to, bytes, tag});
  }
  int isend(int to, std::uint64_t bytes = 8, std::uint32_t tag = 0) {
    add(Send{"MPI_Isend", to, bytes, tag, ++requests_});
    return requests_;
  }
  int issend(int to, std::uint64_t bytes = 8, std::uint32_t tag = 0) {
    add(Send{"MPI_Issend", to, bytes, tag, ++requests_});
    return requests_;
  }
  void recv(int from, std::uint64_t bytes = 8, std::uint32_t tag = 0) {
    add(Recv{from, bytes, tag});
  }
  int irecv(int from, std::uint64_t bytes = 8, std::uint32_t tag = 0) {
    add(Recv{from, bytes, tag, ++requests_});
    return requests_;
  }
  void sendrecv(int to, int from, std::uint64_t bytes = 8) {
    add(Sendrecv{{"MPI_Sendrecv", to, bytes}, {from, bytes}});
  }
  void probe(int from, std::uint32_t tag = 0) { add(Probe{from, tag}); }
  void wait(int request) { add(Complete{"MPI_Wait", {request}}); }
  void wait_all(std::vector<int> requests) { add(Complete{"MPI_Waitall", std::move(requests)}); }
  void wait_any(std::vector<int> requests) { add(Complete{"MPI_Waitany", std::move(requests)}); }
  void test_until_done(int request) { add(Complete{"MPI_Test", {request}, true}); }

  void meet(const Meet& what) { add(what); }
  int start(Meet what) {
    what.request = ++requests_;
    add(what);
    return requests_;
  }

  void add(const Action& action) { actions.push_back(action); }

  Actions actions;

 private:
  int requests_ = 0;
};

// The collective calls of MPI.
namespace call {
inline Meet of(const std::string& name, OTF2_CollectiveOp op, int root, int comm) {
  return {.region = "MPI_" + name, .op = op, .comm = comm, .root = root};
}
inline Meet barrier(int comm = 0) { return of("Barrier", OTF2_COLLECTIVE_OP_BARRIER, -1, comm); }
inline Meet allreduce(int comm = 0) {
  return of("Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, -1, comm);
}
inline Meet bcast(int root, int comm = 0) {
  return of("Bcast", OTF2_COLLECTIVE_OP_BCAST, root, comm);
}
inline Meet scatter(int root) { return of("Scatter", OTF2_COLLECTIVE_OP_SCATTER, root, 0); }
inline Meet reduce(int root) { return of("Reduce", OTF2_COLLECTIVE_OP_REDUCE, root, 0); }
inline Meet gather(int root) { return of("Gather", OTF2_COLLECTIVE_OP_GATHER, root, 0); }
inline Meet scan() { return of("Scan", OTF2_COLLECTIVE_OP_SCAN, -1, 0); }
inline Meet exscan() { return of("Exscan", OTF2_COLLECTIVE_OP_EXSCAN, -1, 0); }
inline Meet iallreduce(int comm = 0) {
  return of("Iallreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, -1, comm);
}
inline Meet ibcast(int root, int comm = 0) {
  return of("Ibcast", OTF2_COLLECTIVE_OP_BCAST, root, comm);
}
inline Meet ireduce(int root) { return of("Ireduce", OTF2_COLLECTIVE_OP_REDUCE, root, 0); }
inline Meet ibarrier(int comm = 0) { return of("Ibarrier", OTF2_COLLECTIVE_OP_BARRIER, -1, comm); }
inline Meet ialltoall(int comm = 0) {
  return of("Ialltoall", OTF2_COLLECTIVE_OP_ALLTOALL, -1, comm);
}
// On the communicator of a Cartesian topology: each rank waits for its neighbors.
inline Meet neighbors(int comm) {
  return of("Neighbor_alltoall", OTF2_COLLECTIVE_OP_ALLTOALL, -1, comm);
}
inline Meet ineighbors(int comm) {
  return of("Ineighbor_alltoall", OTF2_COLLECTIVE_OP_ALLTOALL, -1, comm);
}
// Ends for all ranks after the last one began, without a record of it.
inline Meet finalize() {
  Meet made = of("Finalize", OTF2_COLLECTIVE_OP_BARRIER, -1, 0);
  made.records = Meet::Records::none;
  return made;
}
inline Meet of_file(const std::string& name) {
  Meet made = finalize();
  made.region = "MPI_File_" + name;
  return made;
}
inline Meet creates(const std::string& name, int comm, int created) {
  Meet made = of(name, OTF2_COLLECTIVE_OP_CREATE_HANDLE, -1, comm);
  made.bytes = 0;
  made.object = created;
  return made;
}
inline Meet of_window(const std::string& name, OTF2_CollectiveOp op, int window) {
  Meet made = of(name, op, -1, 0);
  made.records = Meet::Records::window;
  made.bytes = 0;
  made.object = window;
  return made;
}
inline Meet win_create(int window) {
  return of_window("Win_create", OTF2_COLLECTIVE_OP_CREATE_HANDLE, window);
}
inline Meet win_free(int window) {
  return of_window("Win_free", OTF2_COLLECTIVE_OP_DESTROY_HANDLE, window);
}
inline Meet fence(int window) { return of_window("Win_fence", OTF2_COLLECTIVE_OP_BARRIER, window); }
}  // namespace call

struct Comm {
  std::string name;
  std::vector<int> members;    // ranks
  std::vector<int> dims = {};  // of a Cartesian topology
  bool is_periodic = true;
  bool is_described = true;  // the topology is in the archive
  bool is_created = false;   // by a recorded call
};

struct Program {
  explicit Program(int ranks, int threads = 1, int streams = 0)
      : rank_count(ranks), thread_count(threads), stream_count(streams) {
    scripts.resize(static_cast<std::size_t>(ranks * threads));
    comms.push_back({.name = "MPI_COMM_WORLD", .members = {}});
    for (int rank = 0; rank < ranks; ++rank) comms[0].members.push_back(rank);
  }

  // Locations: the ranks' master threads, their other threads, their streams.
  int place(int rank, int thread = 0) const { return thread * rank_count + rank; }
  int stream(int rank, int index) const { return place(rank, thread_count + index); }
  int place_count() const { return rank_count * (thread_count + stream_count); }
  int rank_of(int place) const { return place % rank_count; }
  // The team of threads of a rank is a communicator behind those of MPI.
  int team(int rank) const { return (has_mpi ? static_cast<int>(comms.size()) : 0) + rank; }
  bool is_stream(int place) const { return place >= rank_count * thread_count; }

  Script& at(int rank, int thread = 0) {
    return scripts[static_cast<std::size_t>(place(rank, thread))];
  }
  int add_comm(Comm comm) {
    comms.push_back(std::move(comm));
    return static_cast<int>(comms.size()) - 1;
  }

  int rank_count, thread_count, stream_count;
  std::vector<Script> scripts;  // by place
  std::vector<Comm> comms;      // 0: all ranks
  int windows = 0;              // all on MPI_COMM_WORLD
  Library library = Library::by_definition;
  bool has_mpi = true;
  bool has_main = true;          // an outermost region on the masters
  bool does_start_wait = false;  // MPI_Win_start, for the posts; otherwise MPI_Win_complete
  bool does_lock_wait = false;   // MPI_Win_lock, until it is granted; otherwise MPI_Win_unlock
  bool has_acquire_records = false;
  // Of forks and teams of threads: Score-P, Score-P 1 (OmpFork, OmpJoin), other tools.
  enum class TeamRecords : std::uint8_t { all, omp_fork, none } team_records = TeamRecords::all;
  bool has_lock_records = true;  // of threads
  bool has_blocks = true;        // regions inside of critical sections
  bool is_fair = true;           // threads get locks in the order of their requests
  bool has_metrics = false;      // passive records before each enter and leave, as with PAPI
  bool is_unwound = false;       // enters and leaves are those of calling contexts, with samples
};

// A parallel region of a rank; `body(script, thread)` adds what each thread does in it.
template <class Body>
void parallel(Program& program, int rank, const Body& body) {
  program.at(rank).add(Fork{});
  for (int thread = 0; thread < program.thread_count; ++thread) {
    Script& script = program.at(rank, thread);
    script.add(Team{true});
    script.enter("!$omp parallel @code.f:1");
    body(script, thread);
    script.add(Barrier{"!$omp implicit barrier @code.f:9"});
    script.leave("!$omp parallel @code.f:1");
    script.add(Team{false});
  }
  program.at(rank).add(Join{});
}

}  // namespace tutti::tests::truth
