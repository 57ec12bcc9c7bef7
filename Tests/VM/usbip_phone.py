"""USB devices in Python, for the kernel's vhci_hcd by the USB/IP protocol: to be plugged and unplugged at will.

    phone = USBDevice.phone(serial="A1")          one interface ff/f0/00 with a bulk endpoint each way
    phone = USBDevice.mock("iphone.umockdev")     the descriptors and strings of a umockdev description
    phone.plug()                                  needs root and `modprobe vhci-hcd`
    phone.send(b"..")                             to the host's bulk IN; what the host writes goes to on_bulk_out
    phone.halt()                                  both bulk endpoints stall until the host clears them
    phone.deafen()                                the same, and no request is answered
    phone.hold()                                  takes no more transfers: what the host writes stays under way
    phone.unplug()                                what pulling the cable does

Without on_bulk_out a device echoes what it is sent; one that speaks is in iap_phone. It ends a transfer with each
send(), so it hides a missing zero-length packet; dummy_hcd is exact about those.
"""

import collections
import re
import socket
import struct
import threading

VHCI = "/sys/devices/platform/vhci_hcd.0"
DEVICE_ID = 1 << 16 | 2
SPEEDS = {"1.5": 1, "12": 2, "480": 3}
EPIPE, ECONNRESET = 32, 104
SUBMIT, UNLINK, SUBMITTED, UNLINKED = 1, 2, 3, 4


def endpoint(address, kind=2, size=512):
    return struct.pack("<BBBBHB", 7, 5, address, kind, size, 0)


def interface(number, triple, endpoints=(), name=0):
    code, subclass, protocol = triple
    head = struct.pack("<9B", 9, 4, number, 0, len(endpoints), code, subclass, protocol, name)
    return head + b"".join(endpoints)


def configuration(interfaces, value=1):
    body = b"".join(interfaces)
    return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), len(interfaces), value, 0, 0xC0, 250) + body


def device(vendor, product, release=0x0100, triple=(0, 0, 0), configurations=1):
    return struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, *triple, 64, vendor, product, release, 1, 2, 3, configurations)


class Closed(Exception):
    """The kernel or unplug() closed the connection."""


