"""What the commands do; each returns its exit code."""
