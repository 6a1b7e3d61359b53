// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/fair_shares.hpp"

namespace tutti::engines {

void FairShares::remove(ClassId id) {
  TUTTI_CHECK(classes()[id].flows == 0, "a removed class must not have flows");
  if (classes()[id].listed) leave(id);
  classes().remove(id);
}

// Releases the capacity of a class without flows.
void FairShares::leave(ClassId id) {
  if (classes()[id].is_member())
    bundles_.quit(id);
  else
    filling().release(id);
}

FairShares::Changes FairShares::solve() {
  filling().begin_solve();
  bundles_.begin_solve();
  list_touched();
  if (!bundles_.empty()) bundles_.serve_members();
  solve_touched();
  bundles_.settle();
  bundles_.form_bundles();
  classes().forget_touched();
  return bundles_.take_changes();
}

// Updates all lists before the solve, because whether a class is alone depends on all of them.
// Members of bundles are not touched any more, but the variables of these are.
void FairShares::list_touched() {
  const std::vector<ClassId>& touched = classes().touched();
  for (std::size_t i = 0; i < touched.size(); ++i) {
    classes().prefetch(touched, i);
    const ClassId id = touched[i];
    const ShareClasses::Class& owner = classes()[id];
    if (owner.flows == 0) {
      classes().mark(id).touched = false;
      if (owner.listed) leave(id);
      continue;
    }
    if (!owner.listed && (bundles_.empty() || !bundles_.join(id))) classes().list(id);
    if (owner.is_member() && std::exchange(classes().mark(id).touched, false)) bundles_.update(id);
  }
  if (!bundles_.empty()) drop_empty_variables();
}

// Members may have left their variables after these were visited.
void FairShares::drop_empty_variables() {
  for (const ClassId id : classes().touched()) {
    const ShareClasses::Class& owner = classes()[id];
    if (!owner.is_variable || owner.flows > 0 || !std::exchange(classes().mark(id).touched, false))
      continue;
    if (owner.listed) leave(id);
  }
}

// Solves each group of classes that are connected by shared links separately: for a step of
// thousands of messages this means many small fillings instead of a large one. Groups that are
// extended by settled classes may reach the same ones; so after the first extension, the remaining
// groups are solved together.
void FairShares::solve_touched() {
  bool apart = true;
  const std::vector<ClassId>& touched = classes().touched();
  for (std::size_t i = 0; i < touched.size(); ++i) {  // variables of bundles may be added
    classes().prefetch(touched, i);
    const ClassId id = touched[i];
    ShareClasses::Mark& mark = classes().mark(id);
    if (!mark.touched || mark.state != ShareClasses::State::settled) continue;
    if (filling().fill_alone(id)) {
      mark.touched = false;
      bundles_.note_changed(id);
      continue;
    }
    filling().refill(id);
    filling().gather_around_refilled();
    if (apart) apart = bundles_.solve_refilled();
  }
  filling().gather_around_released();
  bundles_.solve_refilled();
}

}  // namespace tutti::engines
