// SPDX-License-Identifier: BSD-3-Clause
// An OTF2 archive opened for reading, location by location, to keep few files and buffers open at a
// time. The library's messages are collected instead of printed.
#pragma once

#include <otf2/otf2.h>

#include "sim/base/common.hpp"

// The names of all events and of all global definitions of OTF2 3.0, as used in the library's
// functions and types (OTF2_EvtWriter_<name>, OTF2_GlobalDefReaderCallback_<name>, ...).

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

// Collects the library's messages during its lifetime. All objects share one message, since the
// library has a single callback.
class Otf2Messages {
 public:
  Otf2Messages();
  ~Otf2Messages();
  Otf2Messages(const Otf2Messages&) = delete;
  Otf2Messages& operator=(const Otf2Messages&) = delete;

  // Returns the first error since the last call, such as "File is truncated: ..."; empty if there
  // was none.
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
  // Opens an archive, given the anchor file or its folder.
  static Result<Otf2Archive> open(const std::string& path);

  std::optional<Error> read_definitions(const OTF2_GlobalDefReaderCallbacks* callbacks, void* user);
  // Selects all locations to read; must be called before any location is read.
  std::optional<Error> select(const std::vector<OTF2_LocationRef>& locations);
  // Reads the location's local definitions, which the library applies to the events, and then its
  // events. A callback that interrupts stops reading without an error.
  std::optional<Error> read_events(OTF2_LocationRef location,
                                   const OTF2_EvtReaderCallbacks* callbacks, void* user);

  std::string creator() const;
  Otf2Chunks chunks() const;
  OTF2_Reader* reader() const { return reader_.get(); }
  const std::string& anchor() const { return anchor_; }
  // The error for a damaged archive; `file` is the affected file of the archive, such as "0.evt",
  // or empty for the anchor file.
  Error damaged(const std::string& what, const std::string& file = "") const;

 private:
  struct Close {
    void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
  };
  Otf2Archive() = default;
  std::filesystem::path local_definitions(OTF2_LocationRef location) const;
  // A missing file is an error if other locations have one, since it contains clock offsets.
  std::optional<Error> read_local_definitions(OTF2_LocationRef location);

  std::string anchor_;
  bool has_local_definitions_ = false;  // of any selected location
  std::unique_ptr<Otf2Messages> messages_;
  std::unique_ptr<OTF2_Reader, Close> reader_;
};

// The files of an archive, given as for Otf2Archive::open, except `path` itself; some may not
// exist.
std::vector<std::string> otf2_files(const std::string& path);

}  // namespace tutti::workloads::traces
