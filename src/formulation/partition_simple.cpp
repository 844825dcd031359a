// src/formulation/partition_simple.cpp: all accelerations are solved from the saddle-point system, only the
// independent coordinates are integrated (Wehage & Haug 1982; Haug 1989, sec. 7.4).
#include "formulation/partition_formulation.hpp"

namespace hstar {
namespace {

class PartitionSimple final : public PartitionFormulation {
 public:
  using PartitionFormulation::PartitionFormulation;

 private:
  bool solve(const Mode& mode) override { return equations_.solve(mode); }
};

}  // namespace

std::unique_ptr<Formulation> make_partition_simple(ModeEquations& e, const FormulationOptions&) {
  return std::make_unique<PartitionSimple>(e);
}

}  // namespace hstar
