"""How well search ranks what is known to be relevant."""
