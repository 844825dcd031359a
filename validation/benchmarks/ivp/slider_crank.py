"""Slider-crank whose connecting rod bends and stretches (Simeon 1996; Test Set for IVP Solvers: "crank", no damping, linear
stiffness), written anew for `rates(t, y)`: y = (phi1, phi2, x3, q1..q4) and their rates, accelerations from
[M G^T; G 0], the form of index 1.

The crank turns with 150 rad/s. q1, q2 are amplitudes of two bending modes, sin(pi x / l2) and sin(2 pi x / l2); q3, q4 the
rod's longitudinal displacements at its middle and its end (quadratic ansatz). Units kg, m, s; pi as in the test set.
"""
import numpy as np

m2, m3, l1, l2, j1, j2 = 0.151104, 0.075552, 0.15, 0.30, 0.002727, 0.0045339259
young, width, density, omega, pi = 0.2e12, 0.008, 7870.0, 150.0, 3.1415927
volume = width * width * l2
end = 0.1
start = [0, 0, 0.450016933, 0, 0, 0.103339863e-4, 0.169327969e-4,
         150, -74.9957670, -0.268938672e-5, 0.444896105, 0.463434311e-2, -0.178591076e-5, -0.268938672e-5]
names = ["phi1", "phi2", "x3", "q1", "q2", "q3", "q4"]
names += [name + "_rate" for name in names]

mass = density * volume * np.array([[0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 8, 1], [0, 0, 1, 2]])
bending = pi**4 * (width / l2) ** 2
stiffness = young * width * width / l2 * np.array([[bending / 24, 0, 0, 0], [0, bending * 2 / 3, 0, 0], [0, 0, 16 / 3, -8 / 3], [0, 0, -8 / 3, 7 / 3]])
coupling = volume * np.array([[0, 0, -16 / pi**3, 8 / pi**3 - 1 / pi], [0, 0, 0, 0.5 / pi], [16 / pi**3, 0, 0, 0], [-(8 / pi**3 - 1 / pi), -0.5 / pi, 0, 0]])
c1 = volume * np.array([0, 0, 2 / 3, 1 / 6])
c2 = volume * np.array([2 / pi, 0, 0, 0])
c12 = l2 * volume * np.array([0, 0, 1 / 3, 1 / 6])
c21 = l2 * volume * np.array([1 / pi, -0.5 / pi, 0, 0])


def rates(t, y):
    y = np.asarray(y)
    q, v1, v2, qd = y[3:7], y[7], y[8], y[10:14]
    c, s = np.cos(y[0] - y[1]), np.sin(y[0] - y[1])
    along, across = c * c1 + s * c2, -s * c1 + c * c2
    A = np.zeros((10, 10))
    A[0, 0] = j1 + m2 * l1**2
    A[0, 1] = A[1, 0] = 0.5 * l1 * l2 * m2 * c + density * l1 * (along @ q)
    A[1, 1] = j2 + q @ mass @ q + 2 * density * (c12 @ q)
    A[2, 2] = m3
    A[0, 3:7] = A[3:7, 0] = density * l1 * across
    A[1, 3:7] = A[3:7, 1] = density * (c21 + q @ coupling)
    A[3:7, 3:7] = mass
    length = l2 + q[3]
    c_1, s_1, c_2, s_2 = np.cos(y[0]), np.sin(y[0]), np.cos(y[1]), np.sin(y[1])
    G = np.zeros((3, 7))
    G[0, :2] = l1 * c_1, length * c_2
    G[1, :3] = l1 * s_1, length * s_2, 1
    G[2, 0] = 1
    G[0, 6], G[1, 6] = s_2, -c_2
    A[7:, :7], A[:7, 7:] = G, G.T
    b = np.zeros(10)
    b[0] = -0.5 * l1 * l2 * m2 * v2**2 * s + density * l1 * v2 * (v2 * (across @ q) - 2 * (along @ qd))
    b[1] = 0.5 * l1 * l2 * m2 * v1**2 * s - density * l1 * v1**2 * (across @ q) - 2 * v2 * (density * (c12 @ qd) + qd @ mass @ q) - density * (qd @ coupling @ qd)
    b[3:7] = v2**2 * (mass @ q) + density * (v2**2 * c12 + l1 * v1**2 * along + 2 * v2 * (coupling @ qd)) - stiffness @ q
    b[7] = l1 * s_1 * v1**2 + length * s_2 * v2**2 - 2 * v2 * c_2 * qd[3]
    b[8] = -l1 * c_1 * v1**2 - length * c_2 * v2**2 - 2 * v2 * s_2 * qd[3]
    return np.concatenate([y[7:], np.linalg.solve(A, b)[:7]])
