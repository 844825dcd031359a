"""The same scene written down in other ways, of which physics knows nothing: elements in reverse order, the shapes of
contacts exchanged, the world turned, mirrored, moving or later, lengths in millimetres, bodies welded of two halves, every
contact and joint twice.
"""
import copy
import dataclasses
import math
import re
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
            elif "limits" in joint:
                joint["limits"] = [x + self.angle for x in joint["limits"]]

    def force(self, force):
        for key in ("force", "torque"):
            if isinstance(force.get(key), list) and force.get("frame") != "body":
                force[key] = self.formulas(force[key])
        if self.size == 3:
            self.put(force, "axis", "at")
        elif force["type"] == "rotational_spring_damper" and "ground" in force["bodies"]:
            sign = 1 if force["bodies"][0] == "ground" else -1
            force["free_angle"] = force.get("free_angle", 0.0) + sign * self.angle
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
                    self.put(one, "normal", "point", "corners", "ends")
                    if "angles" in one:
                        one["angles"] = [x + self.angle for x in one["angles"]]
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
    formulas, squares = {"force", "normal_force", "friction_force"}, {"inertia", "torque"}

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


def each_formula(model, rewrite):
    """All that can be a formula: texts of forces, motions and friction."""
    formulas = {"torque", "normal_force", "friction_force", "value", "length"}

    def visit(table, within):
        for key, value in table.items():
            if isinstance(value, str) and (within == "motion" or key in formulas):
                table[key] = rewrite(value)
            elif isinstance(value, list) and value and key in ("force", "torque") and isinstance(value[0], str):
                table[key] = [rewrite(x) for x in value]
            elif isinstance(value, dict):
                visit(value, key)

    for section in ("body", "joint", "force"):
        for table in model.get(section, []):
            visit(table, section)


STARTS = 100.0


def later(model):
    if "guard" in model:
        return None
    each_formula(model, lambda formula: re.sub(r"\bt\b", f"(t - {STARTS})", formula))
    model["simulation"]["start"] = STARTS
    model["simulation"]["end"] += STARTS
    return model


WIND = [3.0, -1.0, 0.5]  # m/s
FAR = [2e3, -5e2, 3e2]  # m


def moving(model):
    """Nothing stands still: what was ground moves as told, and all with it."""
    return carried(model, WIND, np.zeros(3))


def far(model):
    """All is far from the origin, and what was ground a body that stands there."""
    return carried(model, np.zeros(3), FAR)


def carried(model, wind, place):
    """What was ground is a body that moves as told, from a place on, and all with it."""
    if "guard" in model or any(joint["type"].startswith("absolute") for joint in model.get("joint", [])):
        return None
    axes = "xyz"[: model["dimension"]]
    for body in model["body"]:
        if "motion" in body:
            for axis, speed, x in zip(axes, wind, place):
                body["motion"][axis] = f"{x} + {speed}*t + ({body['motion'].get(axis, '0')})"
        else:
            for key, by in (("velocity", wind), ("position", place)):
                body[key] = [x + of for x, of in zip(body.get(key, [0.0] * len(axes)), by)]
    ends = [end for section in ("contact", "force") for one in model.get(section, []) for end in one.get("between", [])]
    for end in ends:
        if end["body"] == "ground":
            end["body"] = "earth"
    for one in model.get("joint", []) + model.get("force", []):
        if "bodies" in one:
            one["bodies"] = ["earth" if body == "ground" else body for body in one["bodies"]]
        if "at" in one:
            one["at"] = [x + of for x, of in zip(one["at"], place)]
    told = {axis: f"{x} + {speed}*t" for axis, speed, x in zip(axes, wind, place)}
    model["body"].append({"name": "earth", "motion": told})
    return model


def welded(model):
    """Bodies of two halves in one place; every second contact and force is with the other half."""
    joints, halves = model.setdefault("joint", []), {}
    for body in list(model["body"]):
        if "motion" in body or not ("inertia" in body or "shape" in body):
            continue
        for key in ("mass", "density", "inertia"):
            if key in body:
                body[key] = [x / 2 for x in body[key]] if isinstance(body[key], list) else body[key] / 2
        half = copy.deepcopy(body)
        half["name"] = halves[body["name"]] = "half_" + body["name"]
        model["body"].append(half)
        at = {"at": body["position"]} if model["dimension"] == 3 else {"points": [[0.0, 0.0], [0.0, 0.0]]}
        joints.append({"name": "weld_" + body["name"], "type": "fixed", "bodies": [body["name"], half["name"]], **at})
    for contact in model.get("contact", [])[1::2]:
        for one in contact["between"]:
            one["body"] = halves.get(one["body"], one["body"])
    for force in model.get("force", [])[::2]:
        if "body" in force:
            force["body"] = halves.get(force["body"], force["body"])
    return model


