// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_reader.hpp"

// OmpFork and OmpJoin are deprecated, but older traces have them.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include <exception>
#include <system_error>

#include "workloads/traces/otf2_archive.hpp"
#include "workloads/traces/otf2_child.hpp"
#include "workloads/traces/otf2_definitions.hpp"
#include "workloads/traces/otf2_passive_events.hpp"
#include "workloads/traces/thread_teams.hpp"

namespace tutti::workloads::traces {
namespace {

// Writes the events of one rank from the library's callbacks to the store.
class RankReader {
 public:
  RankReader(Otf2Definitions& definitions, EventStore& store, TraceRank rank)
      : definitions_(definitions), store_(store), rank_(rank) {}

  void enter(OTF2_RegionRef reference) { enter_region(definitions_.region(reference), reference); }
  void leave(OTF2_RegionRef reference) { leave_region(definitions_.region(reference)); }
  // The records of unwinding, instead of enter and leave.
  void enter_context(OTF2_CallingContextRef context, std::uint32_t) {
    enter_region(definitions_.region_of_context(context), context);
  }
  void leave_context(OTF2_CallingContextRef context) {
    leave_region(definitions_.region_of_context(context));
  }

  void enter_region(std::uint32_t region, std::uint32_t reference) {
    open_.enter({region, reference});
    add(event(EventKind::enter, region));
  }
  void leave_region(std::uint32_t region) {
    const auto how = open_.leave(region, [&](OpenRegions::Open ended) { end(ended); });
    if (how == OpenRegions::Left::not_in)
      note("leaves a region that it is not in (ignored): ", region);
    if (how == OpenRegions::Left::from_within)
      note("leaves a region before its inner regions, which are ended first: ", region);
  }

  // A blocking message; a nonblocking one has a request as well.
  template <EventKind kind>
  void on_message(std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
    message(kind, peer, comm, tag, bytes, 0);
  }
  template <EventKind kind>
  void on_pending(std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                  std::uint64_t request) {
    message(kind, peer, comm, tag, bytes, request);
  }

  template <EventKind kind>
  void on_request(std::uint64_t request) {
    if (!is_rank()) return of_other_thread();
    Event requested = event(kind);
    requested.request = request;
    add(requested);
  }

  void collective_begin() { add(event(EventKind::collective_begin)); }
  void collective_end(OTF2_CollectiveOp op, OTF2_CommRef comm_id, std::uint32_t root,
                      std::uint64_t sent, std::uint64_t received) {
    collective(EventKind::collective_end, op, definitions_.communicator(comm_id), root, sent,
               received);
  }

  // Requests of collectives get small numbers, which fit into Event::tag.
  void collective_request(std::uint64_t request) {
    Event requested = event(EventKind::collective_request);
    requested.request = ++collectives_requested_;
    collective_requests_[request] = collectives_requested_;
    add(requested);
  }
  void collective_complete(OTF2_CollectiveOp op, OTF2_CommRef comm, std::uint32_t root,
                           std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
    const auto found = collective_requests_.extract(request);
    if (found.empty()) {
      note("completes a nonblocking collective that it did not begin (omitted)");
      return other();
    }
    collective(EventKind::icollective_end, op, definitions_.communicator(comm), root, sent,
               received, found.mapped());
  }

  // ---- windows ----

  void rma_collective_end(OTF2_CollectiveOp op, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
                          std::uint32_t root, std::uint64_t sent, std::uint64_t received) {
    const std::uint32_t comm = window_of(window);
    if (comm == none || (level & OTF2_RMA_SYNC_LEVEL_PROCESS) == 0) return other();
    collective(EventKind::collective_end, op, comm, root, sent, received);
  }
  void group_sync(OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group) {
    const std::uint32_t comm = window_of(window);
    const RmaEpoch epoch = epoch_here();
    const std::uint32_t found = definitions_.groups.find(group);
    if (comm == none || found == none || level == OTF2_RMA_SYNC_LEVEL_NONE ||
        epoch == RmaEpoch::other)
      return other();
    Event sync = event(EventKind::group_sync, found);
    sync.comm = comm;
    sync.tag = static_cast<std::uint32_t>(epoch);
    add(sync);
  }
  template <class... Rest>
  void rma_transfer(OTF2_RmaWinRef window, std::uint32_t target, Rest...) {
    on_window(EventKind::other, window, target, 0, false);
  }
  template <EventKind kind>
  void on_typed_lock(OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t lock,
                     OTF2_LockType type) {
    on_window(kind, window, target, lock, type == OTF2_LOCK_EXCLUSIVE);
  }
  void release_lock(OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t lock) {
    on_window(EventKind::lock_release, window, target, lock, false);
  }

