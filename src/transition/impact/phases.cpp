// src/transition/impact/phases.cpp
#include "transition/impact/phases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Velocities have round-off of the size of all that fast ones of the island bring to them.
void set_scale(math::ConeProblem& p) {
  double fastest = 0;
  for (const double v : p.c) fastest = std::max(fastest, std::abs(v));
  for (double& scale : p.scale) scale = std::max(scale, fastest);
}
}  // namespace

void ImpactStatement::resize(int contacts, int units, int rows, int parts, int reactions) {
  problem.resize(contacts, units, rows, parts, reactions);
  problem.spread = false;
  e.assign(at(contacts), 0.0);
  e_t.assign(at(units), 0.0);
  compliance.assign(at(rows), 1.0);
}

void state(const ImpactProblem& p, ImpactStatement& out) {
  const int k = p.contacts;
  out.resize(k, k, p.rows());
  std::copy(p.G.begin(), p.G.end(), out.problem.G.begin());
  std::copy(p.c.begin(), p.c.end(), out.problem.c.begin());
  set_scale(out.problem);
  for (int i = 0; i < k; ++i) {
    const int row = p.block() * i;
    out.problem.contact[at(i)].row = row;
    math::ConeUnit& unit = out.problem.unit[at(i)];
    unit.contact = i;
    unit.row = row + 1;
    unit.directions = p.directions;
    unit.mu_static = unit.mu_kinetic = p.mu[at(i)];
    out.e[at(i)] = p.e[at(i)];
    if (!p.e_t.empty()) out.e_t[at(i)] = p.e_t[at(i)];
  }
}

void ImpactPhases::reserve(int contacts, int units, int rows, int parts, int reactions) {
  // (The expansion has a part for every contact that was compressed.)
  now_.resize(contacts, units, rows, parts + contacts, reactions + contacts);
  solver_.reserve(contacts, units, rows);
  for (auto* v : {&impulse_, &least_, &step_, &trial_, &right_}) v->reserve(at(rows));
  column_.reserve(at(rows * rows));
  shares_.reserve(at(rows));
  shortest_.reserve(rows);
  closed_.reserve(at(contacts));
  loaded_.reserve(at(contacts));
  sticks_.reserve(at(units));
}

const char* ImpactPhases::solve(const ImpactStatement& before, ImpactLawEntry::Restores restores) {
  switch (restores) {
    case ImpactLawEntry::Restores::nothing:
      return one_phase(before, false);
    case ImpactLawEntry::Restores::velocity:
      return one_phase(before, true);
    case ImpactLawEntry::Restores::impulse:
      return two_phases(before);
    case ImpactLawEntry::Restores::own:
      break;
  }
  return "the law is defined for one contact at a time; set multiple_impact = \"sequential\"";
}

void ImpactPhases::begin(const ImpactStatement& before) {
  now_ = before.problem;
  impulse_.assign(now_.c.size(), 0.0);
  closed_.assign(now_.contact.size(), 0);
  sticks_.assign(now_.unit.size(), 0);
}

const char* ImpactPhases::one_phase(const ImpactStatement& before, bool restored) {
  begin(before);
  if (restored) {
    for (std::size_t i = 0; i < now_.contact.size(); ++i) now_.c[at(now_.contact[i].row)] *= 1 + before.e[i];
    for (std::size_t j = 0; j < now_.unit.size(); ++j)
      for (int d = 0; d < now_.unit[j].directions; ++d) now_.c[at(now_.unit[j].row + d)] *= 1 + before.e_t[j];
  }
  return solve_phase(before) ? nullptr
                             : "no impulses satisfy its law of restitution and Coulomb's law of friction together";
}

const char* ImpactPhases::two_phases(const ImpactStatement& before) {
  begin(before);
  if (!solve_phase(before)) return "no impulses of compression were found";
  begin_expansion(before.e);
  if (!solve_phase(before)) return "no impulses of expansion were found";
  for (std::size_t i = 0; i < now_.contact.size(); ++i) impulse_[at(now_.contact[i].row)] += least_[i];
  return nullptr;
}

