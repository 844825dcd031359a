// src/analysis/statics/spectrum.hpp: an SVD whose small singular values are cut off.
#pragma once

#include <Eigen/SVD>

namespace hstar {

struct Spectrum {
  static constexpr double rank_tolerance = 1e-9;

  explicit Spectrum(const Eigen::MatrixXd& a) : svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV) {
    const Eigen::VectorXd& s = svd.singularValues();
    while (rank < s.size() && s[rank] > rank_tolerance * s[0]) ++rank;
  }
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const {
    const Eigen::VectorXd c =
        (svd.matrixU().leftCols(rank).transpose() * b).cwiseQuotient(svd.singularValues().head(rank));
    return svd.matrixV().leftCols(rank) * c;
  }
  Eigen::BDCSVD<Eigen::MatrixXd> svd;
  int rank = 0;
};

}  // namespace hstar
