"""Runs and comparisons as pages and as Markdown."""
