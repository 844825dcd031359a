// tests/oracle/solver/solve.cpp
#include "solver/solve.hpp"

#include <algorithm>
#include <type_traits>

#include "solver/decide.hpp"
#include "solver/flight.hpp"
#include "solver/impact.hpp"
#include "solver/linear_solve.hpp"

namespace oracle {

namespace {

/// The impacts of one contact, to see whether they come faster and faster.
template <class R>
struct Bounces {
  R first = 0, last = 0, interval = 0, ratio = 0;
  int shrinking = 0;

  void add(const R& t) {
    const R now = t - last;
    ratio = interval > 0 ? R(now / interval) : R(0);
    if (interval > 0 && now < interval) {
      ++shrinking;
    } else {
      shrinking = 0;
      first = last;
    }
    interval = now;
    last = t;
  }
  /// Few intervals already tell it where they are as short as this.
  [[nodiscard]] bool accumulate() const { return shrinking >= 4 && interval < Precision<R>::last_interval(); }
};

/// The last impacts, one at a time or several at once. Where several contacts bounce in turn no single one need come
/// regularly.
template <class R>
class Burst {
 public:
  struct Blow {
    R t;
    std::vector<char> struck, taking_part;  ///< by element: approached; these and those at rest beside them
    R speed;                                ///< of the fastest approach
  };

  void add(Blow blow) { blows_.push_back(std::move(blow)); }
  void clear() { *this = {}; }
  /// Each half of the last ones no longer than the one before, or all at one moment.
  [[nodiscard]] bool shortens() const { return span(0) < span(1) || span(1) == 0; }
  /// So many within so short a time, and they shorten.
  [[nodiscard]] bool accumulates() const {
    return blows_.size() >= 2 * half_ && span(0) + span(1) < Precision<R>::last_burst() && shortens();
  }
  /// The last ones are all slower than that.
  [[nodiscard]] bool is_slower(const R& speed) const {
    return blows_.size() >= 2 * half_ &&
           std::all_of(blows_.end() - 2 * half_, blows_.end(), [&](const Blow& blow) { return blow.speed <= speed; });
  }
  /// Another contact has struck so shortly before that gaps may be round-off by now.
  [[nodiscard]] bool is_close(const R& t, std::size_t contact) const {
    for (std::size_t k = blows_.size(); k-- > 0 && t - blows_[k].t < Precision<R>::last_burst();)
      if (!blows_[k].struck[contact] && blows_[k].t < t) return true;
    return false;
  }
  /// Whether none but this contact has struck of late.
  [[nodiscard]] bool only(std::size_t contact) const {
    constexpr std::ptrdiff_t late = 5;
    return std::ssize(blows_) >= late && std::all_of(blows_.end() - late, blows_.end(), [&](const Blow& blow) {
             return blow.struck[contact] && std::count(blow.struck.begin(), blow.struck.end(), 1) == 1;
           });
  }
  [[nodiscard]] R remaining() const { return span(1) == 0 ? R(0) : R(span(0) * span(0) / (span(1) - span(0))); }
  [[nodiscard]] bool contains(std::size_t contact) const {
    return std::any_of(blows_.end() - std::min(std::ssize(blows_), static_cast<std::ptrdiff_t>(2 * half_)),
                       blows_.end(), [&](const Blow& blow) { return blow.struck[contact] != 0; });
  }
  /// The word that the last impacts repeat, or none.
  [[nodiscard]] std::vector<Blow> word() const {
    const std::size_t n = blows_.size();
    for (std::size_t p = 1; p <= half_; ++p) {
      bool repeats = true;
      for (std::size_t k = n - 2 * half_ + p; k < n && repeats; ++k)
        repeats = blows_[k].struck == blows_[k - p].struck && blows_[k].taking_part == blows_[k - p].taking_part;
      if (repeats) return {blows_.end() - static_cast<std::ptrdiff_t>(p), blows_.end()};
    }
    return {};
  }

 private:
  static constexpr std::size_t half_ = std::is_same_v<R, Fast> ? 10 : 6;
  [[nodiscard]] R span(std::size_t i) const {
    const std::size_t last = blows_.size() - 1 - i * half_;
    return blows_[last].t - blows_[last - half_ + (i == 1 ? 1 : 0)].t;
  }
  std::vector<Blow> blows_;
};

template <class R>
class Solver {
 public:
  Solver(const Model& model, const Turned& turned)
      : model_(model), mechanism_(model, turned), z_(mechanism_.start()), bounces_(count()), flown_(count()) {}

