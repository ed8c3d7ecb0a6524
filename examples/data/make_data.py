"""Makes the data files of the examples from scikit-learn's bundled data sets.

Run it with `pip install 'alpha[examples]'` and `python examples/data/make_data.py`; it writes
beside itself. The files are committed, so that no example needs scikit-learn.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes, load_digits

HERE = Path(__file__).resolve().parent
IMAGES = 300
HIDDEN = 16


def standardized(values: np.ndarray) -> np.ndarray:
    """Each column less its mean, over its standard deviation."""
    return (values - values.mean(axis=0)) / values.std(axis=0)


def main() -> None:
    """Write all files."""
    measurements, progression = load_diabetes(return_X_y=True)
    np.save(HERE / "diabetes_x.npy", standardized(np.asarray(measurements)))
    np.save(HERE / "diabetes_y.npy", standardized(np.asarray(progression)))
    images, labels = load_digits(return_X_y=True)
    np.save(HERE / "digits_x.npy", np.asarray(images)[:IMAGES] / 16.0)
    np.save(HERE / "digits_y.npy", np.eye(10)[np.asarray(labels)[:IMAGES]])
    random = np.random.default_rng(20)
    np.save(HERE / "digits_w1.npy", random.uniform(-0.25, 0.25, (HIDDEN, 64)))
    np.save(HERE / "digits_w2.npy", random.uniform(-0.25, 0.25, (10, HIDDEN)))


if __name__ == "__main__":
    main()
