"""Keys and signatures of signature-v1.md, and their test vectors: a readable second implementation.

Python 3.11, standard library only. Read it from top to bottom: Ed25519, keys, signatures, what a reader refuses, vectors.
"""

import base64
import dataclasses
import hashlib
import struct

# --------------------------------------------------------------------------------------------------------------------
# Ed25519, as RFC 8032 has it, section 5.1. Points are (X, Y, Z, T) with x = X/Z, y = Y/Z, x·y = T/Z.
# --------------------------------------------------------------------------------------------------------------------

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME
ROOT_OF_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)

Point = tuple[int, int, int, int]
NEUTRAL: Point = (0, 1, 1, 0)


def add(left: Point, right: Point) -> Point:
    a = (left[1] - left[0]) * (right[1] - right[0]) % PRIME
    b = (left[1] + left[0]) * (right[1] + right[0]) % PRIME
    c = 2 * left[3] * right[3] * CURVE % PRIME
    d = 2 * left[2] * right[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def multiply(factor: int, point: Point) -> Point:
    result = NEUTRAL
    while factor:
        if factor & 1:
            result = add(result, point)
        point = add(point, point)
        factor >>= 1
    return result


def same(left: Point, right: Point) -> bool:
    return (left[0] * right[2] - right[0] * left[2]) % PRIME == 0 and (left[1] * right[2] - right[1] * left[2]) % PRIME == 0


def recover_x(y: int, sign: int) -> int | None:
    if y >= PRIME:
        return None
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * ROOT_OF_MINUS_ONE % PRIME
    if (x * x - square) % PRIME or (x == 0 and sign):
        return None
    return x if x & 1 == sign else PRIME - x


BASE_Y = 4 * pow(5, -1, PRIME) % PRIME
BASE_X = recover_x(BASE_Y, 0)
assert BASE_X is not None
BASE: Point = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % PRIME)


def compress(point: Point) -> bytes:
    inverse = pow(point[2], -1, PRIME)
    x, y = point[0] * inverse % PRIME, point[1] * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decompress(data: bytes) -> Point | None:
    number = int.from_bytes(data, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % PRIME)


def hash_number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def expand(seed: bytes) -> tuple[int, bytes]:
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    return scalar, digest[32:]


def ed25519_public(seed: bytes) -> bytes:
    return compress(multiply(expand(seed)[0], BASE))


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    scalar, prefix = expand(seed)
    public = compress(multiply(scalar, BASE))
    nonce = hash_number(prefix, message) % ORDER
    commitment = compress(multiply(nonce, BASE))
    challenge = hash_number(commitment, public, message) % ORDER
    return commitment + ((nonce + challenge * scalar) % ORDER).to_bytes(32, "little")


def ed25519_holds(public: bytes, message: bytes, signature: bytes) -> bool:
    key, commitment = decompress(public), decompress(signature[:32])
    answer = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or answer >= ORDER:
        return False
    challenge = hash_number(signature[:32], public, message) % ORDER
    return same(multiply(answer, BASE), add(commitment, multiply(challenge, key)))


# --------------------------------------------------------------------------------------------------------------------
# Keys
# --------------------------------------------------------------------------------------------------------------------

KEY_ALGORITHM = b"Ed"
UNTRUSTED = "untrusted comment: "
TRUSTED = "trusted comment: "


def encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def blake2b(data: bytes, size: int) -> bytes:
    return hashlib.blake2b(data, digest_size=size).digest()


