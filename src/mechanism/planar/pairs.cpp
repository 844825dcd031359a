// src/mechanism/planar/pairs.cpp: pairs of a group, one by one.
#include <fmt/core.h>

#include "hstar/model_spec.hpp"

namespace hstar {

std::string PairNames::of(std::size_t first, std::size_t second) const {
  std::string name;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    name += parts[p].text;
    if (parts[p].of >= 0) name += numbers[p][parts[p].of == 0 ? first : second];
  }
  return name;
}

ModelSpec with_pairs_written_out(const ModelSpec& model, const std::string& because) {
  ModelSpec out = model;
  out.pairs.clear();
  for (const PairsSpec& pairs : model.pairs) {
    if (pairs.number() > most_contacts_of_pairs)
      throw InputError(
          pairs.contact.where,
          fmt::format("contact \"{}\": {} pairs are more than {}, and only `hstar run` knows so many, of a "
                      "crowd that flies{}; give fewer",
                      pairs.contact.name, pairs.number(), most_contacts_of_pairs,
                      because.empty() ? "" : ": " + because));
    for (std::size_t i = 0; i < pairs.first.size(); ++i)
      for (std::size_t j = i + 1; j < pairs.first.size(); ++j) {
        ContactSpec contact = pairs.contact;
        contact.name = pairs.names.of(i, j);
        contact.first = pairs.first[i];
        contact.second = pairs.second[j];
        out.contacts.push_back(std::move(contact));
      }
  }
  return out;
}

}  // namespace hstar
