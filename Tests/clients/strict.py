"""Lets asyncvarlink, which refuses undeclared fields and wrong types, read every reply of a running daemon.

Its types are made from the interface that the daemon serves, so a reply that does not fit the file fails here.
Usage: strict.py SOCKET_FOLDER
"""

import asyncio
import dataclasses
import sys
import typing

import asyncvarlink
from asyncvarlink.conversion import VarlinkType
from varlink import scanner

RIG = "org.dashrig.Rig"
APP = "org.dashrig.App"


class Types:
    """Python types for one interface."""

    def __init__(self, description):
        self.interface = scanner.Interface(description)
        self.known = {}

    def annotation(self, kind):
        if isinstance(kind, scanner._Maybe):
            return typing.Optional[self.annotation(kind.element_type)]
        if isinstance(kind, scanner._Array):
            return list[self.annotation(kind.element_type)]
        if isinstance(kind, scanner._Enum):
            return typing.Literal[tuple(kind.fields)]
        if isinstance(kind, scanner._Struct):
            return self.structure("Anonymous", kind)
        if isinstance(kind, scanner._CustomType):
            if kind.name not in self.known:
                alias = self.interface.members[kind.name].type
                self.known[kind.name] = (
                    self.structure(kind.name, alias)
                    if isinstance(alias, scanner._Struct)
                    else self.annotation(alias)
                )
            return self.known[kind.name]
        if isinstance(kind, scanner._Object):
            return typing.Any
        if isinstance(kind, (bool, int, float, str)):
            return type(kind)
        raise TypeError(f"no type for {kind!r}")

    def structure(self, name, struct):
        fields = [(field, self.annotation(kind)) for field, kind in struct.fields.items()]
        required = [(f, t) for f, t in fields if type(None) not in typing.get_args(t)]
        optional = [(f, t, dataclasses.field(default=None)) for f, t in fields if type(None) in typing.get_args(t)]
        return dataclasses.make_dataclass(name, required + optional)

    def check(self, method, parameters):
        reply = self.structure(method, self.interface.members[method].out_type)
        VarlinkType.from_type_annotation(reply).fromjson(parameters)


async def connect(folder, interface):
    _, protocol = await asyncvarlink.connect_unix_varlink(
        asyncvarlink.VarlinkClientProtocol, f"{folder}/{interface}"
    )
    return protocol


async def call(protocol, types, interface, method, **parameters):
    reply, _ = await protocol.call(asyncvarlink.VarlinkMethodCall(f"{interface}.{method}", parameters))
    assert reply.error is None, reply
    types.check(method, reply.parameters)
    return reply.parameters


async def main(folder):
    types = {}
    for interface in (RIG, APP):
        protocol = await connect(folder, interface)
        reply, _ = await protocol.call(
            asyncvarlink.VarlinkMethodCall(
                "org.varlink.service.GetInterfaceDescription", {"interface": interface}
            )
        )
        types[interface] = Types(reply.parameters["description"])

    async def watch(interface, method, until, **parameters):
        protocol = await connect(folder, interface)
        count = 0
        stream = protocol.call_more(asyncvarlink.VarlinkMethodCall(f"{interface}.{method}", parameters, more=True))
        async for reply, _ in stream:
            assert reply.error is None, reply
            types[interface].check(method, reply.parameters)
            count += 1
            if until(reply.parameters):
                return count
        raise AssertionError(f"{method} ended early")

    def is_end(parameters):
        return parameters.get("event", {}).get("text") == "end"

    def is_unplugged(parameters):
        event = parameters.get("event", {})
        return event.get("kind") == "session.closed" and event.get("device") == "strict"

    rig = await connect(folder, RIG)
    watching = asyncio.create_task(watch(RIG, "Subscribe", is_end))
    app = asyncio.create_task(
        watch(APP, "Launch", is_unplugged, manifest={"name": "strict"}, device=None)
    )
    await asyncio.sleep(0.2)
    check = types[RIG]
    await call(rig, check, RIG, "Plug", profile="iphone", name="strict", locked=True)
    await call(rig, check, RIG, "SetPhone", device="strict", locked=False)
    await call(rig, check, RIG, "SetFront", device="strict")
    await call(rig, check, RIG, "Inject", knob={"detents": 3}, tag="strict")
    await call(rig, check, RIG, "Inject", touch={"contacts": [{"points": [{"x": 5, "y": 5}, {"x": 50, "y": 5}]}]})
    await call(rig, check, RIG, "Inject", touchpad={"contacts": [{"points": [{"x": 12.5, "y": 50}]}]})
    await call(rig, check, RIG, "SetVehicle", appearance="dark")
    await call(rig, check, RIG, "ListProfiles")
    await call(rig, check, RIG, "GetState")
    await asyncio.sleep(0.5)
    await call(rig, check, RIG, "Unplug", device="strict", surprise=True)
    await call(rig, check, RIG, "Mark", text="end")
    counts = await asyncio.wait_for(asyncio.gather(watching, app), 10)
    assert counts[0] > 20 and counts[1] > 10, counts
    await watch(
        RIG, "Run", lambda parameters: "verdict" in parameters, name="strict",
        scenario="plug iphone as other\nexpect session active within 1s\n",
    )
    reply, _ = await rig.call(asyncvarlink.VarlinkMethodCall(f"{RIG}.SetFront", {"device": "nobody"}))
    assert reply.error == f"{RIG}.UnknownDevice" and "text" in reply.extensions["org.dashrig"], reply


asyncio.run(main(sys.argv[1]))
