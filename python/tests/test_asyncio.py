"""The same for asyncio."""

from __future__ import annotations

import asyncio

import pytest

from dashrig import AsyncApp, AsyncRig, ConnectionFailed, ExpectationFailed, TimedOut


def test_verbs_and_expectations() -> None:
    async def main() -> None:
        async with await AsyncRig.start() as rig:
            phone = rig.phone("phone")
            await phone.plug()
            await phone.expect("session.active")
            async with await rig.launch("app", acknowledges=True) as app:
                receipt = await rig.rotate_knob(3, wait="read")
                assert receipt.reached == "read"
                await app.expect("input.knob", where="knob.detents = 3")
            async with AsyncApp("second", socket_dir=rig.socket_dir) as second:
                await rig.rotate_knob(1)
                event = await second.expect("input.knob")
                assert await second.acknowledge(event) == 1
            with pytest.raises(ExpectationFailed):
                await rig.expect("session.closed", within="20ms")

    asyncio.run(main())


def test_calls_at_once() -> None:
    async def main() -> None:
        async with await AsyncRig.start() as rig:
            await asyncio.gather(*(rig.plug("iphone", f"phone-{number}") for number in range(8)))
            await asyncio.gather(
                *(rig.expect("session.active", device=f"phone-{number}") for number in range(8)),
                rig.expect_never("session.closed", within="100ms"),
            )
            assert len((await rig.state()).devices) == 8

    asyncio.run(main())


def test_events_are_an_iterator() -> None:
    async def main() -> None:
        async with await AsyncRig.start() as rig:
            async with rig.events("mark") as events:
                await rig.mark("one")
                async for event in events:
                    assert event.text == "one"
                    break
                with pytest.raises(TimedOut):
                    await events.next("20ms")
            async with rig.events(within="50ms") as events:
                assert [event async for event in events] == []
            async with rig.subscribe() as updates:
                assert (await anext(updates)).complete

    asyncio.run(main())


def test_a_cancelled_call_leaves_no_answer_behind() -> None:
    async def main() -> None:
        async with await AsyncRig.start() as rig:
            await rig.plug("iphone", "phone")
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await rig.rotate_knob(1, wait="read", within_milliseconds=2000)
            assert (await rig.device("phone")).id == "phone"

    asyncio.run(main())


def test_the_stream_ends_with_the_daemon() -> None:
    async def main() -> None:
        async with await AsyncRig.start() as rig:
            assert rig.daemon is not None
            async with rig.events() as events:
                waiting = asyncio.create_task(events.next())
                expecting = asyncio.create_task(rig.expect("mark", within="30s"))
                await asyncio.sleep(0.05)
                rig.daemon.kill()
                for task in (waiting, expecting):
                    with pytest.raises(ConnectionFailed):
                        await asyncio.wait_for(task, 5)

    asyncio.run(main())


def test_what_is_held_stays_held_while_others_call() -> None:
    async def main() -> None:
        async with await AsyncRig.start() as rig:
            await rig.plug("iphone", "phone")
            await rig.expect("session.active")
            await rig.press_key("home", down=True)
            await asyncio.gather(*(rig.state() for _ in range(12)))
            await rig.expect_never("input.key", where="key.down = false", within="50ms")
            await rig.press_key("home", down=False)
            await rig.expect("input.key", where="key.down = false")

    asyncio.run(main())
