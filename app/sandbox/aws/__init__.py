"""The simulated AWS: buckets as data, and a real moto behind a layer that mends its answers."""