bool ImpactPhases::solve_phase(const ImpactStatement& before) {
  if (!solver_.solve(now_).found) return solve_in_plane();
  step_.assign(solver_.force().begin(), solver_.force().begin() + now_.rows());
  share(before.compliance);
  for (std::size_t i = 0; i < now_.c.size(); ++i) impulse_[i] += step_[i];
  for (std::size_t i = 0; i < now_.contact.size(); ++i)
    if (solver_.contact_hold()[i] != math::ConeHold::open) closed_[i] = 1;
  // (A contact that lets go after a first phase may have been brought to rest in it.)
  constexpr double at_rest = 1e-10;  // relative to the velocities of the island: what the solver calls a motion
  const auto rests = [&](const math::ConeUnit& unit) {
    for (int r = unit.row; r < unit.row + unit.directions; ++r)
      if (std::abs(solver_.rate()[at(r)]) > at_rest * now_.scale[at(r)]) return false;
    return true;
  };
  for (std::size_t j = 0; j < now_.unit.size(); ++j) {
    const math::ConeHold hold = solver_.unit_hold()[j];
    sticks_[j] = hold == math::ConeHold::stick || (hold == math::ConeHold::open && rests(now_.unit[j]));
  }
  return true;
}

bool ImpactPhases::slips_on(std::size_t j, int row) const {
  const math::ConeUnit& u = now_.unit[j];
  return solver_.unit_hold()[j] == math::ConeHold::slip && u.normal == math::ConeUnit::Normal::contact &&
         now_.contact[at(u.contact)].row == row;
}

double ImpactPhases::slip_force(std::size_t j, int direction) const {
  return -now_.unit[j].mu_kinetic * solver_.direction()[j][at(direction)];
}

/// Impulses that are not unique are shared as compliances would that all vanish together: of those that give the same
/// velocities the least in their norm, where that lies in the cones.
void ImpactPhases::share(const std::vector<double>& compliance) {
  shares_.clear();
  for (std::size_t i = 0; i < now_.contact.size(); ++i) {
    if (solver_.contact_hold()[i] == math::ConeHold::open) continue;
    const int row = now_.contact[i].row;
    double square = compliance[at(row)];
    for (std::size_t j = 0; j < now_.unit.size(); ++j)
      for (int d = 0; slips_on(j, row) && d < now_.unit[j].directions; ++d)
        square += compliance[at(now_.unit[j].row + d)] * std::pow(slip_force(j, d), 2);
    shares_.push_back({row, std::sqrt(square)});
  }
  for (std::size_t j = 0; j < now_.unit.size(); ++j)
    for (int d = 0;
         solver_.unit_hold()[j] == math::ConeHold::stick && now_.unit[j].mu_static > 0 && d < now_.unit[j].directions;
         ++d)
      shares_.push_back({now_.unit[j].row + d, std::sqrt(compliance[at(now_.unit[j].row + d)])});
  // A contact whose share would pull has none.
  while (shares_.size() > 1 && share_among()) {
  }
}

