"""The Gradio chat."""
