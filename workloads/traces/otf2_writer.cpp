// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_writer.hpp"

#include <exception>

#include "workloads/traces/otf2_archive.hpp"
#include "workloads/traces/otf2_copy_definitions.hpp"
#include "workloads/traces/otf2_definitions.hpp"
#include "workloads/traces/otf2_output.hpp"
#include "workloads/traces/otf2_passive_events.hpp"
#include "workloads/traces/trace.hpp"

// Deprecated events are copied, too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tutti::workloads::traces {
namespace {

// How far a rank's events moved; events at the process's other locations move by the same amounts.
class Moves {
 public:
  void add(OTF2_TimeStamp before, OTF2_TimeStamp after) {
    const Move move{before, after};
    const std::size_t count = moves_.size();
    const bool is_run =
        count >= 2 && moves_[count - 2].by() == move.by() && moves_[count - 1].by() == move.by();
    if (is_run)
      moves_.back() = move;
    else
      moves_.push_back(move);
  }

  void rewind() { at_ = 0; }
  // The new time of an event at another location; must be called in time order. The result is not
  // later than the rank's next event, which preserves the order.
  OTF2_TimeStamp of(OTF2_TimeStamp time) {
    if (moves_.empty()) return time;
    while (at_ + 1 < moves_.size() && moves_[at_ + 1].before <= time) ++at_;
    const Move& move = moves_[at_];
    const bool is_before_zero = time < move.before && move.before - time > move.after;
    const OTF2_TimeStamp moved = is_before_zero ? 0 : time + move.by();
    return at_ + 1 < moves_.size() && time >= move.before ? std::min(moved, moves_[at_ + 1].after)
                                                          : moved;
  }

 private:
  struct Move {
    OTF2_TimeStamp before;
    OTF2_TimeStamp after;
    OTF2_TimeStamp by() const { return after - before; }  // may wrap around; adding it wraps back
  };
  std::vector<Move> moves_;  // of a run of events with the same move the first and the last
  std::size_t at_ = 0;
};

// Copies the events of a location from the library's reader to its writer.
class LocationCopy {
 public:
  LocationCopy(OTF2_EvtWriter* to, Otf2Changes& changes) : to_(to), changes_(changes) {}
  virtual ~LocationCopy() = default;

  // Calls `write` with the event's new time unless the event is omitted.
  template <class Write>
  OTF2_CallbackCode put(OTF2_TimeStamp before, const Write& write) {
    try {
      return copy(before, write) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
    } catch (...) {
      exception_ = std::current_exception();  // must not propagate through the library
      return OTF2_CALLBACK_INTERRUPT;
    }
  }

  OTF2_EvtWriter* to() const { return to_; }
  bool has_failed() const { return has_failed_; }
  const std::string& wrong_time() const { return wrong_time_; }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 protected:
  OTF2_TimeStamp last_before() const { return last_before_; }
  void see(OTF2_TimeStamp before) {
    last_before_ = before;
    changes_.old_last = std::max(changes_.old_last, before);
  }
  // Returns false if that fails.
  template <class Write>
  bool put_at(Ticks after, const Write& write) {
    if (after < 0) return reject("is before the clock's zero", after);
    if (after < last_after_) return reject("is before that of the preceding event", after);
    last_after_ = after;
    const auto time = static_cast<OTF2_TimeStamp>(after);
    changes_.new_first = std::min(changes_.new_first, time);
    changes_.new_last = std::max(changes_.new_last, time);
    has_failed_ = write(time) != OTF2_SUCCESS;
    return !has_failed_;
  }

 private:
  // The new time since the clock's zero; nothing if the event is omitted.
  virtual std::optional<Ticks> next(OTF2_TimeStamp before) = 0;

  template <class Write>
  bool copy(OTF2_TimeStamp before, const Write& write) {
    see(before);
    const auto after = next(before);
    if (has_failed_ || !wrong_time_.empty()) return false;
    return !after || put_at(*after, write);
  }

