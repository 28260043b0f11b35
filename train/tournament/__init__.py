"""Tournaments: who is stronger, by how much, how surely, and where the difference comes from."""
