"""What is checked in under `tenure/v1` is what the protos say: `python generate.py` writes it."""

import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent


def test_generated_code_is_what_the_protos_say(tmp_path: Path) -> None:
    subprocess.run([sys.executable, HOME / "generate.py", tmp_path], check=True)
    fresh = read(tmp_path / "tenure" / "v1")
    kept = read(HOME / "tenure" / "v1")
    assert kept.keys() == fresh.keys()
    stale = [name for name in fresh if kept[name] != fresh[name]]
    assert not stale, f"{stale} are stale: run `python generate.py` with the pinned grpcio-tools"


def read(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.glob("*.py*")) if path.is_file()}
