"""The keys of a model as types, made from the key table by hstar.keys_text."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Number = Union[float, str]
"""A number, or a formula in text."""


class Friction(TypedDict, total=False):
    law: Literal["coulomb", "stribeck", "viscous", "table"]
    """the friction law."""
    mu_static: Number
    """the coefficient while stuck, at least mu_kinetic (law table: by default its first mu)."""
    mu_kinetic: Number
    """the coefficient while sliding (law stribeck: at high speed)."""
    mu: Number
    """mu_static and mu_kinetic in one."""
    stribeck_velocity: Number
    """the speed v_s of the Stribeck curve; mu(v) = mu_kinetic + (mu_static - mu_kinetic) exp(-(|v|/v_s)^n) [m/s or rad/s]."""
    stribeck_exponent: Number
    """the exponent n of the Stribeck law."""
    viscous: Number
    """the force added per sliding speed [N s/m or N m s/rad]."""
    table: Sequence[Any]
    """rows [speed, mu], speeds increasing from 0; linear between them, constant beyond."""
    normal_force: Number
    """a prescribed normal force (in place of the reaction): a brake, a clutch [N]."""
    friction_force: Number
    """the largest friction force itself, in place of mu and a normal force (joints only) [N]."""
    radius: Number
    """the radius of the pin, shaft or ball (joints that turn only, required there) [m]."""
    thrust_radius: Number
    """the radius at which the axial force of a revolute joint rubs (with dimension = 3; beside radius or in its place) [m]."""
    rolling: Number
    """the largest moment that resists rolling, over the normal force (contacts with dimension = 3 only) [m]."""
    spinning: Number
    """the largest moment that resists spinning about the normal, over the normal force (contacts with dimension = 3 only) [m]."""


class Simulation(TypedDict, total=False):
    start: Number
    """the time the run starts [s]."""
    end: Number
    """the time the run ends (after start) [s]."""
    integrator: str
    """the integrator (hstar list shows them; ode45 is dopri5)."""
    formulation: Literal["direct", "baumgarte", "partition_simple", "partition_full", "projection", "index3", "ggl", "index1"]
    """how constraints are kept (docs/dae-methods.md); default: projection with constraints, direct without."""
    baumgarte_alpha: Number
    """the feedback of velocity errors of constraints in formulation baumgarte (default: chosen, and printed) [1/s]."""
    baumgarte_beta: Number
    """the feedback of position errors of constraints in formulation baumgarte (default: baumgarte_alpha) [1/s]."""
    rtol: Number
    """the relative tolerance of the integrator."""
    atol: Number
    """the absolute tolerance (in the unit of each state; default rtol/1000)."""
    max_step: Number
    """the largest step (default: none) [s]."""
    first_step: Number
    """the first step (default: chosen by the integrator) [s]."""
    fixed_step: Number
    """the length of every step (no error control); 0 means error control [s]."""
    newton: Literal["full", "modified", "quasi", "functional"]
    """the matrix of implicit methods: exact in each iteration, exact and kept, without force terms, none."""
    max_order: Number
    """the largest order of bdf, at most 6, and of ode113 (default: 5 and 12); with fixed_step their order (default: 5)."""
    newmark_beta: Number
    """the parameter beta of newmark."""
    newmark_gamma: Number
    """the parameter gamma of newmark; second order only for 0.5."""
    hht_alpha: Number
    """the damping parameter of hht."""
    rho_infinity: Number
    """the spectral radius of generalized_alpha for what the step cannot resolve."""
    islands: bool
    """integrator exact: bodies that only forces couple move by themselves, where the model allows it, so that an event costs what it touches."""
    multiple_impact: Literal["simultaneous", "sequential", "sequential_forward", "sequential_backward"]
    """how several contacts collide at one instant: as one problem, or one after the other: of those that approach the fastest, the first or the last in the model."""
    impact_energy: Literal["report", "error"]
    """what an impact law that gains energy does: is reported in the ledger, or ends the run."""
    sliding: Literal["error", "filippov"]
    """what holds where both sides of a switch in a formula drive back to it: nothing, and the run ends; or the combination of both sides that stays there."""
    output: Number
    """the report interval (never shortens a step; at most 1e8 rows), or "steps": a row at every step; 0 means so many rows that straight lines between them miss no column by more than 0.2 % of its range [s]."""
    accelerations: bool
    """true to record the accelerations of bodies, too, and in space the rates of Euler parameters (p_dot)."""
    multipliers: bool
    """true to record the multipliers of the joints' constraints, too: pin.lambda1, pin.lambda2, in the order of `hstar inspect`."""
    stop_after_events: Number
    """the number of events after which the run stops (not counting those that leave the motion as it is, of guards that only record); 0 means none."""
    max_events_per_instant: Number
    """the number of mode changes at one instant that ends the run."""


