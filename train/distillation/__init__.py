"""Distillation: what cards are worth, found by solving positions of own play, into the policy's cards.

    blot train configs/bazar/2-distillation.toml --name second

`config` has every setting; docs/training.md explains the stage and its metrics.
"""
