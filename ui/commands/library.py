"""`askpapers library`: the state of the library folder."""
