"""From files to papers to the index."""
