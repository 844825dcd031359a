// validation/benchmarks/pendulum_ida.cpp
#include "pendulum_ida.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>

namespace bench {
namespace {

constexpr double g = 9.81;
double* data(N_Vector v) { return N_VGetArrayPointer(v); }

int residual(realtype, N_Vector Y, N_Vector dY, N_Vector R, void*) {
  const double *y = data(Y), *d = data(dY);
  double* r = data(R);
  r[0] = d[0] - y[2] - y[0] * y[5];
  r[1] = d[1] - y[3] - y[1] * y[5];
  r[2] = d[2] - y[0] * y[4];
  r[3] = d[3] - y[1] * y[4] + g;
  r[4] = y[0] * y[2] + y[1] * y[3];
  r[5] = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1);
  return 0;
}

int jacobian(realtype, realtype cj, N_Vector Y, N_Vector, N_Vector, SUNMatrix J, void*, N_Vector, N_Vector, N_Vector) {
  const double* y = data(Y);
  SM_ELEMENT_D(J, 0, 0) = SM_ELEMENT_D(J, 1, 1) = cj - y[5];
  SM_ELEMENT_D(J, 0, 2) = SM_ELEMENT_D(J, 1, 3) = -1;
  SM_ELEMENT_D(J, 0, 5) = -y[0];
  SM_ELEMENT_D(J, 1, 5) = -y[1];
  SM_ELEMENT_D(J, 2, 2) = SM_ELEMENT_D(J, 3, 3) = cj;
  SM_ELEMENT_D(J, 2, 0) = SM_ELEMENT_D(J, 3, 1) = -y[4];
  SM_ELEMENT_D(J, 2, 4) = -y[0];
  SM_ELEMENT_D(J, 3, 4) = -y[1];
  SM_ELEMENT_D(J, 4, 0) = y[2];
  SM_ELEMENT_D(J, 4, 1) = y[3];
  SM_ELEMENT_D(J, 4, 2) = SM_ELEMENT_D(J, 5, 0) = y[0];
  SM_ELEMENT_D(J, 4, 3) = SM_ELEMENT_D(J, 5, 1) = y[1];
  return 0;
}

}  // namespace

struct HandWrittenPendulum::Memory {
  SUNContext context = nullptr;
  N_Vector y = nullptr, dy = nullptr, id = nullptr, atol = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  void* ida = nullptr;
};

HandWrittenPendulum::HandWrittenPendulum() : m_(new Memory) {
  SUNContext_Create(nullptr, &m_->context);
  for (N_Vector* v : {&m_->y, &m_->dy, &m_->id, &m_->atol}) *v = N_VNew_Serial(6, m_->context);
  N_VConst(0, m_->y);
  N_VConst(0, m_->dy);
  N_VConst(1, m_->id);
  data(m_->id)[4] = data(m_->id)[5] = 0;
  m_->ida = IDACreate(m_->context);
  IDASetErrFile(m_->ida, nullptr);
  IDAInit(m_->ida, &residual, 0.0, m_->y, m_->dy);
  m_->matrix = SUNDenseMatrix(6, 6, m_->context);
  m_->solver = SUNLinSol_Dense(m_->y, m_->matrix, m_->context);
  IDASetLinearSolver(m_->ida, m_->solver, m_->matrix);
  IDASetJacFn(m_->ida, &jacobian);
  IDASetId(m_->ida, m_->id);
  IDASetSuppressAlg(m_->ida, SUNTRUE);
  IDASetMaxNumSteps(m_->ida, -1);
  positions_.reserve(20);
}

HandWrittenPendulum::~HandWrittenPendulum() {
  IDAFree(&m_->ida);
  SUNLinSolFree(m_->solver);
  SUNMatDestroy(m_->matrix);
  for (N_Vector v : {m_->y, m_->dy, m_->id, m_->atol}) N_VDestroy(v);
  SUNContext_Free(&m_->context);
  delete m_;
}

const std::vector<double>& HandWrittenPendulum::run(double rtol) {
  positions_.clear();
  double *y = data(m_->y), *dy = data(m_->dy), *atol = data(m_->atol);
  std::fill(y, y + 6, 0.0);
  std::fill(dy, dy + 6, 0.0);
  y[0] = -1;  // horizontal, at rest
  dy[3] = -g;
  std::fill(atol, atol + 4, rtol);
  atol[4] = atol[5] = 1;  // linear in them: right as soon as the rest is
  IDAReInit(m_->ida, 0.0, m_->y, m_->dy);
  IDASVtolerances(m_->ida, rtol, m_->atol);
  for (int i = 1; i <= 10; ++i) {
    realtype t = 0;
    if (IDASolve(m_->ida, i, &t, m_->y, m_->dy, IDA_NORMAL) < 0) break;
    positions_.push_back(y[0]);
    positions_.push_back(y[1]);
  }
  return positions_;
}

long HandWrittenPendulum::steps() const {
  long n = 0;
  IDAGetNumSteps(m_->ida, &n);
  return n;
}

}  // namespace bench