  bool reject(const char* what, Ticks time) {
    wrong_time_ = fmt::format("the new timestamp of an event, {} ticks, {}", time, what);
    return false;
  }

  OTF2_EvtWriter* to_;
  Otf2Changes& changes_;
  OTF2_TimeStamp last_before_ = 0;
  Ticks last_after_ = 0;
  bool has_failed_ = false;
  std::string wrong_time_;
  std::exception_ptr exception_;
};

class RankCopy : public LocationCopy {
 public:
  // `moves` records how far events move; may be null.
  RankCopy(OTF2_EvtWriter* to, Otf2Changes& changes, Otf2Definitions& definitions, NewTimes& times,
           TraceRank rank, Moves* moves)
      : LocationCopy(to, changes),
        definitions_(definitions),
        times_(times),
        rank_(rank),
        moves_(moves) {}

  // The new size of the current event's message, which had `before` bytes.
  std::uint64_t bytes(std::uint64_t before) const { return bytes_.value_or(before); }

  OTF2_CallbackCode enter(OTF2_TimeStamp time, OTF2_AttributeList* attributes,
                          OTF2_RegionRef region) {
    open_.enter({definitions_.region(region), region});
    return put(time, [&](OTF2_TimeStamp at) {
      return OTF2_EvtWriter_Enter(to(), attributes, at, region);
    });
  }
  OTF2_CallbackCode enter_context(OTF2_TimeStamp time, OTF2_AttributeList* attributes,
                                  OTF2_CallingContextRef context, std::uint32_t distance) {
    has_contexts_ = true;
    open_.enter({definitions_.region_of_context(context), context});
    return put(time, [&](OTF2_TimeStamp at) {
      return OTF2_EvtWriter_CallingContextEnter(to(), attributes, at, context, distance);
    });
  }
  OTF2_CallbackCode leave(OTF2_TimeStamp time, OTF2_AttributeList* attributes,
                          OTF2_RegionRef region) {
    return end_region<OTF2_EvtWriter_Leave>(time, attributes, definitions_.region(region), region);
  }
  OTF2_CallbackCode leave_context(OTF2_TimeStamp time, OTF2_AttributeList* attributes,
                                  OTF2_CallingContextRef context) {
    return end_region<OTF2_EvtWriter_CallingContextLeave>(
        time, attributes, definitions_.region_of_context(context), context);
  }
  void add_passive(OTF2_TimeStamp time, Otf2PassiveEvents::Write write) {
    see(time);
    passive_.add(static_cast<Ticks>(time), std::move(write));
  }
  void finish() {
    open_.leave_all([&](OpenRegions::Open ended) {
      put(last_before(), [&](OTF2_TimeStamp at) {
        return has_contexts_
                   ? OTF2_EvtWriter_CallingContextLeave(to(), nullptr, at, ended.reference)
                   : OTF2_EvtWriter_Leave(to(), nullptr, at, ended.reference);
      });
    });
    passive_.finish([&](const auto& event, Ticks after) { put_passive(event, after); });
  }

 private:
  std::optional<Ticks> next(OTF2_TimeStamp before) override {
    const NewTimes::At at = times_.next(rank_);
    bytes_ = at.bytes;
    const auto after = at.keep ? std::optional(times_.first() + at.time) : std::nullopt;
    const NewTimes::Span span = times_.span(rank_);  // a region at its edge is entered there
    passive_.next(std::clamp(static_cast<Ticks>(before), span.from, span.to), after,
                  [&](const auto& event, Ticks time) { put_passive(event, time); });
    if (after) move(static_cast<Ticks>(before), *after);
    return after;
  }

  void put_passive(const Otf2PassiveEvents::Event& event, Ticks after) {
    if (has_failed() || !times_.span(rank_).contains(event.time)) return;
    if (put_at(after, event.write)) move(event.time, after);
  }

  void move(Ticks before, Ticks after) {
    if (moves_ != nullptr && times_.span(rank_).contains(before))
      moves_->add(static_cast<OTF2_TimeStamp>(before), static_cast<OTF2_TimeStamp>(after));
  }