  Answer solve() {
    mode_.assign(count(), {});
    seen_ = mode_;
    project_start();
    settle({}, true);
    while (answer_.aside.empty() && t_ < mechanism_.end()) {
      const bool switching = epoch_ < mechanism_.switches().size() && mechanism_.switches()[epoch_] < mechanism_.end();
      const R last = switching ? mechanism_.switches()[epoch_] : mechanism_.end();
      std::vector<typename Flight<R>::Guard> rows;
      for (const Watch& w : watched_) rows.push_back(w.guard);
      const auto end = Flight<R>(*motion_, rows).go(t_, z_, last, R(10 * flight_));
      flight_ = end.t - t_;
      t_ = end.t;
      z_ = end.z;
      if (end.unresolved) answer_.aside = "a double root near t = " + std::to_string(static_cast<double>(t_));
      const bool fired = std::find(end.fired.begin(), end.fired.end(), 1) != end.fired.end();
      if (!fired && t_ >= mechanism_.end()) break;
      if (switching && t_ >= last) mechanism_.set_epoch(++epoch_);
      settle(end.fired, false);
      if (answer_.events.size() > 4000 || ++moments_ > 8000) answer_.aside = "too many events";
    }
    for (std::size_t i = 0; i + 1 < mechanism_.coordinates(); i += 2)
      for (const std::size_t k : {i, i + 1, mechanism_.coordinates() + i, mechanism_.coordinates() + i + 1})
        answer_.final_state.push_back(static_cast<double>(z_[k]));
    return answer_;
  }

 private:
  struct Flown {
    R since = 0, height = 0;  ///< when it touched last, and its largest gap since then
    std::size_t window = 0;   ///< place + 1 in Answer::unseen, while its flights are
  };
  enum class What { gap, force, reserve, slide, side };
  struct Watch {
    typename Flight<R>::Guard guard;
    std::size_t element;
    What what;
  };

  static constexpr int most_rounds = 20000;  ///< at one moment

  [[nodiscard]] std::size_t count() const { return mechanism_.elements().size(); }
  [[nodiscard]] const Element<R>& element(std::size_t i) const { return mechanism_.elements()[i]; }
  [[nodiscard]] R gap(std::size_t i) const { return dot(element(i).normal.position, z_); }
  [[nodiscard]] R approach(std::size_t i) const { return dot(element(i).normal.velocity, z_); }
  [[nodiscard]] R sliding(std::size_t i) const { return dot(element(i).tangent.velocity, z_); }

  /// Sums of lengths and of velocities are judged by the same size.
  [[nodiscard]] R noise() const { return speed_ + length_; }

  int sign(const R& x, const R& size) {
    if (absolute(x) <= 4 * Precision<R>::zero() * size) return 0;
    if (absolute(x) <= Precision<R>::doubtful() * size) answer_.doubtful = true;
    return x > 0 ? 1 : -1;
  }

  void measure() {
    for (std::size_t c = 0; c < mechanism_.coordinates(); ++c) {
      length_ = std::max(length_, absolute(z_[c]));
      speed_ = std::max(speed_, absolute(z_[mechanism_.coordinates() + c]));
    }
    for (std::size_t i = 0; i < count(); ++i) {
      speed_ = std::max({speed_, absolute(approach(i)), absolute(sliding(i))});
      if (element(i).contact) length_ = std::max(length_, absolute(gap(i)));
    }
  }

  /// Initial values are estimates: they are moved onto the guides.
  void project_start() {
    std::vector<char> guides(count());
    for (std::size_t i = 0; i < count(); ++i) guides[i] = !element(i).contact;
    if (!project(guides, true)) answer_.aside = "guides contradict each other";
  }

