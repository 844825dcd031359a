// src/record/hdf5.hpp
//
// HDF5 in the few words that result files need. Every call that fails is an InputError with the file's name.
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "hstar/error.hpp"

namespace hstar::record {

/// Closes what it holds.
class H5 {
 public:
  H5(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  ~H5() {
    if (id_ >= 0) close_(id_);
  }
  H5(H5&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  H5(const H5&) = delete;
  H5& operator=(const H5&) = delete;
  H5& operator=(H5&&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] bool there() const { return id_ >= 0; }
  /// Closes now; false if that failed (a full disk shows here).
  bool close() {
    const bool fine = id_ < 0 || close_(id_) >= 0;
    id_ = -1;
    return fine;
  }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Text of any length, UTF-8.
[[nodiscard]] inline H5 text_type() {
  H5 type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace hstar::record