  // ---- threads ----

  void thread_fork(OTF2_Paradigm, std::uint32_t) { add(event(EventKind::thread_fork)); }
  void thread_join(OTF2_Paradigm) { add(event(EventKind::thread_join)); }
  void omp_fork(std::uint32_t) { add(event(EventKind::thread_fork)); }
  void omp_join() { add(event(EventKind::thread_join)); }

  template <EventKind kind>
  void on_team(OTF2_CommRef team) {
    const std::uint32_t comm = definitions_.communicator(team);
    if (definitions_.trace.communicators[comm].kind != TraceCommunicator::Kind::team ||
        !is_member(comm))
      return other();
    Event of_team = event(kind);
    of_team.comm = comm;
    add(of_team);
  }

  template <EventKind kind>
  void on_thread(OTF2_CommRef contingent, std::uint64_t number) {
    Event of_thread = event(kind);
    of_thread.tag = contingent;
    of_thread.request = number;
    add(of_thread);
  }

  template <EventKind kind>
  void on_thread_lock(OTF2_Paradigm paradigm, std::uint32_t lock, std::uint32_t order) {
    Event locked = event(kind);
    locked.request = std::uint64_t{paradigm} << 32 | lock;
    locked.tag = order;
    add(locked);
  }
  // Tasks are numbered by their creating threads from 1 on.
  template <EventKind kind>
  void on_task(OTF2_CommRef, std::uint32_t creator, std::uint32_t generation) {
    Event task = event(kind);
    task.request = generation == 0 ? 0 : std::uint64_t{creator} << 32 | generation;
    add(task);
  }

  void other() { add(event(EventKind::other)); }
  void passive() {}

  // Called before each event. False if the timestamp exceeds the range of the trace's clock.
  bool at(OTF2_TimeStamp time) {
    if (time > most_ticks) {
      failure_ = "the timestamp of an event exceeds 2^62 ticks";
      return false;
    }
    const Ticks ticks = static_cast<Ticks>(time);
    if (ticks < now_)
      note("has timestamps that go backwards: they are set to the preceding timestamp");
    now_ = std::max(now_, ticks);
    ++count_;
    return true;
  }

  void finish() {
    open_.leave_all([&](OpenRegions::Open ended) {
      note("is still in a region at the end, which is ended at the last event: ", ended.region);
      end(ended);
    });
  }

  // Exceptions must not propagate through the library.
  void keep(std::exception_ptr exception) { exception_ = std::move(exception); }
  std::exception_ptr exception() const { return exception_; }
  const std::string& failure() const { return failure_; }
  std::optional<Ticks> first() const { return first_; }
  std::uint64_t count() const { return count_; }  // number of events in the archive

 private:
  static constexpr OTF2_TimeStamp most_ticks = OTF2_TimeStamp{1} << 62;

  Event event(EventKind kind, std::uint32_t id = none) const {
    Event made;
    made.time = now_;
    made.kind = kind;
    made.id = id;
    return made;
  }
  void add(const Event& made) {
    if (!first_) first_ = made.time;
    store_.append(made);
  }

  void end(OpenRegions::Open ended) { add(event(EventKind::leave, ended.region)); }

  void collective(EventKind kind, OTF2_CollectiveOp op, std::uint32_t comm, std::uint32_t root,
                  std::uint64_t sent, std::uint64_t received, std::uint32_t request = 0) {
    const TraceRank root_rank = collective_root(comm, root);
    if (root_rank == none && root < OTF2_COLLECTIVE_ROOT_THIS_GROUP) return without_peer(comm);
    if (!is_member(comm))
      return omit("calls collectives of a communicator that it is not in", comm);
    Event done = event(kind, root_rank);
    done.comm = comm;
    done.bytes = received;
    done.sent_bytes = sent;
    done.tag = request;
    done.op = static_cast<CollectiveOp>(
        std::min<std::uint32_t>(op, static_cast<std::uint32_t>(CollectiveOp::other)));
    add(done);
  }