class Body(TypedDict, total=False):
    mass: Number
    """the mass (required without a shape) [kg]."""
    inertia: Number | Sequence[Any]
    """the moment of inertia about the centre of mass; without it and without a shape the body is a point mass without angle; 0 is for bodies that joints hold; in space the inertia about the centre of mass in body axes, [Jxx, Jyy, Jzz] or the rows of a symmetric matrix (required without a shape) [kg m^2]."""
    shape: Literal["rectangle", "disc"] | Literal["box", "cylinder", "rod", "sphere"]
    """a homogeneous shape that gives mass and inertia; in space a homogeneous shape that gives mass and inertia; a cylinder's axis is z, a rod's x."""
    density: Number
    """the mass per area of the shape; in space the density of the shape [kg/m^2, in space kg/m^3]."""
    sides: Sequence[Number]
    """the sides of a rectangle along the body's x and y; in space the sides of a box along x, y, z [m]."""
    radius: Number
    """the radius of a disc; in space the radius of a cylinder, rod or sphere [m]."""
    position: Sequence[Number]
    """the initial position of the centre of mass as [x, y]; in space the initial position of the centre of mass as [x, y, z] [m]."""
    angle: Number
    """the initial angle; in space the angle about `axis` [rad]."""
    velocity: Sequence[Number]
    """the initial velocity of the centre of mass as [x, y]; in space the initial velocity of the centre of mass as [x, y, z] [m/s]."""
    angular_velocity: Number | Sequence[Number]
    """the initial angular velocity; in space the initial angular velocity as [x, y, z], in the axes that `angular_velocity_frame` says [rad/s]."""
    motion: Mapping[str, Any]
    """the prescribed motion; such a body has no mass and no initial values; in space the prescribed motion; such a body has no mass and no initial values but its orientation."""
    length: Number
    """the length of a cylinder or rod [m]."""
    euler_parameters: Sequence[Number]
    """the initial orientation as [e0, e1, e2, e3] of length 1, e0 the scalar; without any orientation the body frame is parallel to the global one."""
    axis: Sequence[Number]
    """the initial orientation as a turn by `angle` about this axis (any length but zero)."""
    matrix: Sequence[Any]
    """the initial orientation as the rows of the rotation matrix that takes body axes to global ones."""
    angles: Sequence[Number]
    """the initial orientation as three turns about the body's own axes, in the order of `sequence` [rad]."""
    sequence: Literal["xyx", "xyz", "xzx", "xzy", "yxy", "yxz", "yzx", "yzy", "zxy", "zxz", "zyx", "zyz"]
    """the axes of `angles`, first turn first."""
    angular_velocity_frame: Literal["body", "global"]
    """the axes of `angular_velocity`."""


