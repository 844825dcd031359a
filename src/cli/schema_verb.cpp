// src/cli/schema_verb.cpp: `hstar schema`.
#include <iostream>

#include "cli/verb.hpp"
#include "hstar/model_reference.hpp"

namespace hstar::cli {
namespace {

class SchemaVerb final : public Verb {
 public:
  void add_arguments(CLI::App& /*app*/) override {}
  int run() override {
    std::cout << model_schema_json();
    return 0;
  }
};

const VerbEntry schema_entry(VerbGroup::look_up, "schema", "print the JSON Schema of the model file",
                             "Example:\n  hstar schema > model.schema.json", make_verb<SchemaVerb>);

}  // namespace
}  // namespace hstar::cli
