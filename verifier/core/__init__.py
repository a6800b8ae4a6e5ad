"""Leaves that every package may import: errors, the plugin registry, text helpers, ONNX sessions, model files."""
