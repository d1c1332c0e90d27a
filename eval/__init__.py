"""Measures of retrieval, answers and speed."""
