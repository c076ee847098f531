"""Checks the signature reference against RFC 8032 and against what minisign made."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import chunksign


class Ed25519Tests(unittest.TestCase):
    def test_vectors_of_the_rfc(self) -> None:
        """RFC 8032, section 7.1, tests 1 to 3."""
        for seed, public, message, signature in (
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
                "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
                "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
            ),
            (
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
                "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
            ),
        ):
            self.assertEqual(chunksign.ed25519_public(bytes.fromhex(seed)).hex(), public)
            self.assertEqual(chunksign.ed25519_sign(bytes.fromhex(seed), bytes.fromhex(message)).hex(), signature)
            self.assertTrue(
                chunksign.ed25519_holds(bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature))
            )
            self.assertFalse(
                chunksign.ed25519_holds(bytes.fromhex(public), bytes.fromhex(message) + b"?", bytes.fromhex(signature))
            )


class MinisignTests(unittest.TestCase):
    # Made by minisign 0.11 for a file that holds "hello" and a line feed.
    PUBLIC = "RWRVKsjZ6NgF8HG4Ph9nEkBPfLtJkqGfnh0axEauZu/RFj5/kvy494T+"
    SIGNATURE = (
        "untrusted comment: signature from minisign secret key\n"
        "RURVKsjZ6NgF8H+MvTVhGIjdVPM8nyfle6NNnfrRYDgjoqpBmLjDzp9nwuBI3UKRllm1anEZpQxuocIBg5w7yfeP9nDORXbICgc=\n"
        "trusted comment: timestamp:1796033636\tfile:sub.chunks\thashed\n"
        "X5gRh/v4pwJlgiM8o90n5WJK+1Lwc+Aj5eoUj/LIqr6tJZm7NEhKFZWwFptt2XhqO1p2jn9pb/aYLicB5dSVAw==\n"
    )

    def test_what_minisign_signed_holds(self) -> None:
        chunksign.check(self.PUBLIC, self.SIGNATURE.encode(), b"hello\n", "sub.chunks", chunksign.FILE_ID)

    def test_other_bytes_do_not(self) -> None:
        with self.assertRaisesRegex(chunksign.SignatureError, "manifestChanged"):
            chunksign.check(self.PUBLIC, self.SIGNATURE.encode(), b"hello", "sub.chunks", chunksign.FILE_ID)

    def test_the_limits_of_minisign_make_its_parameters(self) -> None:
        self.assertEqual(chunksign.scrypt_parameters(33554432, 1073741824), (1 << 20, 8, 1))


if __name__ == "__main__":
    unittest.main()
