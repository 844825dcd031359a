// tests/laws/element_cases.hpp
//
// A few uses of every joint and force type, as keys of a model with bodies "a", "b", "c", an extra state "w" and a
// spring "other": for laws over all element types.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace laws {

inline const std::string points = "points = [[0.3, -0.2], [-0.4, 0.1]]\n", bodies = "bodies = [\"a\", \"b\"]\n";
inline const std::string grounded = "bodies = [\"ground\", \"b\"]\n",
                         driver_value = "value = \"0.7 + 0.3*sin(1.3*t)\"\n";
inline const std::string axis = "axis = [0.6, -1.1]\n";

inline const std::map<std::string_view, std::vector<std::string>>& joint_cases() {
  static const std::map<std::string_view, std::vector<std::string>> table{
      {"revolute", {bodies + points, grounded + points}},
      {"translational", {bodies + points + axis + "angle = 0.4\n", grounded + points + axis}},
      {"fixed", {bodies + points + "angle = -0.3\n"}},
      {"distance", {bodies + points + "length = 1.5\n", grounded + points + "length = \"2 + 0.2*cos(1.7*t)\"\n"}},
      {"absolute_x", {"body = \"b\"\npoint = [0.2, 0.3]\n" + driver_value}},
      {"absolute_y", {"body = \"b\"\npoint = [0.2, 0.3]\n" + driver_value}},
      {"absolute_angle", {"body = \"b\"\n" + driver_value}},
      {"relative_angle", {bodies + driver_value}},
      {"relative_translation", {bodies + points + axis + driver_value, grounded + points + axis + driver_value}},
      {"equation", {"equation = \"b.y - a.y - 0.3*sin(a.angle)*b.x + 0.2*b.angle^2 + 0.1*cos(t)\"\n"}},
  };
  return table;
}

inline const std::string between =
    "between = [{ body = \"a\", point = [0.3, -0.2] }, { body = \"b\", point = [-0.4, 0.1] }]\n";
inline const std::string spring_law =
    "stiffness = \"10 + 4*length^2 + w\"\ndamping = \"0.3 + 0.1*rate^2\"\n"
    "actuator = \"3*sin(2*t) + 0.5*length*rate - 0.2*c.x*c.omega + b.vy*other.length + 0.1*other.rate^2 + w^2\"\n";

inline const std::map<std::string_view, std::vector<std::string>>& force_cases() {
  static const std::map<std::string_view, std::vector<std::string>> table{
      {"point_force",
       {"body = \"a\"\npoint = [0.3, 0.5]\nforce = [\"3*c.y*b.vx\", \"a.angle^2 - a.omega*w\"]\n",
        "body = \"a\"\npoint = [0.3, 0.5]\nforce = [\"3*c.y*b.vx\", \"a.angle^2 - other.rate\"]\nframe = \"body\"\n"}},
      {"torque",
       {"bodies = [\"a\", \"b\"]\ntorque = \"2*sin(3*t) - a.x*b.omega + other.length^2\"\n",
        "body = \"b\"\ntorque = \"w*b.angle\"\n"}},
      {"spring_damper",
       {between + "stiffness = 30.0\ndamping = 1.7\nfree_length = 0.9\n",
        between + spring_law + "free_length = \"0.9 + 0.1*w + 0.05*c.angle\"\n",
        between + spring_law + "free_length = \"0.9 + 0.1*w\"\naxis = [0.8, 0.5]\n",
        "between = [{ body = \"ground\", point = [\"0.3*t\", 0.1] }, { body = \"b\", point = [-0.4, 0.1] }]\n"
        "stiffness = 30.0\nfree_length = 0.0\n"}},
      {"rotational_spring_damper", {bodies + spring_law + "free_angle = \"0.2*w\"\n", grounded + "stiffness = 5.0\n"}},
  };
  return table;
}

}  // namespace laws
