"""
Writes python-signing.json beside itself: what the reference implementation of the signature (facts, "Signing")
makes of many values. Run it with Python 3.11 or later, then format the result:

    python3 python-signing.py && npx prettier --write python-signing.json
"""

import hashlib
import hmac
import json
import pathlib
import random
import unicodedata
from urllib.parse import quote_plus, urlencode

PUBLIC_KEY = "pk maker/1+2=3"
PRIVATE_KEY = "sk_mäker ✓"
TIMESTAMP = 1_767_225_600

NUMBERS = """
0 -0 1 13 -13 100 2231 9007199254740991 9007199254740992 9007199254740993 123456789012345678901234567890 -98765432109876543210
0.0 -0.0 1.0 13.0 100.0 0.10 0.1 0.52 0.520 -0.25 0.0001 0.00012345 0.00001 0.000012 1e-5 1E-5 1e-05 1e-7 1.5e-10 5e-324
1e0 1e2 1E2 1e+2 12.5e1 1e15 1e16 1.0e16 9999999999999998.0 99999999999999990 99999999999999990.0 123456789012345678.0
1e17 1e21 1e22 1.7976931348623157e308 0.1e1 0.30000000000000004 0.333333333333333333333 1234567.8901234567 100000000000000000000000.0
2.5 3.14159 1e-4 0.9999 999999999999999.9 4503599627370497.5 123456.0 0.0000001 0e5 0.0e-5 -1e16 -1e-5 4.35 0.285
""".split()

STRINGS = [
    "", "13", "0.52", "plain", "with space", "a+b", "a&b=c", "100%", "tilde~dash-dot.under_", "!'()*", "it's", 'say "hi"',
    "both ' and \"", "back\\slash", "quote'back\\", "tab\there", "line\nbreak", "return\rhere", "nul\x00", "bell\x07", "del\x7f",
    "next line\x85", "nbsp\u00a0", "soft\u00adhyphen", "café", "ñandú", "straße", "Ω≈ç√", "日本語", "emoji 🎲", "family 👨\u200d👩\u200d👧",
    "line sep\u2028", "para sep\u2029", "thin\u2009space", "ideographic\u3000space", "bom\ufeff", "private\ue000", "nonchar\uffff",
    "tag\U000e0001", "unassigned\U000f0000", "combining e\u0301", "rtl\u200f", "[{'a': 1}]", "slash/and?query#hash", "semi;colon",
    "comma,colon:at@", "{}", "True", "None", "€uro", "𝔘nicode", "\u200bzero", "<tag>", "`tick`^caret|pipe", "$dollar",
]

NESTED = [
    "[]", "{}", "[[]]", "[{}]", '{"a": []}', '{"a": {}}', "[null]", "[true, false, null]", "[1, 1.0, 1e2, -0, -0.0]",
    '[{"market": 2231, "shares": "13", "price": null}]', '[{"market": 2231, "shares": "13", "price": 0.52}]',
    '{"b": 1, "a": 2}', '{"it\'s": "it\'s"}', '["", " ", "a b"]', '["\\u00e9", "\\ud83c\\udfb2", "\\u0000"]',
    '[0.10, 0.1, 1e16, 1e-5, 123456789012345678901234567890]', '[1e+21, -1.5e+300, 1e-7, 1.5e-300, 5e-324]', '{"deep": {"er": {"and": ["more", {"x": [[[]]]}]}}}',
    '{"b": 1, "10": 2, "9": 3, "a": 4, "1": {"2": 0, "x": 1, "1": 2}}', '[{"3": 1, "2": 2}, {"2": 1, "3": 2}, {"3": 1, "2": 2}]',
    '{"x": {"0": 1, "00": 2, "-1": 3, "4294967295": 4, "4294967294": 5, "01": 6}}', '{"z": 1, "\\u0031": 2, "0": 3, "1.0": 1.0}',
    '[{"7": 7.0, "__proto__": {"6": 6, "5": 5}, "": 1e2}]',
    '[{"a b": "!\'()*~"}]', '["quote\\"s", "both \\" and \'"]', '[ 1 ,\n 2\t]',
]

