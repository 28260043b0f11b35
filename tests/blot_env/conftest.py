"""Properties run on the same examples every time; `python -m tests.fuzz` is there to look for new ones."""

from hypothesis import settings

settings.register_profile("blot", derandomize=True, deadline=None, database=None)
settings.load_profile("blot")