def scrypt_parameters(operations: int, memory: int) -> tuple[int, int, int]:
    """N, r and p of the two limits."""
    operations = max(operations, 32768)
    if operations < memory // 32:
        return power_above(operations // 64), 8, 1
    size = power_above(memory // 2048)
    return size, 8, operations // 4 // size // 8


def power_above(limit: int) -> int:
    power = 2
    while power <= limit:
        power *= 2
    return power


@dataclasses.dataclass(frozen=True)
class Key:
    seed: bytes
    key_id: bytes

    @property
    def public(self) -> bytes:
        return ed25519_public(self.seed)

    @property
    def printed_id(self) -> str:
        return self.key_id[::-1].hex().upper()

    @property
    def public_text(self) -> str:
        return encode(KEY_ALGORITHM + self.key_id + self.public)

    def public_file(self) -> str:
        return f"{UNTRUSTED}minisign public key {self.printed_id}\n{self.public_text}\n"

    def secret_file(self, password: bytes = b"", salt: bytes = bytes(32), operations: int = 0, memory: int = 0) -> str:
        part = self.key_id + self.seed + self.public
        if password:
            part += blake2b(KEY_ALGORITHM + part, 32)
            size, block, parallel = scrypt_parameters(operations, memory)
            stream = hashlib.scrypt(
                password, salt=salt, n=size, r=block, p=parallel, dklen=104, maxmem=2 * 128 * size * block + (1 << 20)
            )
            part = bytes(a ^ b for a, b in zip(part, stream, strict=True))
        else:
            part += bytes(32)
        head = KEY_ALGORITHM + (b"Sc" if password else bytes(2)) + b"B2" + salt + struct.pack("<QQ", operations, memory)
        return f"{UNTRUSTED}minisign encrypted secret key\n{encode(head + part)}\n"


# --------------------------------------------------------------------------------------------------------------------
# Signatures
# --------------------------------------------------------------------------------------------------------------------


def trusted_comment(name: str, file_id: str, version: int | None = None) -> str:
    members = [f"file:{name}", f"id:{file_id}"]
    if version is not None:
        members.append(f"version:{version}")
    return "\t".join([*members, "hashed"])


def sign(key: Key, data: bytes, comment: str, *, legacy: bool = False) -> str:
    signature = ed25519_sign(key.seed, data if legacy else blake2b(data, 64))
    algorithm = b"Ed" if legacy else b"ED"
    return (
        f"{UNTRUSTED}signature from chunkmanifest secret key\n{encode(algorithm + key.key_id + signature)}\n"
        f"{TRUSTED}{comment}\n{encode(ed25519_sign(key.seed, signature + comment.encode()))}\n"
    )


SIGNATURE_MAXIMUM = 12288
LEGACY_MAXIMUM = 16 << 20


class SignatureError(Exception):
    """A code of signature-v1.md, section 5."""


def decode(text: bytes, size: int, error: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise SignatureError(error) from None
    if len(data) != size or encode(data).encode() != text:
        raise SignatureError(error)
    return data


@dataclasses.dataclass(frozen=True)
class Signature:
    algorithm: bytes
    key_id: bytes
    signature: bytes
    comment: bytes
    comment_signature: bytes


def parse(data: bytes) -> Signature:
    if len(data) > SIGNATURE_MAXIMUM:
        raise SignatureError("signatureTooLong")
    lines = [line.removesuffix(b"\r") for line in data.split(b"\n")]
    if not (data.startswith(UNTRUSTED.encode()) or UNTRUSTED.encode().startswith(data)):
        raise SignatureError("signatureMalformed")
    if len(lines) < 4 or len(lines[3]) < 88 and not any(lines[4:]):
        raise SignatureError("signatureTruncated")
    if any(lines[4:]) or not lines[2].startswith(TRUSTED.encode()):
        raise SignatureError("signatureMalformed")
    head = decode(lines[1], 74, "signatureMalformed")
    if head[:2] not in (b"ED", b"Ed"):
        raise SignatureError("signatureMalformed")
    comment = lines[2][len(TRUSTED) :]
    members(comment)
    return Signature(head[:2], head[2:10], head[10:], comment, decode(lines[3], 64, "signatureMalformed"))


def members(comment: bytes) -> dict[str, str]:
    try:
        text = comment.decode()
    except UnicodeDecodeError:
        raise SignatureError("signatureMalformed") from None
    found: dict[str, str] = {}
    for member in text.split("\t"):
        name, colon, value = member.partition(":")
        if not colon or name not in ("file", "id", "version"):
            continue
        is_number = value.isascii() and value.isdigit() and (value == "0" or value[0] != "0") and int(value) < 2**64
        if name in found or (name == "version" and not is_number):
            raise SignatureError("signatureMalformed")
        found[name] = value
    return found


def check(
    public_text: str, signature_file: bytes, data: bytes, name: str, file_id: str, version: int | None = None
) -> None:
    """Raises the first thing that is wrong with a signed manifest."""
    public = base64.b64decode(public_text)
    signature = parse(signature_file)
    if signature.key_id != public[2:10]:
        raise SignatureError("wrongKey")
    if signature.algorithm == b"Ed" and len(data) > LEGACY_MAXIMUM:
        raise SignatureError("legacyTooLong")
    said = members(signature.comment)
    is_other = "file" in said and said["file"].rsplit("/", 1)[-1] != name
    message = data if signature.algorithm == b"Ed" else blake2b(data, 64)
    holds = ed25519_holds(public[10:], message, signature.signature)
    comment_holds = ed25519_holds(public[10:], signature.signature + signature.comment, signature.comment_signature)
    if not comment_holds:
        raise SignatureError("commentChanged" if holds else "wrongSignature")
    if is_other:
        raise SignatureError("otherFile")
    if not holds:
        raise SignatureError("manifestChanged")
    if version is not None and int(said.get("version", "-1")) < version:
        raise SignatureError("rolledBack")
    if said.get("id", file_id) != file_id:
        raise SignatureError("otherFileID")


# --------------------------------------------------------------------------------------------------------------------
# signatures.json
# --------------------------------------------------------------------------------------------------------------------

KEYS = {
    name: Key(hashlib.sha256(b"seed " + name.encode()).digest(), hashlib.sha256(b"id " + name.encode()).digest()[:8])
    for name in ("one", "two")
}
NAME = "file.bin.chunks"
FILE_ID = "chunks1-" + hashlib.sha256(b"file").hexdigest()
DATA = b"any bytes will do: nothing of them is looked at"


def signatures() -> dict:
    one, two = KEYS["one"], KEYS["two"]
    salt = hashlib.sha256(b"salt").digest()
    keys = []
    for name, key in KEYS.items():
        keys.append(
            {
                "name": name,
                "seed": key.seed.hex(),
                "keyID": key.key_id.hex(),
                "printedID": key.printed_id,
                "publicFile": key.public_file(),
                "secretFile": key.secret_file(),
                "password": "pass wörd " + name,
                "salt": salt.hex(),
                "operations": 65536,
                "memory": 1 << 24,
                "sealedFile": key.secret_file(("pass wörd " + name).encode(), salt, 65536, 1 << 24),
            }
        )
    made = [
        {"key": name, "version": version, "text": sign(key, DATA, trusted_comment(NAME, FILE_ID, version))}
        for name, key in KEYS.items()
        for version in (None, 0, 2**64 - 1)
    ]
    good = sign(one, DATA, trusted_comment(NAME, FILE_ID, 7))
    lines = good.split("\n")
    other = sign(one, b"other", trusted_comment(NAME, FILE_ID, 7)).split("\n")
    forged = list(lines)
    head = bytearray(base64.b64decode(lines[1]))
    head[20] ^= 1
    forged[1] = encode(bytes(head))
    cases: list[tuple[str, str, int | None]] = [
        ("good", good, None),
        ("good, no line end", good[:-1], 7),
        ("good, carriage returns", good.replace("\n", "\r\n"), 7),
        ("good, more line ends", good + "\r\n\n", 7),
        ("good, legacy", sign(one, DATA, trusted_comment(NAME, FILE_ID), legacy=True), None),
        ("good, another comment", sign(one, DATA, "anything: at all\tfile\t:"), None),
        ("good, with a path", sign(one, DATA, f"timestamp:1\tfile:/srv/{NAME}\thashed"), None),
        ("wrong key", sign(two, DATA, trusted_comment(NAME, FILE_ID)), None),
        ("forged with the right key ID", sign(Key(two.seed, one.key_id), DATA, trusted_comment(NAME, FILE_ID)), None),
        ("signature changed", "\n".join(forged), None),
        ("manifest changed", "\n".join(other), None),
        ("comment changed", good.replace("version:7", "version:8"), None),
        ("comment of another signature", "\n".join([*lines[:2], *other[2:]]), None),
        ("comment signature changed", "\n".join([*lines[:3], other[3], ""]), None),
        ("another file", sign(one, b"other", trusted_comment("other.bin.chunks", FILE_ID)), None),
        ("another name for the same bytes", sign(one, DATA, trusted_comment("other.bin.chunks", FILE_ID)), None),
        ("another file ID", sign(one, DATA, trusted_comment(NAME, "chunks1-" + "0" * 64)), None),
        ("older", good, 8),
        ("without a version", sign(one, DATA, trusted_comment(NAME, FILE_ID)), 1),
        ("empty", "", None),
        ("one line", lines[0], None),
        ("two lines", "\n".join(lines[:2]), None),
        ("three lines", "\n".join(lines[:3]), None),
        ("cut in the last line", good[:-9], None),
        ("five lines", good + "more\n", None),
        ("longer than allowed", good + "\n" * (SIGNATURE_MAXIMUM + 1 - len(good)), None),
        ("as long as allowed", good + "\n" * (SIGNATURE_MAXIMUM - len(good)), None),
        ("no comment line", "\n".join(lines[1:]), None),
        ("no trusted comment line", "\n".join([*lines[:2], "comment: x", *lines[3:]]), None),
        ("Base64 cut", "\n".join([lines[0], lines[1][:-4], *lines[2:]]), None),
        ("Base64 with a space", "\n".join([lines[0], lines[1] + " ", *lines[2:]]), None),
        ("Base64 of another spelling", "\n".join([lines[0], lines[1][:-2] + "h=", *lines[2:]]), None),
        ("another algorithm", "\n".join([lines[0], "RF" + lines[1][2:], *lines[2:]]), None),
        ("two versions", sign(one, DATA, "version:1\tversion:1"), None),
        ("a version that is none", sign(one, DATA, "version:01"), None),
        ("a version too large", sign(one, DATA, f"version:{2**64}"), None),
    ]
    checks = []
    for name, text, version in cases:
        error = None
        try:
            check(one.public_text, text.encode(), DATA, NAME, FILE_ID, version)
        except SignatureError as refused:
            error = str(refused)
        assert (error is None) == (name.startswith("good") or name == "as long as allowed"), f"{name}: {error}"
        checks.append({"name": name, "text": text, "minimumVersion": version, "error": error})
    return {
        "format": "chunkget signature vectors 1",
        "data": DATA.hex(),
        "name": NAME,
        "fileID": FILE_ID,
        "keys": keys,
        "signatures": made,
        "checkedWith": one.public_text,
        "checks": checks,
    }
