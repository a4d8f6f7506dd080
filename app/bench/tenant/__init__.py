"""Programs of the bench azure-estate: a tenant with quotas, our sweeps, and the bare limit."""
