// SPDX-License-Identifier: BSD-3-Clause
// Memory of buffers that a process' MPI library needs for a point with these parameters:
//   eager messages     credits * eager limit, of each other process (between nodes, and inside one)
//   long messages      pipeline depth * fragment size
//   collective I/O     the buffer of an aggregator
// As Open MPI's eager RDMA and pipelines have them; its free lists and the algorithms' own
// temporary buffers are left out.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/study_point.hpp"

namespace tutti::studies::tuning {

struct BufferMemory {
  Bytes bytes = 0;        // of the process that needs most
  std::string unlimited;  // the key without which there is no limit: "mpi/eager_credits"; or empty
};

BufferMemory buffer_memory(const StudyPoint& point);

}  // namespace tutti::studies::tuning
