// SPDX-License-Identifier: BSD-3-Clause
// The max-min fair rates of some classes while the rates of all others are fixed: progressive
// filling. A solve adds the classes that it must refill, fills them, tests the condition of
// max-min fairness for the settled classes on all links that it has visited, adds those that
// violate it, and repeats this until none does.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/flow/level_queue.hpp"
#include "sim/engines/flow/share_classes.hpp"

namespace tutti::engines {

// The filling inherits the classes and links that it fills, and FlowBundles the filling: a
// reference to them would be loaded in each function, which takes 2 % of the instructions of a
// message.
class ProgressiveFilling : public ShareClasses {
 public:
  // `many`: number of classes that a link must stop in one filling to be in full_links().
  ProgressiveFilling(std::size_t links, bool dense, std::uint32_t many)
      : ShareClasses(links, dense), fillings_(link_count()), many_(many) {}
  // The classes without what the filling adds to them.
  ShareClasses& classes() { return *this; }
  const ShareClasses& classes() const { return *this; }
  // There are more links.
  void grow() { fillings_.grow(classes().link_count()); }

  void begin_solve();
  std::int64_t solves() const { return solves_; }
  // Number of times that a solve has looked for classes on a link of a changed class.
  std::int64_t looks() const { return looks_; }
  // Number of classes that all fillings of the solve have filled.
  std::size_t filled_classes() const { return filled_classes_; }

  // Solves the common case of a class that shares none of its links; false if it shares one.
  bool fill_alone(ClassId id);
  // Releases the capacity of a class without flows, and notes links whose other classes may rise.
  void release(ClassId id);

  // Adds the class to those that are refilled, unless it is one of them, or a member of a bundle.
  void refill(ClassId id);
  // Adds touched classes on the links of refilled touched classes, and the classes that these links
  // stop.
  void gather_around_refilled();
  // The same for the links of released classes.
  void gather_around_released();
  // Removes the class from those that are refilled.
  void withdraw(ClassId id);
  std::size_t refilled() const { return refilled_.size(); }

  // Fills all refilled classes: they rise together until a link is saturated or a limit reached.
  void fill();
  // Adds settled classes that violate the condition. Appends links that violate it for a member of
  // a bundle to `crowded`.
  void extend(std::vector<LinkId>& crowded);
  // All refilled classes are to be filled again.
  void reopen();
  // Settles all refilled classes. Calls note_changed(ClassId) if the rate or the number of flows
  // has changed.
  template <class NoteChanged>
  void commit(NoteChanged note_changed);
  // Links with many classes that the last filling saturated.
  const std::vector<LinkId>& full_links() const { return full_; }

 private:
  using Class = ShareClasses::Class;
  using Entry = ShareClasses::Entry;
  using Link = ShareClasses::Link;
  using Mark = ShareClasses::Mark;
  using State = ShareClasses::State;
  static constexpr std::uint32_t none = ShareClasses::none;
  // A rate that changes by less is not updated.
  static constexpr double same_result = 1e-14;
  // The bit of a class in the queue of links and classes.
  static constexpr std::uint32_t is_class = std::uint32_t{1} << 31;

  // What solves note about a link of several classes.
  struct alignas(32) LinkFilling {
    double spare;                      // capacity left by classes with a rate
    double most;                       // highest rate of a refilled class on it
    std::uint32_t round;               // the filling for which these values are valid
    std::uint32_t open_flows;          // number of flows without a rate
    std::uint32_t refilled : 31;       // number of classes that are being refilled
    std::uint32_t holds_refilled : 1;  // it is the new bottleneck of a refilled class
    std::uint32_t gathered;            // the last solve that gathered its classes

    // The level at which the open flows saturate the link.
    double level() const { return std::max(0.0, spare) / open_flows; }
  };

  void prefetch(const std::vector<ClassId>& ids, std::size_t i) const;
  void gather(LinkId id);
  LinkFilling& visit_link(LinkId id);
  void visit_links_of(Class& refilled);
  void fill_link(LinkId id, double level);
  void set_rate(ClassId id, double rate, LinkId bottleneck);
  void extend_on(LinkId id, std::vector<LinkId>& crowded);

  ZeroArray<LinkFilling> fillings_;  // by link
  std::uint32_t many_;
  std::vector<ClassId> refilled_;
  std::size_t gathered_ = 0;      // number of refilled classes around which links were gathered
  std::vector<LinkId> released_;  // links that lost a class and are the bottleneck of others
  std::vector<LinkId> visited_;   // links of the filling that several classes share
  std::vector<LinkId> full_;      // see full_links()
  LevelQueue levels_;             // links by level, and classes by own limit
  std::size_t open_classes_ = 0;
  std::size_t filled_classes_ = 0;
  std::uint32_t round_ = 0;  // number of the filling
  std::int64_t solves_ = 0;
  std::int64_t looks_ = 0;
};

template <class NoteChanged>
void ProgressiveFilling::commit(NoteChanged note_changed) {
  for (const ClassId id : refilled_) {
    Class& filled = classes()[id];
    Mark& mark = classes().mark(id);
    mark.state = State::settled;
    mark.bottleneck = filled.new_bottleneck;
    if (mark.bottleneck != none) ++classes().link(mark.bottleneck).held;
    const bool moved = std::abs(filled.new_rate - filled.rate) > same_result * filled.rate;
    classes().take(filled, filled.flows, moved ? filled.new_rate : filled.rate);
    if (moved || mark.touched) note_changed(id);
    mark.touched = false;
  }
  refilled_.clear();
  gathered_ = 0;
}

}  // namespace tutti::engines
