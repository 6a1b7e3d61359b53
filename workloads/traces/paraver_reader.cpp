// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/paraver_reader.hpp"

#include <charconv>
#include <fstream>
#include <system_error>

#include "workloads/traces/paraver_labels.hpp"
#include "workloads/traces/thread_teams.hpp"

namespace tutti::workloads::traces {
namespace {

constexpr std::uint64_t most_locations = 1'000'000;
constexpr const char* expected_header =
    "expected '#Paraver (DATE at TIME):DURATION_ns:NODES(CPUS):1:TASKS(THREADS:NODE,...)'";

using Numbers = std::vector<std::uint64_t>;

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The numbers between colons; nothing if something else is among them.
std::optional<Numbers> numbers_of(std::string_view text) {
  Numbers numbers;
  for (const std::string_view part : split(text, ':')) {
    const auto number = number_of(part);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

struct Header {
  double ticks_per_s = 1e6;
  struct Task {
    std::uint64_t threads = 1;
    std::uint64_t node = 1;
  };
  std::vector<Task> tasks;
};

// Returns the reason if the header is invalid.
std::optional<std::string> parse_header(std::string_view line, Header& header) {
  const auto date = line.find("):");
  if (date == std::string_view::npos) return "invalid header";
  std::string_view left = line.substr(date + 2);
  const auto duration = left.substr(0, left.find(':'));
  if (duration.ends_with("_ns")) header.ticks_per_s = 1e9;
  left.remove_prefix(std::min(left.size(), duration.size() + 1));
  const auto nodes_end = left.find("):");
  if (nodes_end != std::string_view::npos && left.find('(') < nodes_end)
    left.remove_prefix(nodes_end + 2);
  else
    left.remove_prefix(std::min(left.size(), left.find(':') + 1));
  const auto applications = number_of(left.substr(0, left.find(':')));
  if (!applications) return "invalid header";
  if (*applications != 1) return fmt::format("the trace has {} applications", *applications);
  left.remove_prefix(left.find(':') + 1);
  const auto open = left.find('('), close = left.find(')');
  const auto tasks = number_of(left.substr(0, open));
  if (!tasks || *tasks == 0 || close == std::string_view::npos || close < open)
    return "invalid list of tasks";
  std::uint64_t locations = 0;
  for (const std::string_view task : split(left.substr(open + 1, close - open - 1), ',')) {
    const auto numbers = numbers_of(task);
    if (!numbers || numbers->size() > 2 || numbers->front() == 0) return "invalid list of tasks";
    header.tasks.push_back({numbers->front(), numbers->back()});
    if ((locations += numbers->front()) > most_locations) return "too many threads";
  }
  return header.tasks.size() == *tasks ? std::nullopt
                                       : std::optional<std::string>("invalid list of tasks");
}

// A thread, with its events in order, without messages.
struct Thread {
  std::vector<Event> events;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> open;  // types and regions
  Ticks last = 0;
  struct Message {
    Ticks time = 0;       // of this half
    Ticks completed = 0;  // of a receive: the time of its completion
    Event event;          // as a blocking send or receive
  };
  std::vector<Message> messages;
};

class ParaverReader {
 public:
  ParaverReader(const std::string& path, const TraceArgs& args)
      : path_(path),
        trace_{.definitions = {}, .events = EventStore(args.most_in_memory_bytes), .notes = {}} {}

  Result<Trace> read() {
    labels_ = TUTTI_TRY(ParaverLabels::read(path_));
    if (auto error = read_lines()) return *std::move(error);
    set_roots();
    for (TraceRank location = 0; location < threads_.size(); ++location) write(location);
    trace_.events.finish();
    trace_.events.start_at(first_.value_or(0));
    trace_.first = first_.value_or(0);
    trace_.notes = notes_.all();
    find_teams(trace_);
    return std::move(trace_);
  }

 private:
  std::optional<Error> read_lines() {
    std::ifstream file(path_);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      if (line.ends_with('\r')) line.pop_back();
      std::optional<std::string> problem;
      if (number == 1)
        problem = begin(line);
      else if (!line.empty() && line[0] != '#')
        problem = take(line);
      if (!problem) continue;
      Error error =
          make_error(ErrorKind::input, path_, *problem,
                     number == 1 ? expected_header
                                 : "the records of Paraver's format begin with 1 (state), "
                                   "2 (event), 3 (communication) or c (communicator)");
      error.line = number;
      error.source = source_line(line);
      return error;
    }
    return std::nullopt;
  }

  std::optional<std::string> begin(std::string_view line) {
    Header header;
    if (auto problem = parse_header(line, header)) return problem;
    auto& definitions = trace_.definitions;
    definitions.ticks_per_s = header.ticks_per_s;
    definitions.creator = "Extrae";
    TraceCommunicator world{.name = "MPI_COMM_WORLD", .members = {}};
    for (TraceRank rank = 0; rank < header.tasks.size(); ++rank) {
      definitions.ranks.push_back(fmt::format("rank {}", rank));
      definitions.nodes.push_back(fmt::format("node {}", header.tasks[rank].node));
      world.members.push_back(rank);
      first_thread_.push_back(definitions.others.size());
      for (std::uint64_t thread = 1; thread < header.tasks[rank].threads; ++thread)
        definitions.others.push_back(
            {fmt::format("rank {}, thread {}", rank, thread), rank, TraceLocation::Kind::thread});
    }
    definitions.communicators.push_back(std::move(world));
    first_thread_.push_back(definitions.others.size());
    threads_.resize(definitions.locations());
    return std::nullopt;
  }

  std::optional<std::string> take(std::string_view line) {
    if (line[0] == 'c') return communicator(line);
    if (line[0] == 'i' || line[0] == 'd') return std::nullopt;  // inter-communicators
    const auto numbers = numbers_of(line);
    if (!numbers) return "invalid record";
    switch (numbers->front()) {
      case 1:
        return numbers->size() == 8 ? std::nullopt : std::optional<std::string>("invalid state");
      case 2:
        return event(*numbers);
      case 3:
        return communication(*numbers);
      default:
        return "invalid kind of record";
    }
  }

  // c:APPLICATION:ID:SIZE:TASK...
  std::optional<std::string> communicator(std::string_view line) {
    const auto numbers = numbers_of(line.substr(std::min<std::size_t>(2, line.size())));
    if (!numbers || numbers->size() < 3 || (*numbers)[2] != numbers->size() - 3)
      return "invalid communicator";
    TraceCommunicator made{.name = fmt::format("communicator {}", (*numbers)[1]), .members = {}};
    for (std::size_t i = 3; i < numbers->size(); ++i) {
      const std::uint64_t task = (*numbers)[i];
      if (task == 0 || task > trace_.definitions.ranks.size()) return "invalid task";
      made.members.push_back(static_cast<TraceRank>(task - 1));
    }
    auto& all = trace_.definitions.communicators;
    if (made.members == all.front().members) {
      communicators_[(*numbers)[1]] = 0;
      return std::nullopt;
    }
    if (made.members.size() == 1) made.members.clear();  // of its caller
    communicators_[(*numbers)[1]] = static_cast<std::uint32_t>(all.size());
    all.push_back(std::move(made));
    return std::nullopt;
  }

  // The thread of an object; nothing if it does not exist.
  std::optional<TraceRank> location(const std::uint64_t* object) const {  // application:task:thread
    if (object[0] != 1 || object[1] == 0 || object[2] == 0 ||
        object[1] > trace_.definitions.ranks.size())
      return std::nullopt;
    const auto rank = static_cast<TraceRank>(object[1] - 1);
    if (object[2] == 1) return rank;
    const std::uint64_t index = first_thread_[rank] + object[2] - 2;
    if (index >= first_thread_[rank + 1]) return std::nullopt;
    return static_cast<TraceRank>(trace_.definitions.ranks.size() + index);
  }

  // 2:CPU:APPLICATION:TASK:THREAD:TIME:TYPE:VALUE:TYPE:VALUE...
  std::optional<std::string> event(const Numbers& numbers) {
    if (numbers.size() < 8 || numbers.size() % 2 != 0) return "invalid event";
    const auto at = location(&numbers[2]);
    if (!at) return "the event is at a thread that the header does not have";
    if (numbers[5] >= std::uint64_t{1} << 62) return "invalid time";
    Thread& thread = threads_[*at];
    const auto time = static_cast<Ticks>(numbers[5]);
    if (time < thread.last) return "the times of a thread go backwards";
    thread.last = time;
    for (std::size_t i = 6; i < numbers.size(); i += 2) take(*at, time, numbers[i], numbers[i + 1]);
    return std::nullopt;
  }

  void take(TraceRank at, Ticks time, std::uint64_t type, std::uint64_t value) {
    using namespace paraver;
    const bool is_mpi = type >= first_mpi_type && type <= last_mpi_type;
    if (is_mpi || type == user_function || type == openmp_function) {
      if (value == 0) return leave(at, time, type);
      return enter(at, time, type, region(type, value, is_mpi));
    }
    // The properties of the collective that has just begun.
    Thread& thread = threads_[at];
    if (thread.events.empty() || thread.events.back().kind != EventKind::collective_begin) return;
    Event& begin = thread.events.back();
    if (type == sent_bytes) begin.sent_bytes = value;
    if (type == received_bytes) begin.bytes = value;
    if (type == is_root && value == 1 && at < trace_.definitions.ranks.size()) begin.id = at;
    if (type != paraver::communicator) return;
    const auto found = communicators_.find(value);
    if (found == communicators_.end())
      notes_.add(
          fmt::format("communicator {} is not defined: it is assumed to contain all ranks", value));
    else
      begin.comm = found->second;
  }

  std::uint32_t region(std::uint64_t type, std::uint64_t value, bool is_mpi) {
    const auto [known, is_new] = regions_.try_emplace({type, value}, 0);
    if (!is_new) return known->second;
    auto& regions = trace_.definitions.regions;
    const std::string name = labels_.of(type, value);
    const auto same = std::ranges::find(regions, name, &TraceRegion::name);
    known->second = static_cast<std::uint32_t>(same - regions.begin());
    if (same == regions.end()) {
      regions.push_back({name, is_mpi});
      ops_.push_back(is_mpi ? collective_of(name) : CollectiveOp::other);
    }
    return known->second;
  }

  static Event made(EventKind kind, Ticks time, std::uint32_t id = none) {
    Event made;
    made.kind = kind;
    made.time = time;
    made.id = id;
    return made;
  }

  // Properties of a collective are kept in its begin until its end is known.
  void enter(TraceRank at, Ticks time, std::uint64_t type, std::uint32_t region) {
    Thread& thread = threads_[at];
    thread.events.push_back(made(EventKind::enter, time, region));
    thread.open.emplace_back(type, region);
    if (ops_[region] == CollectiveOp::other) return;
    Event begin = made(EventKind::collective_begin, time);
    begin.comm = 0;
    begin.op = ops_[region];
    thread.events.push_back(begin);
  }

  void leave(TraceRank at, Ticks time, std::uint64_t type) {
    Thread& thread = threads_[at];
    const auto same = std::ranges::find(thread.open.rbegin(), thread.open.rend(), type,
                                        &decltype(thread.open)::value_type::first);
    if (same == thread.open.rend()) return notes_.add("ends of calls without a begin are omitted");
    for (bool is_left = false; !is_left; thread.open.pop_back()) {
      is_left = thread.open.back().first == type;
      const std::uint32_t region = thread.open.back().second;
      if (ops_[region] != CollectiveOp::other) end_collective(at, time, region);
      thread.events.push_back(made(EventKind::leave, time, region));
    }
  }

  void end_collective(TraceRank at, Ticks time, std::uint32_t region) {
    Thread& thread = threads_[at];
    const auto begin = std::ranges::find(thread.events.rbegin(), thread.events.rend(),
                                         EventKind::collective_begin, &Event::kind);
    Event end = *begin;
    *begin = made(EventKind::collective_begin, begin->time);
    const auto& members = trace_.definitions.communicators[end.comm].members;
    const bool is_member = members.empty() || std::ranges::find(members, at) != members.end();
    if (!is_member)
      return notes_.add(fmt::format("{} of communicators without the caller is omitted",
                                    trace_.definitions.regions[region].name));
    end.kind = EventKind::collective_end;
    end.time = time;
    if (members.empty() && end.id == none && is_rooted(end.op)) end.id = at;
    thread.events.push_back(end);
  }

  static bool is_rooted(CollectiveOp op) {
    using enum CollectiveOp;
    return op == bcast || op == gather || op == gatherv || op == scatter || op == scatterv ||
           op == reduce;
  }

  // 3:CPU:APPLICATION:TASK:THREAD:LOGICAL SEND:PHYSICAL SEND:the same of the receive:SIZE:TAG
  std::optional<std::string> communication(const Numbers& numbers) {
    if (numbers.size() != 15) return "invalid communication";
    const auto from = location(&numbers[2]), to = location(&numbers[8]);
    if (!from || !to) return "the communication is at a thread that the header does not have";
    for (const std::size_t i : {5, 6, 11, 12})
      if (numbers[i] >= std::uint64_t{1} << 62) return "invalid time";
    const auto& definitions = trace_.definitions;
    if (*from >= definitions.ranks.size() || *to >= definitions.ranks.size()) {
      notes_.add("messages of threads other than the first of a rank are omitted");
      return std::nullopt;
    }
    Event half = made(EventKind::send, static_cast<Ticks>(numbers[5]), *to);
    half.comm = 0;
    half.bytes = numbers[13];
    half.tag = static_cast<std::uint32_t>(numbers[14]);
    threads_[*from].messages.push_back({half.time, half.time, half});
    half.kind = EventKind::recv;
    half.id = *from;
    threads_[*to].messages.push_back(
        {static_cast<Ticks>(numbers[11]), static_cast<Ticks>(numbers[12]), half});
    return std::nullopt;
  }

  // Only the root of a collective has a record of it.
  void set_roots() {
    std::map<std::pair<std::uint32_t, std::uint64_t>, TraceRank> roots;
    const auto each = [&](const auto& visit) {
      for (Thread& thread : threads_) {
        std::map<std::uint32_t, std::uint64_t> numbers;
        for (Event& event : thread.events)
          if (event.kind == EventKind::collective_end)
            visit(event, std::pair(event.comm, numbers[event.comm]++));
      }
    };
    const auto& all = trace_.definitions.communicators;
    each([&](const Event& event, const auto& key) {
      if (event.id != none && !all[event.comm].members.empty()) roots[key] = event.id;
    });
    each([&](Event& event, const auto& key) {
      if (!is_rooted(event.op)) event.id = none;
      if (!is_rooted(event.op) || event.id != none) return;
      const auto found = roots.find(key);
      if (found != roots.end())
        event.id = found->second;
      else
        notes_.add("collectives without a record of their root are omitted"), event.kind = omitted;
    });
  }

  // ---- messages, in the calls at their times ----

  struct Call {
    std::size_t enter = 0, leave = 0;  // events
  };

  std::vector<Call> calls_of(const Thread& thread) const {
    std::vector<Call> calls;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < thread.events.size(); ++i) {
      const Event& event = thread.events[i];
      const bool enters = event.kind == EventKind::enter, leaves = event.kind == EventKind::leave;
      if (enters && depth == 0 && trace_.definitions.regions[event.id].is_mpi)
        calls.push_back({i, i}), depth = 1;
      else if (depth > 0 && (enters || leaves))
        depth += enters ? 1 : SIZE_MAX;
      if (leaves && depth == 0 && !calls.empty() && calls.back().leave == calls.back().enter)
        calls.back().leave = i;
    }
    return calls;
  }

  // The call at this time. If one ends as another begins, the one that begins, or that ends.
  static const Call* call_at(const Thread& thread, const std::vector<Call>& calls, Ticks time,
                             bool is_end) {
    const auto begin = [&](const Call& call) { return thread.events[call.enter].time; };
    auto after = std::ranges::upper_bound(calls, time, {}, begin);
    if (is_end && after != calls.begin() && begin(*(after - 1)) == time &&
        after - 1 != calls.begin() && thread.events[(after - 2)->leave].time == time)
      --after;
    if (after == calls.begin() || thread.events[(after - 1)->leave].time < time) return nullptr;
    return &*(after - 1);
  }

  // By the first event that follows them: that of the call's leave, or the next after the begin.
  using Inserted = std::multimap<std::pair<std::size_t, Ticks>, Event>;

  Inserted placed(Thread& thread) {
    Inserted inserted;
    const auto calls = calls_of(thread);
    std::uint64_t requests = 0;
    const auto omit = [&] { notes_.add("messages outside of MPI calls are omitted"); };
    for (Thread::Message& message : thread.messages) {
      const bool is_send = message.event.kind == EventKind::send;
      const Call* call = call_at(thread, calls, message.time, false);
      if (call == nullptr) {
        omit();
        continue;
      }
      const std::string& name = trace_.definitions.regions[thread.events[call->enter].id].name;
      const bool is_nonblocking = name.starts_with("MPI_I") || name.starts_with("MPI_Start");
      Event event = message.event;
      if (is_nonblocking) event.request = ++requests;
      if (is_send) {
        event.kind = is_nonblocking ? EventKind::isend : EventKind::send;
        inserted.emplace(std::pair(call->enter + 1, message.time), event);
        continue;
      }
      const Call* completing = call_at(thread, calls, message.completed, true);
      if (completing == nullptr || message.completed < message.time) {
        omit();
        continue;
      }
      if (is_nonblocking) {
        event.kind = EventKind::irecv;
        Event post = made(EventKind::irecv_request, message.time);
        post.request = event.request;
        inserted.emplace(std::pair(call->enter + 1, message.time), post);
      }
      event.time = message.completed;
      inserted.emplace(std::pair(completing->leave, message.completed), event);
    }
    return inserted;
  }

  void write(TraceRank location) {
    Thread& thread = threads_[location];
    while (!thread.open.empty()) {
      notes_.add("calls that are open at the end are ended at the last event");
      leave(location, thread.last, thread.open.back().first);
    }
    const Inserted inserted = placed(thread);
    trace_.events.begin(location);
    Ticks now = 0;
    const auto append = [&](Event event) {
      event.time = now = std::max(now, event.time);
      first_ = std::min(first_.value_or(now), now);
      trace_.events.append(event);
    };
    auto next = inserted.begin();
    for (std::size_t i = 0; i < thread.events.size(); ++i) {
      for (; next != inserted.end() && next->first.first == i; ++next) append(next->second);
      if (thread.events[i].kind != omitted) append(thread.events[i]);
    }
    thread = {};
  }

  static constexpr EventKind omitted = EventKind::other;

  std::string path_;
  Trace trace_;
  ParaverLabels labels_;
  Notes notes_;
  std::vector<Thread> threads_;            // by location
  std::vector<std::size_t> first_thread_;  // by rank: index of its second thread in `others`
  std::vector<CollectiveOp> ops_;          // by region
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> regions_;  // by type, value
  std::unordered_map<std::uint64_t, std::uint32_t> communicators_;
  std::optional<Ticks> first_;
};

}  // namespace

bool is_paraver(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string begin(8, '\0');
  file.read(begin.data(), std::ssize(begin));
  return begin == "#Paraver";
}

std::vector<std::string> paraver_files(const std::string& path) {
  return {paraver_companion(path, ".pcf"), paraver_companion(path, ".row")};
}

Result<Trace> read_paraver(const std::string& path, const TraceArgs& args) {
  try {
    return ParaverReader(path, args).read();
  } catch (const std::system_error& error) {
    return make_error(ErrorKind::io, path, error.what(),
                      "TMPDIR names the folder for temporary files");
  }
}

}  // namespace tutti::workloads::traces
