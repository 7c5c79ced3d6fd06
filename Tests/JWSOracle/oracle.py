"""No JWS is valid for receipt-dump that PyJWT and cryptography refuse, on the same bytes under the same root.

Asked are the project's vectors, genuine ones where RECEIPT_CORPUS has some, and mutants: of these, with a byte, a segment or
a certificate changed; and of JWS that a throw-away authority signs, with header and payload changed before they are signed.
The other way round, what only receipt-dump refuses is counted by its reason, and each reason has to be one of STRICTER.
"""
import argparse
import base64
import collections
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import jwt
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

HOME = pathlib.Path(__file__).resolve().parents[2]
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
LEAF, INTERMEDIATE = "1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1"
# What these libraries let pass and receipt-dump does not.
STRICTER = {
    # RFC 8259 section 4 and RFC 7493 section 2.3: of one name that stands twice the last counts in Python.
    "json-duplicate-name",
    # RFC 8259 section 8.1, RFC 7493 section 2.1; Python's reader takes NaN and Infinity.
    "json-byte-order-mark", "json-lone-surrogate", "json-invalid-number",
    # Depth, members and length are bounded.
    "json-nested-too-deeply", "json-too-many-members", "input-too-long",
    # RFC 7515 section 2: one text for each byte string. Python decodes over other characters and unused bits.
    "invalid-character", "non-zero-trailing-bits", "misplaced-padding", "truncated",
    # RFC 7515 section 4.1.11, RFC 7797 and section 4.1.6.
    "jws-critical-header", "jws-unencoded-payload", "jws-certificates", "jws-certificate-encoding",
    # The third certificate has to be the root, and ES256 is a curve too.
    "untrusted-root", "unsupported-public-key", "malformed-certificate",
    # What a payload has to have, and of which kind it is.
    "wrong-kind", "unreadable-attribute", "signing-date-missing", "notification-content", "environment-not-vouched-for",
    # Inner JWS have to be valid, and agree.
    "inner-rejected", "inner-mismatch",
}


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authority:
    """A throw-away chain of the form that Apple's has."""

    def __init__(self):
        self.keys = [ec.generate_private_key(ec.SECP384R1()), ec.generate_private_key(ec.SECP384R1()),
                     ec.generate_private_key(ec.SECP256R1())]
        names = [x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, n)]) for n in ("Root", "Intermediate", "Leaf")]
        self.chain = []
        for index, marker in enumerate([None, INTERMEDIATE, LEAF]):
            issuer = max(0, index - 1)
            builder = (
                x509.CertificateBuilder().subject_name(names[index]).issuer_name(names[issuer])
                .public_key(self.keys[index].public_key()).serial_number(index + 1)
                .not_valid_before(datetime.datetime(2020, 1, 1)).not_valid_after(datetime.datetime(2040, 1, 1))
                .add_extension(x509.BasicConstraints(index < 2, None), critical=True)
                .add_extension(x509.KeyUsage(index == 2, False, False, False, False, index < 2, index < 2, False, False),
                               critical=True))
            if marker:
                builder = builder.add_extension(
                    x509.UnrecognizedExtension(x509.ObjectIdentifier(marker), b"\x05\x00"), critical=False)
            self.chain.append(builder.sign(self.keys[issuer], hashes.SHA384()))

    @property
    def x5c(self):
        return [base64.b64encode(c.public_bytes(serialization.Encoding.DER)).decode() for c in reversed(self.chain)]

    def sign(self, header, payload):
        signing_input = encode(header) + "." + encode(payload)
        r, s = utils.decode_dss_signature(self.keys[2].sign(signing_input.encode(), ec.ECDSA(hashes.SHA256())))
        return signing_input + "." + encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def is_accepted(text, roots):
    """What PyJWT and cryptography say: signature, path, markers, and validity at the time of signing."""
    try:
        header = jwt.get_unverified_header(text)
        chain = [x509.load_der_x509_certificate(base64.b64decode(c)) for c in header["x5c"]]
        leaf, intermediate = chain[0], chain[1]
        payload = jwt.decode(text, leaf.public_key(), algorithms=["ES256"], options={
            "verify_exp": False, "verify_nbf": False, "verify_iat": False, "verify_aud": False, "verify_iss": False,
            "verify_sub": False, "verify_jti": False})
        time = payload.get("signedDate", payload.get("receiptCreationDate"))
        moment = datetime.datetime.fromtimestamp(time / 1000, datetime.timezone.utc)
        for certificate in (leaf, intermediate):
            if not certificate.not_valid_before_utc <= moment <= certificate.not_valid_after_utc:
                return False
        leaf.verify_directly_issued_by(intermediate)
        leaf.extensions.get_extension_for_oid(x509.ObjectIdentifier(LEAF))
        intermediate.extensions.get_extension_for_oid(x509.ObjectIdentifier(INTERMEDIATE))
        if not intermediate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca:
            return False
        for root in roots:
            try:
                intermediate.verify_directly_issued_by(root)
                break
            except (ValueError, TypeError, InvalidSignature):
                continue
        else:
            return False
        data = payload.get("data") or {}
        inner = [data[n] for n in ("signedTransactionInfo", "signedRenewalInfo") if data.get(n)]
        return all(is_accepted(text, roots) for text in inner)
    except Exception:  # Whatever they raise is a refusal.
        return False


