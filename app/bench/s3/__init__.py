"""Programs of the bench s3-sweep: a replayed cloud, our sweep, and the bare limit."""
