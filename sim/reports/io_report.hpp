// SPDX-License-Identifier: BSD-3-Clause
// Reports of a run of collective I/O.
#pragma once

#include "sim/jobs/io_record.hpp"
#include "sim/jobs/run_io.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

struct IoReport : ReportHead {
  std::vector<jobs::IoRecord> records;
};

// Like `render` for reports of collectives, but without an OSU format.
std::string render_io(const IoReport& report, Format format, std::optional<std::size_t> width = {});

// Messages between pairs of ranks in the shuffle, in the columns of a measurement of the real
// library: lib,decomp,procs,rows,cols,aggregators,buffer_bytes,src,dst,msgs,sum_bytes.
std::string io_traffic_head();
std::string io_traffic_rows(const jobs::IoAnswer& answer);

// Times of each aggregator, one line each: the first seven columns above, then
// ppn,partitioning,stripe_bytes,aggregator,rank,node,end_s,open_s,setup_s,shuffle_s,storage_s,
// waited_s.
std::string aggregator_head();
std::string aggregator_rows(const jobs::IoAnswer& answer, const platforms::Machine& machine);

}  // namespace tutti::reports
