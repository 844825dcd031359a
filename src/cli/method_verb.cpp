// src/cli/method_verb.cpp: `hstar method`.
#include <iostream>

#include "cli/verb.hpp"
#include "hstar/method.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {
namespace {

class MethodVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    app.add_option("NAME", name_, "an integrator of `hstar list`")->required();
    app.add_option("--svg", picture_file_, "also draw its stability region, and its order star, into this file");
    app.add_option("--max-order", max_order_, "of bdf and ode113 in the picture (default: their own)");
  }

  int run() override {
    std::cout << method_text(name_);
    if (!picture_file_.empty()) record::write_text_file(picture_file_, method_picture(name_, max_order_));
    return 0;
  }

 private:
  std::string name_, picture_file_;
  int max_order_ = 0;
};

const VerbEntry method_entry(
    VerbGroup::look_up, "method", "coefficients, order and stability of an integrator",
    "Examples:\n  hstar method radau --svg radau.svg\n  hstar method bdf\n  hstar method bdf --svg bdf4.svg "
    "--max-order 4",
    make_verb<MethodVerb>);

}  // namespace
}  // namespace hstar::cli
