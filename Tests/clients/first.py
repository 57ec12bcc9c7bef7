"""A client as somebody would have written it for the first interface: plain sockets, no library, the fields of then.

It must go on working for ever: the interfaces only grow. Do not change it when they do.
Usage: first.py SOCKET_FOLDER
"""

import json
import socket
import sys


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(10)
        self.socket.connect(path)
        self.buffer = b""

    def send(self, method, more=False, **parameters):
        call = {"method": method, "parameters": parameters}
        if more:
            call["more"] = True
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def reply(self):
        while b"\0" not in self.buffer:
            received = self.socket.recv(65536)
            assert received, "the daemon closed the connection"
            self.buffer += received
        record, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(record)

    def call(self, method, **parameters):
        self.send(method, **parameters)
        reply = self.reply()
        assert "error" not in reply, reply
        return reply["parameters"]


folder = sys.argv[1]
rig = Client(f"{folder}/org.dashrig.Rig")
watcher = Client(f"{folder}/org.dashrig.Rig")
watcher.send("org.dashrig.Rig.Subscribe", more=True)
while not watcher.reply()["parameters"].get("complete"):
    pass

device = rig.call("org.dashrig.Rig.Plug", profile="iphone", name="first")["device"]
assert (device["id"], device["generation"], device["state"]) == ("first", 1, "active"), device
rig.call("org.dashrig.Rig.SetFront", device="first")

app = Client(f"{folder}/org.dashrig.App")
app.send("org.dashrig.App.Launch", more=True, manifest={"name": "first"})
launched = app.reply()["parameters"]
assert launched["app"] and launched["state"]["displays"][0]["width"] == 800, launched

receipt = rig.call("org.dashrig.Rig.Inject", knob={"detents": 3}, wait="delivered")
assert receipt["count"] == 1 and receipt["reached"] == "delivered", receipt
while True:
    event = app.reply()["parameters"]["event"]
    if event["kind"] == "input.knob":
        break
assert event["knob"] == {"gesture": "rotate", "detents": 3}, event
calls = Client(f"{folder}/org.dashrig.App")
taken = calls.call("org.dashrig.App.Acknowledge", app=launched["app"], ids=[event["input"]["id"]])
assert taken["acknowledged"] == 1, taken

rig.call("org.dashrig.Rig.Unplug", device="first", surprise=True)
kinds = []
while not kinds or kinds[-1] != "device.detached":
    kinds.append(watcher.reply()["parameters"]["event"]["kind"])
for kind in ("device.attached", "session.active", "display.added", "input.knob", "session.closed"):
    assert kind in kinds, (kind, kinds)