  /// Moves positions, and velocities where asked for, onto these elements, as little as possible in the metric of the
  /// masses. False: some depend on others.
  bool project(const std::vector<char>& onto, bool velocities) {
    const std::size_t n = mechanism_.coordinates();
    std::vector<const Direction<R>*> rows;
    for (std::size_t i = 0; i < count(); ++i)
      if (onto[i]) rows.push_back(&element(i).normal);
    std::vector<Vector<R>> s, mu;  // a column each for positions and velocities
    for (const Direction<R>* row : rows) {
      mu.push_back({-dot(row->position, z_), velocities ? -dot(row->velocity, z_) : R(0)});
      s.emplace_back();
      for (const Direction<R>* other : rows) {
        R sum = 0;
        for (std::size_t c = 0; c < n; ++c) sum += row->w[c] * other->w[c] / mechanism_.masses()[c];
        s.back().push_back(sum);
      }
    }
    if (!solve_in_place(s, mu)) return false;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t c = 0; c < n; ++c) {
        z_[c] += rows[i]->w[c] / mechanism_.masses()[c] * mu[i][0];
        z_[n + c] += rows[i]->w[c] / mechanism_.masses()[c] * mu[i][1];
      }
    return true;
  }

  /// Everything that happens at one moment.
  void settle(const std::vector<char>& fired, bool start) {
    measure();
    std::vector<char> touching(count(), 0), hit(count(), 0), leaves(count(), 0);
    for (std::size_t i = 0; i < count(); ++i) {
      if (!element(i).contact) continue;
      touching[i] = seen_[i].closed || sign(gap(i), length_) == 0;
      if (!touching[i] && gap(i) < 0) answer_.aside = "a gap is negative";
      if (!seen_[i].closed) flown_[i].height = std::max({flown_[i].height, gap(i), R(-approach(i) * flight_ / 4)});
      // What has left its surface at a moment just before is in front of it, however low.
      leaves[i] = touching[i] && !seen_[i].closed && !touching_.empty() && touching_[i];
    }
    // What an impact throws against something that has just left strikes at the same moment, one round after the other.
    bool impact = false;
    for (int round = 0; answer_.aside.empty(); ++round) {
      const std::vector<char> struck = approaching(touching);
      if (std::find(struck.begin(), struck.end(), 1) == struck.end()) break;
      impact = true;
      if (round > 0) leaves = leaving(touching);
      if (round > most_rounds) answer_.aside = "impacts at one moment without end";
      for (std::size_t i = 0; i < count(); ++i) hit[i] = hit[i] || struck[i];
      if (answer_.aside.empty()) strike_round(struck, touching, leaves);
    }
    for (std::size_t i = 0; i < count(); ++i)
      if (touching[i]) flown_[i] = {t_, 0, flown_[i].window};
    if (answer_.aside.empty()) decide_mode(fired, touching, hit, impact, start);
    if (answer_.aside.empty()) watch();
  }

  std::vector<char> approaching(const std::vector<char>& touching) {
    std::vector<char> result(count(), 0);
    for (std::size_t i = 0; i < count(); ++i) result[i] = touching[i] && sign(approach(i), speed_) < 0;
    return result;
  }

  /// Of those that touch without approaching, those that their forces let go at once: the others that approach are
  /// still in front of their surfaces, however little, and what lies between them and the next impact is a flight.
  std::vector<char> leaving(const std::vector<char>& touching) {
    std::vector<char> result(count(), 0);
    const std::vector<Knowledge> known = knowledge(touching, true);
    const Decision<R> decision = decide(mechanism_, z_, known, mode_, noise());
    answer_.doubtful = answer_.doubtful || decision.doubtful;
    if (!decision.failure.empty()) {
      answer_.aside = decision.failure + ", between impacts, at t = " + std::to_string(static_cast<double>(t_));
      return result;
    }
    for (std::size_t i = 0; i < count(); ++i) result[i] = touching[i] && !decision.seen[i].closed;
    return result;
  }

