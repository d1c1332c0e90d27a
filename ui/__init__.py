"""The command line and the web app."""