BODIES = [
    {},
    {"market": 2231, "side": "bid", "currency": "OOM", "position": "long", "price": 0.52, "shares": "13"},
    {"market": 2231, "side": "ask", "currency": "USDC", "price": None, "shares": 100.0, "cancel_conflicting_orders": True},
    {"orders": [{"market": 2231, "shares": "13", "price": None}]},
    {"orders": [
        {"market": 2231 + n, "event": 873, "side": "bid", "currency": "USDC", "position": "short", "price": (n + 1) / 100,
         "shares": f"{n}.25", "expired_at": None, "cancel_conflicting_orders": n % 2 == 0} for n in range(20)]},
    {"order_ids": [1, 22, 333, 9007199254740991]},
    {"order_ids": []},
    {"event": 873, "market": 2231},
    {"safe_address": "0x52908400098527886E0F7030069857D2E4169EE7", "chain_id": 137},
    {"z": 1, "a": 2, "Z": 3, "A": 4, "_": 5, "10": 6, "9": 7, "Ké": 8, "ä": 9},
    {"\uffee": "halfwidth", "😀": "astral", "é": "latin", "a": "ascii"},
    {"text": "a b+c&d=e%f", "quote": "it's", "unicode": "日本語 🎲", "empty": "", "star": "!'()*~"},
    {"flat": 0.1, "small": 1e-05, "large": 1e16, "negative": -0.0, "integer": 10 ** 30, "yes": True, "no": False},
    {"nested": {"b": [1, 2.0, {"c": None}], "a": "it's \"both\""}, "list": [[], {}, [[]]]},
]

QUERIES = [
    [],
    [["currency_mode", "play_money"]],
    [["limit", "10"], ["offset", "20"], ["status", "open"]],
    [["currencies", "USDC"], ["currencies", "USD"], ["currencies", "OOM"]],
    [["search", "who wins? 50% & more"], ["ordering", "-created_at"], ["categories", "10"], ["categories", "9"]],
    [["search", "日本語 🎲 it's (ok)!*~"], ["Zed", "1"], ["alpha", "2"]],
    [["empty", ""], ["active", "True"]],
]


# Characters that every Unicode version of the last decades knows, so that Python's and the reader's need not be the same.
KNOWN = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000 and unicodedata.ucd_3_2_0.category(chr(c)) != "Cn"]
COMMON = [chr(c) for c in range(0x180)] + list("\u2028\u2029\u200b\u00ad\ufeff\ue000🎲")


def drawn_text(draw):
    return "".join(draw.choice(KNOWN if draw.random() < 0.3 else COMMON) for _ in range(draw.choice([0, 1, 2, 3, 8])))


def drawn_name(draw):
    return str(draw.choice([0, 1, 2, 10, 99, "01", "-1", 2**32 - 2, 2**32 - 1])) if draw.random() < 0.5 else drawn_text(draw)


def drawn_value(draw, depth):
    if depth > 0 and draw.random() < 0.5:
        count = draw.randrange(5)
        if draw.random() < 0.3:
            return [drawn_value(draw, depth - 1) for _ in range(count)]
        return {drawn_name(draw): drawn_value(draw, depth - 1) for _ in range(count)}
    return draw.choice([drawn_text(draw), draw.randrange(-10**6, 10**6), draw.uniform(-1, 1), draw.randrange(100) / 100, True, None])


def drawn(seed):
    draw = random.Random(seed)
    value = {drawn_name(draw): drawn_value(draw, 2) for _ in range(4)}
    return json.dumps(value, ensure_ascii=draw.random() < 0.5)


def signed(pairs):
    text = urlencode(sorted([*pairs, ("Key", PUBLIC_KEY), ("Timestamp", TIMESTAMP)]))
    digest = hmac.new(PRIVATE_KEY.encode(), text.encode(), hashlib.sha512).hexdigest()
    return {"text": text, "hmac": digest}


def body_case(body, **spelling):
    return {"body": json.dumps(body, **spelling), **signed(body.items())}


def channel_case(channel, socket):
    digest = hmac.new(b"application secret", f"{socket}:{channel}".encode(), hashlib.sha256).hexdigest()
    return {"channel": channel, "socketId": socket, "auth": f"app:{digest}"}


vectors = {
    "publicKey": PUBLIC_KEY,
    "privateKey": PRIVATE_KEY,
    "timestamp": TIMESTAMP,
    "numbers": [{"json": text, "repr": repr(json.loads(text))} for text in NUMBERS],
    "strings": [{"text": text, "repr": repr(text), "quoted": quote_plus(text)} for text in STRINGS],
    "nested": [{"json": text, "repr": str(json.loads(text))} for text in NESTED + [drawn(seed) for seed in range(120)]],
    "bodies": [body_case(body) for body in BODIES]
    + [body_case(body, ensure_ascii=False, separators=(",", ":")) for body in BODIES],
    "queries": [{"pairs": pairs, **signed([tuple(pair) for pair in pairs])} for pairs in QUERIES],
    "channels": [channel_case("private-user-1", "123.456"), channel_case("private-user-90071", "1.2")],
}

path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(vectors, indent=1, ensure_ascii=True) + "\n", encoding="ascii")
