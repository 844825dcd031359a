#!/usr/bin/env python3
"""Solutions of the discrete equations of implicit methods, to 30 digits, written to discrete_solutions.csv.

Independent of hstar: the formulas are those of the publications, written down here anew in mpmath, and every step is
solved by Newton's method to 35 digits. Two second-order problems x'' = a(t, x, v):
  cubic   2 x'' + 200 x'^3 + 400 x^3 = sin 2t,  x(0) = 1, v(0) = -1   (BDF lecture, ME751 2016)
  spring  x'' + 1e4 x' + 1e4 x = 0,             x(0) = 1, v(0) = 0    (stiff spring and damper)
`steps` steps of length h from t = 0. Methods:
  newmark            beta = 0.3025, gamma = 0.6 (Newmark 1959)
  hht                alpha = -0.1: a_{n+1} weighted as (1 + alpha) F_{n+1} - alpha F_n, A_0 = a_0 (Hilber, Hughes & Taylor 1977)
  generalized_alpha  rho_infinity = 0.8, A_0 = a_0 (Chung & Hulbert 1993)
  bdf1 ... bdf6      Gear 1971; order k > 1 starts with k - 1 steps of radau
  trapezoidal        x and v by the trapezoidal rule (Newmark's formulas with beta = 1/4, gamma = 1/2)
  radau              Radau IIA, three stages (Hairer & Wanner 1996, IV.5)
  rosenbrock4        RODAS, six stages (Hairer & Wanner 1996, IV.7), its coefficients as published, to 16 digits
Run: /usr/bin/python3 discrete_solutions.py > discrete_solutions.csv   (a minute)
"""
from mpmath import mp, mpf, sqrt, sin, cos, matrix, lu_solve

mp.dps = 50
TINY = mpf(10) ** -40


def cubic(t, x, v):
    """a, da/dx, da/dv"""
    return (sin(2 * t) - 200 * v**3 - 400 * x**3) / 2, -600 * x**2, -300 * v**2


def spring(t, x, v):
    return -10000 * v - 10000 * x, mpf(-10000), mpf(-10000)


PROBLEMS = {"cubic": (cubic, mpf(1), mpf(-1)), "spring": (spring, mpf(1), mpf(0))}


def scalar_newton(residual, start):
    """Both problems are monotone in the acceleration: Newton with halved steps finds the one root."""
    a = start
    r, slope = residual(a)
    for _ in range(400):
        step = r / slope
        if abs(step) <= TINY * (1 + abs(a)):
            return a - step
        part = mpf(1)
        while True:
            r_new, slope_new = residual(a - part * step)
            if abs(r_new) < abs(r):
                break
            part /= 2
        a -= part * step
        r, slope = r_new, slope_new
    raise RuntimeError("no convergence")


def alpha_family(problem, h, steps, alpha_m, alpha_f, beta, gamma):
    f, x, v = PROBLEMS[problem]
    a = f(mpf(0), x, v)[0]
    A, t = a, mpf(0)
    for n in range(steps):
        t = (n + 1) * h
        scale = (1 - alpha_f) / (1 - alpha_m)
        rest = (alpha_f * a - alpha_m * A) / (1 - alpha_m)  # A_{n+1} = scale a_{n+1} + rest

        def place(a_new):
            A_new = scale * a_new + rest
            return (x + h * v + h**2 * ((mpf(1) / 2 - beta) * A + beta * A_new),
                    v + h * ((1 - gamma) * A + gamma * A_new), A_new)

        def residual(a_new):
            x_new, v_new, _ = place(a_new)
            value, by_x, by_v = f(t, x_new, v_new)
            return a_new - value, 1 - by_x * h**2 * beta * scale - by_v * h * gamma * scale

        a_new = scalar_newton(residual, a)
        x, v, A = place(a_new)
        a = a_new
    return x, v


S6 = sqrt(mpf(6))
C = [(4 - S6) / 10, (4 + S6) / 10, mpf(1)]
RA = [[(88 - 7 * S6) / 360, (296 - 169 * S6) / 1800, (-2 + 3 * S6) / 225],
      [(296 + 169 * S6) / 1800, (88 + 7 * S6) / 360, (-2 - 3 * S6) / 225],
      [(16 - S6) / 36, (16 + S6) / 36, mpf(1) / 9]]


def radau_step(f, t, x, v, h):
    """Unknowns: increments of (x, v) at the three stages. Solved by homotopy in h where Newton alone fails."""
    def system(z, h):
        rates = [f(t + C[j] * h, x + z[2 * j], v + z[2 * j + 1]) for j in range(3)]
        r, J = matrix(6, 1), mp.eye(6)
        for i in range(3):
            r[2 * i], r[2 * i + 1] = z[2 * i], z[2 * i + 1]
            for j in range(3):
                w = h * RA[i][j]
                r[2 * i] -= w * (v + z[2 * j + 1])
                r[2 * i + 1] -= w * rates[j][0]
                J[2 * i, 2 * j + 1] -= w
                J[2 * i + 1, 2 * j] -= w * rates[j][1]
                J[2 * i + 1, 2 * j + 1] -= w * rates[j][2]
        return r, J

    def solve(z, h):
        r, J = system(z, h)
        for _ in range(200):
            step = lu_solve(J, r)
            size = max(abs(s) for s in step)
            if size <= TINY:
                return z - step
            part = mpf(1)
            while part > mpf(2) ** -30:
                r_new, J_new = system(z - part * step, h)
                if max(abs(s) for s in lu_solve(J, r_new)) < size * (1 - part / 4):
                    break
                part /= 2
            else:
                return None
            z, r, J = z - part * step, r_new, J_new
        return None

    z = solve(matrix(6, 1), h)
    if z is None:
        raise RuntimeError("radau: no convergence")
    return x + z[4], v + z[5]