class USBDevice:
    def __init__(self, descriptors, strings, speed="480", on_bulk_out=None, on_control=None):
        """`descriptors` is what sysfs shows: the device descriptor and every configuration; `strings` maps the
        descriptors' indexes to text. `on_control(kind, request, value, index, data or length)` answers vendor
        requests: bytes, or None to stall."""
        self.device, self.configurations = descriptors[:18], []
        rest = descriptors[18:]
        while len(rest) >= 4:
            length = struct.unpack_from("<H", rest, 2)[0]
            self.configurations.append(rest[:length])
            rest = rest[length:]
        self.strings, self.speed = strings, SPEEDS[speed]
        self.on_bulk_out, self.on_control = on_bulk_out, on_control
        self.lock, self.active, self.socket = threading.Lock(), 0, None
        self.input = next((a for a in self.bulk_endpoints() if a & 0x80), None)
        self.output = next((a for a in self.bulk_endpoints() if not a & 0x80), None)

    @classmethod
    def phone(cls, serial="00008030000000000000000000000001", **more):
        """A phone that shows the iAP-style interface."""
        iap = interface(0, (0xFF, 0xF0, 0), [endpoint(0x81), endpoint(0x02)], name=4)
        strings = {1: "Apple Inc.", 2: "iPhone", 3: serial, 4: "iAP Interface"}
        return cls(device(0x05AC, 0x12A8, 0x1504) + configuration([iap]), strings, **more)

    @classmethod
    def plain(cls, vendor, product, triple, device_class=(0, 0, 0), **more):
        """A device with one interface without endpoints: whatever it takes to be no phone."""
        return cls(device(vendor, product, triple=device_class) + configuration([interface(0, triple)]), {}, **more)

    @classmethod
    def mock(cls, path, **more):
        """The first USB device, other than a root hub, of a umockdev description."""
        with open(path, encoding="utf-8") as file:
            blocks = file.read().split("\n\n")
        for block in blocks:
            found = re.search(r"^H: descriptors=([0-9A-Fa-f]+)$", block, re.M)
            if not found or re.search(r"^A: idVendor=1d6b", block, re.M):
                continue
            descriptors = bytes.fromhex(found[1])
            attributes = dict(re.findall(r"^A: (\w+)=(.*?)(?:\\n)?$", block, re.M))
            names = ("manufacturer", "product", "serial")
            strings = {i: attributes.get(n, "") for i, n in zip(descriptors[14:17], names) if i}
            return cls(descriptors, strings, attributes.get("speed", "480"), **more)
        raise ValueError(f"{path}: no USB device with descriptors")

    def bulk_endpoints(self):
        for text in self.configurations:
            at = 0
            while at + 2 <= len(text) and text[at]:
                if text[at + 1] == 5 and text[at + 3] & 3 == 2:
                    yield text[at + 2]
                at += text[at]

    # ---- the device's side: data towards the host, and the loop over its requests ------------------------------------

    def send(self, data):
        """Queues one transfer for the host's bulk IN endpoint."""
        with self.lock:
            self.outbox.append(bytes(data))
            self._pump()

    def halt(self):
        """Both bulk endpoints stall, with what the host has under way there, until it clears each of them."""
        with self.lock:
            self.halted = {self.input, self.output}
            while self.waiting:
                self._reply(self.waiting.popitem(last=False)[0], -EPIPE, 0)

    def deafen(self):
        """Both bulk endpoints stall, and requests to clear them, or any other, are not answered."""
        self.is_deaf = True
        self.halt()

    def hold(self):
        """Takes nothing any more: what the host writes from now on stays under way until it is called off."""
        self.holds = True

    def _pump(self):
        while self.outbox and self.waiting:
            sequence, length = self.waiting.popitem(last=False)
            data = self.outbox.popleft()
            if len(data) > length:
                self.outbox.appendleft(data[length:])
            self._reply(sequence, 0, len(data[:length]), data[:length])

    def _reply(self, sequence, status, actual, data=b""):
        head = struct.pack(">5IiiIII8x", SUBMITTED, sequence, 0, 0, 0, status, actual, 0, 0, 0)
        self.socket.sendall(head + data)

    def _receive(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise Closed
            data += part
        return data

    def _serve(self):
        try:
            while True:
                self._request(self._receive(48))
        except (Closed, OSError):
            pass  # the cable is out
        finally:
            self.socket.close()

    def _request(self, head):
        command, sequence, _, direction, number = struct.unpack(">5I", head[:20])
        if command == UNLINK:
            with self.lock:
                called_off = struct.unpack(">I", head[20:24])[0]
                found = [p for p in (self.waiting, self.idle, self.held) if p.pop(called_off, None) is not None]
                status = -ECONNRESET if found else 0
                self.socket.sendall(struct.pack(">5Ii24x", UNLINKED, sequence, 0, 0, 0, status))
            return None
        length = struct.unpack(">i", head[24:28])[0]
        data = self._receive(length) if direction == 0 and length > 0 else b""
        if number == 0 and self.is_deaf:
            with self.lock:
                self.idle[sequence] = length
        elif number == 0:
            self._control(sequence, head[40:48], data)
        elif direction == 1 and self.input is not None and number == self.input & 15:
            with self.lock:
                if self.input in self.halted:
                    return self._reply(sequence, -EPIPE, 0)
                self.waiting[sequence] = length
                self._pump()
        elif direction == 0:
            with self.lock:
                if self.output in self.halted:
                    return self._reply(sequence, -EPIPE, 0)
                if self.holds:
                    self.held[sequence] = data
                    return None
                self._reply(sequence, 0, length)
            (self.on_bulk_out or self.send)(data)
        else:  # another IN endpoint: nothing ever comes
            with self.lock:
                self.idle[sequence] = length
        return None

    def _control(self, sequence, setup, data):
        kind, request, value, index, length = struct.unpack("<BBHHH", setup)
        answer = self._answer(kind, request, value, index, length, data)
        with self.lock:
            if answer is None:
                self._reply(sequence, -EPIPE, 0)
            elif kind & 0x80:
                self._reply(sequence, 0, len(answer[:length]), answer[:length])
            else:
                self._reply(sequence, 0, len(data))

    def _answer(self, kind, request, value, index, length, data):
        """The answer to a control request, or None to stall."""
        if kind & 0x60 == 0x40:
            return self.on_control(kind, request, value, index, data or length) if self.on_control else None
        if (kind, request) == (0x80, 6):
            return self._descriptor(value >> 8, value & 255)
        if request == 0:  # GET_STATUS
            return b"\1\0" if kind == 0x80 else b"\0\0"
        if request == 8:  # GET_CONFIGURATION
            return bytes([self.active])
        if request == 9:  # SET_CONFIGURATION
            self.active = value & 255
            return b""
        if request == 10:  # GET_INTERFACE
            return b"\0"
        if (kind, request, value) == (2, 1, 0):  # CLEAR_FEATURE, ENDPOINT_HALT
            with self.lock:
                self.halted.discard(index & 255)
        return b"" if request in (1, 3, 11) else None  # CLEAR_FEATURE, SET_FEATURE, SET_INTERFACE

    def _descriptor(self, which, number):
        if which == 1:
            return self.device
        if which == 2:
            return self.configurations[number] if number < len(self.configurations) else None
        if which == 3:
            if number == 0:
                return b"\x04\x03\x09\x04"
            text = self.strings.get(number)
            return None if text is None else bytes([2 + 2 * len(text), 3]) + text.encode("utf-16-le")
        if which == 6:  # the qualifier: the same device at full speed
            return struct.pack("<BBH", 10, 6, 0x0200) + self.device[4:8] + bytes([len(self.configurations), 0])
        return None

    # ---- the cable ---------------------------------------------------------------------------------------------------

    def plug(self):
        """Plugs the device straight into vhci_hcd, over a socket pair: no TCP, no usbip tool."""
        with open(VHCI + "/status", encoding="ascii") as file:  # hub port sta spd dev sockfd local_busid
            ports = [line.split() for line in file if line.startswith("hs ")]
        self.port = next(int(p[1]) for p in ports if p[2] == "004")
        self.outbox, self.waiting, self.idle, self.held = collections.deque(), collections.OrderedDict(), {}, {}
        self.active, self.halted, self.holds, self.is_deaf = 0, set(), False, False
        self.socket, kernels = socket.socketpair()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()
        with open(VHCI + "/attach", "w", encoding="ascii") as file:
            file.write(f"{self.port} {kernels.fileno()} {DEVICE_ID} {self.speed}")
        kernels.close()  # the kernel holds its own reference

    def vanish(self):
        """Pulls the cable: the link dies, with whatever was under way. The device itself may do this at any time."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it is out already

    def unplug(self):
        """Pulls the cable and waits until the device has seen it."""
        self.vanish()
        self.thread.join()
