"""Builds and installs the contenders into build/peers, by the ordinary client of each language."""

import os
import shutil
import subprocess
import sys

from contenders import BUILT, SOURCES

TOOLS = {"java": ["java", "mvn"], "go": ["go"], "rust": ["cargo"], "node": ["node", "npm"], "python": ["python3"], "cpp": []}


def install(languages: set[str]) -> None:
    BUILT.mkdir(parents=True, exist_ok=True)
    for language in sorted(languages):
        missing = [tool for tool in TOOLS[language] if shutil.which(tool) is None]
        if missing:
            sys.exit(f"bench-peers: {', '.join(missing)} is not installed; run 'scripts/setup peers'")
        print(f"bench-peers: installing the {language} contenders", file=sys.stderr)
        {"java": java, "go": go, "rust": rust, "node": node, "python": python, "cpp": cpp}[language]()


def java() -> None:
    quietly("java", ["mvn", "-q", "-B", "-f", str(SOURCES / "java" / "pom.xml"), "package"])


def go() -> None:
    quietly("go", ["go", "build", "-o", str(BUILT / "go" / "peers"), "."], folder=SOURCES / "go")


def rust() -> None:
    quietly("rust", ["cargo", "build", "--release"], folder=SOURCES / "rust",
            environment={"CARGO_TARGET_DIR": str(BUILT / "rust")})


def node() -> None:
    folder = BUILT / "node"
    folder.mkdir(exist_ok=True)
    shutil.copy(SOURCES / "node" / "package.json", folder)
    quietly("node", ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"], folder=folder)


def python() -> None:
    folder = BUILT / "python"
    if not (folder / "bin" / "pip").exists():
        quietly("python", ["python3", "-m", "venv", str(folder)])
    quietly("python", [str(folder / "bin" / "pip"), "install", "-q", "-r", str(SOURCES / "python" / "requirements.txt")])


def cpp() -> None:
    """The Makefile builds it, with the library."""


def quietly(language: str, command: list[str], folder=None, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=folder, env=os.environ | (environment or {}), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nbench-peers: the {language} contenders could not be installed; the reason is above. "
                 f"'--only' leaves them out.")