class Joint(TypedDict, total=False):
    type: Literal["revolute", "translational", "fixed", "distance", "absolute_x", "absolute_y", "absolute_angle", "relative_angle", "relative_translation", "equation"] | Literal["spherical", "universal", "cylindrical", "revolute", "translational", "fixed", "point_on_plane", "point_on_line", "distance", "screw", "gear", "rotation", "translation", "dp1", "dp2", "d", "cd"]
    """the type of the joint."""
    bodies: Sequence[str]
    """the two bodies, first and second."""
    points: Sequence[Any]
    """one point in each body's coordinates as [[xa, ya], [xb, yb]]; in space one point in each body's coordinates as [[xa, ya, za], [xb, yb, zb]], in place of `at` [m]."""
    body: str
    """the body that is driven."""
    point: Sequence[Number]
    """the driven point in the body's coordinates [m]."""
    axis: Sequence[Number]
    """the direction of sliding in the first body's frame (any length but zero); in space the joint's axis in global axes, the bodies being turned as they are given (any length but zero): of turning or sliding, the normal of a plane, the direction of a line, the vector in the first body."""
    angle: Number
    """the angle of the second body relative to the first [rad]."""
    length: Number
    """the distance of the two points (constant or a formula of t) [m]."""
    value: Number
    """the driven coordinate as a formula of t; in space the driven coordinate as a formula of t; the angle of a rotation counts from the position given [m or rad]."""
    equation: Number
    """the formula that is zero."""
    limits: Sequence[Number]
    """the least and the largest slide [m] or angle [rad] as [lo, hi], stops at both ends; inf or -inf is none; in space the least and the largest slide [m] or angle from the position given [rad] as [lo, hi], stops at both ends; inf or -inf is none; of two coordinates the first (slide, angle1)."""
    restitution: Number
    """the coefficient of restitution of the stops (default: 0)."""
    friction: Friction
    """the friction of the joint."""
    at: Sequence[Number]
    """the place of the joint in global coordinates, the bodies being where they are given; without `at` and `points` it is the first body's origin [m]."""
    second_axis: Sequence[Number]
    """the axis in the second body, in global axes as `axis`."""
    axes: Sequence[Any]
    """the axis in each body's own axes, in place of `axis` and `second_axis`."""
    pitch: Number
    """the way along the axis for one turn, positive for a right-handed screw [m]."""
    teeth: Sequence[Number]
    """the numbers of teeth of the two wheels, negative for an internal one."""
    second_limits: Sequence[Number]
    """the least and the largest of the second coordinate (angle, angle2) [rad] as [lo, hi]."""


class Force(TypedDict, total=False):
    type: Literal["point_force", "torque", "spring_damper", "rotational_spring_damper"] | Literal["point_force", "torque", "spring_damper", "rotational_spring_damper", "bushing"]
    """the type of the force."""
    body: str
    """the body acted on."""
    bodies: Sequence[str]
    """two bodies: the torque acts on the second, the opposite one on the first; in space two bodies: what is given acts on the second, the opposite on the first."""
    point: Sequence[Number]
    """the point acted on in the body's coordinates [m]."""
    force: Sequence[Number]
    """the force as [fx, fy]; in space the force as [fx, fy, fz] [N]."""
    frame: Literal["global", "body"]
    """the axes of the force; in space the axes of the force or torque: global ones, or those of the (second) body."""
    torque: Number | Sequence[Number]
    """the torque, counterclockwise; in space the torque as [tx, ty, tz] [N m]."""
    between: Sequence[Mapping[str, Any]]
    """the two ends as [{ body, point }, { body, point }]."""
    axis: Sequence[Number]
    """a direction in the first body's frame; the spring then acts along it only, and its length is the signed coordinate of the second point; in space the axis in global axes, the bodies being turned as they are given; without it a bushing has the axes of the first body."""
    stiffness: Number
    """the stiffness [N/m or N m/rad]."""
    damping: Number
    """the damping [N s/m or N m s/rad]."""
    free_length: Number
    """the length without force [m]."""
    free_angle: Number
    """the angle of the second body relative to the first without torque; in space the angle without torque, from the position given; whole turns count [rad]."""
    actuator: Number
    """a force added to the spring's and the damper's [N or N m]."""
    points: Sequence[Any]
    """one point in each body's coordinates as [[xa, ya, za], [xb, yb, zb]] [m]."""
    at: Sequence[Number]
    """the place of the bushing in global coordinates, the bodies being where they are given, in place of `points` [m]."""
    axes: Sequence[Any]
    """the axis in each body's own axes, in place of `axis`."""
    stiffness_matrix: Sequence[Number]
    """the stiffness along and about the three axes, 6 numbers, or 36 by rows [N/m, N m/rad]."""
    damping_matrix: Sequence[Number]
    """the damping likewise [N s/m, N m s/rad]."""


