"""Generates `tenure/v1` from the protos with grpcio-tools.

Usage: python generate.py [FOLDER]. The default is this folder, whose generated code is checked in;
a test generates it elsewhere and compares.
"""

import sys
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
PROTOS = HERE.parent.parent / "proto"


def generate(folder: Path) -> None:
    files = sorted(PROTOS.glob("tenure/v1/*.proto"))
    services = [file for file in files if file.stem.endswith("_service")]
    common = resources.files("grpc_tools") / "_proto"
    run(f"-I{common}", f"--python_out={folder}", f"--pyi_out={folder}", *map(str, files))
    run(f"-I{common}", f"--grpc_python_out={folder}", *map(str, services))
    (folder / "tenure" / "v1" / "__init__.py").write_text(
        '"""Generated from proto/tenure/v1: messages, enums and stubs."""\n'
    )


def run(*arguments: str) -> None:
    if protoc.main(["protoc", f"-I{PROTOS}", *arguments]) != 0:
        raise SystemExit("the protos do not compile")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
