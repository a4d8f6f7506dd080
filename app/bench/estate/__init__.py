"""Programs of the bench aws-estate: a replayed organization, our sweeps, and the bare limit."""
