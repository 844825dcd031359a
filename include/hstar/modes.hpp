// include/hstar/modes.hpp
//
// Which modes of contact and friction are consistent with a state: none, one or several (Painleve 1895). A mode is
// consistent if its forces and accelerations satisfy unilateral contact and Coulomb's law at acceleration level.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

/// One contact or frictional joint in one consistent mode.
struct ElementInMode {
  std::string element, mode;      ///< mode: "open", "closed", "stick", "slip+", "slip-"
  double lambda_n = 0;            ///< normal force >= 0 [N]; one admissible split where contacts are redundant
  double lambda_t = 0;            ///< friction force [N], or moment of a pin [N m]
  double gap_acceleration = 0;    ///< g_N'' of contacts [m/s^2]
  double slide_acceleration = 0;  ///< gamma_T' [m/s^2]
};

struct ConsistentMode {
  std::string text;  ///< all elements, as in the ledger: "stick/slip+"
  std::vector<ElementInMode> elements;
  std::string note;  ///< between which bounds forces lie that are not unique
};

/// How a touching contact answers: without it its gap would accelerate by b; its normal force adds p lambda_N. With
/// b < 0 and p < 0 no mode exists while it slides, with b > 0 and p < 0 two do.
struct ContactNumbers {
  std::string contact;
  double b = 0;                    ///< [m/s^2], all undecided elements without force
  double p_plus = 0, p_minus = 0;  ///< [1/kg], G_NN -+ mu_kinetic G_NT while it slips in + or -
};

struct ModeAnswer {
  /// "unique", "indeterminate" (several), "inconsistent" (none). Where friction has several directions one mode is
  /// looked for and no list is made: "found" (there may be others), "not found".
  std::string kind;
  std::vector<ConsistentMode> modes;  ///< preferred first: a run takes the first
  std::vector<ContactNumbers> contacts;
  std::string why;  ///< if the state itself is impossible: kind is then "impossible"
};

/// The rule by which a run chooses among several consistent modes, for people.
inline constexpr const char* mode_rule = "most sticking elements, then most closed contacts";

/// The consistent modes of a model at its start, impacts that are due there carried out before. `states` sets entries
/// of the initial state by name ("rod.vx"), after the model's own. Cost: all combinations of the undecided elements of
/// each island (<= 100000). @throws InputError for a model that cannot be built and for unknown names.
[[nodiscard]] ModeAnswer consistent_modes(const ModelSpec& model,
                                          const std::vector<std::pair<std::string, double>>& states = {});

/// The answer in lines of text, each begun with two spaces.
[[nodiscard]] std::string modes_text(const ModeAnswer& answer);

}  // namespace hstar
