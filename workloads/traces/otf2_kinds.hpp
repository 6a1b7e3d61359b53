// SPDX-License-Identifier: BSD-3-Clause
// What an OTF2 3.0 archive may hold: the names of all events and of all global definitions, as they
// stand in the library's functions and types (OTF2_EvtWriter_<name>, OTF2_GlobalDefReaderCallback_
// <name>, ...).
#pragma once

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
