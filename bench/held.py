"""What Linux tells of a process's memory."""

from pathlib import Path


def held(process: int | str, field: str) -> int | None:
    """Bytes of `VmRSS`, what it holds now, or `VmHWM`, what it held at most; None elsewhere."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return None
    found = dict(line.split(":", 1) for line in lines)
    return int(found[field].split()[0]) * 1024