def mutants(text, generator, count):
    """The text with something changed after it was signed."""
    segments = text.split(".")
    for _ in range(count):
        parts = list(segments)
        index = generator.randrange(3)
        how = generator.randrange(7)
        if how == 0:  # a bit of a segment's bytes
            data = bytearray(decode(parts[index]))
            data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
            parts[index] = encode(bytes(data))
        elif how == 1:  # a character more, less or other
            at = generator.randrange(len(parts[index]))
            other = generator.choice(["", "A", "=", "-", "_", "+", "/", ".", "%", "\t"])
            parts[index] = parts[index][:at] + other + parts[index][at + generator.randrange(2):]
        elif how == 2:  # the other signature of the same content
            data = decode(parts[2])
            r, s = int.from_bytes(data[:32], "big"), int.from_bytes(data[32:], "big")
            r, s = generator.choice([(r, ORDER - s), (ORDER - r, s), (0, s), (r, 0), (ORDER, s), (r, ORDER), (s, r)])
            parts[2] = encode((r % 2**256).to_bytes(32, "big") + (s % 2**256).to_bytes(32, "big"))
        elif how == 3:  # DER
            data = decode(parts[2])
            parts[2] = encode(utils.encode_dss_signature(
                int.from_bytes(data[:32], "big"), int.from_bytes(data[32:], "big")))
        elif how == 4:  # the last bits of a segment
            parts[index] = parts[index][:-1] + generator.choice("ABCDEFGHwxyz0123456789-_")
        elif how == 5:  # other segments, or in another order
            parts = generator.choice([parts[:2], parts + ["e30"], parts[::-1], [parts[1], parts[0], parts[2]], parts + [""]])
        else:  # the certificates
            header = json.loads(decode(parts[0]))
            generator.shuffle(header.get("x5c", []))
            parts[0] = encode(json.dumps(header, separators=(",", ":")).encode())
        yield ".".join(parts)


VALUES = ["1", "0", "-1", "1.5", "1e3", "1E400", "01", "NaN", "null", "true", '""', '"x"', "[]", "{}", '"\\ud800"', '"\\u0000"',
          "1700000000000", "99999999999999999999", '"1700000000000"', '"\\ud83d\\ude00"', '"\u00e9"', "[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]"]
PAYLOADS = [
    '{"transactionId":"1","originalTransactionId":"1","bundleId":"a","productId":"b","purchaseDate":1700000000000,'
    '"signedDate":1700000000000,"environment":"Production"}',
    '{"originalTransactionId":"1","autoRenewStatus":1,"signedDate":1700000000000,"environment":"Sandbox"}',
    '{"receiptType":"Production","bundleId":"a","receiptCreationDate":1700000000000}',
    '{"notificationType":"TEST","notificationUUID":"a","version":"2.0","signedDate":1700000000000,'
    '"data":{"bundleId":"a","environment":"Sandbox"}}',
]


def signed(authority, generator, count):
    """What the authority signs after header or payload were changed."""
    other = Authority()
    for _ in range(count):
        x5c = list(authority.x5c)
        header = ['"alg":"ES256"', '"x5c":' + json.dumps(x5c)]
        payload = generator.choice(PAYLOADS)
        how = generator.randrange(8)
        if how == 1:
            header.append(generator.choice([
                '"kid":"a"', '"typ":"JWT"', '"crit":["b64"]', '"crit":[]', '"b64":false', '"b64":true', '"jku":"https://a"',
                '"jwk":{"kty":"EC"}', '"x5u":"a"', '"alg":"none"', '"alg":"ES256"', '"x5c":[]', '"zip":"DEF"', '"cty":"JWT"']))
        elif how == 2:
            header[0] = '"alg":' + generator.choice(
                ['"none"', '"HS256"', '"ES384"', '"es256"', '"RS256"', "null", "1", '["ES256"]', '"ES256 "', '"E\\u00532\\u00356"'])
        elif how == 3:
            x5c = generator.choice([
                x5c[:2], x5c[:1], [], x5c + x5c[2:], x5c[::-1], [x5c[0], x5c[2], x5c[1]], other.x5c, [x5c[0]] + other.x5c[1:],
                [other.x5c[0]] + x5c[1:], x5c[:2] + other.x5c[2:], [c.rstrip("=") for c in x5c], [c + "\n" for c in x5c],
                x5c[:2] + ["AAAA"], [x5c[0]] * 3])
            header[1] = '"x5c":' + json.dumps(x5c)
        elif how in (4, 5):
            members = json.loads(payload)
            name = generator.choice(list(members))
            parts = [f'"{n}":' + (generator.choice(VALUES) if n == name else json.dumps(v)) for n, v in members.items()]
            if how == 5:
                parts.insert(generator.randrange(len(parts)), f'"{name}":' + generator.choice(VALUES))
            payload = "{" + ",".join(parts) + "}"
        elif how == 6:
            at = generator.randrange(len(payload))
            payload = payload[:at] + generator.choice(['"', ",", "}", "\\", "\x01", "\ufeff", " ", "0", "\\u0061"]) + payload[at:]
        elif how == 7:
            payload = generator.choice(["\ufeff" + payload, payload + "\n", payload + "x", "[" + payload + "]", '"' + "a" * 9 + '"'])
        generator.shuffle(header)
        yield authority.sign(("{" + ",".join(header) + "}").encode(), payload.encode("utf-8", "surrogatepass"))