  // The communicator that represents a window; `none` if this rank is not in it.
  std::uint32_t window_of(OTF2_RmaWinRef window) {
    const std::uint32_t comm = definitions_.windows.find(window);
    if (comm == none) note(fmt::format("uses window {}, which is not defined", window));
    return comm == none || !is_member(comm) ? none : comm;
  }

  // The records of general active target synchronization do not name the call that they belong to.
  RmaEpoch epoch_here() const {
    if (open_.empty()) return RmaEpoch::other;
    const std::string_view call = definitions_.trace.regions[open_.innermost()].name;
    if (call.starts_with("MPI_Win_post")) return RmaEpoch::post;
    if (call.starts_with("MPI_Win_start")) return RmaEpoch::start;
    if (call.starts_with("MPI_Win_complete")) return RmaEpoch::complete;
    if (call.starts_with("MPI_Win_wait") || call.starts_with("MPI_Win_test")) return RmaEpoch::wait;
    return RmaEpoch::other;
  }

  void on_window(EventKind kind, OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t lock,
                 bool is_exclusive) {
    const std::uint32_t comm = window_of(window);
    if (comm == none) return other();
    Event locked = event(kind, definitions_.peer(comm, target, rank_));  // none: of all ranks
    locked.comm = comm;
    locked.tag = is_exclusive ? 1 : 0;
    locked.request = lock;
    add(locked);
  }

  void message(EventKind kind, std::uint32_t peer, OTF2_CommRef comm_id, std::uint32_t tag,
               std::uint64_t bytes, std::uint64_t request) {
    if (!is_rank()) return of_other_thread();
    const std::uint32_t comm = definitions_.communicator(comm_id);
    const TraceRank other = definitions_.peer(comm, peer, rank_);
    if (other == none) return without_peer(comm);
    Event made = event(kind, other);
    made.comm = comm;
    made.tag = tag;
    made.bytes = bytes;
    made.request = request;
    add(made);
  }

  TraceRank collective_root(std::uint32_t comm, std::uint32_t root) const {
    if (root == OTF2_COLLECTIVE_ROOT_NONE || root == OTF2_COLLECTIVE_ROOT_THIS_GROUP) return none;
    if (root == OTF2_COLLECTIVE_ROOT_SELF) return rank_;
    return definitions_.peer(comm, root, rank_);
  }

  // Avoids a search in communicators of all ranks.
  bool is_member(std::uint32_t comm) {
    const auto& members = definitions_.trace.communicators[comm].members;
    if (members.empty() || (rank_ < members.size() && members[rank_] == rank_)) return true;
    const auto [found, is_new] = is_member_.try_emplace(comm, false);
    if (is_new) found->second = std::ranges::find(members, rank_) != members.end();
    return found->second;
  }

  bool is_rank() const { return rank_ < definitions_.trace.ranks.size(); }
  void of_other_thread() {
    note("has messages, but is not the first thread of its rank: they are omitted");
    other();
  }

  void omit(const char* why, std::uint32_t comm) {
    note(fmt::format("{}; these events are omitted: {}", why,
                     in_quotes(definitions_.trace.communicators[comm].name)));
    other();
  }
  void without_peer(std::uint32_t comm) {
    omit("addresses ranks that the communicator does not have", comm);
  }

  void note(const std::string& what) {
    const std::size_t ranks = definitions_.trace.ranks.size();
    definitions_.notes.add(rank_ < ranks
                               ? fmt::format("rank {} {}", rank_, what)
                               : fmt::format("{} {}", definitions_.trace.name(rank_), what));
  }
  void note(const char* what, std::uint32_t region) {
    note(what + in_quotes(definitions_.trace.regions[region].name));
  }

