"""Curves through keys.

`Spline` is twice differentiable, for legs that must not pop; `Keys` rests at every extreme, as an
animator's flat tangents do, and is then smoothed a little so that nothing starts with a jerk.
"""

import numpy as np


class Spline:
    """A cubic through (x, value) keys; values may be numbers or vectors.

    With `period` it is periodic and the key at x + period is the first one; otherwise it leaves and
    arrives with the given `slopes` (at rest by default).
    """

    def __init__(self, keys, period=None, slopes=None):
        x = np.array([k[0] for k in keys], float)
        y = np.array([k[1] for k in keys], float)
        self.flat = y.ndim == 1
        y = y.reshape(len(x), -1)
        self.period = period
        if period:
            x, y = np.append(x, x[0] + period), np.vstack([y, y[:1]])
        n, h = len(x), np.diff(x)
        d = np.diff(y, axis=0) / h[:, None]
        a, b = np.zeros((n, n)), np.zeros_like(y)
        for i in range(1, n - 1):  # equal second derivatives on both sides of a key
            a[i, i - 1:i + 2] = 1 / h[i - 1], 2 * (1 / h[i - 1] + 1 / h[i]), 1 / h[i]
            b[i] = 3 * (d[i - 1] / h[i - 1] + d[i] / h[i])
        if period:
            a[0, 0], a[0, -1] = 1, -1
            a[-1, 0], a[-1, 1] = 2 / h[0], 1 / h[0]
            a[-1, -2], a[-1, -1] = 1 / h[-1], 2 / h[-1]
            b[-1] = 3 * (d[0] / h[0] + d[-1] / h[-1])
        else:
            a[0, 0] = a[-1, -1] = 1
            if slopes is not None:
                b[0], b[-1] = slopes
        self.x, self.y, self.m = x, y, np.linalg.solve(a, b)

    def __call__(self, t):
        x = self.x
        if self.period:
            t = x[0] + (t - x[0]) % self.period
        t = min(max(t, x[0]), x[-1])
        i = min(int(np.searchsorted(x, t, side="right")) - 1, len(x) - 2)
        return _hermite(self, i, t)


def _hermite(curve, i, t):
    h = curve.x[i + 1] - curve.x[i]
    u = (t - curve.x[i]) / h
    v = ((1 + 2 * u) * (1 - u) ** 2 * curve.y[i] + u * (1 - u) ** 2 * h * curve.m[i]
         + u * u * (3 - 2 * u) * curve.y[i + 1] + u * u * (u - 1) * h * curve.m[i + 1])
    return float(v[0]) if curve.flat else v


class Keys:
    """(seconds, value) keys with flat tangents at extremes (Fritsch and Carlson's monotone cubic).

    `lag` delays the whole curve (overlap), `soft` is the width in seconds of the smoothing. With
    `period` the curve loops, otherwise it holds its ends.
    """

    flat = True
    WINDOW = np.array([1, 6, 15, 20, 15, 6, 1]) / 64.0

    def __init__(self, keys, period=None, lag=0.0, soft=0.07):
        keys = sorted(keys)
        if period:
            wrap = [(t + k * period, v) for k in (-1, 0, 1) for t, v in keys]
            keys = wrap
        self.x = np.array([k[0] for k in keys], float)
        self.y = np.array([[k[1]] for k in keys], float)
        self.period, self.lag, self.soft = period, lag, soft
        h = np.diff(self.x)
        d = np.diff(self.y[:, 0]) / h
        m = np.zeros(len(keys))
        for i in range(1, len(keys) - 1):
            if d[i - 1] * d[i] > 0:
                w1, w2 = 2 * h[i] + h[i - 1], h[i] + 2 * h[i - 1]
                m[i] = (w1 + w2) / (w1 / d[i - 1] + w2 / d[i])
        self.m = m[:, None]

    def _raw(self, t):
        if self.period:
            t %= self.period
        if t <= self.x[0]:
            return self.y[0, 0]
        if t >= self.x[-1]:
            return self.y[-1, 0]
        return _hermite(self, int(np.searchsorted(self.x, t, side="right")) - 1, t)

    def __call__(self, t):
        t -= self.lag
        # A clip that does not loop begins exactly in its first key.
        soft = self.soft if self.period else min(self.soft, max(t - self.x[0], 0.0))
        return float(sum(w * self._raw(t + (k - 3) * soft / 3) for k, w in enumerate(self.WINDOW)))
