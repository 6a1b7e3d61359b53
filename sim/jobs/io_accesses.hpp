// SPDX-License-Identifier: BSD-3-Clause
// From the request of a file access to the access.
#pragma once

#include "io_models/array_access.hpp"
#include "io_models/darshan/darshan_calls.hpp"
#include "io_models/ior/ior_command.hpp"
#include "io_models/partitioning.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/io_record.hpp"

namespace tutti::jobs {

// Tiles as in MPI-Tile-IO; all members are in bytes.
struct TileSpec {
  Bytes rows = 0;
  Bytes columns = 0;
  Bytes row_overlap = 0;
  Bytes column_overlap = 0;
};

// A distributed array. Lists are empty or have one entry per dimension, as the user wrote them:
// the slowest dimension of C's order first.
struct ArrayRequest {
  enum class How : std::uint8_t { even, block, cyclic, none };
  struct Distribution {
    How how = How::even;
    Bytes block = 1;  // cyclic
  };
  std::vector<Bytes> sizes;
  Bytes element_bytes = 8;
  std::vector<Distribution> distributions;  // empty: even
  std::vector<Bytes> ghosts;
  std::vector<Bytes> chunk;
  bool is_fortran_order = false;
};

struct AccessRequest {
  // "1d", "2d", "tiles", "array", "patches:...", "file:PATH", "ior", "darshan"
  std::vector<std::string> decompositions;
  std::vector<std::int64_t> bytes_per_proc;  // empty if rows and columns are given
  std::optional<Bytes> rows;                 // of the array
  std::optional<Bytes> columns;
  std::vector<int> grid;  // empty: the squarest
  std::optional<TileSpec> tiles;
  std::optional<ArrayRequest> array;
  std::shared_ptr<const std::string> pieces_text;         // of file:PATH
  std::shared_ptr<const io_models::IorCommand> ior = {};  // of --ior
  std::string ior_text;
  std::shared_ptr<const io_models::DarshanCalls> darshan = {};  // of --darshan
  std::string darshan_content;                                  // a key of the calls
};

// A process' bytes as rows and columns of the squarest rectangle.
struct Rectangle {
  Bytes rows = 1;
  Bytes columns = 0;
};

// The file access of one point.
struct Accessed {
  std::shared_ptr<const io_models::Access> access{};
  std::string content{};  // see IoPoint
  io_models::Grid grid{0, 0};
  Bytes rows = 0;
  Bytes columns = 0;
  std::optional<Rectangle> of_process{};  // set if it is the same for all processes
  io_models::Layout layout = io_models::Layout::one_d;
};

// `bytes`: one of bytes_per_proc. The place of an error is the invalid option. The accesses of
// "ior" and "darshan" are made by add_calls, as they may depend on the placement.
Result<Accessed> access_of(const AccessRequest& request, const std::string& decomposition,
                           int procs, Bytes bytes, bool writes);

// Sets the calls of a point with one of these decompositions, and the access of one of them.
std::optional<Error> add_calls(const AccessRequest& request, const platforms::Placement& placement,
                               IoPoint& point);

}  // namespace tutti::jobs
