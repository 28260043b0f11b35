"""The double-dummy solver: what a deal is worth when all cards are seen and everybody plays for the best."""