  Otf2Definitions& definitions_;
  EventStore& store_;
  TraceRank rank_;
  OpenRegions open_;
  std::unordered_map<std::uint32_t, bool> is_member_;  // by communicator
  std::unordered_map<std::uint64_t, std::uint32_t> collective_requests_;
  std::uint32_t collectives_requested_ = 0;
  Ticks now_ = 0;
  std::optional<Ticks> first_;
  std::uint64_t count_ = 0;
  std::string failure_;
  std::exception_ptr exception_;
};

template <class Handle>
OTF2_CallbackCode handle(OTF2_TimeStamp time, void* user, const Handle& event) {
  RankReader& rank = *static_cast<RankReader*>(user);
  try {
    if (!rank.at(time)) return OTF2_CALLBACK_INTERRUPT;
    event(rank);
  } catch (...) {
    rank.keep(std::current_exception());
    return OTF2_CALLBACK_INTERRUPT;
  }
  return OTF2_CALLBACK_SUCCESS;
}

// The library's callback for an event that `method` handles.
template <auto method>
struct On;
template <class... Arguments, void (RankReader::*method)(Arguments...)>
struct On<method> {
  static OTF2_CallbackCode call(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                OTF2_AttributeList*, Arguments... arguments) {
    return handle(time, user, [&](RankReader& rank) { (rank.*method)(arguments...); });
  }
};

// The callback for an event whose arguments `method` ignores.
template <class Callback, void (RankReader::*method)()>
struct Other;
template <class... Arguments, void (RankReader::*method)()>
struct Other<OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*,
                                   OTF2_AttributeList*, Arguments...),
             method> {
  static OTF2_CallbackCode call(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                OTF2_AttributeList*, Arguments...) {
    return handle(time, user, [](RankReader& rank) { (rank.*method)(); });
  }
};

using Callbacks =
    std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)>;

Callbacks make_callbacks() {
  using R = RankReader;
  using K = EventKind;
  Callbacks callbacks(OTF2_EvtReaderCallbacks_New(), OTF2_EvtReaderCallbacks_Delete);
#define TUTTI_SET(event, ...) \
  OTF2_EvtReaderCallbacks_Set##event##Callback(callbacks.get(), __VA_ARGS__::call);
#define TUTTI_OTHER(event) TUTTI_SET(event, Other<OTF2_EvtReaderCallback_##event, &R::other>)
#define TUTTI_PASSIVE(event) TUTTI_SET(event, Other<OTF2_EvtReaderCallback_##event, &R::passive>)
  TUTTI_OTF2_EVENTS(TUTTI_OTHER)
  TUTTI_OTF2_PASSIVE_EVENTS(TUTTI_PASSIVE)
  TUTTI_PASSIVE(Unknown)
  TUTTI_SET(Enter, On<&R::enter>)
  TUTTI_SET(Leave, On<&R::leave>)
  TUTTI_SET(CallingContextEnter, On<&R::enter_context>)
  TUTTI_SET(CallingContextLeave, On<&R::leave_context>)
  TUTTI_SET(MpiSend, On<&R::on_message<K::send>>)
  TUTTI_SET(MpiIsend, On<&R::on_pending<K::isend>>)
  TUTTI_SET(MpiRecv, On<&R::on_message<K::recv>>)
  TUTTI_SET(MpiIrecv, On<&R::on_pending<K::irecv>>)
  TUTTI_SET(MpiIsendComplete, On<&R::on_request<K::isend_complete>>)
  TUTTI_SET(MpiIrecvRequest, On<&R::on_request<K::irecv_request>>)
  TUTTI_SET(MpiRequestTest, On<&R::on_request<K::request_test>>)
  TUTTI_SET(MpiRequestCancelled, On<&R::on_request<K::request_cancelled>>)
  TUTTI_SET(MpiCollectiveBegin, On<&R::collective_begin>)
  TUTTI_SET(MpiCollectiveEnd, On<&R::collective_end>)
  TUTTI_SET(NonBlockingCollectiveRequest, On<&R::collective_request>)
  TUTTI_SET(NonBlockingCollectiveComplete, On<&R::collective_complete>)
  TUTTI_SET(RmaCollectiveBegin, On<&R::collective_begin>)
  TUTTI_SET(RmaCollectiveEnd, On<&R::rma_collective_end>)
  TUTTI_SET(RmaGroupSync, On<&R::group_sync>)
  using U = std::uint64_t;
  TUTTI_SET(RmaPut, On<&R::rma_transfer<U, U>>)
  TUTTI_SET(RmaGet, On<&R::rma_transfer<U, U>>)
  TUTTI_SET(RmaAtomic, On<&R::rma_transfer<OTF2_RmaAtomicType, U, U, U>>)
  TUTTI_SET(RmaRequestLock, On<&R::on_typed_lock<K::lock_request>>)
  TUTTI_SET(RmaAcquireLock, On<&R::on_typed_lock<K::lock_acquire>>)
  TUTTI_SET(RmaReleaseLock, On<&R::release_lock>)
  TUTTI_SET(ThreadFork, On<&R::thread_fork>)
  TUTTI_SET(ThreadJoin, On<&R::thread_join>)
  TUTTI_SET(OmpFork, On<&R::omp_fork>)
  TUTTI_SET(OmpJoin, On<&R::omp_join>)
  TUTTI_SET(ThreadTeamBegin, On<&R::on_team<K::team_begin>>)
  TUTTI_SET(ThreadTeamEnd, On<&R::on_team<K::team_end>>)
  TUTTI_SET(ThreadCreate, On<&R::on_thread<K::thread_create>>)
  TUTTI_SET(ThreadBegin, On<&R::on_thread<K::thread_begin>>)
  TUTTI_SET(ThreadWait, On<&R::on_thread<K::thread_wait>>)
  TUTTI_SET(ThreadEnd, On<&R::on_thread<K::thread_end>>)
  TUTTI_SET(ThreadAcquireLock, On<&R::on_thread_lock<K::thread_acquire>>)
  TUTTI_SET(ThreadReleaseLock, On<&R::on_thread_lock<K::thread_release>>)
  TUTTI_SET(ThreadTaskCreate, On<&R::on_task<K::task_create>>)
  TUTTI_SET(ThreadTaskSwitch, On<&R::on_task<K::task_switch>>)
  TUTTI_SET(ThreadTaskComplete, On<&R::on_task<K::task_complete>>)
#undef TUTTI_PASSIVE
#undef TUTTI_OTHER
#undef TUTTI_SET
  return callbacks;
}

