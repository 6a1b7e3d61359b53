// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/models/stages.hpp"

#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms::models {
namespace {

constexpr double no_combining = std::numeric_limits<double>::infinity();

// Collects the message sizes that a cost function uses.
class RequestedSizes final : public MessageCost {
 public:
  RequestedSizes() : MessageCost(no_combining) {}
  Seconds hop(Bytes bytes) const override { return note(bytes); }
  Seconds next(Bytes bytes) const override { return note(bytes); }
  Seconds exchange(Bytes bytes) const override { return note(bytes); }

  const std::vector<Bytes>& ascending() {
    std::ranges::sort(sizes_);
    return sizes_;
  }

 private:
  Seconds note(Bytes bytes) const {
    if (std::ranges::find(sizes_, bytes) == sizes_.end()) sizes_.push_back(bytes);
    return 1;
  }
  mutable std::vector<Bytes> sizes_;
};

// Counts the messages of one size, or only the hops (`of_next` = 0): a cost is linear in its
// messages.
class CountOfSize final : public MessageCost {
 public:
  CountOfSize(Bytes size, double of_next)
      : MessageCost(no_combining), size_(size), of_next_(of_next) {}
  Seconds hop(Bytes bytes) const override { return bytes == size_ ? 1 : 0; }
  Seconds next(Bytes bytes) const override { return of_next_ * hop(bytes); }
  Seconds exchange(Bytes bytes) const override { return hop(bytes); }

 private:
  Bytes size_;
  double of_next_;
};

StageForm messages_of_cost(const Algorithm& algorithm, const ModelArgs& args) {
  RequestedSizes sizes;
  algorithm.cost(args, sizes);
  StageForm form;
  for (const Bytes size : sizes.ascending())
    form.messages.push_back({.bytes = size,
                             .count = algorithm.cost(args, CountOfSize(size, 1)),
                             .hops = algorithm.cost(args, CountOfSize(size, 0))});
  return form;
}

}  // namespace

Gamma::Gamma(std::vector<double> measured, double intercept, double slope)
    : measured_(std::move(measured)), intercept_(intercept), slope_(slope) {
  TUTTI_CHECK(!measured_.empty(), "gamma has no value");
}

double Gamma::of_procs(double procs) const {
  const double index = procs - 2;
  if (index < static_cast<double>(measured_.size()))
    return measured_[static_cast<std::size_t>(std::max(0.0, index))];
  return std::max(measured_.back(), intercept_ + slope_ * procs);
}

void add(StageForm& form, const StageMessages& messages) {
  const auto place =
      std::ranges::lower_bound(form.messages, messages.bytes, {}, &StageMessages::bytes);
  if (place != form.messages.end() && place->bytes == messages.bytes)
    *place = {messages.bytes, place->count + messages.count, place->hops + messages.hops};
  else
    form.messages.insert(place, messages);
}

StageForm tree_stages(std::span<const TreeLevels> levels, const Segments& segments,
                      const Gamma& gamma) {
  double hops = 0;
  double count =
      static_cast<double>(segments.count() - 1) * gamma.of_children(levels.front().children);
  for (const TreeLevels& part : levels) {
    const auto number = static_cast<double>(part.levels);
    count += number * gamma.of_children(part.children);
    hops += number;
  }
  return {{{.bytes = segments.longest_bytes(), .count = count, .hops = hops}}};
}

StageForm stage_form(const Algorithm& algorithm, const ModelArgs& args, const Gamma& gamma) {
  TUTTI_CHECK(args.procs > 1, "one process has no stages");
  return algorithm.stages != nullptr ? algorithm.stages(args, gamma)
                                     : messages_of_cost(algorithm, args);
}

}  // namespace tutti::algorithms::models
