"""What the command line can do: one module per area, found by walking; `commands` is its part.

A `commands` with a name becomes a group (`db upgrade`), one without adds to the top (`up`).
Modules import what they need inside their functions, so that `--help` stays quick.
"""
