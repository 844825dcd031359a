// src/simulate/crowd/model_crowd.hpp
//
// A model read as a crowd: free discs, walls that stand, constant gravity, and nothing else that acts or is watched.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "hstar/model_spec.hpp"
#include "simulate/crowd/crowd.hpp"

namespace hstar::crowd {

class ModelCrowd final : public Meetings {
 public:
  /// Null, and why: the element that no crowd has, and what to change.
  [[nodiscard]] static std::unique_ptr<ModelCrowd> read(const ModelSpec& model, std::string& why);

  [[nodiscard]] const CrowdModel& crowd() const { return crowd_; }
  [[nodiscard]] Meeting between(int a, int b) const override;
  /// The name of the contact of two discs, or of a disc with a wall.
  [[nodiscard]] std::string name_of_pair(int first, int second) const;
  [[nodiscard]] const std::string& name_of_wall(int contact) const { return model_.contacts[contact].name; }
  /// An impact takes energy and gravity pulls: in the end they lie, and no crowd does.
  [[nodiscard]] bool comes_to_rest() const;
  /// The bodies alone, for their rows: those at report intervals.
  [[nodiscard]] ModelSpec bodies() const;
  /// The same model without any body or contact, and single ones of these.
  [[nodiscard]] ModelSpec without_elements() const;
  [[nodiscard]] const BodySpec& body(int disc) const { return model_.bodies[disc]; }
  [[nodiscard]] ContactSpec contact(const Due& due) const;
  /// Where it stands among all: by the numbers of its pair, or in the model.
  [[nodiscard]] std::array<int, 3> place(const Due& due) const;

 private:
  /// Two discs with a contact of their own.
  struct Single {
    int contact, first, law;
  };
  /// Discs every two of which may touch.
  struct Group {
    const PairsSpec* pairs;
    std::vector<int> number;  ///< by disc; -1: not one of them
    int law;
  };
  explicit ModelCrowd(const ModelSpec& model) : model_(model) {}
  // Each: false, and why.
  bool read_settings(std::string& why);
  bool read_bodies(std::string& why);
  bool read_contact(int contact, std::string& why);
  bool read_group(const PairsSpec& pairs, std::string& why);
  bool read_law(const ContactSpec& contact, int& law, std::string& why);
  /// A circle about the centre of a free body, its disc.
  bool read_circle(const ShapeSpec& shape, const std::string& owner, int& disc, std::string& why);
  static std::uint64_t key(int a, int b);

  const ModelSpec& model_;
  CrowdModel crowd_;
  std::unordered_map<std::string, int> disc_of_;
  std::unordered_map<std::uint64_t, Single> singles_;
  std::vector<Group> groups_;
};

}  // namespace hstar::crowd