  // Adds missing leaves and drops leaves of regions that are not open, as read_otf2 does.
  template <auto write>
  OTF2_CallbackCode end_region(OTF2_TimeStamp time, OTF2_AttributeList* attributes,
                               std::uint32_t left, std::uint32_t reference) {
    OTF2_CallbackCode code = OTF2_CALLBACK_SUCCESS;
    open_.leave(left, [&](OpenRegions::Open ended) {
      if (code != OTF2_CALLBACK_SUCCESS) return;
      code = put(time, [&](OTF2_TimeStamp at) {
        return write(to(), ended.region == left ? attributes : nullptr, at,
                     ended.region == left ? reference : ended.reference);
      });
    });
    return code;
  }

  Otf2Definitions& definitions_;
  NewTimes& times_;
  TraceRank rank_;
  Moves* moves_;
  OpenRegions open_;
  bool has_contexts_ = false;  // enters and leaves are those of calling contexts
  Otf2PassiveEvents passive_;
  std::optional<std::uint64_t> bytes_;
};

class OtherCopy : public LocationCopy {
 public:
  OtherCopy(OTF2_EvtWriter* to, Otf2Changes& changes, Moves& moves, const NewTimes::Span& span)
      : LocationCopy(to, changes), moves_(moves), span_(span) {
    moves_.rewind();
  }

  OTF2_CallbackCode enter(OTF2_TimeStamp time, OTF2_AttributeList* attributes,
                          OTF2_RegionRef region) {
    cross_edges(time);
    open_.push_back(region);
    return put(time, [&](OTF2_TimeStamp at) {
      return OTF2_EvtWriter_Enter(to(), attributes, at, region);
    });
  }
  OTF2_CallbackCode leave(OTF2_TimeStamp time, OTF2_AttributeList* attributes,
                          OTF2_RegionRef region) {
    cross_edges(time);
    if (!open_.empty()) open_.pop_back();
    return put(time, [&](OTF2_TimeStamp at) {
      return OTF2_EvtWriter_Leave(to(), attributes, at, region);
    });
  }
  // Must be called after all events are copied.
  void finish() { cross_edges(OTF2_UNDEFINED_TIMESTAMP); }

 private:
  std::optional<Ticks> next(OTF2_TimeStamp before) override {
    cross_edges(before);
    if (!span_.contains(static_cast<Ticks>(before))) return std::nullopt;
    return static_cast<Ticks>(moves_.of(before));
  }

  // Enters the open regions where the span begins and leaves them where it ends.
  void cross_edges(OTF2_TimeStamp time) {
    if (span_.is_all()) return;
    const auto from = static_cast<OTF2_TimeStamp>(span_.from);
    const auto end = static_cast<OTF2_TimeStamp>(span_.to);
    if (!has_begun_ && time >= from) {
      has_begun_ = true;
      for (const OTF2_RegionRef region : open_)
        put(from,
            [&](OTF2_TimeStamp at) { return OTF2_EvtWriter_Enter(to(), nullptr, at, region); });
    }
    if (has_ended_ || time <= end) return;
    has_ended_ = true;
    for (; !open_.empty(); open_.pop_back())
      put(end,
          [&](OTF2_TimeStamp at) { return OTF2_EvtWriter_Leave(to(), nullptr, at, open_.back()); });
  }

  Moves& moves_;
  NewTimes::Span span_;
  std::vector<OTF2_RegionRef> open_;
  bool has_begun_ = false, has_ended_ = false;
};

// The library's callback for an event, which the library's function `write` writes.
template <class Callback, auto write>
struct CopyAs;
template <class... Arguments, auto write>
struct CopyAs<OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*,
                                    OTF2_AttributeList*, Arguments...),
              write> {
  static OTF2_CallbackCode call(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                OTF2_AttributeList* attributes, Arguments... arguments) {
    LocationCopy& copy = *static_cast<LocationCopy*>(user);
    return copy.put(
        time, [&](OTF2_TimeStamp at) { return write(copy.to(), attributes, at, arguments...); });
  }
};