def radau(problem, h, steps):
    f, x, v = PROBLEMS[problem]
    for n in range(steps):
        x, v = radau_step(f, n * h, x, v, h)
    return x, v


GAMMA = mpf("0.25")
RODAS_A = [[], ["1.544"], ["0.9466785280815826", "0.2557011698983284"],
           ["3.314825187068521", "2.896124015972201", "0.9986419139977817"],
           ["1.221224509226641", "6.019134481288629", "12.53708332932087", "-0.6878860361058950"]]
RODAS_C = [[], ["-5.6688"], ["-2.430093356833875", "-0.2063599157091915"],
           ["-0.1073529058151375", "-9.594562251023355", "-20.47028614809616"],
           ["7.496443313967647", "-10.24680431464352", "-33.99990352819905", "11.70890893206160"],
           ["8.083246795921522", "-7.981132988064893", "-31.52159432874371", "16.31930543123136", "-6.058818238834054"]]
RODAS_T, RODAS_D = ["0", "0.386", "0.21", "0.63", "1", "1"], ["0.25", "-0.1043", "0.1035", "-0.0362", "0", "0"]


def rodas(problem, h, steps):
    """W = I / (gamma h) - f_y;  W u_i = f(t_i, y + sum a_ij u_j) + sum c_ij u_j / h + h d_i f_t; the last two stages add up."""
    f, x, v = PROBLEMS[problem]
    for n in range(steps):
        t = n * h
        _, by_x, by_v = f(t, x, v)
        by_t = cos(2 * t) if problem == "cubic" else mpf(0)
        W = matrix([[1 / (GAMMA * h), -1], [-by_x, 1 / (GAMMA * h) - by_v]])
        u, at = [], None
        for i in range(6):
            if i < 5:
                at = [x, v]
                for a, other in zip(RODAS_A[i], u):
                    at = [at[0] + mpf(a) * other[0], at[1] + mpf(a) * other[1]]
            else:  # stiffly accurate: from the end of the stage before
                at = [at[0] + u[4][0], at[1] + u[4][1]]
            right = [at[1], f(t + mpf(RODAS_T[i]) * h, at[0], at[1])[0] + h * mpf(RODAS_D[i]) * by_t]
            for c, other in zip(RODAS_C[i], u):
                right = [right[0] + mpf(c) * other[0] / h, right[1] + mpf(c) * other[1] / h]
            u.append(lu_solve(W, matrix(right)))
        x, v = at[0] + u[5][0], at[1] + u[5][1]
    return x, v


# c0 y_{n+1} + sum c_i y_{n+1-i} = h f
BDF = {1: [1, -1], 2: [mpf(3) / 2, -2, mpf(1) / 2], 3: [mpf(11) / 6, -3, mpf(3) / 2, -mpf(1) / 3],
       4: [mpf(25) / 12, -4, 3, -mpf(4) / 3, mpf(1) / 4],
       5: [mpf(137) / 60, -5, 5, -mpf(10) / 3, mpf(5) / 4, -mpf(1) / 5],
       6: [mpf(147) / 60, -6, mpf(15) / 2, -mpf(20) / 3, mpf(15) / 4, -mpf(6) / 5, mpf(1) / 6]}


def bdf(problem, h, steps, k):
    f, x, v = PROBLEMS[problem]
    xs, vs = [x], [v]
    for n in range(k - 1):
        x, v = radau_step(f, n * h, x, v, h)
        xs.append(x)
        vs.append(v)
    c = BDF[k]
    for n in range(k - 1, steps):
        t = (n + 1) * h
        px = sum(c[i] * xs[-i] for i in range(1, k + 1))
        pv = sum(c[i] * vs[-i] for i in range(1, k + 1))

        def residual(v_new):
            x_new = (h * v_new - px) / c[0]
            value, by_x, by_v = f(t, x_new, v_new)
            return c[0] * v_new + pv - h * value, c[0] - h * (by_x * h / c[0] + by_v)

        v = scalar_newton(residual, vs[-1])
        xs.append((h * v - px) / c[0])
        vs.append(v)
    return xs[-1], vs[-1]


def main():
    half = mpf(1) / 2
    al = -mpf(1) / 10
    rho = mpf(8) / 10
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    g = half - am + af
    methods = {
        "newmark": lambda p, h, n: alpha_family(p, h, n, 0, 0, mpf(3025) / 10000, mpf(6) / 10),
        "hht": lambda p, h, n: alpha_family(p, h, n, 0, -al, (1 - al) ** 2 / 4, half - al),
        "generalized_alpha": lambda p, h, n: alpha_family(p, h, n, am, af, (g + half) ** 2 / 4, g),
        "radau": radau,
        "rosenbrock4": rodas,
        "trapezoidal": lambda p, h, n: alpha_family(p, h, n, 0, 0, mpf(1) / 4, half),
    }
    for k in range(1, 7):
        methods["bdf%d" % k] = lambda p, h, n, k=k: bdf(p, h, n, k)
    print("# " + __doc__.strip().replace("\n", "\n# "))
    print("problem,method,h,steps,x,v")
    for problem in PROBLEMS:
        for name, method in methods.items():
            for h, steps in (("0.001", 40), ("0.006", 40), ("0.02", 40), ("0.1", 20)):
                x, v = method(problem, mpf(h), steps)
                print("%s,%s,%s,%d,%s,%s" % (problem, name, h, steps, mp.nstr(x, 30), mp.nstr(v, 30)), flush=True)


if __name__ == "__main__":
    main()
