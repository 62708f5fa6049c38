"""How alike two pictures look: a hint for a person, never a verdict."""

from __future__ import annotations

import base64
import binascii
import io
import struct
import zlib

from PIL import Image, UnidentifiedImageError

_MOST_BYTES = 10_000_000
_MOST_PIXELS = 20_000_000
_SIDE = 16


def picture_likeness(saved: str, fresh: str) -> float | None:
    """The share of equal bits in the difference hashes of two PNG or JPEG pictures.

    Args:
        saved: A picture in Base64, as notebooks keep it.
        fresh: Another.

    Returns:
        1 for pictures that look alike, about 0.5 for unrelated ones; None where one cannot be read.

    Source: N. Krawetz, "Kind of Like That" (2013), the difference hash.
    """
    first, second = _difference_hash(saved), _difference_hash(fresh)
    if first is None or second is None:
        return None
    return sum(one == other for one, other in zip(first, second, strict=True)) / len(first)


def _difference_hash(picture: str) -> tuple[bool, ...] | None:
    if len(picture) > _MOST_BYTES:
        return None
    try:
        content = base64.b64decode(picture)
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as image:
            if image.width * image.height > _MOST_PIXELS:
                return None
            small = image.convert("L").resize((_SIDE + 1, _SIDE))
    except (Image.DecompressionBombError, struct.error, zlib.error, EOFError):
        return None  # larger than Pillow opens at all, or broken inside
    except (binascii.Error, OSError, ValueError, SyntaxError, UnidentifiedImageError):
        return None  # damaged, or no picture: there is nothing to hint at
    pixels = small.tobytes()
    width = _SIDE + 1
    return tuple(
        pixels[row * width + column] < pixels[row * width + column + 1]
        for row in range(_SIDE)
        for column in range(_SIDE)
    )
