// src/integrator/ida_check.cpp
#include "integrator/ida_check.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>

#include "integrator/ida_equations.hpp"

namespace hstar::integrator {
namespace {

double* data(N_Vector v) { return N_VGetArrayPointer(v); }

int residual(realtype t, N_Vector y, N_Vector dy, N_Vector out, void* equations) {
  return static_cast<IdaEquations*>(equations)->residual(t, data(y), data(dy), data(out)) ? 0 : 1;
}

int jacobian(realtype t, realtype cj, N_Vector y, N_Vector dy, N_Vector, SUNMatrix matrix, void* equations, N_Vector,
             N_Vector, N_Vector) {
  DaeEntries entries;
  if (!static_cast<IdaEquations*>(equations)->jacobian(t, cj, data(y), data(dy), entries)) return 1;
  for (const DaeEntry& e : entries) SM_ELEMENT_D(matrix, e.row, e.column) += e.value;
  return 0;
}

/// Largest of |a - b| over the largest of |a|.
double difference(const double* a, const double* b, int n) {
  double worst = 0, size = 1e-300;
  for (int i = 0; i < n; ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(a[i]));
  }
  return worst / size;
}

}  // namespace

CalcIcDifference compare_with_calc_ic(DaeProblem& index1, double t, const double* y, double disturbance) {
  IdaEquations equations(index1);
  const int n = equations.size(), nq = equations.coordinates();
  std::vector<double> a(static_cast<std::size_t>(nq)), rate(static_cast<std::size_t>(index1.states())),
      lambda(static_cast<std::size_t>(index1.max_rows()));
  CalcIcDifference result;
  if (!index1.begin(t, y) || !index1.solve(t, y, a.data(), rate.data(), lambda.data())) return result;

  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector Y = N_VNew_Serial(n, context), dY = N_VNew_Serial(n, context), id = N_VNew_Serial(n, context);
  equations.consistent(y, a.data(), rate.data(), lambda.data(), data(Y), data(dY));
  for (int i = 0; i < nq; ++i) data(dY)[equations.velocity() + i] *= 1 + disturbance;
  for (int i = equations.lambda(); i < n; ++i) data(Y)[i] *= 1 + disturbance;
  for (int i = 0; i < n; ++i) data(id)[i] = i < equations.y_size() ? 1 : 0;
  void* ida = IDACreate(context);
  IDAInit(ida, &residual, t, Y, dY);
  IDASetUserData(ida, &equations);
  IDASStolerances(ida, 1e-12, 1e-12);
  IDASetId(ida, id);
  SUNMatrix matrix = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(Y, matrix, context);
  IDASetLinearSolver(ida, solver, matrix);
  IDASetJacFn(ida, &jacobian);
  if (IDACalcIC(ida, IDA_YA_YDP_INIT, t + 1e-3) == IDA_SUCCESS) {
    IDAGetConsistentIC(ida, Y, dY);
    result.solved = true;
    result.acceleration = difference(a.data(), data(dY) + equations.velocity(), nq);
    result.multiplier = difference(lambda.data(), data(Y) + equations.lambda(), index1.rows());
  }
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  for (N_Vector v : {Y, dY, id}) N_VDestroy(v);
  SUNContext_Free(&context);
  return result;
}

}  // namespace hstar::integrator
