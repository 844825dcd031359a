// src/transition/step_check.cpp
#include "transition/step_check.hpp"

#include <algorithm>

#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

StepCheck::StepCheck(std::shared_ptr<const System> system, ModeEquations& equations, ConsistentRestart& restart,
                     const ContactRanges& ranges, bool fragile, const FormulationOptions& options)
    : equations_(equations),
      restart_(restart),
      ranges_(ranges),
      rank_(system),
      projection_(std::move(system), options.rtol),
      meant_(options.rtol > 0 ? options.atol / options.rtol : 0.0),
      fragile_(fragile),
      drifts_(fragile && equations.system().rows > 0) {}

bool StepCheck::accept(const Mode& mode, double t, const double* y, std::vector<std::string>& notices) {
  if (rank_.creeps(mode, t, y)) {
    status_ = RunStatus::step_underflow;
    why_ = "error control takes ever shorter steps: " + rank_.describe(mode, t, y, rank_.crept());
    return false;
  }
  if (const int behind = behind_its_surface(mode); behind >= 0) {
    const Contact& contact = *equations_.system().contacts[behind];
    status_ = RunStatus::penetration;
    why_ = "at t = " + short_number(t) + " s contact \"" + contact.name + "\" is " +
           short_number(-contact.open_gap(equations_.motion.kinematics()), 3) +
           " m behind its surface, and no impact was seen; a smaller max_step or rtol may help";
    return false;
  }
  if (const Joint* joint = turned_over()) {
    why_ = "at t = " + short_number(t) + " s joint \"" + joint->name +
           "\" has an axis the wrong way round: its equations hold there, too, and a step went that far; a shorter "
           "fixed_step or a smaller rtol helps";
    return false;
  }
  if (why_ = projection_.complaint(t); !why_.empty()) {
    if (const std::string rank = remark(mode, t, y); !rank.empty()) why_ += "; " + rank;
    return false;
  }
  projection_.begin(t);
  if (fragile_) watch_rank(mode, t, y, notices);
  const bool holds = restart_.stuck_units_stand(mode, t, meant_) &&
                     (equations_.rows.saddle().redundant_count() == 0 || restart_.redundant_rows_hold(t, y));
  if (holds) return true;
  why_ = restart_.why();
  return false;
}

const Joint* StepCheck::turned_over() const {
  const System& s = equations_.system();
  if (!s.is_spatial()) return nullptr;
  const auto wrong = [&](const auto& joint) { return joint->turned_over(equations_.motion.kinematics()); };
  const auto found = std::find_if(s.joints.begin(), s.joints.end(), wrong);
  return found == s.joints.end() ? nullptr : found->get();
}

int StepCheck::behind_its_surface(const Mode& mode) const {
  if (drifts_) return -1;  // a formulation that does not put positions back moves contacts by its drift
  const Kinematics& k = equations_.motion.kinematics();
  for (std::size_t c = 0; c < equations_.system().contacts.size(); ++c) {
    if (mode.closed[c] || (ranges_.ranged(c) && !ranges_.front(c))) continue;
    const Contact& contact = *equations_.system().contacts[c];
    const double length = std::max(contact.gap_scale(k), equations_.system().length), gap = contact.open_gap(k);
    if (gap >= -tolerances::penetration * length) continue;
    // (Round the end of a stretch a corner is behind the line of the edge and beside it.)
    if (!contact.has_range() || contact.range(k) > -gap) return static_cast<int>(c);
  }
  return -1;
}

void StepCheck::watch_rank(const Mode& mode, double t, const double* y, std::vector<std::string>& notices) {
  const std::string off = restart_.far_off(t, y, tolerances::far_off);
  if (!off.empty())
    notices.push_back(off + ": this formulation does not put positions back; compare with projection, ggl or index3");
  const bool passed = equations_.rows.saddle().redundant_count() == 0 && rank_.passes(mode, t, y);
  if (passed)
    notices.push_back("just before: " + rank_.describe(mode, t, y, 2 * rank_.part()) +
                      ", and this formulation may go on wrongly from there");
  if (passed || !off.empty()) fragile_ = false;  // said once
}

}  // namespace hstar
