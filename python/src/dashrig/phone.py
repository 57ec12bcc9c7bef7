"""A phone by its name, for asyncio."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .duration import Duration
from .records import Device, Event, Fault, Refusal
from .where import Where

if TYPE_CHECKING:
    from .aio import AsyncRig, Side


class AsyncPhone:
    """A phone by its name: what people do with one."""

    def __init__(self, rig: AsyncRig, name: str) -> None:
        self.rig = rig
        self.name = name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    async def device(self) -> Device:
        """What the rig knows of it."""
        return await self.rig.device(self.name)

    async def plug(self, /, profile: str = "iphone", **options: Any) -> Device:
        """Plugs it in, or in again; `options` as in the rig's `plug`."""
        return await self.rig.plug(profile, self.name, **options)

    async def unplug(self, *, surprise: bool = False) -> None:
        """Unplugs it with a goodbye, or pulls the cable."""
        await self.rig.unplug(self.name, surprise=surprise or None)

    async def lock(self) -> None:
        """Locks its screen."""
        await self.rig.set_phone(self.name, locked=True)

    async def unlock(self) -> None:
        """Unlocks its screen."""
        await self.rig.set_phone(self.name, locked=False)

    async def trust(self) -> None:
        """Taps "trust"."""
        await self.rig.set_phone(self.name, trusted=True)

    async def slow(self, milliseconds: int) -> None:
        """Makes it answer each step so much later."""
        await self.rig.set_phone(self.name, slow_milliseconds=milliseconds)

    async def refuse(self, step: Refusal) -> None:
        """Makes it refuse a step of the handshake; `none` takes that back."""
        await self.rig.set_phone(self.name, refuse=step)

    async def set(self, /, **options: Any) -> None:
        """Changes it; `options` as in the rig's `set_phone`."""
        await self.rig.set_phone(self.name, **options)

    async def retry(self) -> None:
        """Tries a handshake that failed again at once."""
        await self.rig.retry(self.name)

    async def front(self) -> None:
        """Puts its session in front."""
        await self.rig.set_front(self.name)

    async def send(self, message: str, fields: Mapping[str, Any] | None = None, *, sender: Side | None = None) -> None:
        """Has one side of its session send a message."""
        await self.rig.send(self.name, message, fields, sender=sender)

    async def set_fault(self, /, kind: str, **options: Any) -> Fault:
        """Sets a fault on its link; `options` as in the rig's `set_fault`."""
        return await self.rig.set_fault(kind, device=self.name, **options)

    async def expect(self, kind: str, *, within: Duration = 5.0, where: Where | None = None) -> Event:
        """As the rig's `expect`, of this phone."""
        return await self.rig.expect(kind, within=within, device=self.name, where=where)

    async def then(self, kind: str, *, within: Duration = 5.0, where: Where | None = None) -> Event:
        """As the rig's `then`, of this phone."""
        return await self.rig.then(kind, within=within, device=self.name, where=where)

    async def expect_never(self, kind: str, *, within: Duration, where: Where | None = None) -> None:
        """As the rig's `expect_never`, of this phone."""
        await self.rig.expect_never(kind, within=within, device=self.name, where=where)

    async def expect_exactly(
        self, count: int, kind: str, *, within: Duration, where: Where | None = None
    ) -> list[Event]:
        """As the rig's `expect_exactly`, of this phone."""
        return await self.rig.expect_exactly(count, kind, within=within, device=self.name, where=where)
