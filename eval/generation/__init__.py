"""A test set made from a library: questions with gold papers and facts, each checked by round trip."""
