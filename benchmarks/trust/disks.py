"""Mount a small or a read-only disk for this process alone, or imitate it where that cannot be done."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from pathlib import Path

__all__ = ["make_read_only", "make_room", "mount_small", "take_all_room"]

_NEW_MOUNTS, _NEW_USER = 0x00020000, 0x10000000
_READ_ONLY, _REMOUNT, _RECURSIVE, _PRIVATE = 1, 32, 0x4000, 1 << 18
_FILL = "fill"
_NOBODY = 65534


def mount_small(place: Path, size: int) -> bool:
    """Mount a disk of ``size`` bytes that only this process sees. Whether that could be done."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    try:
        if libc.unshare(_NEW_MOUNTS | (_NEW_USER if user else 0)):
            return False
        if user:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"0 {user} 1")
            Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    except (OSError, AttributeError):
        return False
    libc.mount(b"none", b"/", None, _RECURSIVE | _PRIVATE, None)
    return not libc.mount(b"tmpfs", str(place).encode(), b"tmpfs", 0, f"size={size}".encode())


def take_all_room(place: Path, *, mounted: bool, but: int = 0) -> None:
    """Leave ``but`` bytes on the disk of ``place``; or, where it is no small disk, let no file grow."""
    if not mounted:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (but, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        return
    fill = place / _FILL
    with fill.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    os.truncate(fill, max(0, fill.stat().st_size - but))


def make_room(place: Path, *, mounted: bool) -> None:
    """Undo it."""
    if mounted:
        (place / _FILL).unlink()
    else:
        most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def make_read_only(place: Path, *, mounted: bool) -> None:
    """Let nobody write at and below ``place``: by the disk, or by permissions, as another user where this is root."""
    if mounted:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mount(b"none", str(place).encode(), None, _REMOUNT | _READ_ONLY, None):
            raise OSError(ctypes.get_errno(), "cannot remount")
        return
    root = os.geteuid() == 0
    for path in (*place.rglob("*"), place):
        if root:
            os.chown(path, _NOBODY, _NOBODY)
        path.chmod(0o555 if path.is_dir() else 0o444)
    if root:
        os.setuid(_NOBODY)
