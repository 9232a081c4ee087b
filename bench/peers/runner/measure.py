"""Runs one contender on one workload, once, and turns what it and Redis say into figures."""

import dataclasses
import json
import os
import selectors
import subprocess
import time

import errors
import waiting
from contenders import BUILT, Contender
from server import Server
from workloads import Workload

Figures = dict[str, float]


class CouldNotRun(Exception):
    """The contender failed or took too long; the text says why."""


class NotReady(CouldNotRun):
    """It was still filling or starting when patience ended."""


@dataclasses.dataclass(frozen=True)
class Plan:
    seconds: float
    warmup: float
    patience: float  # seconds for a contender to get ready, filling included
    server_processor: int
    client_processor: int


class Program:
    """A contender's process, line by line."""

    def __init__(self, command: list[str], processors: str, environment: dict[str, str]):
        self._process = subprocess.Popen(
            ["taskset", "-c", processors, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment)
        os.set_blocking(self._process.stdout.fileno(), False)
        self._received = b""

    def go(self) -> None:
        self._process.stdin.write(b"go\n")
        self._process.stdin.flush()

    def expect(self, word: str, patience: float) -> None:
        line = self.line(patience)
        if line != word:
            raise CouldNotRun(f"said {line!r} instead of {word!r}: {self._complaint()}")

    def line(self, patience: float) -> str:
        deadline = time.monotonic() + patience
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._received:
                if not selector.select(max(0, deadline - time.monotonic())):
                    raise CouldNotRun(f"no answer within {patience:.0f} s")
                more = self._process.stdout.read()
                if not more:
                    raise CouldNotRun(f"ended early: {self._complaint()}")
                self._received += more
        line, self._received = self._received.split(b"\n", 1)
        return line.decode()

    def processor_seconds(self) -> float:
        with open(f"/proc/{self._process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _complaint(self) -> str:
        self._process.kill()
        lines = self._process.communicate()[1].decode(errors="replace").strip().splitlines()
        if not lines:
            return "no message"
        return (lines[0] if lines[0].startswith("Exception in thread") else lines[-1])[:200]  # Java's is the first


def run(contender: Contender, workload: Workload, plan: Plan, server: Server) -> Figures:
    server.forget_everything()
    empty = server.used_memory()
    logs = [server.log_file(i) for i in range(workload.processes)]
    for log in logs:
        log.unlink(missing_ok=True)
    programs: list[Program] = []
    try:
        for number, log in enumerate(logs):
            programs.append(start(contender, workload, plan, server, number, str(log) if workload.logged else ""))
            try:
                programs[-1].expect("ready", plan.patience)
            except CouldNotRun as problem:
                raise NotReady(f"not ready: {problem}") from problem
        figures, answers = watch(programs, contender, workload, plan, server)
    finally:
        for program in programs:
            program.end()
    if workload.place == "redis":
        figures |= memory(server, workload, empty, sum(answer["granted_in_all"] for answer in answers))
    if workload.mode == "wait":
        figures |= waiting.examine(logs[0], workload, answers[0]["algorithm"])
    elif workload.logged:
        algorithm = (contender.keyed_algorithm if workload.keys > 1 else "") or contender.algorithm
        figures |= errors.examine(logs, workload, algorithm, contender.grid)
    return figures


def start(contender: Contender, workload: Workload, plan: Plan, server: Server, number: int, log: str) -> Program:
    seconds = workload.seconds or plan.seconds
    words = {
        "contender": contender.name, "url": server.url if workload.place == "redis" else "memory:",
        "mode": workload.mode, "callers": workload.callers, "keys": workload.keys, "rate": workload.rate,
        "interval-ms": workload.interval_ms, "seconds": seconds, "warmup": plan.warmup * contender.warms_up,
        "process": number, "fill": int(workload.fill and number == 0),
    }
    if log:
        words["log"] = log
    command = contender.command + [part for name, value in words.items() for part in (f"--{name}", str(value))]
    processors = str(plan.client_processor)
    if workload.both_processors:
        processors += f",{plan.server_processor}"
    return Program(command, processors, os.environ | {"NODE_PATH": f"{BUILT}/node/node_modules"})


def watch(programs: list[Program], contender: Contender, workload: Workload, plan: Plan,
          server: Server) -> tuple[Figures, list[dict]]:
    """From "go" to the answers. With several processes, Redis's figures are taken from the last to begin to the first
    to end."""
    seconds = workload.seconds or plan.seconds
    patience = 60 + plan.warmup * contender.warms_up + 2 * seconds
    for program in programs:
        program.go()
    for program in programs:
        program.expect("begin", patience)
    busy_before = [program.processor_seconds() for program in programs]
    redis_before, counts_before, begin = server.processor_seconds(), server.command_counts(), time.monotonic()
    programs[0].expect("end", patience)
    elapsed = time.monotonic() - begin
    busy = sum(program.processor_seconds() - before for program, before in zip(programs, busy_before))
    redis_busy, counts = server.processor_seconds() - redis_before, server.command_counts()
    for program in programs[1:]:
        program.expect("end", patience)
    answers = [json.loads(program.line(patience)) for program in programs]

    pace = sum(answer["decisions"] / answer["seconds"] for answer in answers)
    granted = sum(answer["granted"] / answer["seconds"] for answer in answers)
    if pace == 0:
        raise CouldNotRun("no decision in the time given")
    figures = {"decisions_per_second": pace, "granted_share": granted / pace}
    figures["client_cpu"] = busy / elapsed / pace * 1e6
    if workload.mode == "ask":
        figures |= percentiles(answers)
    if workload.place == "redis":
        calls = contender.calls({name: count - counts_before.get(name, 0) for name, count in counts.items()})
        figures["redis_cpu"] = redis_busy / elapsed / pace * 1e6
        figures["calls_per_decision"] = calls / elapsed / pace
        figures["calls_per_grant"] = calls / elapsed / max(granted, 1e-9)
        own = [answer["calls_per_decision_own"] for answer in answers if "calls_per_decision_own" in answer]
        if own:
            figures["calls_own"] = sum(own) / len(own)
    return figures, answers


def memory(server: Server, workload: Workload, empty: int, granted: int) -> Figures:
    if workload.keys > 1:
        in_use = max(0, server.used_memory() - empty)
        return {"redis_bytes": in_use, "redis_bytes_each": in_use / workload.keys}
    in_use = server.memory_of_few_keys()
    return {"redis_bytes": in_use, "redis_bytes_each": in_use / max(1, granted)}


def percentiles(answers: list[dict]) -> Figures:
    """In microseconds, from the histograms of all processes together; bucket b begins at e^(b/200) ns."""
    total: dict[int, int] = {}
    for answer in answers:
        for bucket, count in answer["latency"].items():
            total[int(bucket)] = total.get(int(bucket), 0) + count
    everything = sum(total.values())
    result = {}
    for name, share in (("p50", 0.5), ("p99", 0.99), ("p999", 0.999)):
        seen = 0
        for bucket in sorted(total):
            seen += total[bucket]
            if seen >= share * everything:
                result[name] = 2.718281828459045 ** ((bucket + 0.5) / 200) / 1000
                break
    return result
