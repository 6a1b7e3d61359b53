// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/storage_prediction.hpp"

#include "sim/fit/error_causes.hpp"
#include "sim/fit/parallel_values.hpp"
#include "sim/jobs/run_io.hpp"
#include "sim/studies/io_sweep.hpp"

namespace tutti::studies {
namespace {

constexpr std::int64_t requests_simulated = 4096;  // of the shorter part of a job
constexpr std::int64_t least_transfers = 4, most_transfers = 64;

// Transfers of a process after which it accesses the same targets in the same way: a whole number
// of rounds over the targets of the file.
std::int64_t transfers_of_round(Bytes transfer, Bytes stripe, int targets) {
  const Bytes round = stripe * targets;
  return round / std::gcd(transfer, round);
}

// The first calls of others.
class FirstCalls : public io_models::AccessCalls {
 public:
  FirstCalls(std::shared_ptr<const io_models::AccessCalls> all, std::int64_t count)
      : all_(std::move(all)), count_(count) {}

  int procs() const override { return all_->procs(); }
  std::int64_t count() const override { return count_; }
  Bytes bytes() const override { return all_->bytes() / all_->count() * count_; }
  std::shared_ptr<const io_models::Access> call(std::int64_t number) const override {
    return all_->call(number);
  }

 private:
  std::shared_ptr<const io_models::AccessCalls> all_;
  std::int64_t count_;
};

Error at_line(Error error, const StorageMeasurement& measured) {
  error.kind = ErrorKind::input;
  error.place = measured.file;
  error.line = measured.line;
  return error;
}

// A process has at most one request at a time on a target, so that further threads would only wait.
io_models::StorageSpec storage_of(io_models::StorageSpec layout, int targets, int procs) {
  layout.stripe_count = targets == layout.targets ? 0 : targets;
  layout.threads = std::min(layout.threads, procs);
  return layout;
}

// The whole job with IOR's accesses; without a block size, blocks are large.
Result<IoPoint> whole_job(const StorageMeasurement& measured, const StorageJobs& jobs,
                          int targets) {
  constexpr std::int64_t many_transfers = 4096;
  auto ior = std::make_shared<io_models::IorCommand>();
  ior->transfer_bytes = measured.transfer_bytes;
  ior->block_bytes =
      measured.block_bytes > 0 ? measured.block_bytes : many_transfers * measured.transfer_bytes;
  ior->segments = measured.segments;
  ior->has_file_per_process = measured.has_file_per_process;
  IoSweep sweep;
  sweep.writes = measured.writes;
  sweep.implementations = {std::string(io_models::independent.name)};
  sweep.partitionings = {io_models::Partitioning::even};
  sweep.procs = {measured.procs};
  sweep.ppn = {measured.ppn.value_or(jobs.ppn)};
  sweep.aggregators = {{}};
  sweep.buffer_bytes = {Bytes{1} << 20};
  sweep.accesses.decompositions = {"ior"};
  sweep.accesses.ior = std::move(ior);
  sweep.common.storage = storage_of(jobs.layout, targets, measured.procs);
  auto points = TUTTI_TRY(make_io_points(sweep, *jobs.machine));
  TUTTI_CHECK(points.all.size() == 1, "a measured job is one point");
  return std::move(points.all.front());
}

IoPoint first_calls(IoPoint point, std::int64_t count) {
  point.calls = std::make_shared<FirstCalls>(point.calls, count);
  return point;
}

void set_performance(const io_models::StorageSpec& from, io_models::StorageSpec& to) {
  to.write_Bps = from.write_Bps;
  to.read_Bps = from.read_Bps;
  to.request_s = from.request_s;
  to.network_Bps = from.network_Bps;
  to.network_latency_s = from.network_latency_s;
}

}  // namespace

Result<StoragePrediction::Job> StoragePrediction::job_of(const StorageMeasurement& measured,
                                                         const StorageJobs& jobs) {
  Job job;
  job.measured = measured;
  job.targets = measured.targets.value_or(jobs.layout.targets);
  if (job.targets > jobs.layout.targets)
    return at_line({.message = fmt::format("{} exceed the {} of the storage",
                                           counted(job.targets, "target"), jobs.layout.targets),
                    .hint = fmt::format("give --targets {} or more", job.targets)},
                   measured);
  const Bytes stripe = jobs.layout.stripe_bytes;
  const std::int64_t stripes = (measured.transfer_bytes + stripe - 1) / stripe;
  const std::int64_t pieces = std::min<std::int64_t>(stripes, job.targets);
  job.pieces = pieces;
  job.request_bytes = measured.transfer_bytes / pieces;
  if (measured.is_local) {
    job.request_bytes = measured.transfer_bytes;
    return job;
  }
  const auto whole = whole_job(measured, jobs, job.targets);
  if (!whole)
    return at_line(reported(whole.error(), whole.error().message,
                            "the platform must have the nodes and cores of the measured jobs"),
                   measured);
  std::int64_t k =
      std::clamp(requests_simulated / (measured.procs * pieces), least_transfers, most_transfers);
  // Processes that access the same targets one after the other are slower than those that do not.
  const std::int64_t round = transfers_of_round(measured.transfer_bytes, stripe, job.targets);
  if (round <= most_transfers) k = (k + round - 1) / round * round;
  const std::int64_t all = measured.transfers();
  job.counts = all > 0 && all <= 2 * k ? std::vector{all} : std::vector{k, 2 * k};
  for (const auto count : job.counts) job.points.push_back(first_calls(*whole, count));
  return job;
}

Result<StoragePrediction> StoragePrediction::of(const std::vector<StorageMeasurement>& measured,
                                                const StorageJobs& jobs) {
  StoragePrediction made;
  made.machine_ = jobs.machine;
  made.parallel_ = jobs.parallel;
  ErrorCauses errors("job");
  for (const auto& measurement : measured) {
    auto job = job_of(measurement, jobs);
    if (job)
      made.jobs_.push_back(*std::move(job));
    else
      errors.add(job.error());
  }
  if (!errors.empty()) return errors.errors();
  made.known_.resize(made.jobs_.size());
  return made;
}

Bytes StoragePrediction::request_bytes(std::size_t measurement) const {
  return jobs_[measurement].request_bytes;
}

int StoragePrediction::targets(std::size_t measurement) const { return jobs_[measurement].targets; }

Result<double> StoragePrediction::simulated_Bps(const Job& job,
                                                const io_models::StorageSpec& storage) const {
  const auto bytes = static_cast<double>(job.measured.transfer_bytes);
  if (job.measured.is_local) {
    const double disk_Bps = job.measured.writes ? storage.write_Bps : storage.read_Bps;
    const int busy = std::min(job.targets, job.measured.procs);
    return busy * bytes / (storage.request_s + bytes / disk_Bps);
  }
  std::vector<Seconds> times;
  for (const auto& first_transfers : job.points) {
    IoPoint point = first_transfers;
    set_performance(storage, point.storage);
    const auto answer = run_point(point, *machine_);
    if (!answer) return at_line(answer.error(), job.measured);
    times.push_back(answer->record.time_s.value());
  }
  const double of_transfer = bytes * job.measured.procs;
  if (times.size() == 1) return of_transfer * static_cast<double>(job.counts[0]) / times[0];
  const auto k = static_cast<double>(job.counts[0]);
  const Seconds period_s = (times[1] - times[0]) / k;
  if (!(period_s > 0))
    return at_line({.message = "the simulated transfers take no time", .hint = ""}, job.measured);
  const auto all = static_cast<double>(job.measured.transfers());
  return all > 0 ? of_transfer * all / (times[1] + (all - 2 * k) * period_s)
                 : of_transfer / period_s;
}

StoragePrediction::Performance StoragePrediction::performance_of(
    const Job& job, const io_models::StorageSpec& storage) {
  return {job.measured.writes ? storage.write_Bps : storage.read_Bps, storage.request_s,
          storage.network_Bps.value_or(-1), storage.network_latency_s.value_or(-1)};
}

Result<std::vector<double>> StoragePrediction::Bps(const io_models::StorageSpec& storage) const {
  constexpr std::int64_t many_requests = 10'000;  // take longer than starting children
  std::vector<std::size_t> unknown;
  std::int64_t requests = 0;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (known_[i].contains(performance_of(jobs_[i], storage))) continue;
    unknown.push_back(i);
    requests += jobs_[i].cost();
  }
  std::ranges::stable_sort(unknown, std::greater(), [&](std::size_t i) { return jobs_[i].cost(); });
  const auto simulated = TUTTI_TRY(
      values_in_parallel(unknown.size(), requests > many_requests ? parallel_ : 1, 1,
                         [&](std::size_t i) { return simulated_Bps(jobs_[unknown[i]], storage); }));
  for (std::size_t i = 0; i < unknown.size(); ++i)
    known_[unknown[i]].emplace(performance_of(jobs_[unknown[i]], storage), simulated[i]);
  std::vector<double> found;
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    found.push_back(known_[i].at(performance_of(jobs_[i], storage)));
  return found;
}

}  // namespace tutti::studies
