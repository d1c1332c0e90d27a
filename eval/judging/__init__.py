"""A chat model that grades answers, and how far it can be trusted."""
