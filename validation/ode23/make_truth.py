#!/usr/bin/env python3
"""Truth for the two traces without a closed form: van der Pol and the cubic mass-spring-damper.

Taylor series of the solution in multiple precision (mpmath), coefficients by recurrence, step from the
last two coefficients. Each problem is computed twice, with 30 digits and order 30 and with 45 digits and
order 44; the two must agree to 24 digits. Writes truth/<trace>.csv: t, the states, rounded to 20 digits,
at times of the trace (all of a short trace, about 400 of a long one).

    python3 make_truth.py      (in this folder; needs mpmath; some seconds)
"""
import mpmath as mp


def times_of(trace, wanted=400):
    rows = [line.split(",")[0] for line in open("traces/%s.csv" % trace) if not line.startswith("#")]
    stride = max(1, len(rows) // wanted)
    chosen = rows[::stride]
    return chosen if chosen[-1] == rows[-1] else chosen + [rows[-1]]


def product(a, b, n):
    """Coefficient n of the product of two series."""
    return mp.fsum(a[i] * b[n - i] for i in range(n + 1))


def van_der_pol(t, y, order):
    a, b, square, mixed = [y[0]], [y[1]], [], []
    for n in range(order):
        square.append(product(a, a, n))
        mixed.append(product(square, b, n))
        a.append(b[n] / (n + 1))
        b.append((b[n] - mixed[n] - a[n]) / (n + 1))
    return a, b


def cubic_msd(t, y, order):
    x, v, xx, vv, xxx, vvv = [y[0]], [y[1]], [], [], [], []
    s, c = mp.sin(2 * t), mp.cos(2 * t)
    drive, factor = [s, c, -s, -c], mp.mpf(1)
    for n in range(order):
        xx.append(product(x, x, n))
        vv.append(product(v, v, n))
        xxx.append(product(xx, x, n))
        vvv.append(product(vv, v, n))
        x.append(v[n] / (n + 1))
        v.append((drive[n % 4] * factor - 200 * vvv[n] - 400 * xxx[n]) / 2 / (n + 1))
        factor = factor * 2 / (n + 1)
    return x, v


def solve(series, y, times, digits):
    """States at the given times (exact doubles as text), by Taylor steps that end on every one of them."""
    mp.mp.dps = digits + 10
    order = digits
    t, y = mp.mpf(0), [mp.mpf(value) for value in y]
    out = []
    for text in times:
        target = mp.mpf(float(text))  # the trace's time is this double
        while t < target:
            coefficients = series(t, y, order)
            radius = min(
                (mp.mpf(10) ** (-digits - 4) / max(abs(c[k]), mp.mpf(10) ** -200)) ** (mp.mpf(1) / k)
                for c in coefficients for k in (order - 1, order))
            h = min(radius, target - t)
            y = [mp.polyval(c[::-1], h) for c in coefficients]
            t = target if h == target - t else t + h
        out.append(list(y))
    return out


def main():
    problems = (("vanderpol", van_der_pol, [2, 0]), ("cubic_msd", cubic_msd, [1, -1]))
    for name, series, start in problems:
        traces = [name + "_default", name + "_tight"]
        wanted = {trace: times_of(trace) for trace in traces}
        times = sorted({t for trace in traces for t in wanted[trace]}, key=float)
        first, second = solve(series, start, times, 30), solve(series, start, times, 44)
        gap = max(abs(p - q) for a, b in zip(first, second) for p, q in zip(a, b))
        print("%s: %d times, largest difference of the two runs %s" % (name, len(times), mp.nstr(gap, 3)))
        assert gap < mp.mpf(10) ** -24
        known = dict(zip(times, second))
        for trace in traces:
            with open("truth/%s.csv" % trace, "w") as out:
                out.write("# %s: Taylor series, 44 digits; agrees with 30 digits to %s (make_truth.py)\n"
                          % (trace, mp.nstr(gap, 3)))
                out.write("# columns: t and the two states\n")
                for t in wanted[trace]:
                    out.write(",".join([t] + [mp.nstr(value, 20) for value in known[t]]) + "\n")


if __name__ == "__main__":
    main()
