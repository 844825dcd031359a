// src/simulate/normal_force_watch.hpp
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

/// Prescribed normal forces of friction, which a formula of t may make negative: friction then counts none. Said once.
class NormalForceWatch {
 public:
  explicit NormalForceWatch(const ModelSpec& model);
  void look(double t);
  [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }

 private:
  struct Watched {
    std::string joint;
    const Expression* normal_force;
  };
  std::vector<Watched> watched_;  ///< those of which nothing has been said
  std::vector<std::string> notices_;
};

}  // namespace hstar