// The same for a rank's message, whose size may change.
template <class Callback, auto write>
struct CopyMessageAs;
template <class... Request, auto write>
struct CopyMessageAs<OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*,
                                           OTF2_AttributeList*, std::uint32_t, OTF2_CommRef,
                                           std::uint32_t, std::uint64_t, Request...),
                     write> {
  static OTF2_CallbackCode call(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                OTF2_AttributeList* attributes, std::uint32_t peer,
                                OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                                Request... request) {
    RankCopy& copy = static_cast<RankCopy&>(*static_cast<LocationCopy*>(user));
    return copy.put(time, [&](OTF2_TimeStamp at) {
      return write(copy.to(), attributes, at, peer, comm, tag, copy.bytes(bytes), request...);
    });
  }
};

// The same for the begin or the end of a region, which a member of the copy handles.
template <auto member>
struct CopyRegionBy;
template <class Copy, class... Arguments,
          OTF2_CallbackCode (Copy::*member)(OTF2_TimeStamp, OTF2_AttributeList*, Arguments...)>
struct CopyRegionBy<member> {
  static OTF2_CallbackCode call(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                OTF2_AttributeList* attributes, Arguments... arguments) {
    Copy& copy = static_cast<Copy&>(*static_cast<LocationCopy*>(user));
    return (copy.*member)(time, attributes, arguments...);
  }
};

// The same for a rank's passive event.
template <class Callback, auto write>
struct CopyPassiveAs;
template <class... Arguments, auto write>
struct CopyPassiveAs<OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*,
                                           OTF2_AttributeList*, Arguments...),
                     write> {
  static OTF2_CallbackCode call(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                OTF2_AttributeList* attributes, Arguments... arguments) {
    RankCopy& copy = static_cast<RankCopy&>(*static_cast<LocationCopy*>(user));
    copy.add_passive(time, later<write>(copy.to(), attributes, arguments...));
    return OTF2_CALLBACK_SUCCESS;
  }
};

using Callbacks =
    std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)>;

Callbacks make_callbacks(bool of_ranks) {
  Callbacks callbacks(OTF2_EvtReaderCallbacks_New(), OTF2_EvtReaderCallbacks_Delete);
#define TUTTI_COPY(name)                       \
  OTF2_EvtReaderCallbacks_Set##name##Callback( \
      callbacks.get(), CopyAs<OTF2_EvtReaderCallback_##name, OTF2_EvtWriter_##name>::call);
  TUTTI_OTF2_EVENTS(TUTTI_COPY)
#undef TUTTI_COPY
#define TUTTI_COPY_MESSAGE(name)               \
  OTF2_EvtReaderCallbacks_Set##name##Callback( \
      callbacks.get(), CopyMessageAs<OTF2_EvtReaderCallback_##name, OTF2_EvtWriter_##name>::call);
  if (of_ranks) {
    TUTTI_COPY_MESSAGE(MpiSend)
    TUTTI_COPY_MESSAGE(MpiIsend)
    TUTTI_COPY_MESSAGE(MpiRecv)
    TUTTI_COPY_MESSAGE(MpiIrecv)
  }
#undef TUTTI_COPY_MESSAGE
#define TUTTI_COPY_PASSIVE(name)               \
  OTF2_EvtReaderCallbacks_Set##name##Callback( \
      callbacks.get(), CopyPassiveAs<OTF2_EvtReaderCallback_##name, OTF2_EvtWriter_##name>::call);
  if (of_ranks) {
    TUTTI_OTF2_PASSIVE_EVENTS(TUTTI_COPY_PASSIVE)
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(
        callbacks.get(), CopyRegionBy<&RankCopy::enter_context>::call);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(
        callbacks.get(), CopyRegionBy<&RankCopy::leave_context>::call);
  }
#undef TUTTI_COPY_PASSIVE
  OTF2_EvtReaderCallbacks_SetEnterCallback(
      callbacks.get(),
      of_ranks ? CopyRegionBy<&RankCopy::enter>::call : CopyRegionBy<&OtherCopy::enter>::call);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(
      callbacks.get(),
      of_ranks ? CopyRegionBy<&RankCopy::leave>::call : CopyRegionBy<&OtherCopy::leave>::call);
  return callbacks;
}

