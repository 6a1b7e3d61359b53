// SPDX-License-Identifier: BSD-3-Clause
// An OTF2 archive that is being written: events of one location after the other, then definitions.
#pragma once

#include <otf2/otf2.h>

#include "sim/base/common.hpp"
#include "workloads/traces/otf2_archive.hpp"

namespace tutti::workloads::traces {

// Where a trace of many files goes.

// Makes it; one that is there and not empty is an error.
std::optional<Error> make_output_folder(const std::string& folder);

class Otf2Output {
 public:
  // folder/traces.otf2. The folder is made; it may exist, but has to be empty.
  static Result<Otf2Output> open(const std::string& folder, const Otf2Chunks& chunks = {});
  Otf2Output(Otf2Output&&) = default;
  Otf2Output& operator=(Otf2Output&&) = default;
  ~Otf2Output();  // what is not closed is removed

  // Each location once; the writer is good until the next call, which ends the location.
  Result<OTF2_EvtWriter*> next_location(OTF2_LocationRef location);
  std::optional<Error> end_location();
  // How many events the number-th location got that was ended.
  std::uint64_t count(std::size_t number) const { return counts_[number]; }
  // After the last location.
  Result<OTF2_GlobalDefWriter*> definitions();
  // At the end: all is written.
  std::optional<Error> close();

  OTF2_Archive* archive() const { return archive_.get(); }
  Error failed() const;

 private:
  struct Close {
    void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
  };
  Otf2Output() = default;

  std::string folder_;
  std::unique_ptr<Otf2Messages> messages_;
  std::unique_ptr<OTF2_Archive, Close> archive_;
  OTF2_EvtWriter* events_ = nullptr;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  std::vector<OTF2_LocationRef> locations_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace tutti::workloads::traces
