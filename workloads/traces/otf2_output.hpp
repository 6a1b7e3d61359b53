// SPDX-License-Identifier: BSD-3-Clause
// An OTF2 archive opened for writing: the events of one location after the other, then definitions.
#pragma once

#include <otf2/otf2.h>

#include "sim/base/common.hpp"
#include "workloads/traces/otf2_archive.hpp"

namespace tutti::workloads::traces {

// Creates the folder of a trace with many files. It is an error if the folder exists and is not
// empty.
std::optional<Error> make_output_folder(const std::string& folder);

class Otf2Output {
 public:
  // Creates folder/traces.otf2. If the folder exists, it must be empty.
  static Result<Otf2Output> open(const std::string& folder, const Otf2Chunks& chunks = {});
  Otf2Output(Otf2Output&&) = default;
  Otf2Output& operator=(Otf2Output&&) = default;
  ~Otf2Output();  // removes an archive that was not closed

  // Starts a location; each location at most once. The writer is valid until the next call, which
  // ends the location.
  Result<OTF2_EvtWriter*> next_location(OTF2_LocationRef location);
  std::optional<Error> end_location();
  // Number of events of the location that was ended as the `number`-th.
  std::uint64_t count(std::size_t number) const { return counts_[number]; }
  // Must be called after the last location.
  Result<OTF2_GlobalDefWriter*> definitions();
  // Completes the archive.
  std::optional<Error> close();

  OTF2_Archive* archive() const { return archive_.get(); }
  Error failed() const;

 private:
  struct Close {
    void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
  };
  Otf2Output() = default;
  void remove_files() const;

  std::string folder_;
  std::unique_ptr<Otf2Messages> messages_;
  std::unique_ptr<OTF2_Archive, Close> archive_;
  OTF2_EvtWriter* events_ = nullptr;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  std::vector<OTF2_LocationRef> locations_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace tutti::workloads::traces