  /// What approaches strikes, together with what rests and stays.
  void strike_round(const std::vector<char>& struck, std::vector<char>& touching, const std::vector<char>& leaves) {
    const Vector<R> before = z_;
    std::vector<char> part(count(), 0);
    for (std::size_t i = 0; i < count(); ++i)
      part[i] = struck[i] || (touching[i] && !leaves[i] && sign(approach(i), speed_) == 0);
    take_impact(strike(mechanism_, z_, part, Restitution::own, speed_));
    R fastest = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      if (!part[i]) continue;
      // A contact that rests may pass the blow on; whether that is an impact of its own is a matter of words.
      const Told told = !struck[i] ? Told::may : is_unseen(i) ? Told::late : Told::must;
      answer_.events.push_back({as_time(t_), "impact", element(i).name, told, {}});
      if (!struck[i]) continue;
      fastest = std::max(fastest, R(-dot(element(i).normal.velocity, before)));
      if (std::is_same_v<R, Fast> && burst_.is_close(t_, i)) answer_.doubtful = true;
      bounces_[i].add(t_);
    }
    burst_.add({t_, struck, part, fastest});
    for (std::size_t i = 0; i < count(); ++i) {
      // The intervals of one contact prove nothing if others strike in between.
      const bool alone = bounces_[i].accumulate() && burst_.only(i);
      if (!struck[i] || !(alone || burst_.accumulates() || is_over())) continue;
      end_accumulation(i, before, touching);
      break;
    }
  }

  /// It strikes after a flight that positions do not tell from rest.
  bool is_unseen(std::size_t i) {
    Flown& flown = flown_[i];
    if (flown.height == 0 || flown.height > Precision<R>::unseen() * size_of_terms(element(i).normal.position, z_)) {
      flown.window = 0;
      return false;
    }
    if (flown.window == 0) {
      answer_.unseen.push_back({as_time(flown.since), 0, element(i).name});
      flown.window = answer_.unseen.size();
    }
    answer_.unseen[flown.window - 1].to = as_time(t_);
    return true;
  }

  /// Impacts that come more and more slowly have no limit, but no speed either at last.
  [[nodiscard]] bool is_over() const { return burst_.is_slower(Precision<R>::faded() * speed_); }

  void take_impact(const Impact<R>& impact) {
    answer_.doubtful = answer_.doubtful || impact.doubtful;
    answer_.aside = impact.failure;
    if (impact.failure.empty()) z_ = impact.z;
  }

  /// Infinitely many impacts: those that are still to come take no more than the time that a geometric sequence leaves.
  /// One contact that strikes plastically and stays closed receives the same impulse in this time as all its bounces
  /// (m v now, and m a times the time left). Several that bounce in turn lose their normal velocities, in the word that
  /// they repeat.
  void end_accumulation(std::size_t contact, const Vector<R>& before, std::vector<char>& touching) {
    const R ratio = bounces_[contact].ratio, interval = bounces_[contact].interval;
    const bool together = burst_.accumulates() || is_over();
    if (burst_.accumulates() && !fade()) return;
    R left = together ? R(0) : R(interval * ratio / (1 - ratio));
    if (together && burst_.shortens()) left = burst_.remaining();
    const R limit = t_ + left;
    R first = bounces_[contact].first;
    std::vector<char> ending(count(), 0);
    Event zeno{as_time(limit), "zeno", element(contact).name, Told::must, {}};
    for (std::size_t i = 0; i < count(); ++i) {
      const bool quick =
          bounces_[i].interval < 1000 * Precision<R>::last_interval() && t_ - bounces_[i].last < 50 * interval;
      const bool bounces = together ? burst_.contains(i) : bounces_[i].shrinking >= 2 && quick;
      ending[i] = bounces || (touching[i] && sign(approach(i), speed_) == 0);
      if (!bounces) continue;
      first = std::min(first, bounces_[i].first);
      if (flown_[i].window > 0)
        zeno.early = std::max(zeno.early, as_time(limit) - answer_.unseen[flown_[i].window - 1].from);
      flown_[i].window = 0;
      zeno.others.push_back(element(i).name);
    }
    const bool several = zeno.others.size() > 1;
    // Forces are left out of these sums; few digits leave too much of them. Nor may another contact strike before.
    bool others = several;
    for (std::size_t i = 0; i < count(); ++i)
      others = others || (!ending[i] && element(i).contact && -approach(i) * 10 * (limit - t_) > gap(i));
    if (others && std::is_same_v<R, Fast>) answer_.doubtful = true;
    take_impact(
        strike(mechanism_, several ? z_ : before, ending, several ? Restitution::glued : Restitution::plastic, speed_));
    std::vector<char> closed(ending);
    for (std::size_t i = 0; i < count(); ++i) {
      closed[i] = closed[i] || !element(i).contact;
      if (!ending[i]) continue;
      touching[i] = 1;
      bounces_[i] = {};
    }
    // (What is left of the flights is no gap any more: it would be one behind the surface for what opens next.)
    project(closed, false);
    burst_.clear();
    // A program may end the sequence earlier: what comes this near to the limit need not be told.
    const R near = std::min(t_, R(limit - (limit - first) / 100000));
    answer_.accumulations.push_back({as_time(near), as_time(limit)});
    for (Event& e : answer_.events)
      if (e.t >= as_time(near) && e.told == Told::must) e.told = Told::late;
    answer_.events.push_back(zeno);
  }

