// src/simulate/crowd/cluster_impact.cpp
#include "simulate/crowd/cluster_impact.hpp"

#include <algorithm>
#include <utility>

#include "simulate/model_process.hpp"
#include "transition/mechanism_process.hpp"

namespace hstar::crowd {
namespace {

class Lines final : public EventLog {
 public:
  explicit Lines(std::vector<EventRecord>& lines) : lines_(lines) {}
  [[nodiscard]] bool wanted() const override { return true; }
  void add(EventRecord record) override {
    if (record.kind == "rest") return;  // (of these few, which are not all)
    record.y_before.clear();
    record.y_after.clear();
    record.system_mode_before = record.system_mode_after = "open";
    lines_.push_back(std::move(record));
  }

 private:
  std::vector<EventRecord>& lines_;
};

ModelSpec mechanism_of(const ModelCrowd& model, const std::vector<Disc>& discs, const Cluster& cluster,
                       const std::vector<Due>& contacts) {
  ModelSpec small = model.without_elements();
  small.simulation.start = cluster.t;
  for (const int i : cluster.discs) {
    BodySpec body = model.body(i);
    const Disc& disc = discs[i];
    body.position = disc.position;
    body.velocity = disc.velocity;
    body.angle = disc.angle;
    body.angular_velocity = disc.spin;
    small.bodies.push_back(std::move(body));
  }
  for (const Due& contact : contacts) small.contacts.push_back(model.contact(contact));
  return small;
}

}  // namespace

ClusterImpact strike_cluster(const ModelCrowd& model, const std::vector<Disc>& discs, const Cluster& cluster) {
  ClusterImpact out;
  std::vector<Due> contacts = cluster.contacts;
  std::sort(contacts.begin(), contacts.end(),
            [&](const Due& a, const Due& b) { return model.place(a) < model.place(b); });
  const ModelSpec small = mechanism_of(model, discs, cluster, contacts);
  const auto system = build_system(small);
  const auto process = model_process(small, system);
  std::vector<double> y = system->initial_state();
  Lines lines(out.events);
  out.settled = process->start(cluster.t, y, lines);
  if (out.settled.then == Settled::Then::fail) return out;
  for (const EventRecord& line : out.events) out.loss += line.energy_loss;
  for (std::size_t i = 0; i < cluster.discs.size(); ++i) {
    const Body& body = system->bodies[i + 1];  // (the ground is the first)
    const double* v = y.data() + system->nq + body.dof;
    const Disc& disc = discs[cluster.discs[i]];
    out.after.push_back({{v[0], v[1]}, body.turns ? v[2] : disc.spin});
    for (std::size_t k = 0; k < 2; ++k) out.from_walls[k] += disc.mass * (v[k] - disc.velocity[k]);
  }
  // (Discs that stay together fly side by side; a wall that pull presses on would have to carry.)
  for (std::size_t c = 0; c < contacts.size(); ++c)
    if (const Wall* wall = contacts[c].wall;
        wall && process->mode().closed[c] && dot(model.crowd().gravity, wall->normal) < 0)
      out.stays = small.contacts[c].name;
  return out;
}

}  // namespace hstar::crowd
