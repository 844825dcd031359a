// src/transition/impact/hodograph.cpp
#include "transition/impact/hodograph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/tolerances.hpp"

namespace hstar {
namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_pieces = 5000;
}  // namespace

Hodograph::Hodograph(const ImpactProblem& p, std::string& sequence) : sequence_(sequence) {
  const double b11 = p.g(1, 1), b12 = 0.5 * (p.g(1, 2) + p.g(2, 1)), b22 = p.g(2, 2);
  // Nothing is turned where G_TT is diagonal already.
  if (std::abs(b12) > eps * (b11 + b22)) {
    const double angle = 0.5 * std::atan2(2 * b12, b11 - b22);
    first_axis_ = {std::cos(angle), std::sin(angle)};
  }
  const auto turned = [&](double x, double y) {
    return Vector2{first_axis_[0] * x + first_axis_[1] * y, first_axis_[0] * y - first_axis_[1] * x};
  };
  const double c = first_axis_[0], s = first_axis_[1];
  inertia_.nn = p.g(0, 0);
  inertia_.g = turned(0.5 * (p.g(0, 1) + p.g(1, 0)), 0.5 * (p.g(0, 2) + p.g(2, 0)));
  inertia_.b = s == 0
                   ? Vector2{b11, b22}
                   : Vector2{c * c * b11 + 2 * c * s * b12 + s * s * b22, s * s * b11 - 2 * c * s * b12 + c * c * b22};
  inertia_.mu = p.mu[0];
  now_.gap_velocity = p.c[0];
  now_.w = turned(p.c[1], p.c[2]);
  approach_ = std::abs(p.c[0]);
  const double most = std::max({inertia_.nn, inertia_.b[0], inertia_.b[1]}), speed = std::hypot(now_.w[0], now_.w[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    if (inertia_.b[i] > tolerances::impact_round_off * most) continue;
    inertia_.b[i] = inertia_.g[i] = 0;
    if (std::abs(now_.w[i]) <= tolerances::impact_round_off * (speed + approach_)) now_.w[i] = 0;
  }
  if (now_.w[0] == 0 && now_.w[1] == 0)
    choose_phase();
  else
    sequence_ = "slip";
}

void Hodograph::choose_phase() {
  now_.w = {0, 0};
  const bool first = sequence_.empty();
  if (!first) sequence_ += ", ";
  if (inertia_.sticks()) {
    phase_ = Phase::stick;
    sequence_ += "stick";
  } else {
    phase_ = Phase::leave;
    leaving_ = inertia_.leaving();
    sequence_ += first ? "slip" : "slip again";
  }
}

bool Hodograph::locked() const {
  if (phase_ != Phase::stick) return false;
  const Vector2 t = inertia_.sticking();
  return inertia_.nn + inertia_.g[0] * t[0] + inertia_.g[1] * t[1] <= tolerances::impact_round_off * inertia_.nn;
}

SlidePiece Hodograph::next_piece(bool& stops) {
  stops = false;
  // Pieces that could go on for ever are twice as long each time as all before.
  const double s = std::hypot(now_.w[0], now_.w[1]), scale = inertia_.scale();
  const double further =
      2 * std::max({now_.normal, std::abs(now_.gap_velocity) / inertia_.nn, scale > 0 ? s / scale : 0.0});
  if (phase_ == Phase::stick) return SlidePiece::straight(inertia_, now_, inertia_.sticking(), true, further);
  const Vector2 u = phase_ == Phase::leave ? leaving_ : Vector2{now_.w[0] / s, now_.w[1] / s};
  const Vector2 t{-inertia_.mu * u[0], -inertia_.mu * u[1]}, rate = inertia_.rate(t);
  const double along = rate[0] * u[0] + rate[1] * u[1], across = rate[1] * u[0] - rate[0] * u[1];
  fastest_ = std::max(fastest_, s);
  const bool ends = phase_ == Phase::slip && along < 0 && s <= eps / 32 * fastest_;
  if (phase_ == Phase::slip && !ends && std::abs(across) > tolerances::straight * scale)
    return SlidePiece::turning(inertia_, now_);
  // Straight to the stop, if there is one.
  stops = phase_ == Phase::slip && along < 0 && -s / along <= further;
  return SlidePiece::straight(inertia_, now_, t, false, stops ? -s / along : further);
}

bool Hodograph::ends_in(const SlidePiece& piece, Restitution law, double e) {
  std::array<double, 10> x{};
  const int count = piece.split_by_sign(x);
  for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(count); ++i) {
    const double from = x[i], to = x[i + 1];
    const double normal = piece.normal(to) - piece.normal(from), work = piece.work(to) - piece.work(from);
    if (piece.gap_velocity(0.5 * (from + to)) < 0) {
      if (restoring_) sequence_ += ", compressed again";
      restoring_ = false;
      compression_ += normal;
      compression_work_ -= work;
      continue;
    }
    restoring_ = true;
    double end = to;
    bool complete = false;
    if (law == Restitution::impulse) {
      const double left = e * compression_ - restitution_;
      complete = left <= normal;
      if (complete) end = piece.where_normal(piece.normal(from) + left, from, to);
    } else {
      const double left = e * e * compression_work_ - restitution_work_;
      complete = left <= work;
      if (complete) end = piece.where_work(piece.work(from) + left, from, to);
    }
    if (complete) {
      now_ = piece.at(end);
      return true;
    }
    restitution_ += normal;
    restitution_work_ += work;
  }
  return false;
}

bool Hodograph::follow(Restitution law, double e) {
  why_ = "the compression never ends: the normal velocity does not grow";
  if (!(inertia_.nn > 0)) return false;
  for (int count = 0; count < most_pieces; ++count) {
    // A point with one way to move only stops in both directions at once, up to round-off.
    if (locked() && std::abs(now_.gap_velocity) <= tolerances::impact_round_off * approach_) {
      if (law == Restitution::work) return true;  // wedged: no impulse can do work
      const double left = e * compression_ - restitution_;
      now_ = SlidePiece::straight(inertia_, now_, inertia_.sticking(), true, left).at(std::max(0.0, left));
      return true;
    }
    bool stops = false;
    const SlidePiece piece = next_piece(stops);
    if (ends_in(piece, law, e)) return true;
    now_ = piece.at(piece.end());
    if (stops)
      choose_phase();
    else if (phase_ == Phase::leave)
      phase_ = Phase::slip;
    if (!std::isfinite(now_.normal)) break;
    if (compression_ > 0 && now_.gap_velocity > 0) why_ = "the restitution never ends";
  }
  return false;
}

std::array<double, 3> Hodograph::impulse() const {
  const Vector2& t = now_.tangential;
  return {now_.normal, first_axis_[0] * t[0] - first_axis_[1] * t[1], first_axis_[1] * t[0] + first_axis_[0] * t[1]};
}

void along_hodograph(const ImpactProblem& p, Hodograph::Restitution law, ImpactSolution& s) {
  Hodograph hodograph(p, s.sequence);
  const bool ends = hodograph.follow(law, p.e[0]);
  const auto impulse = hodograph.impulse();
  s.impulse.assign(impulse.begin(), impulse.end());
  if (!ends) {
    s.sequence.clear();
    s.why = hodograph.why();
    return;
  }
  s.solved = true;
  complete(p, s);
}

}  // namespace hstar