class Contact(TypedDict, total=False):
    between: Sequence[Mapping[str, Any]]
    """the two shapes."""
    gap: Number
    """the gap in coordinates of one or two bodies, in place of between [m]."""
    slide: Number
    """with gap: the sliding in coordinates; its rate is the sliding velocity (needed for friction) [m]."""
    restitution: Number
    """the coefficient of restitution."""
    restitution_tangential: Number
    """the same of the sliding velocity, with friction (impact_law newton)."""
    impact_law: Literal["newton", "whittaker", "poisson", "stronge"]
    """the impact law."""
    friction: Friction
    """the friction of the contact."""


class State(TypedDict, total=False):
    initial: Number
    """the initial value."""
    rate: Number
    """the time derivative as a formula (required unless discrete)."""
    discrete: bool
    """true for a state that only resets change."""


class Guard(TypedDict, total=False):
    when: Number
    """the formula whose sign change is the event."""
    crossing: Literal["rising", "falling", "either"]
    """the direction of the sign change that counts."""
    times: Sequence[Number]
    """the times of time events in increasing order (in place of when) [s]."""
    every: Number
    """the interval of periodic time events (in place of when) [s]."""
    until: Number
    """with every: none comes later (default: the end of the run) [s]."""
    kind: str
    """the word written to events.csv (default: guard_up or guard_down, of times: time)."""
    reset: Mapping[str, Number]
    """new values of states as { state = formula of the values just before }."""
    terminal: bool
    """true to end the run at this event."""
    g_tol: Number
    """the |when| that counts as zero; 0 means round-off."""


class Measure(TypedDict, total=False):
    value: Number
    """the formula that is recorded; its extremes over the run are kept."""
    unit: str
    """the unit written in the header."""


class Controller(TypedDict, total=False):
    type: Literal["pid"]
    """the type of the controller."""
    setpoint: Number
    """what the measured quantity should be."""
    measurement: Number
    """the measured quantity."""
    kp: Number
    """the output per error, setpoint - measurement."""
    ki: Number
    """the output per integral of the error [1/s]."""
    kd: Number
    """the output per rate of the error, by the difference to the sample before, or of the filtered error [s]."""
    every: Number
    """the period of sampling; without it the controller is continuous [s]."""
    filter: Number
    """the time constant of the filter before the derivative (continuous with kd, required there) [s]."""
    tracking: Number
    """the time constant with which the integral is drawn back from a limit (continuous; default: kp/ki) [s]."""
    until: Number
    """no sample comes later (default: the end of the run) [s]."""
    limits: Sequence[Number]
    """the least and the largest output as [lo, hi]; at a limit the integral grows no further towards it."""
    initial: Number
    """the output before the first sample, or the integral at the start."""


class Table(TypedDict, total=False):
    points: Sequence[Any]
    """the rows [x, y], x increasing."""
    file: str
    """a CSV file with the rows (in place of points), its path relative to the model file; lines that begin with # and a first line of names are skipped."""
    columns: Sequence[Number]
    """the numbers of the columns of x and y in the file (default: [1, 2])."""
    interpolation: Literal["constant", "linear", "akima", "monotone"]
    """what holds between the rows: the value of the last one, a straight line, Akima's cubic, or a cubic that is monotone where the rows are."""
    beyond: Literal["hold", "periodic", "error"]
    """what holds outside of the rows: the value of the nearest, the rows over and over, or nothing: the run ends there."""


class System(TypedDict, total=False):
    M: Sequence[Number]
    """the mass matrix, regular."""
    M_file: str
    """a Matrix Market file with it, its path relative to the model file."""
    C: Sequence[Number]
    """the damping matrix (default: none)."""
    C_file: str
    """a Matrix Market file with it."""
    K: Sequence[Number]
    """the stiffness matrix (default: none)."""
    K_file: str
    """a Matrix Market file with it."""
    force: Sequence[Number]
    """the right-hand side, one formula for each row."""
    initial: Sequence[Number]
    """the unknowns at the start (default: 0)."""
    initial_rate: Sequence[Number]
    """their rates at the start (default: 0)."""
