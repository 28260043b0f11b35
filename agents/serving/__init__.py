"""Exported bots over HTTP: `blot serve` (docs/serving.md). Needs the extra `serve`.

bots.py    the bots, loaded, warmed up and asked
desk.py    a few threads that think, and a queue that ends somewhere
bodies.py  what goes in and what comes out, as JSON
app.py     the endpoints
server.py  the process: its socket, its start and its end
"""
