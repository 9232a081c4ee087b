"""Side by side with the peers: every contender on every workload, in turn, on one machine. See docs/benchmarks-peers.md."""

import argparse
import datetime
import os
import platform
import signal
import sys

from contenders import BUILT, CONTENDERS, ROOT, Contender
from document import write
from install import install
from measure import CouldNotRun, Figures, NotReady, Plan, run
from results import Results
from server import Server
from tables import curve_rows, measured, notes, plain, rows
from verdicts import behind, verdicts
from workloads import CURVES, WORKLOADS, Workload

KEPT = BUILT / "results.json"
ERROR_ROUNDS = 2  # of the tables about errors, in which the worst counts and not the median


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-peers", description=__doc__.split(" See")[0])
    names = ", ".join(workload.name for workload in WORKLOADS)
    parser.add_argument("--quick", action="store_true", help="short rounds and few points; shows that it works, no more")
    parser.add_argument("--rounds", type=int, help="of the tables (5; quick: 1)")
    parser.add_argument("--curve-rounds", type=int, help="of the curves (1); 0 leaves the curves out")
    parser.add_argument("--seconds", type=float, help="measured each time (3; quick: 0.5)")
    parser.add_argument("--patience", type=float, help="seconds for a contender to start and to fill its keys (300; quick: 90)")
    parser.add_argument("--only", metavar="NAMES", help="contenders, with commas between: "
                        + ", ".join(contender.name for contender in CONTENDERS))
    parser.add_argument("--workloads", metavar="NAMES", help=f"with commas between: {names}, or the curves "
                        + ", ".join("curve-" + curve.name for curve in CURVES))
    parser.add_argument("--no-install", action="store_true", help="what is in build/peers is up to date")
    parser.add_argument("--write-docs", action="store_true", help="write the page and its pictures although the run is not "
                        "complete; a complete run always does")
    parser.add_argument("--add", action="store_true", help="to the last run, instead of beginning a new one; what is measured again "
                        "replaces what it found: --add --rounds 0 for the curves, --add --curve-rounds 0 --workloads hot")
    parser.add_argument("--from-last-run", action="store_true", help="measure nothing, show and write the last run again")
    options = parser.parse_args()
    known = {contender.name for contender in CONTENDERS}
    for name in (options.only or "").split(","):
        if name and name not in known:
            parser.error(f"there is no contender {name!r}; there are {', '.join(sorted(known))}")
    known = {workload.name for workload in WORKLOADS} | {"curve-" + curve.name for curve in CURVES}
    for name in (options.workloads or "").split(","):
        if name and name not in known:
            parser.error(f"there is no workload {name!r}; there are {', '.join(sorted(known))}")
    if (options.add or options.from_last_run) and not KEPT.exists():
        parser.error("there is no last run here; begin one without --add and --from-last-run")
    quick = options.quick
    options.rounds = options.rounds if options.rounds is not None else (1 if quick else 5)
    options.curve_rounds = options.curve_rounds if options.curve_rounds is not None else 1
    options.seconds = options.seconds or (0.5 if quick else 3)
    options.patience = options.patience or (90 if quick else 300)
    return options


def chosen(text: str | None, name: str) -> bool:
    return text is None or name in text.split(",")