class Rewriter {
 public:
  Rewriter(Otf2Archive& from, Otf2Definitions& definitions, Otf2Output& to, NewTimes& times)
      : from_(from), definitions_(definitions), to_(to), times_(times) {
    for (const Otf2OtherLocation& other : definitions_.others)
      others_[other.rank].push_back(other.location);
  }

  std::optional<Error> events() {
    if (auto error = from_.select(definitions_.all_locations())) return error;
    for (TraceRank rank = 0; rank < definitions_.locations.size(); ++rank)
      if (auto error = process(rank)) return error;
    if (auto error = to_.end_location()) return error;
    for (std::size_t i = 0; i < written_.size(); ++i) changes_.events[written_[i]] = to_.count(i);
    if (changes_.new_first > changes_.new_last) changes_.new_first = changes_.new_last;
    return std::nullopt;
  }
  const Otf2Changes& changes() const { return changes_; }

 private:
  // Copies a rank's location, then the other locations of its process.
  std::optional<Error> process(TraceRank rank) {
    Moves moves;
    const auto others = others_.find(rank);
    if (definitions_.is_defined[rank]) {
      const OTF2_LocationRef location = definitions_.locations[rank];
      auto to = TUTTI_TRY(next_location(location));
      RankCopy copy(to, changes_, definitions_, times_, rank,
                    others == others_.end() ? nullptr : &moves);
      if (auto error = read(location, of_ranks_.get(), copy)) return error;
      copy.finish();
      if (auto error = problem(copy)) return error;
    }
    if (others == others_.end()) return std::nullopt;
    for (const OTF2_LocationRef location : others->second) {
      auto to = TUTTI_TRY(next_location(location));
      OtherCopy copy(to, changes_, moves, times_.span(rank));
      if (auto error = read(location, of_others_.get(), copy)) return error;
      copy.finish();
      if (auto error = problem(copy)) return error;
    }
    return std::nullopt;
  }

  Result<OTF2_EvtWriter*> next_location(OTF2_LocationRef location) {
    written_.push_back(location);
    return to_.next_location(location);
  }

  std::optional<Error> read(OTF2_LocationRef location, const OTF2_EvtReaderCallbacks* callbacks,
                            LocationCopy& copy) {
    if (auto error = from_.read_events(location, callbacks, &copy)) return error;
    return problem(copy);
  }

  std::optional<Error> problem(const LocationCopy& copy) const {
    copy.rethrow();
    if (copy.has_failed()) return to_.failed();
    if (!copy.wrong_time().empty())
      return make_error(ErrorKind::internal, from_.anchor(), copy.wrong_time());
    return std::nullopt;
  }

  Otf2Archive& from_;
  Otf2Definitions& definitions_;
  Otf2Output& to_;
  NewTimes& times_;
  const Callbacks of_ranks_ = make_callbacks(true);
  const Callbacks of_others_ = make_callbacks(false);
  std::unordered_map<TraceRank, std::vector<OTF2_LocationRef>> others_;
  std::vector<OTF2_LocationRef> written_;
  Otf2Changes changes_;
};

}  // namespace

std::optional<Error> rewrite_otf2(const std::string& from, const std::string& to_folder,
                                  NewTimes& times) {
  auto archive = TUTTI_TRY(Otf2Archive::open(from));
  auto definitions = TUTTI_TRY(read_otf2_definitions(archive));
  auto output = TUTTI_TRY(Otf2Output::open(to_folder, archive.chunks()));
  Rewriter rewriter(archive, definitions, output, times);
  if (auto error = rewriter.events()) return error;
  auto again = Otf2Archive::open(from);  // definitions can be read only once per open archive
  if (!again) return again.error();
  if (auto error = copy_otf2_definitions(*again, output, rewriter.changes())) return error;
  return output.close();
}

}  // namespace tutti::workloads::traces
