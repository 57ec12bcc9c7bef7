"""The device side of the iAP-style link and its control session, in plain Python: what a phone says to a head unit.

    phone = SpeakingPhone.phone(serial="A1")       a phone for usbip_phone that speaks over its bulk endpoints
    phone.trouble = ("certificate", "silent")      what it does wrong after the next plug, and when: see TROUBLES
    phone.pieces = 1                               what it sends comes in pieces of so many bytes
    phone.plug()
    phone.iap.active.wait(30)                      phone.iap is what it is on this plug

It is written from what is known of the protocol, not from the rig's own code, so that the rig does not only understand
itself. It takes every unit: the certificate is not read but for the kind of its key, and the signature is not verified.
It acknowledges at once, drops what comes twice or too early, and never sends anything again: USB loses nothing.
"""

import collections
import struct
import threading

from usbip_phone import USBDevice

DETECTION = bytes.fromhex("FF550200EE10")
SYN, ACK, EAK, RST = 0x80, 0x40, 0x20, 0x10
# What the device takes itself, in its answer to an offer: 127 packets of 65535 bytes, as captured.
DEVICE_LIMITS = bytes.fromhex("7FFFFF")
EC_KEY = bytes.fromhex("06072A8648CE3D0201")
CERTIFICATE_REQUEST, CERTIFICATE, CHALLENGE, SIGNATURE, AUTHENTICATED = 0xAA00, 0xAA01, 0xAA02, 0xAA03, 0xAA05
IDENTIFY, IDENTIFICATION, IDENTIFIED = 0x1D00, 0x1D01, 0x1D02
OFFER, START, DEVICE_NAME, LANGUAGE, POWER, DISPLAYS = 0x4300, 0x4301, 0x4E09, 0x4E0A, 0xAE03, 0xD500

# The steps of a session are named for what comes from the unit; "active" is reached with the last of them.
STEPS = {
    CERTIFICATE: "certificate",
    SIGNATURE: "signature",
    IDENTIFICATION: "identification",
    POWER: "power",
    START: "start",
    DISPLAYS: "displays",
}
TROUBLES = {
    "silent": "takes everything and says nothing, until the unit begins anew with its detection",
    "half": "says half of what it says next, and is silent then",
    "halt": "stalls on both endpoints until the unit clears them, and goes on",
    "deafen": "stalls on both endpoints and answers no request to clear them, nor any other",
    "hold": "takes no transfer any more",
    "vanish": "pulls its own cable",
}


def packet(control, sequence, acknowledgement, channel=0, payload=b""):
    """A link packet; without payload it has no second checksum."""
    length = 9 + len(payload) + (1 if payload else 0)
    head = struct.pack(">HHBBBB", 0xFF5A, length, control, sequence, acknowledgement, channel)
    return head + checksum(head) + payload + (checksum(payload) if payload else b"")


def checksum(data):
    return bytes([-sum(data) & 255])


def parameter(number, data=b""):
    return struct.pack(">HH", 4 + len(data), number) + data


def text(number, words):
    return parameter(number, words.encode() + b"\0")


def message(number, *parameters):
    body = b"".join(parameters)
    return struct.pack(">HHH", 0x4040, 6 + len(body), number) + body


def fields(data):
    """The parameters of a message or a group: the last of each number."""
    found = {}
    while len(data) >= 4:
        length, number = struct.unpack(">HH", data[:4])
        if length < 4 or length > len(data):
            raise ValueError(f"parameter {number} says that it is {length} bytes long, {len(data)} are left")
        found[number], data = data[4:length], data[length:]
    if data:
        raise ValueError(f"{len(data)} bytes behind the last parameter")
    return found