class Bench:
    def __init__(self, options: argparse.Namespace, plan: Plan, server: Server):
        self.options, self.plan, self.server = options, plan, server
        self.results = Results()
        self.contenders = [one for one in CONTENDERS if chosen(options.only, one.name)]

    def run_tables(self) -> None:
        workloads = [one for one in WORKLOADS if chosen(self.options.workloads, one.name)]
        for number in range(self.options.rounds):
            for workload in workloads:
                if number < ERROR_ROUNDS or not workload.is_about_errors():
                    self.round(workload, number, self.contenders)
            say(f"round {number + 1} of {self.options.rounds} done")
            self.results.save(KEPT)

    def run_curves(self) -> None:
        for curve in CURVES:
            if not chosen(self.options.workloads, "curve-" + curve.name):
                continue
            points = curve.points[:3] if self.options.quick else curve.points
            gave_up: set[str] = set()
            for point in points:
                for number in range(self.options.curve_rounds):
                    able = [one for one in self.contenders
                            if point <= one.most.get(curve.name.removeprefix("memory-"), point)
                            and one.name not in gave_up and not one.only_workloads]
                    gave_up |= self.round(curve.at(point), number, able)
                self.results.save(KEPT)
            say(f"curve {curve.name} done")

    def round(self, workload: Workload, number: int, contenders: list[Contender]) -> set[str]:
        """Everybody once, each round beginning with another. Who could not run."""
        able = [one for one in contenders if one.takes_part(workload.name, workload.place)]
        if number == 0:
            for contender in able:
                self.results.forget(workload.name, contender.name)  # what an earlier run found
        first = number % max(1, len(able))
        failed = set()
        for contender in able[first:] + able[:first]:
            try:
                self.results.add(workload.name, contender.name, self.try_twice(contender, workload))
            except CouldNotRun as problem:
                say(f"{contender.title} could not run {workload.name}: {problem}")
                self.results.add_failure(workload.name, contender.name, str(problem))
                failed.add(contender.name)
        return failed

    def try_twice(self, contender: Contender, workload: Workload) -> Figures:
        """A busy machine can stall anybody once. Who was too slow to get ready would be so again."""
        try:
            return run(contender, workload, self.plan, self.server)
        except NotReady:
            raise
        except CouldNotRun as problem:
            say(f"{contender.title} has to run {workload.name} again: {problem}")
            return run(contender, workload, self.plan, self.server)


def say(text: str) -> None:
    print(f"bench-peers: {text}", file=sys.stderr, flush=True)


def processors() -> tuple[int, int]:
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2:
        sys.exit("bench-peers: this needs two processors, one for the server and one for the client")
    return allowed[0], allowed[1]


def measure(options: argparse.Namespace) -> Results:
    languages = {one.language for one in CONTENDERS if chosen(options.only, one.name)}
    if not options.no_install:
        install(languages)
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -20)  # neighbours should wait while we measure
    except PermissionError:
        pass  # it is measured all the same
    server_processor, client_processor = processors()
    plan = Plan(seconds=options.seconds, warmup=0.5 if options.quick else 1, patience=options.patience,
                server_processor=server_processor, client_processor=client_processor)
    with Server(server_processor) as server:
        bench = Bench(options, plan, server)
        if options.add:
            bench.results = Results.load(KEPT)
        else:
            bench.results.about = {
                "when": datetime.date.today().isoformat(),
                "rounds": f"{options.rounds} of {plan.seconds:g} s after {plan.warmup:g} s of warming up (Java 5 times, Node "
                          f"twice that), of errors {min(options.rounds, ERROR_ROUNDS)}" + (" (quick)" if options.quick else ""),
                "machine": f"{processor_name()}, {os.cpu_count()} processors, {platform.system()} {platform.release()}",
                "load": f"{os.getloadavg()[0]:.1f} before it began; more than 1 on two processors means that others were busy too",
                "server": f"redis-server {server.version()} on processor {server_processor}, clients on {client_processor}, "
                          "over loopback",
            }
        bench.run_tables()
        if options.curve_rounds > 0:
            bench.results.about["curves"] = (f"{options.curve_rounds} of {plan.seconds:g} s, and {plan.patience:g} s to start and "
                                             "to fill the keys")
            bench.run_curves()
        bench.results.save(KEPT)
        return bench.results


def processor_name() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "unknown")


def show(results: Results) -> bool:
    for workload in measured(results):
        print("\n".join(["", workload.title, plain(rows(results, workload)), *notes(results, workload)]))
    for curve in CURVES:
        if any(results.has(curve.at(point).name) for point in curve.points):
            print("\n".join(["", curve.title, plain(curve_rows(results, curve))]))
    print("\nRows in which a peer is ahead")
    print("\n".join(behind(results)) or "none")
    judged = verdicts(results)
    print("\nWhat must hold")
    print(plain([[one.claim, one.found, one.text()] for one in judged]))
    return all(one.holds is not False for one in judged)


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that server and contenders end too
    options = parse()
    results = Results.load(KEPT) if options.from_last_run else measure(options)
    is_complete = not (options.quick or options.only or options.workloads or options.from_last_run or options.add)
    if is_complete or options.write_docs:
        write(results, ROOT / "docs")
    return 0 if show(results) else 1


if __name__ == "__main__":
    sys.exit(main())