  /// Impacts that repeat a word go on in it until their speeds are nothing: no force matters in so short a time. False:
  /// they come to an end before, and what is left of them is another sum of impulses than one glued impact.
  bool fade() {
    const auto word = burst_.word();
    if (word.empty()) return is_nothing_left();
    const Vector<R> before = z_;
    R last = 0;
    for (int cycle = 0; cycle < most_rounds; ++cycle) {
      R fastest = 0;
      for (const auto& blow : word) {
        for (std::size_t i = 0; i < count(); ++i) {
          if (!blow.struck[i]) continue;
          if (approach(i) >= 0) {
            z_ = before;
            return is_nothing_left();
          }
          fastest = std::max(fastest, R(-approach(i)));
        }
        take_impact(strike(mechanism_, z_, blow.taking_part, Restitution::own, fastest));
        if (!answer_.aside.empty()) return true;
      }
      if (fastest <= Precision<R>::faded() * speed_) return true;
      if (cycle > 0 && fastest >= last) break;
      last = fastest;
    }
    z_ = before;
    return is_nothing_left();
  }

  /// Impacts that go on in no word: one glued impact is the same as what is left of them without friction (the velocity
  /// in which all normal ones are zero is then unique), and to within their speeds with it.
  bool is_nothing_left() {
    R fastest = 0;
    bool friction = false;
    for (std::size_t i = 0; i < count(); ++i) {
      friction = friction || (element(i).friction && !element(i).given);
      if (element(i).contact && burst_.contains(i)) fastest = std::max(fastest, absolute(approach(i)));
    }
    if (!friction || fastest <= Precision<R>::negligible() * speed_) return true;
    if (std::is_same_v<R, Fast>) answer_.doubtful = true;
    return std::is_same_v<R, Fast>;
  }

  /// What is known of all elements now.
  std::vector<Knowledge> knowledge(const std::vector<char>& touching, bool impact) {
    std::vector<Knowledge> known(count());
    for (std::size_t i = 0; i < count(); ++i) {
      const Element<R>& e = element(i);
      known[i].touches = !e.contact || (touching[i] && sign(approach(i), speed_) == 0);
      if (!known[i].touches || !e.friction) continue;
      known[i].slides = sign(sliding(i), speed_);
      known[i].arrives = known[i].slides == 0 && seen_[i].rubs && seen_[i].slide != 0 && !impact;
    }
    return known;
  }

  void decide_mode(const std::vector<char>& fired, const std::vector<char>& touching, const std::vector<char>& hit,
                   bool impact, bool start) {
    std::vector<Knowledge> known = knowledge(touching, impact);
    touching_ = touching;
    // (A limit reached in one split of redundant forces says nothing of the others. Both limits at once are reached
    // where a guide's normal force passes through zero: the force is below them before and after.)
    for (std::size_t g = 0; g < fired.size() && !redundant_; ++g)
      if (fired[g] && watched_[g].what == What::reserve && !impact)
        known[watched_[g].element].exceeded = !known[watched_[g].element].exceeded;
    Decision<R> decision = decide(mechanism_, z_, known, mode_, noise());
    answer_.doubtful = answer_.doubtful || decision.doubtful;
    if (!decision.failure.empty()) {
      answer_.aside = decision.failure + " at t = " + std::to_string(static_cast<double>(t_));
      return;
    }
    if (!start) tell_changes(decision, hit, impact);
    mode_ = decision.mode;
    seen_ = decision.seen;
    motion_ = std::move(decision.motion);
    redundant_ = decision.redundant;
    known_ = known;
  }

