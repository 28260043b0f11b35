"""What is left of a tournament to look at: a page for the browser, tables for the terminal, JSON and CSV files."""
