// SPDX-License-Identifier: BSD-3-Clause
// Events of OTF2 that describe the calls of a location without being one: metrics, parameters,
// samples, file operations, ... Score-P writes metrics before each enter and leave. They are not in
// a Trace, so that no part of a replay sees them; the writer copies them between the events of the
// trace.
#pragma once

#include <otf2/otf2.h>

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"

// All passive events; also those that this version of the library does not know. An event that
// read_otf2 handles must not be in this list.
#define TUTTI_OTF2_PASSIVE_EVENTS(each)                                                          \
  each(BufferFlush) each(MeasurementOnOff) each(Metric) each(ParameterString) each(ParameterInt) \
      each(ParameterUnsignedInt) each(CallingContextSample) each(IoCreateHandle)                 \
          each(IoDestroyHandle) each(IoDuplicateHandle) each(IoSeek) each(IoChangeStatusFlags)   \
              each(IoDeleteFile) each(IoOperationBegin) each(IoOperationTest)                    \
                  each(IoOperationIssued) each(IoOperationComplete) each(IoOperationCancelled)   \
                      each(IoAcquireLock) each(IoReleaseLock) each(IoTryLock) each(CommCreate)   \
                          each(CommDestroy)

namespace tutti::workloads::traces {

// Passive events of a location that wait for the next event of the trace, which determines their
// new times: those in proportion between its neighbors. They are omitted with that event.
class Otf2PassiveEvents {
 public:
  // Writes the event at the given time. It owns all that its arguments refer to.
  using Write = std::function<OTF2_ErrorCode(OTF2_TimeStamp)>;
  struct Event {
    Ticks time = 0;
    Write write;
  };

  void add(Ticks time, Write write) { waiting_.push_back({time, std::move(write)}); }

  // Must be called before each event of the trace is written. Calls `put(event, new time)` for each
  // passive event before it. `after`: its new time; unset if it is omitted.
  template <class Put>
  void next(Ticks before, std::optional<Ticks> after, const Put& put) {
    for (const Event& event : std::exchange(waiting_, {}))
      if (after) put(event, between(event.time, before, *after));
    last_ = after ? std::optional(Point{before, *after}) : std::nullopt;
    is_first_ = false;
  }
  // The same after the last event.
  template <class Put>
  void finish(const Put& put) {
    if (last_)
      for (const Event& event : waiting_) put(event, last_->after + (event.time - last_->before));
    waiting_.clear();
  }

 private:
  struct Point {
    Ticks before = 0, after = 0;
  };

  Ticks between(Ticks time, Ticks before, Ticks after) const {
    if (is_first_) return std::max<Ticks>(0, after - (before - time));
    if (!last_ || before == last_->before) return after;
    const __int128 part = static_cast<__int128>(time - last_->before) * (after - last_->after);
    return last_->after + static_cast<Ticks>(part / (before - last_->before));
  }

  std::vector<Event> waiting_;
  std::optional<Point> last_;  // the event of the trace before; unset if it is omitted
  bool is_first_ = true;
};

// A copy of the attributes of an event, which the library reuses.
inline std::shared_ptr<OTF2_AttributeList> copy_of(const OTF2_AttributeList* attributes) {
  const std::uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);
  if (count == 0) return nullptr;
  std::shared_ptr<OTF2_AttributeList> copy(OTF2_AttributeList_New(), OTF2_AttributeList_Delete);
  for (std::uint32_t i = 0; i < count; ++i) {
    OTF2_AttributeRef attribute = 0;
    OTF2_Type type = OTF2_TYPE_NONE;
    OTF2_AttributeValue value{};
    if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute, &type, &value) ==
        OTF2_SUCCESS)
      OTF2_AttributeList_AddAttribute(copy.get(), attribute, type, value);
  }
  return copy;
}

// Returns a function that writes the event with the library's function `write`.
template <auto write, class... Arguments>
Otf2PassiveEvents::Write later(OTF2_EvtWriter* to, const OTF2_AttributeList* attributes,
                               Arguments... arguments) {
  return [=, copy = copy_of(attributes)](OTF2_TimeStamp time) {
    return write(to, copy.get(), time, arguments...);
  };
}
template <auto write>
Otf2PassiveEvents::Write later(OTF2_EvtWriter* to, const OTF2_AttributeList* attributes,
                               OTF2_MetricRef metric, std::uint8_t count, const OTF2_Type* types,
                               const OTF2_MetricValue* values) {
  return [=, copy = copy_of(attributes), own_types = std::vector<OTF2_Type>(types, types + count),
          own_values = std::vector<OTF2_MetricValue>(values, values + count)](OTF2_TimeStamp time) {
    return write(to, copy.get(), time, metric, count, own_types.data(), own_values.data());
  };
}

}  // namespace tutti::workloads::traces