def numbers(data):
    return set(struct.unpack(f">{len(data) // 2}H", data[: len(data) // 2 * 2]))


class IAPPhone:
    """A phone on one plug. `send(bytes)` is called with what it says, each time one transfer; `receive(bytes)` takes
    what the unit says, in any pieces; `misbehave(how)` is called for a trouble that is the cable's."""

    def __init__(
        self, send, serial="VM", name="VM phone", first=0x2D, challenge=None, trouble=None, pieces=None, misbehave=None
    ):
        if trouble and trouble[1] not in TROUBLES:
            raise ValueError(f"no trouble is called {trouble[1]}")
        self.send, self.serial, self.name, self.challenge = send, serial, name, challenge
        self.trouble, self.pieces, self.misbehave = trouble, pieces, misbehave
        self.lock = threading.RLock()
        self.struck, self.active = threading.Event(), threading.Event()
        # What came: the steps in order, control messages by number, and what no unit should have sent.
        self.steps, self.messages, self.problems = [], collections.Counter(), []
        self.repeated = self.garbage = self.strays = 0
        self.certificate = self.signature = self.identification = None
        self.held, self.next_sequence, self.is_silent, self.says_half = b"", first, False, False
        self._forget()

    def _forget(self):
        """There is no link."""
        self.offer = self.answer = self.channel = None
        self.is_established = self.is_used = self.has_offered = False
        self.control, self.sends, self.receives = b"", set(), set()
        self.active.clear()

    # ---- bytes and packets -------------------------------------------------------------------------------------------

    def receive(self, data):
        with self.lock:
            self.held += data
            for found in self._packets():
                if found is None:
                    self._detected()
                elif not self.is_silent:
                    self._received(*found)

    def _packets(self):
        """What is whole: None for the detection bytes, else control, sequence, acknowledgement, channel and payload."""
        while self.held:
            head = self.held[:9]
            if DETECTION.startswith(head[:6]):
                if len(head) < 6:
                    return
                self.held = self.held[6:]
                yield None
            elif b"\xff\x5a".startswith(head[:2]) and (len(head) < 9 or sum(head) & 255 == 0):
                length = int.from_bytes(head[2:4], "big")
                if len(head) < 9 or len(self.held) < length:
                    return
                body, self.held = self.held[9:length], self.held[max(9, length) :]
                if sum(body) & 255:
                    self.problems.append(f"a wrong checksum of a payload of {len(body)} bytes")
                else:
                    yield (*head[4:8], body[:-1])
            else:
                self.garbage += 1
                self.held = self.held[1:]

    def _put(self, data):
        if self.is_silent:
            return
        if self.says_half:
            data, self.says_half, self.is_silent = data[: len(data) // 2], False, True
        for at in range(0, len(data), self.pieces or len(data)):
            self.send(data[at : at + (self.pieces or len(data))])
        if self.is_silent:
            self.struck.set()

    def _detected(self):
        self._forget()
        self.is_silent = self.says_half = False
        if self._reach("detection"):
            self._put(DETECTION)

    def _received(self, control, sequence, acknowledgement, channel, payload):
        if control & RST:
            self._forget()
            self.steps.append("reset")
        elif control & SYN:
            self._synchronize(control, sequence, payload)
        elif self.answer is None:
            self.strays += 1  # of an earlier link
        elif not self.is_established and acknowledgement != self.sequence:
            self.strays += 1
        else:
            if not self.is_established:
                self.is_established = True
                self.say(CERTIFICATE_REQUEST)
            if payload and not control & EAK:
                self._take(sequence, channel, payload)

    def _synchronize(self, control, sequence, payload):
        if control & ACK or len(payload) < 13:
            self.problems.append(f"a synchronisation with control {control:02X} and {len(payload)} bytes")
            return
        if self.offer == (sequence, payload) and not self.is_used:
            return self._put(self.answer)
        self._forget()
        if not self._reach("synchronization"):
            return
        self.offer, self.received = (sequence, payload), sequence
        # Timings and channels are the unit's; a link without acknowledgements is repeated as it is.
        self.acknowledges = payload[4:10] != bytes(6)
        block = payload[:1] + DEVICE_LIMITS + payload[4:] if self.acknowledges else payload
        self.limit = int.from_bytes(payload[2:4], "big") - 10
        self.channel = next(payload[at] for at in range(10, len(payload) - 2, 3) if payload[at + 1] == 0)
        self.sequence, self.next_sequence = self.next_sequence, self.next_sequence + 1 & 255
        self.answer = packet(SYN | ACK, self.sequence, sequence, 0, block)
        self._put(self.answer)

    def _take(self, sequence, channel, payload):
        """A numbered payload: the next one, or one that is answered with where we are."""
        before = self.sequence
        if sequence == self.received + 1 & 255:
            self.received, self.is_used = sequence, True
            if channel == self.channel:
                self.control += payload
                self._read_messages()
        else:
            self.repeated += 1
        if self.answer and self.acknowledges and self.sequence == before:
            self._put(packet(ACK, self.sequence, self.received))

    # ---- the control session -----------------------------------------------------------------------------------------

    def say(self, number, *parameters):
        """Sends a control message, one packet of it or more, whatever the unit's window is."""
        with self.lock:
            data = message(number, *parameters)
            for at in range(0, len(data), self.limit):
                self.sequence = self.next_sequence
                self.next_sequence = self.next_sequence + 1 & 255
                self._put(packet(ACK, self.sequence, self.received, self.channel, data[at : at + self.limit]))

    def _read_messages(self):
        while len(self.control) >= 6:
            start, length, number = struct.unpack(">HHH", self.control[:6])
            if start != 0x4040 or length < 6:
                self.problems.append(f"no message begins with {self.control[:6].hex()}")
                self.control = b""
                return
            if len(self.control) < length:
                return
            body, self.control = self.control[6:length], self.control[length:]
            self.messages[number] += 1
            step = STEPS.get(number)
            if step and self._reach(step):
                try:
                    getattr(self, "_read_" + step)(fields(body))
                except (ValueError, KeyError) as error:
                    self.problems.append(f"message {number:04X}: {error!r}")

    def _reach(self, step):
        """Notes a step, and does what goes wrong there; False when the phone is silent about it."""
        self.steps.append(step)
        if self.trouble and self.trouble[0] == step:
            how, self.trouble = self.trouble[1], None
            self.is_silent, self.says_half = how == "silent", how == "half"
            if how in ("halt", "deafen", "hold", "vanish"):
                self.misbehave(how)
            if not self.says_half:
                self.struck.set()
        return not self.is_silent

    def _read_certificate(self, found):
        self.certificate = found[0]
        length = 32 if EC_KEY in self.certificate else 20
        self.say(CHALLENGE, parameter(0, self.challenge or bytes(range(length))))

    def _read_signature(self, found):
        self.signature = found[0]
        self.say(AUTHENTICATED)
        self.say(IDENTIFY)

    def _read_identification(self, found):
        self.identification = found
        self.sends, self.receives = numbers(found[6]), numbers(found[7])
        self.say(IDENTIFIED)
        if LANGUAGE in self.receives:
            self.say(LANGUAGE, text(0, "en"))
        if DEVICE_NAME in self.receives:
            self.say(DEVICE_NAME, text(0, self.name))
        if POWER not in self.sends:
            self._make_offer()

    def _read_power(self, found):
        self._make_offer()

    def _make_offer(self):
        """The session may start by cable, and by nothing else; once."""
        if OFFER in self.receives and not self.has_offered:
            self.has_offered = True
            wired = parameter(0, b"\1") + text(1, self.serial)
            self.say(OFFER, parameter(0, wired), parameter(1, parameter(0, b"\0")))

    def _read_start(self, found):
        if DISPLAYS not in self.sends:
            self._activate()

    def _read_displays(self, found):
        self._activate()

    def _activate(self):
        if not self.active.is_set() and self._reach("active"):
            self.active.set()


class SpeakingPhone(USBDevice):
    """A phone on the kernel's USB stack that speaks. Each plug makes it anew, with what is set here."""

    trouble = pieces = iap = None

    def plug(self):
        self.iap = IAPPhone(
            self.send, self.strings[3], trouble=self.trouble, pieces=self.pieces, misbehave=self._misbehave
        )
        self.on_bulk_out, self.trouble = self.iap.receive, None
        super().plug()

    def _misbehave(self, how):
        getattr(self, how)()
