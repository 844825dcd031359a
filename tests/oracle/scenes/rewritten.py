"""The same scene written down in other ways, of which physics knows nothing: elements in reverse order, the shapes of
contacts exchanged, the world turned, lengths in millimetres.
"""
import math
import tomllib

import numpy as np


def value_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ", ".join(map(value_text, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {value_text(x)}" for key, x in value.items()) + " }"
    return repr(value)


def is_list_of_tables(value):
    return isinstance(value, list) and value and isinstance(value[0], dict)


def text_of(model):
    lines = [f"{key} = {value_text(x)}" for key, x in model.items() if not isinstance(x, dict) and not is_list_of_tables(x)]
    for section, value in model.items():
        tables = [(f"[{section}]", value)] if isinstance(value, dict) else []
        tables += [(f"[[{section}]]", table) for table in value] if is_list_of_tables(value) else []
        for head, table in tables:
            lines += [head] + [f"{key} = {value_text(x)}" for key, x in table.items()]
    return "\n".join(lines) + "\n"


def reverse(model):
    for value in model.values():
        if is_list_of_tables(value):
            value.reverse()
    return model


def exchange(model):
    for contact in model.get("contact", []):
        # (Lines come first.)
        if contact["between"][0]["shape"] not in ("line", "plane", "hole", "slot"):
            contact["between"].reverse()
    return model


class Turn:
    """All that is global turns by a matrix."""

    def __init__(self, matrix):
        self.matrix = np.array(matrix)
        self.size = len(self.matrix)
        self.angle = math.atan2(self.matrix[1, 0], self.matrix[0, 0])  # in the plane

    def vector(self, x):
        return [float(y) for y in self.matrix @ np.array(x, float)]

    def formulas(self, x):
        return [" + ".join(f"({float(factor)!r})*({y})" for factor, y in zip(row, x)) for row in self.matrix]

    def put(self, table, *keys):
        for key in keys:
            if key in table:
                lists = isinstance(table[key][0], list)
                table[key] = [self.vector(x) for x in table[key]] if lists else self.vector(table[key])

    def body(self, body):
        if "motion" in body:
            motion, axes = body["motion"], "xyz"[: self.size]
            if set(axes) & set(motion):
                motion.update(zip(axes, self.formulas([motion.get(a, "0") for a in axes])))
            if self.size == 2:
                motion["angle"] = f"{self.angle!r} + ({motion.get('angle', '0')})"
            return
        self.put(body, "position", "velocity")
        if self.size == 2:
            body["angle"] = body.get("angle", 0.0) + self.angle
        else:
            body["axis"], body["angle"] = self.orientation(body.get("axis", [0, 0, 1]), body.get("angle", 0.0))

    def orientation(self, axis, angle):
        x, y, z = np.array(axis, float) / np.linalg.norm(axis)
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        to = self.matrix @ (np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)
        twice_sine = np.array([to[2, 1] - to[1, 2], to[0, 2] - to[2, 0], to[1, 0] - to[0, 1]])
        angle = math.acos(max(-1.0, min(1.0, (np.trace(to) - 1) / 2)))
        return [float(a) for a in twice_sine / np.linalg.norm(twice_sine)], angle

    def joint(self, joint):
        if self.size == 3:
            return self.put(joint, "at", "axis")  # (`axes` are those of the bodies)
        if joint.get("bodies", [""])[0] == "ground":
            joint["points"][0] = self.vector(joint["points"][0])
            self.put(joint, "axis")
            if joint["type"] == "translational":
                joint["angle"] = joint.get("angle", 0.0) + self.angle

    def force(self, force):
        for key in ("force", "torque"):
            if isinstance(force.get(key), list) and force.get("frame") != "body":
                force[key] = self.formulas(force[key])
        if self.size == 3:
            self.put(force, "axis", "at")
        for end in force.get("between", []):
            if end["body"] == "ground":
                self.put(end, "point")

    def __call__(self, model):
        moved_in_space = self.size == 3 and any("motion" in body for body in model["body"])
        if "guard" in model or moved_in_space or any(force["type"] == "bushing" for force in model.get("force", [])):
            return None
        self.put(model, "gravity")
        for body in model["body"]:
            self.body(body)
        for contact in model.get("contact", []):
            for one in contact["between"]:
                if one["body"] == "ground":
                    self.put(one, "normal", "point")
                    if isinstance(one.get("surface_velocity"), list):
                        self.put(one, "surface_velocity")
        for joint in model.get("joint", []):
            self.joint(joint)
        for force in model.get("force", []):
            self.force(force)
        return model


PER_METRE = 1000


def in_millimetres(model):
    """Masses in kg, times in s: forces are in mN, moments in uN m."""
    if "guard" in model:
        return None
    lengths = {"gravity", "position", "velocity", "at", "points", "point", "corners", "ends", "sides", "radius", "length",
               "pitch", "thrust_radius", "rolling", "spinning", "stribeck_velocity", "surface_velocity", "free_length"}
    formulas, squares = {"force", "normal_force"}, {"inertia", "torque"}

    def times(factor, value):
        if isinstance(value, list):
            return [times(factor, x) for x in value]
        return f"{factor}*({value})" if isinstance(value, str) else factor * value

    def rewrite(table, turns):
        for key, value in table.items():
            if isinstance(value, dict) and key == "motion":
                value.update({axis: times(PER_METRE, value[axis]) for axis in "xyz" if axis in value})
            elif isinstance(value, dict) or is_list_of_tables(value):
                for one in value if isinstance(value, list) else [value]:
                    rewrite(one, one.get("type") in ("revolute", "universal", "rotational_spring_damper"))
            elif key in lengths | formulas or (key == "limits" and not turns):
                table[key] = times(PER_METRE, value)
            elif key in squares or (turns and key in ("stiffness", "damping")):
                table[key] = times(PER_METRE**2, value)
            elif key == "density":
                table[key] = value / PER_METRE**3
            elif key == "table":
                table[key] = [[PER_METRE * speed, mu] for speed, mu in value]
            elif key.endswith("_matrix"):
                table[key] = value[:3] + times(PER_METRE**2, value[3:])

    rewrite(model, False)
    return model


def turned(dimension):
    c, s = math.cos(0.3), math.sin(0.3)
    if dimension == 2:
        return Turn([[c, -s], [s, c]])
    about_x = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    about_z = np.array([[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]])
    return Turn(about_z @ about_x)


def ways(text):
    """(name, text, numbers per metre, matrix of its turn) of each."""
    turn = turned(tomllib.loads(text)["dimension"])
    plain = np.eye(turn.size)
    for name, rewrite, unit, matrix in (("in reverse", reverse, 1, plain), ("exchanged", exchange, 1, plain),
                                        ("in millimetres", in_millimetres, PER_METRE, plain),
                                        ("turned", turn, 1, turn.matrix)):
        model = rewrite(tomllib.loads(text))
        if model is not None:
            yield name, text_of(model), unit, matrix
