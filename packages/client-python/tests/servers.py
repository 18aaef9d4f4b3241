"""Servers that the scripted one can't be: a proxy, one with TLS, and one that closes connections."""

from __future__ import annotations

import json
import select
import socket
import ssl
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

BODY = json.dumps(
    {
        "data": {"title": "Lighthouse"},
        "meta": {
            "request_id": "r-1",
            "api_version": "1",
            "rate_limit": {"limit": 1000, "remaining": 999, "reset": "2026-06-28T00:00:00.000Z"},
        },
    }
).encode()


class ApiHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    closes_after_response = False

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)
        self.close_connection = self.closes_after_response

    def log_message(self, format: str, *args: object) -> None:
        pass


class ClosingHandler(ApiHandler):
    """Closes the connection after each response without saying so, as a service does that was idle for long."""

    closes_after_response = True


class ProxyHandler(BaseHTTPRequestHandler):
    """A proxy for http:// (forwards the request) and https:// (opens a tunnel). Logs what it was asked for."""

    protocol_version = "HTTP/1.1"
    log: list[tuple[str, str, str | None]]

    def do_GET(self) -> None:
        self._log_request()
        url = urlsplit(self.path)
        with socket.create_connection((url.hostname or "", url.port or 80)) as service:
            service.sendall(f"GET {url.path} HTTP/1.1\r\nhost: {url.netloc}\r\nconnection: close\r\n\r\n".encode())
            while chunk := service.recv(65536):
                self.wfile.write(chunk)
        self.close_connection = True

    def do_CONNECT(self) -> None:
        self._log_request()
        host, _, port = self.path.rpartition(":")
        with socket.create_connection((host, int(port))) as service:
            self.send_response(200)
            self.end_headers()
            while True:
                readable, _, _ = select.select([self.connection, service], [], [])
                for source in readable:
                    chunk = source.recv(65536)
                    if not chunk:
                        self.close_connection = True
                        return
                    (service if source is self.connection else self.connection).sendall(chunk)

    def _log_request(self) -> None:
        self.log.append((self.command, self.path, self.headers.get("proxy-authorization")))

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serve(handler: type[BaseHTTPRequestHandler], tls: ssl.SSLContext | None = None) -> Generator[int, None, None]:
    """Serves until the end of the block; gives the port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def create_certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Creates a certificate for localhost; returns the contexts of its server and of its clients."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    return server, ssl.create_default_context(cafile=str(certificate))
