// src/cli/mpi_crew.cpp
//
// Members dealt to the ranks of an MPI job like cards; rank 0 computes its own and collects the lines of the others.
#include "cli/mpi_crew.hpp"

#include <cstdlib>

#include "hstar/error.hpp"

#ifdef HSTAR_MPI
#include <mpi.h>

#include <vector>
#endif

namespace hstar::cli {
namespace {

bool under_mpirun() { return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr; }

#ifdef HSTAR_MPI
class Mpi final : public SweepCrew {
 public:
  Mpi() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~Mpi() override { MPI_Finalize(); }
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;

  [[nodiscard]] bool writes() const override { return rank_ == 0; }
  [[nodiscard]] std::size_t agree(std::size_t first) override {
    unsigned long long number = first;
    MPI_Bcast(&number, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    return number;
  }

  void work(std::size_t first, std::size_t count, const std::function<std::string(std::size_t)>& line,
            const std::function<bool(std::size_t, std::string)>& done) override {
    if (rank_ == 0) {
      lead(first, count, line, done);
    } else {
      for (std::size_t member = first + rank(); member < count; member += size()) {
        const std::string text = line(member);
        MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, 0, MPI_COMM_WORLD);
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(rank_); }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(size_); }

  void lead(std::size_t first, std::size_t count, const std::function<std::string(std::size_t)>& line,
            const std::function<bool(std::size_t, std::string)>& done) {
    std::vector<std::size_t> next(size());  // member whose line comes next from each rank: they send in order
    for (std::size_t r = 0; r < size(); ++r) next[r] = first + r;
    std::size_t missing = count > first ? count - first : 0;
    const auto take = [&](std::size_t from, std::string text) {
      --missing;
      // The table holds whole rows only; the other ranks need not go on.
      if (!done(next[from], std::move(text))) MPI_Abort(MPI_COMM_WORLD, 1);
      next[from] += size();
    };
    while (missing > 0) {
      const bool own = next[0] < count;
      if (own) take(0, line(next[0]));
      for (int there = 1; missing > 0;) {
        MPI_Status status;
        if (own)
          MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
        else
          MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        if (!there) break;
        int length = 0;
        MPI_Get_count(&status, MPI_CHAR, &length);
        std::string text(static_cast<std::size_t>(length), ' ');
        MPI_Recv(text.data(), length, MPI_CHAR, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        take(static_cast<std::size_t>(status.MPI_SOURCE), std::move(text));
      }
    }
  }

  int rank_ = 0, size_ = 1;
};
#endif

}  // namespace

std::unique_ptr<SweepCrew> mpi_crew() {
  if (!under_mpirun()) return nullptr;
#ifdef HSTAR_MPI
  return std::make_unique<Mpi>();
#else
  throw InputError(
      "this hstar was built without MPI; configure with -DHSTAR_MPI=ON (Debian: libopenmpi-dev), or run it without "
      "mpirun");
#endif
}

}  // namespace hstar::cli