def vectors():
    """The forged JWS of the project with their roots."""
    for path in sorted((HOME / "Fixtures/vectors/signed-json").glob("*.txt")):
        head, body = path.read_text().split("\n\n", 1)
        roots = [line.split(": ")[1] for line in head.splitlines() if line.startswith("root: ")]
        # White space around is taken off at the door; Xcode's sign without an authority.
        text = base64.b64decode(body).decode("utf-8", "replace").strip()
        if roots and not {"apple", "xcode"} & {root.split("-")[0] for root in roots} and text.count(".") >= 2:
            yield text, [HOME / f"Fixtures/roots/{root}.pem" for root in roots if root != "apple"]


def verdicts(tool, texts, roots):
    options = [o for root in roots for o in ("--root", str(root))]
    run = subprocess.run(
        [tool, "--lines", "--brief", "-q", *options, "-"], input="\n".join(texts).encode() + b"\n", stdout=subprocess.PIPE)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(texts):
        sys.exit(f"{len(texts)} texts, {len(answers)} answers")
    return answers


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tool", required=True)
    options.add_argument("--count", type=int, default=3000)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    generator = random.Random(options.seed)
    batches = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority()
        own = pathlib.Path(folder) / "root.pem"
        own.write_bytes(authority.chain[0].public_bytes(serialization.Encoding.PEM))
        batches[(own,)] += signed(authority, generator, options.count)
        originals = list(vectors())
        corpus = os.environ.get("RECEIPT_CORPUS")
        if corpus:
            apple = pathlib.Path(folder) / "apple.pem"
            certificate = x509.load_der_x509_certificate(
                pathlib.Path(corpus, "certificates/AppleRootCA-G3.cer").read_bytes())
            apple.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
            originals += [(p.read_text().strip(), [apple]) for p in sorted(pathlib.Path(corpus, "jws").glob("*.jws"))]
        for text, roots in originals:
            batches[tuple(roots)].append(text)
            if all(text.split(".")[:3]) and text.count(".") == 2:
                try:
                    batches[tuple(roots)] += mutants(text, generator, options.count // len(originals) + 1)
                except (ValueError, AttributeError):
                    continue  # a vector whose header nobody can read is asked as it is
        counts, stricter, lenient = collections.Counter(), collections.Counter(), []
        for roots, texts in batches.items():
            certificates = [x509.load_pem_x509_certificate(root.read_bytes()) for root in roots]
            texts = [t for t in texts if "\n" not in t and "\r" not in t]
            for text, answer in zip(texts, verdicts(options.tool, texts, roots)):
                here, there = answer["verdict"] == "valid", is_accepted(text, certificates)
                counts[here, there] += 1
                if here and not there:
                    lenient.append((answer, text))
                if there and not here:
                    stricter[answer["reason"]] += 1
    print(f"{sum(counts.values())} JWS: {counts[True, True]} valid for both, {counts[False, False]} for neither, "
          f"{counts[False, True]} only for PyJWT and cryptography: "
          + ", ".join(f"{reason} {number}" for reason, number in stricter.most_common()))
    for answer, text in lenient[:10]:
        print(f"valid here alone: {text[:200]}… {answer}")
    unknown = set(stricter) - STRICTER
    if unknown:
        print("refused here alone for reasons that are not listed: " + ", ".join(sorted(map(str, unknown))))
    if counts[True, True] < 20 or counts[False, False] < 100:
        print("hardly anything was asked")
        unknown.add("")
    sys.exit(1 if lenient or unknown else 0)


main()