def doubled(model):
    """Every contact and joint twice: what friction does not take from a load is shared by the two. (Poisson's law is
    another for several contacts than for one.)"""
    if any(contact.get("impact_law") == "poisson" for contact in model.get("contact", [])):
        return None
    for section in ("contact", "joint"):
        for one in list(model.get(section, [])):
            friction = one.get("friction", {})
            if "viscous" in friction:
                friction["viscous"] /= 2
            for given in ("normal_force", "friction_force"):
                if given in friction:
                    friction[given] = f"0.5*({friction[given]})"
            model[section].append({**copy.deepcopy(one), "name": "other_" + one["name"]})
    return model


class Mirror:
    """y changes its sign, in space and in all bodies."""

    def __init__(self, dimension):
        self.signs = [1, -1, 1][:dimension]
        self.matrix = np.diag(self.signs).astype(float)

    def polar(self, x):
        if isinstance(x[0], list):
            return [self.polar(y) for y in x]
        return [y if sign > 0 else f"-({y})" if isinstance(y, str) else -y for sign, y in zip(self.signs, x)]

    def axial(self, x):
        """Of turning: in the plane a number."""
        if isinstance(x, list):
            return [y if sign < 0 else f"-({y})" if isinstance(y, str) else -y for sign, y in zip(self.signs, x)]
        return f"-({x})" if isinstance(x, str) else -x

    def put(self, table, change, *keys):
        for key in keys:
            if key in table:
                table[key] = change(table[key])

    def shape(self, one, in_plane):
        self.put(one, self.polar, "normal", "point", "ends", "points", "corners")
        for key in ("corners", "ends") if one["shape"] in ("polygon", "segment") else ():
            if key in one:
                one[key].reverse()
        if "angles" in one:
            one["angles"] = [-x for x in reversed(one["angles"])]
        if "surface_velocity" in one:
            is_list = isinstance(one["surface_velocity"], list)
            one["surface_velocity"] = (self.polar if is_list else self.axial)(one["surface_velocity"])

    def joint(self, joint, in_plane):
        slides = joint["type"] in ("translational", "cylindrical")
        self.put(joint, self.polar, "points", "at", "axes")
        if in_plane:
            self.put(joint, self.polar, "axis")
            self.put(joint, self.axial, "angle")
            if "limits" in joint and not slides:
                joint["limits"] = [-x for x in reversed(joint["limits"])]
        elif "axis" in joint:
            joint["axis"] = (self.axial if joint["type"] == "revolute" else self.polar)(joint["axis"])
            self.put(joint, self.axial, "pitch")

    def force(self, force, in_plane):
        self.put(force, self.polar, "force", "point", "at")
        self.put(force, self.axial, "torque")
        if force["type"] == "rotational_spring_damper":
            self.put(force, self.axial, "free_angle" if in_plane else "axis")
        for end in force.get("between", []):
            self.put(end, self.polar, "point")

    def __call__(self, model):
        in_plane = len(self.signs) == 2
        if "guard" in model:
            return None
        self.put(model, self.polar, "gravity")
        for body in model["body"]:
            self.put(body, self.polar, "position", "velocity")
            self.put(body, self.axial, "angular_velocity", "angle" if in_plane else "axis")
            if not in_plane and "angle" in body and "axis" not in body:
                body["axis"] = [0, 0, -1]
            self.put(body.get("motion", {}), self.axial, "y", "angle")
        for contact in model.get("contact", []):
            for one in contact["between"]:
                self.shape(one, in_plane)
        for joint in model.get("joint", []):
            self.joint(joint, in_plane)
        for force in model.get("force", []):
            self.force(force, in_plane)
        return model


@dataclasses.dataclass
class Way:
    """A text, and how its motion differs from that of the scene as it was written."""

    name: str
    rewrite: callable
    unit: float = 1  # numbers per metre
    matrix: np.ndarray = None  # of its turn
    start: float = 0
    wind: np.ndarray = 0  # velocity of all
    place: np.ndarray = 0  # of what was the origin
    text: str = None


def plain(text):
    """The scene as it was written."""
    return Way("", None, matrix=np.eye(tomllib.loads(text)["dimension"]))


def ways(text):
    """Each Way of the scene."""
    dimension = tomllib.loads(text)["dimension"]
    turn, mirror = turned(dimension), Mirror(dimension)
    for way in (Way("in reverse", reverse), Way("exchanged", exchange), Way("in millimetres", in_millimetres, PER_METRE),
                Way("turned", turn, matrix=turn.matrix), Way("mirrored", mirror, matrix=mirror.matrix),
                Way("later", later, start=STARTS), Way("moving", moving, wind=np.array(WIND[:dimension])),
                Way("far away", far, place=np.array(FAR[:dimension])), Way("welded", welded), Way("doubled", doubled)):
        model = way.rewrite(tomllib.loads(text))
        if model is not None:
            way.matrix = np.eye(dimension) if way.matrix is None else way.matrix
            way.text = text_of(model)
            yield way
