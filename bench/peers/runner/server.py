"""A redis-server of our own, on a free port of 127.0.0.1, and the few words of RESP needed to ask it how it is."""

import pathlib
import socket
import subprocess
import tempfile
import time


class Server:
    def __init__(self, processor: int):
        self._folder = tempfile.TemporaryDirectory(prefix="ration-peers-")
        self._port = _free_port()
        self._process = subprocess.Popen(
            ["taskset", "-c", str(processor), "redis-server", "--port", str(self._port), "--bind", "127.0.0.1",
             "--save", "", "--appendonly", "no", "--dir", self._folder.name, "--maxclients", "4000"],
            stdout=subprocess.DEVNULL)
        self._connection = self._connect()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_) -> None:
        self._connection.close()
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}"

    def log_file(self, number: int) -> pathlib.Path:
        return pathlib.Path(self._folder.name) / f"decisions-{number}"

    def forget_everything(self) -> None:
        """As good as a fresh server: data, scripts and counts."""
        for words in (("FLUSHALL", "SYNC"), ("SCRIPT", "FLUSH", "SYNC"), ("CONFIG", "RESETSTAT")):
            self.ask(*words)

    def used_memory(self) -> int:
        """Without what is there because of scripts or open connections."""
        self.ask("SCRIPT", "FLUSH", "SYNC")
        for _ in range(100):
            if int(self.info("clients")["connected_clients"]) == 1:
                break
            time.sleep(0.01)
        return int(self.info("memory")["used_memory"])

    def memory_of_few_keys(self) -> int:
        """To the byte; `used_memory` is off by what the server keeps for itself."""
        names = self.ask("KEYS", "*")
        return sum(self.ask("MEMORY", "USAGE", name, "SAMPLES", "0") or 0 for name in names)

    def processor_seconds(self) -> float:
        figures = self.info("cpu")
        return float(figures["used_cpu_user"]) + float(figures["used_cpu_sys"])

    def command_counts(self) -> dict[str, int]:
        counts = {}
        for name, text in self.info("commandstats").items():
            counts[name.removeprefix("cmdstat_")] = int(text.split(",")[0].removeprefix("calls="))
        return counts

    def version(self) -> str:
        return self.info("server")["redis_version"]

    def info(self, section: str) -> dict[str, str]:
        lines = self.ask("INFO", section).decode().splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def ask(self, *words: str | bytes):
        """Bytes, a number, None or a list of these, as the server has it."""
        encoded = [word if isinstance(word, bytes) else word.encode() for word in words]
        parts = b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in encoded)
        self._connection.sendall(b"*%d\r\n%s" % (len(words), parts))
        return self._reply(words)

    def _reply(self, words):
        kind, text = self._line()
        if kind == b"-":
            raise RuntimeError(f"redis-server said {text.decode()} to {words}")
        if kind == b":":
            return int(text)
        if kind == b"*":
            return [self._reply(words) for _ in range(int(text))]
        if kind == b"$":
            return None if text == b"-1" else self._bytes(int(text) + 2)[:-2]
        return text

    def _connect(self) -> socket.socket:
        for _ in range(500):
            try:
                connection = socket.create_connection(("127.0.0.1", self._port))
                self._received = b""
                return connection
            except ConnectionRefusedError:
                if self._process.poll() is not None:
                    raise RuntimeError("redis-server ended at once; run it by hand to see why") from None
                time.sleep(0.02)
        raise RuntimeError("redis-server does not answer")

    def _line(self) -> tuple[bytes, bytes]:
        while b"\r\n" not in self._received:
            self._receive()
        line, self._received = self._received.split(b"\r\n", 1)
        return line[:1], line[1:]

    def _bytes(self, size: int) -> bytes:
        while len(self._received) < size:
            self._receive()
        taken, self._received = self._received[:size], self._received[size:]
        return taken

    def _receive(self) -> None:
        more = self._connection.recv(1 << 16)
        if not more:
            raise RuntimeError("redis-server closed the connection")
        self._received += more


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
