"""The domain: papers, the index over them, retrieval, and cited answers."""
