"""What the commands do; each returns its exit code, None for 0."""