/// False: done. True: again, without the contact that would pull most.
bool ImpactPhases::share_among() {
  const int n = now_.rows(), m = static_cast<int>(shares_.size());
  column_.assign(at(m * n), 0.0);
  // What is not shared: friction of joints that slip.
  trial_.assign(at(n), 0.0);
  for (std::size_t j = 0; j < now_.unit.size(); ++j)
    for (int d = now_.unit[j].row; d < now_.unit[j].row + now_.unit[j].directions; ++d)
      if (now_.unit[j].normal != math::ConeUnit::Normal::contact) trial_[at(d)] = step_[at(d)];
  for (int q = 0; q < m; ++q) {
    double* column = column_.data() + at(q * n);
    column[shares_[at(q)].row] = 1;
    trial_[at(shares_[at(q)].row)] = 0;
    for (std::size_t j = 0; j < now_.unit.size(); ++j)
      for (int d = 0; slips_on(j, shares_[at(q)].row) && d < now_.unit[j].directions; ++d)
        column[now_.unit[j].row + d] = slip_force(j, d);
  }
  // The velocities of the shares' rows, with what is fixed taken off.
  double* matrix = shortest_.matrix(m);
  right_.assign(at(m), 0.0);
  for (int p = 0; p < m; ++p) {
    const double* G = now_.G.data() + at(shares_[at(p)].row * n);
    for (int q = 0; q < m; ++q) {
      double sum = 0;
      for (int r = 0; r < n; ++r) sum += G[r] * column_[at(q * n + r)];
      matrix[q * m + p] = sum / (shares_[at(q)].weight * shares_[at(p)].weight);
    }
    for (int r = 0; r < n; ++r) right_[at(p)] += G[r] * (step_[at(r)] - trial_[at(r)]) / shares_[at(p)].weight;
  }
  shortest_.factor();
  if (shortest_.rank() == m) return false;  // unique
  shortest_.solve(right_.data());
  for (int q = 0; q < m; ++q)
    for (int r = 0; r < n; ++r) trial_[at(r)] += right_[at(q)] / shares_[at(q)].weight * column_[at(q * n + r)];
  int pulls = -1;
  for (const math::ConeContact& contact : now_.contact)
    if (trial_[at(contact.row)] < 0 && (pulls < 0 || trial_[at(contact.row)] < trial_[at(pulls)])) pulls = contact.row;
  if (pulls >= 0) {
    std::erase_if(shares_, [&](const Share& s) { return s.row == pulls; });
    for (std::size_t j = 0; j < now_.unit.size(); ++j)
      if (const math::ConeUnit& u = now_.unit[j];
          u.normal == math::ConeUnit::Normal::contact && now_.contact[at(u.contact)].row == pulls)
        std::erase_if(shares_, [&](const Share& s) { return s.row >= u.row && s.row < u.row + u.directions; });
    return true;
  }
  // The same velocities, and sticking within the cones: else what was found is kept.
  constexpr double same = 1e-12;  // of the terms that make a velocity
  for (int r = 0; r < n; ++r) {
    double change = 0, size = std::abs(now_.c[at(r)]);
    for (int i = 0; i < n; ++i) {
      const double g = now_.G[at(r * n + i)];
      change += g * (trial_[at(i)] - step_[at(i)]);
      size += std::abs(g) * (std::abs(trial_[at(i)]) + std::abs(step_[at(i)]));
    }
    if (std::abs(change) > same * size) return false;
  }
  for (std::size_t j = 0; j < now_.unit.size(); ++j) {
    const math::ConeUnit& u = now_.unit[j];
    if (solver_.unit_hold()[j] != math::ConeHold::stick) continue;
    if (u.normal != math::ConeUnit::Normal::contact) return false;  // (its normal force is shared too)
    double square = 0;
    for (int d = u.row; d < u.row + u.directions; ++d) square += trial_[at(d)] * trial_[at(d)];
    if (std::sqrt(square) > u.mu_static * trial_[at(now_.contact[at(u.contact)].row)]) return false;
  }
  step_ = trial_;
  return false;
}