  void tell_changes(const Decision<R>& decision, const std::vector<char>& hit, bool impact) {
    const auto tell = [&](const char* kind, std::size_t i, bool required) {
      answer_.events.push_back({as_time(t_), kind, element(i).name, required ? Told::must : Told::may, {}});
    };
    for (std::size_t i = 0; i < count(); ++i) {
      const Status<R>&before = seen_[i], &after = decision.seen[i];
      if (before.closed && !after.closed) tell("liftoff", i, !impact && !redundant_);
      // A contact that only stays closed may be said to open, where others carry what it might.
      if (before.closed && after.closed && may_be_idle(decision, i)) tell("liftoff", i, false);
      if (!before.closed && after.closed && !hit[i]) tell("touch", i, false);
      if (!before.rubs || !after.rubs || before.slide == after.slide) continue;
      const char* kind = before.slide == 0 ? "slip" : after.slide == 0 ? "stick" : "reversal";
      // An element without normal force holds nothing, whether it is said to stick or to slide.
      const bool idle = stays_zero(decision, decision.motion->normal_force[i]);
      tell(kind, i, !impact && !idle);
    }
  }

  [[nodiscard]] bool stays_zero(const Decision<R>& decision, const Vector<R>& force) const {
    return force.empty() || Derivatives<R>(*decision.motion, z_, noise()).sign(force).sign == 0;
  }
  /// Others carry what this contact might, or there is nothing to carry: two bodies that fly side by side.
  [[nodiscard]] bool may_be_idle(const Decision<R>& decision, std::size_t i) const {
    return element(i).contact && (decision.redundant || stays_zero(decision, decision.motion->reaction[i]));
  }

  /// What is positive in the new mode, and from which derivative on.
  void watch() {
    watched_.clear();
    Derivatives<R> derivatives(*motion_, z_, noise());
    const auto add_watch = [&](const Vector<R>& row, int factor, std::size_t i, What what, std::size_t from = 0) {
      Vector<R> signed_row(row);
      for (R& x : signed_row) x *= factor;
      const auto sign_now = derivatives.sign(signed_row, from);
      if (sign_now.sign < 0)
        answer_.aside = "a law is broken just after a decision: " + element(i).name +
                        " at t = " + std::to_string(static_cast<double>(t_));
      if (sign_now.sign > 0) watched_.push_back({{signed_row, sign_now.order}, i, what});
    };
    for (std::size_t i = 0; i < count(); ++i) {
      const Element<R>& e = element(i);
      if (e.contact && mode_[i].closed) add_watch(motion_->reaction[i], 1, i, What::force);
      if (e.contact && !mode_[i].closed)
        add_watch(e.normal.position, 1, i, What::gap, known_[i].touches ? 2 : touching_[i] ? 1 : 0);
      if (!mode_[i].rubs) continue;
      if (!e.contact && !e.given) add_watch(motion_->reaction[i], mode_[i].side, i, What::side);
      if (mode_[i].slide != 0) {
        add_watch(e.tangent.velocity, mode_[i].slide, i, What::slide, known_[i].slides == 0 ? 1 : 0);
        continue;
      }
      for (const int factor : {1, -1}) {
        Vector<R> reserve(motion_->friction[i]);
        for (R& x : reserve) x *= factor;
        add(reserve, e.mu_static, motion_->normal_force[i]);
        add_watch(reserve, 1, i, What::reserve);
      }
    }
    answer_.doubtful = answer_.doubtful || derivatives.doubtful();
  }

  static long double as_time(const R& t) { return static_cast<long double>(t); }

  const Model& model_;
  Mechanism<R> mechanism_;
  Answer answer_;
  R t_ = 0, flight_ = 0;                        ///< flight_: how long the last one was
  R length_ = R(1) / 100, speed_ = R(1) / 100;  ///< the largest so far; what is drawn has sizes of metres and seconds
  Vector<R> z_;
  std::size_t epoch_ = 0, moments_ = 0;
  Mode<R> mode_, seen_;
  bool redundant_ = false;
  std::optional<Motion<R>> motion_;
  std::vector<Watch> watched_;
  std::vector<Knowledge> known_;
  std::vector<char> touching_;
  std::vector<Bounces<R>> bounces_;
  std::vector<Flown> flown_;
  Burst<R> burst_;
};

}  // namespace

template <class R>
Answer solve(const Model& model, const Turned& turned) {
  return Solver<R>(model, turned).solve();
}

template Answer solve<Fast>(const Model&, const Turned&);
template Answer solve<Exact>(const Model&, const Turned&);

}  // namespace oracle
