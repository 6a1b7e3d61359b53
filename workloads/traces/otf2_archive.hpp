// SPDX-License-Identifier: BSD-3-Clause
// An OTF2 archive that is open for reading, location by location, so that few files are open and
// few buffers are held at a time. What the library has to complain about is collected, not printed.
#pragma once

#include <otf2/otf2.h>

#include "sim/base/common.hpp"

// What an OTF2 3.0 archive may hold: the names of all events and of all global definitions, as they
// stand in the library's functions and types (OTF2_EvtWriter_<name>, OTF2_GlobalDefReaderCallback_
// <name>, ...).

#define TUTTI_OTF2_EVENTS(each)                                                                    \
  each(BufferFlush) each(MeasurementOnOff) each(Enter) each(Leave) each(MpiSend) each(             \
      MpiIsend) each(MpiIsendComplete) each(MpiIrecvRequest) each(MpiRecv) each(MpiIrecv)          \
      each(MpiRequestTest) each(MpiRequestCancelled) each(MpiCollectiveBegin) each(                \
          MpiCollectiveEnd) each(OmpFork) each(OmpJoin) each(OmpAcquireLock) each(OmpReleaseLock)  \
          each(OmpTaskCreate) each(OmpTaskSwitch) each(OmpTaskComplete) each(Metric) each(         \
              ParameterString) each(ParameterInt) each(ParameterUnsignedInt) each(RmaWinCreate)    \
              each(RmaWinDestroy) each(RmaCollectiveBegin) each(RmaCollectiveEnd) each(            \
                  RmaGroupSync) each(RmaRequestLock) each(RmaAcquireLock) each(RmaTryLock)         \
                  each(RmaReleaseLock) each(RmaSync) each(RmaWaitChange) each(RmaPut) each(RmaGet) \
                      each(RmaAtomic) each(RmaOpCompleteBlocking) each(                            \
                          RmaOpCompleteNonBlocking) each(RmaOpTest) each(RmaOpCompleteRemote)      \
                          each(ThreadFork) each(ThreadJoin) each(ThreadTeamBegin) each(            \
                              ThreadTeamEnd) each(ThreadAcquireLock) each(ThreadReleaseLock)       \
                              each(ThreadTaskCreate) each(ThreadTaskSwitch) each(                  \
                                  ThreadTaskComplete) each(ThreadCreate) each(ThreadBegin)         \
                                  each(ThreadWait) each(ThreadEnd) each(CallingContextEnter)       \
                                      each(CallingContextLeave) each(CallingContextSample) each(   \
                                          IoCreateHandle) each(IoDestroyHandle)                    \
                                          each(IoDuplicateHandle) each(IoSeek) each(               \
                                              IoChangeStatusFlags) each(IoDeleteFile)              \
                                              each(IoOperationBegin) each(IoOperationTest) each(   \
                                                  IoOperationIssued) each(IoOperationComplete)     \
                                                  each(IoOperationCancelled) each(IoAcquireLock)   \
                                                      each(IoReleaseLock) each(IoTryLock) each(    \
                                                          ProgramBegin) each(ProgramEnd)           \
                                                          each(NonBlockingCollectiveRequest)       \
                                                              each(NonBlockingCollectiveComplete)  \
                                                                  each(CommCreate)                 \
                                                                      each(CommDestroy)

#define TUTTI_OTF2_DEFINITIONS(each)                                                             \
  each(ClockProperties) each(Paradigm) each(ParadigmProperty) each(IoParadigm) each(String)      \
      each(Attribute) each(SystemTreeNode) each(LocationGroup) each(Location) each(Region)       \
          each(Callsite) each(Callpath) each(Group) each(MetricMember) each(MetricClass)         \
              each(MetricInstance) each(Comm) each(Parameter) each(RmaWin)                       \
                  each(MetricClassRecorder) each(SystemTreeNodeProperty)                         \
                      each(SystemTreeNodeDomain) each(LocationGroupProperty)                     \
                          each(LocationProperty) each(CartDimension) each(CartTopology)          \
                              each(CartCoordinate) each(SourceCodeLocation) each(CallingContext) \
                                  each(CallingContextProperty) each(InterruptGenerator)          \
                                      each(IoFileProperty) each(IoRegularFile) each(IoDirectory) \
                                          each(IoHandle) each(IoPreCreatedHandleState)           \
                                              each(CallpathParameter) each(InterComm)

namespace tutti::workloads::traces {

// While one lives, the library's messages are kept, for all of them together: the library has one
// place for it.
class Otf2Messages {
 public:
  Otf2Messages();
  ~Otf2Messages();
  Otf2Messages(const Otf2Messages&) = delete;
  Otf2Messages& operator=(const Otf2Messages&) = delete;

  // The first error since the last call, "File is truncated: ..."; empty: there was none.
  static std::string take();

 private:
  OTF2_ErrorCallback before_ = nullptr;
};

struct Otf2Chunks {
  std::uint64_t event_bytes = OTF2_CHUNK_SIZE_EVENTS_DEFAULT;
  std::uint64_t definition_bytes = OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT;
};

class Otf2Archive {
 public:
  // Of the anchor file, or the folder that holds it.
  static Result<Otf2Archive> open(const std::string& path);

  std::optional<Error> read_definitions(const OTF2_GlobalDefReaderCallbacks* callbacks, void* user);
  // Before any location is read: all that will be.
  std::optional<Error> select(const std::vector<OTF2_LocationRef>& locations);
  // Its local definitions, which the library applies to the events, and then its events. A callback
  // that interrupts ends the reading without an error of ours.
  std::optional<Error> read_events(OTF2_LocationRef location,
                                   const OTF2_EvtReaderCallbacks* callbacks, void* user);

  std::string creator() const;
  Otf2Chunks chunks() const;
  OTF2_Reader* reader() const { return reader_.get(); }
  const std::string& anchor() const { return anchor_; }
  // Of the file that belongs to the archive: "0.evt"; of the archive itself without.
  Error damaged(const std::string& what, const std::string& file = "") const;

 private:
  struct Close {
    void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
  };
  Otf2Archive() = default;
  std::filesystem::path local_definitions(OTF2_LocationRef location) const;
  // One that lacks is an error where other locations have theirs: they hold the offsets of clocks.
  std::optional<Error> read_local_definitions(OTF2_LocationRef location);

  std::string anchor_;
  bool has_local_definitions_ = false;  // of any location that is selected
  std::unique_ptr<Otf2Messages> messages_;
  std::unique_ptr<OTF2_Reader, Close> reader_;
};

}  // namespace tutti::workloads::traces