/// Where strong friction leaves no way for the cones' search, in the plane: all combinations of open, stick and slip,
/// which tells also that none will do.
bool ImpactPhases::solve_in_plane() {
  using Element = math::CoulombElement;
  const int contacts = static_cast<int>(now_.contact.size()), units = static_cast<int>(now_.unit.size()),
            n = now_.rows();
  for (const math::ConeUnit& u : now_.unit)
    if (u.directions > 1 ||
        (u.normal == math::ConeUnit::Normal::parts && (u.parts > 1 || now_.part[at(u.part)].size > 1)))
      return false;
  // Contacts, then units: a contact's friction is an element of its own with the contact's normal force.
  planar_.resize(contacts + units);
  const int k = planar_.count();
  std::vector<int> row(at(2 * k), -1);
  for (int i = 0; i < contacts; ++i) row[at(2 * i)] = now_.contact[at(i)].row;
  for (int j = 0; j < units; ++j) {
    const math::ConeUnit& u = now_.unit[at(j)];
    row[at(2 * (contacts + j) + 1)] = u.row;
    Element& e = planar_.element[at(contacts + j)];
    e.tangent = Element::Tangent::undecided;
    e.mu_static = e.mu_kinetic = u.mu_static;
    double* by = planar_.normal_by.data() + at((contacts + j) * 2 * k);
    if (u.normal == math::ConeUnit::Normal::contact) {
      e.normal = Element::Normal::sum;
      by[2 * u.contact] = 1;
      continue;
    }
    e.normal = u.normal == math::ConeUnit::Normal::given ? Element::Normal::given : Element::Normal::guide;
    e.normal_0 = u.normal_0;
    if (e.normal == Element::Normal::given) continue;
    const math::ConePart& part = now_.part[at(u.part)];
    e.normal_0 = part.weight * now_.reaction_0[at(part.row)];
    const double* R = now_.reaction.data() + at(part.row * n);
    for (int i = 0; i < contacts; ++i) by[2 * i] = part.weight * R[now_.contact[at(i)].row];
    for (int l = 0; l < units; ++l) by[2 * (contacts + l) + 1] = part.weight * R[now_.unit[at(l)].row];
  }
  for (int r = 0; r < 2 * k; ++r) {
    if (row[at(r)] < 0) continue;
    planar_.c[at(r)] = now_.c[at(row[at(r)])];
    planar_.scale[at(r)] = now_.scale[at(row[at(r)])];
    for (int s = 0; s < 2 * k; ++s)
      if (row[at(s)] >= 0) planar_.G[at(r * 2 * k + s)] = now_.G[at(row[at(r)] * n + row[at(s)])];
  }
  if (!combinations_.solve(planar_, false).found) return false;
  for (int r = 0; r < 2 * k; ++r)
    if (row[at(r)] >= 0) impulse_[at(row[at(r)])] += combinations_.force()[at(r)];
  for (int i = 0; i < contacts; ++i)
    if (combinations_.hold()[at(i)] != math::Hold::open) closed_[at(i)] = 1;
  for (int j = 0; j < units; ++j) sticks_[at(j)] = combinations_.hold()[at(contacts + j)] == math::Hold::stick;
  return true;
}

void ImpactPhases::begin_expansion(const std::vector<double>& e) {
  const int n = now_.rows(), contacts = static_cast<int>(now_.contact.size());
  least_.assign(at(contacts), 0.0);
  loaded_.assign(at(contacts), -1);
  for (int i = 0; i < contacts; ++i) {
    least_[at(i)] = e[at(i)] * std::max(0.0, impulse_[at(now_.contact[at(i)].row)]);
    now_.force_scale = std::max(now_.force_scale, least_[at(i)]);
  }
  // A velocity whose terms cancel in compression is zero: it must not be mistaken for a motion by the next phase.
  const double cancels = (n + 4) * std::numeric_limits<double>::epsilon();
  for (int r = 0; r < n; ++r) {
    double v = now_.c[at(r)], size = std::abs(v), more = 0;
    for (int j = 0; j < n; ++j) {
      const double jump = now_.G[at(r * n + j)] * impulse_[at(j)];
      v += jump;
      size += std::abs(jump);
    }
    if (std::abs(v) <= cancels * size) v = 0;
    for (int i = 0; i < contacts; ++i) more += now_.G[at(r * n + now_.contact[at(i)].row)] * least_[at(i)];
    now_.c[at(r)] = v + more;
  }
  // Reactions of joints are this phase's.
  for (std::size_t m = 0; m < now_.reaction_0.size(); ++m) {
    now_.reaction_0[m] = 0;
    for (int i = 0; i < contacts; ++i)
      now_.reaction_0[m] += now_.reaction[m * at(n) + at(now_.contact[at(i)].row)] * least_[at(i)];
  }
  // Friction of a contact that is pressed in any case has the normal impulse least + x: a part.
  for (math::ConeUnit& unit : now_.unit) {
    if (unit.normal != math::ConeUnit::Normal::contact || !(least_[at(unit.contact)] > 0)) continue;
    int& part = loaded_[at(unit.contact)];
    if (part < 0) {
      part = static_cast<int>(now_.part.size());
      now_.part.push_back({1, 1, static_cast<int>(now_.reaction_0.size())});
      now_.reaction_0.push_back(least_[at(unit.contact)]);
      now_.reaction.resize(now_.reaction.size() + at(n), 0.0);
      now_.reaction[now_.reaction.size() - at(n) + at(now_.contact[at(unit.contact)].row)] = 1;
    }
    unit.normal = math::ConeUnit::Normal::parts;
    unit.part = part;
    unit.parts = 1;
  }
}

}  // namespace hstar
