"""The endpoint: websocket and plain HTTP on one port."""