// Returns the time of the rank's first event, if it has any.
Result<std::optional<Ticks>> read_rank(Otf2Archive& archive, Otf2Definitions& definitions,
                                       EventStore& store, TraceRank rank,
                                       const OTF2_EvtReaderCallbacks* callbacks) {
  RankReader reader(definitions, store, rank);
  store.begin(rank);
  if (auto error = archive.read_events(definitions.locations[rank], callbacks, &reader))
    return *error;
  if (reader.exception()) std::rethrow_exception(reader.exception());
  if (!reader.failure().empty())
    return archive.damaged(reader.failure(), fmt::format("{}.evt", definitions.locations[rank]));
  reader.finish();
  if (reader.count() != definitions.reported_events[rank])
    definitions.notes.add("the definitions give a wrong number of events for a rank");
  return reader.first();
}

std::optional<Error> read_ranks(Otf2Archive& archive, Otf2Definitions& definitions, Trace& trace) {
  if (auto error = archive.select(definitions.all_locations())) return error;
  const Callbacks callbacks = make_callbacks();
  std::optional<Ticks> first;
  for (TraceRank rank = 0; rank < definitions.locations.size(); ++rank) {
    if (!definitions.is_defined[rank]) continue;
    const auto begin =
        TUTTI_TRY(read_rank(archive, definitions, trace.events, rank, callbacks.get()));
    if (begin) first = first ? std::min(*first, *begin) : begin;
  }
  trace.events.finish();
  trace.first = first.value_or(0);
  trace.events.start_at(trace.first);
  return std::nullopt;
}

Result<Trace> read_archive(Otf2Archive& archive, std::size_t most_in_memory_bytes) {
  auto definitions = TUTTI_TRY(read_otf2_definitions(archive));
  Trace trace{.definitions = {}, .events = EventStore(most_in_memory_bytes), .notes = {}};
  if (auto error = read_ranks(archive, definitions, trace)) return *error;
  trace.definitions = std::move(definitions.trace);
  trace.notes = definitions.notes.all();
  return trace;
}

Result<Trace> read_here(const std::string& path, std::size_t most_in_memory_bytes) {
  auto archive = TUTTI_TRY(Otf2Archive::open(path));
  try {
    return read_archive(archive, most_in_memory_bytes);
  } catch (const std::system_error& error) {
    return make_error(ErrorKind::io, path, error.what(),
                      "TMPDIR names the folder for temporary files");
  }
}

}  // namespace

Result<Trace> read_otf2(const std::string& path, std::size_t most_in_memory_bytes) {
  const ChildLimits limits = limits_of_archive(path);
  auto transfer =
      in_child(path, limits, [&] { return hand_over(read_here(path, most_in_memory_bytes)); });
  if (!transfer) return transfer.error();
  if (auto trace = take_over(*std::move(transfer))) {
    if (*trace) find_teams(**trace);
    return *std::move(trace);
  }
  return make_error(ErrorKind::input, path, "the OTF2 library corrupts its memory on this archive",
                    "the archive is damaged or incomplete; otf2-print shows details");
}

}  // namespace tutti::workloads::traces
