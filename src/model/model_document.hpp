// src/model/model_document.hpp: a model's text, read once; each member of a sweep is this document with other values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

class ModelDocument {
 public:
  /// As parse_model(): @throws InputError for a text that is no document.
  ModelDocument(const std::string& text, const std::string& name);
  ~ModelDocument();
  /// What parse_model() gives for these overrides; may be called from several threads.
  [[nodiscard]] ModelSpec with(const std::vector<Override>& overrides, ReadPairs pairs = ReadPairs::written_out) const;

 private:
  struct Read;
  std::unique_ptr<const Read> read_;
};

}  // namespace hstar
