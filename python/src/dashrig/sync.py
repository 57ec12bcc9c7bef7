"""The rig without asyncio: Rig, Phone, App and what they give. They are AsyncRig, AsyncPhone and AsyncApp, run on a
thread of this package; every method has the same name, parameters and meaning."""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from ._streams import AsyncEvents, AsyncSubscription
from .aio import AsyncRig
from .app import AsyncApp
from .daemon import Daemon
from .duration import Duration
from .errors import DashrigError
from .phone import AsyncPhone
from .records import Event, State
from .results import Update
from .timeline import Timeline

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)


class _Loop:
    """An event loop on a thread, one for the process."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="dashrig", daemon=True)
        self.thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        if threading.current_thread() is self.thread:
            work.close()
            raise RuntimeError("a condition's function cannot ask the rig: it would wait for itself")
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result()
        except BaseException:
            # ^C here: what runs there must not go on.
            future.cancel()
            raise


_loop: _Loop | None = None
_loop_lock = threading.Lock()


def _run(work: Coroutine[Any, Any, T]) -> T:
    __tracebackhide__ = True
    global _loop
    with _loop_lock:
        if _loop is None or _loop.process != os.getpid():
            _loop = _Loop()
        loop = _loop
    try:
        return loop.run(work)
    except DashrigError as failure:
        # Where it came from inside of this package helps nobody: the test's own line is what counts.
        raise failure.with_traceback(None) from None


class _Blocking(Generic[A_co]):
    """Something that does its work on the loop's thread. What it works on is set once."""

    _inner: A_co


def blocking(
    method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[_Blocking[A], P], T]:
    """The same method, which returns when it is done."""

    @functools.wraps(method)
    def call(self: _Blocking[A], /, *args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        return _run(method(self._inner, *args, **kwargs))

    return call


class Subscription(_Blocking[AsyncSubscription]):
    """See AsyncSubscription. A context manager and iterator."""

    def __init__(self, inner: AsyncSubscription) -> None:
        self._inner = inner

    next = blocking(AsyncSubscription.next)
    close = blocking(AsyncSubscription.close)

    def __enter__(self) -> Self:
        _run(self._inner.open())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Update]:
        while True:
            yield self.next()


class Events(_Blocking[AsyncEvents]):
    """See AsyncEvents. A context manager and iterator."""

    def __init__(self, inner: AsyncEvents) -> None:
        self._inner = inner

    next = blocking(AsyncEvents.next)
    close = blocking(AsyncEvents.close)

    def __enter__(self) -> Self:
        _run(self._inner.open())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Event]:
        inner = self._inner

        async def following() -> Event | None:
            try:
                return await inner.__anext__()
            except StopAsyncIteration:
                return None

        while (event := _run(following())) is not None:
            yield event


class App(_Blocking[AsyncApp]):
    """An app, from its Launch until it is closed: see AsyncApp. Use it as a context manager."""

    def __init__(
        self,
        name: str,
        *,
        bundle: str | None = None,
        device: str | None = None,
        acknowledges: bool = False,
        socket_dir: str | os.PathLike[str] | None = None,
        timeout: float = 10.0,
    ) -> None:
        self._inner = AsyncApp(
            name,
            bundle=bundle,
            device=device,
            acknowledges=acknowledges,
            socket_dir=socket_dir,
            timeout=timeout,
        )

    @classmethod
    def _of(cls, inner: AsyncApp) -> Self:
        app = cls.__new__(cls)
        app._inner = inner
        return app

    acknowledge = blocking(AsyncApp.acknowledge)
    send = blocking(AsyncApp.send)
    call = blocking(AsyncApp.call)
    expect = blocking(AsyncApp.expect)
    then = blocking(AsyncApp.then)
    expect_never = blocking(AsyncApp.expect_never)
    expect_exactly = blocking(AsyncApp.expect_exactly)
    close = blocking(AsyncApp.close)

    def launch(self) -> Self:
        """Declares the app; `with` does it."""
        __tracebackhide__ = True
        _run(self._inner.launch())
        return self

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def id(self) -> str:
        return self._inner.id

    @property
    def token(self) -> str:
        return self._inner.token

    @property
    def state(self) -> State | None:
        return self._inner.state

    @property
    def timeline(self) -> Timeline:
        return self._inner.timeline

    def __enter__(self) -> Self:
        return self.launch()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Phone(_Blocking[AsyncPhone]):
    """A phone by its name: see AsyncPhone."""

    def __init__(self, inner: AsyncPhone) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    def __repr__(self) -> str:
        return f"Phone({self.name!r})"

    device = blocking(AsyncPhone.device)
    plug = blocking(AsyncPhone.plug)
    unplug = blocking(AsyncPhone.unplug)
    lock = blocking(AsyncPhone.lock)
    unlock = blocking(AsyncPhone.unlock)
    trust = blocking(AsyncPhone.trust)
    slow = blocking(AsyncPhone.slow)
    refuse = blocking(AsyncPhone.refuse)
    set = blocking(AsyncPhone.set)
    retry = blocking(AsyncPhone.retry)
    front = blocking(AsyncPhone.front)
    send = blocking(AsyncPhone.send)
    set_fault = blocking(AsyncPhone.set_fault)
    expect = blocking(AsyncPhone.expect)
    then = blocking(AsyncPhone.then)
    expect_never = blocking(AsyncPhone.expect_never)
    expect_exactly = blocking(AsyncPhone.expect_exactly)


class Rig(_Blocking[AsyncRig]):
    """A connection to a rig's control socket: see AsyncRig. Use it as a context manager."""

    def __init__(
        self, socket_dir: str | os.PathLike[str] | None = None, *, timeout: float = 10.0, history: int = 10_000
    ) -> None:
        self._inner = AsyncRig(socket_dir, timeout=timeout, history=history)

    @classmethod
    def start(
        cls,
        *,
        binary: str | os.PathLike[str] | None = None,
        configuration: str | None = None,
        arguments: Sequence[str] = (),
        timeout: float = 10.0,
    ) -> Self:
        """A rig of one's own: see AsyncRig.start."""
        __tracebackhide__ = True
        rig = cls.__new__(cls)
        rig._inner = _run(
            AsyncRig.start(binary=binary, configuration=configuration, arguments=arguments, timeout=timeout)
        )
        return rig

    def connect(self) -> Self:
        """Connects and reads the whole state; `with` does it."""
        __tracebackhide__ = True
        _run(self._inner.connect())
        return self

    def __enter__(self) -> Self:
        return self.connect()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def socket_dir(self) -> os.PathLike[str]:
        return self._inner.socket_dir

    @property
    def timeout(self) -> float:
        return self._inner.timeout

    @property
    def timeline(self) -> Timeline:
        """What the rig published and what was asked of it."""
        return self._inner.timeline

    @property
    def daemon(self) -> Daemon | None:
        """The private daemon that `start` made."""
        return self._inner.daemon

    close = blocking(AsyncRig.close)
    call = blocking(AsyncRig.call)
    new_window = blocking(AsyncRig.new_window)

    state = blocking(AsyncRig.state)
    device = blocking(AsyncRig.device)
    list_profiles = blocking(AsyncRig.list_profiles)
    list_faults = blocking(AsyncRig.list_faults)

    plug = blocking(AsyncRig.plug)
    unplug = blocking(AsyncRig.unplug)
    set_phone = blocking(AsyncRig.set_phone)
    retry = blocking(AsyncRig.retry)
    start_accessory = blocking(AsyncRig.start_accessory)
    switch_role = blocking(AsyncRig.switch_role)
    set_front = blocking(AsyncRig.set_front)
    set_display = blocking(AsyncRig.set_display)
    set_vehicle = blocking(AsyncRig.set_vehicle)

    inject = blocking(AsyncRig.inject)
    inject_sequence = blocking(AsyncRig.inject_sequence)
    rotate_knob = blocking(AsyncRig.rotate_knob)
    press_knob = blocking(AsyncRig.press_knob)
    nudge_knob = blocking(AsyncRig.nudge_knob)
    press_key = blocking(AsyncRig.press_key)
    tap = blocking(AsyncRig.tap)
    swipe = blocking(AsyncRig.swipe)
    flick = blocking(AsyncRig.flick)
    touch = blocking(AsyncRig.touch)
    tap_touchpad = blocking(AsyncRig.tap_touchpad)
    swipe_touchpad = blocking(AsyncRig.swipe_touchpad)
    touch_touchpad = blocking(AsyncRig.touch_touchpad)

    send = blocking(AsyncRig.send)
    set_fault = blocking(AsyncRig.set_fault)
    clear_faults = blocking(AsyncRig.clear_faults)
    mark = blocking(AsyncRig.mark)
    run = blocking(AsyncRig.run)
    cycle = blocking(AsyncRig.cycle)
    list_leases = blocking(AsyncRig.list_leases)
    unlease = blocking(AsyncRig.unlease)

    expect = blocking(AsyncRig.expect)
    then = blocking(AsyncRig.then)
    expect_never = blocking(AsyncRig.expect_never)
    expect_exactly = blocking(AsyncRig.expect_exactly)

    def stream(self, method: str, **parameters: Any) -> Iterator[dict[str, Any]]:
        """The answers to a method that answers more than once: see AsyncRig.stream."""
        replies = self._inner.stream(method, **parameters)

        async def following() -> dict[str, Any] | None:
            return await anext(replies, None)

        try:
            while (reply := _run(following())) is not None:
                yield reply
        finally:
            _run(_ended(replies))

    def subscribe(self, kinds: Iterable[str] | None = None, devices: Iterable[str] | None = None) -> Subscription:
        """A subscription on a connection of its own: see AsyncRig.subscribe. Enter it first."""
        return Subscription(self._inner.subscribe(kinds, devices))

    def events(
        self,
        kinds: Iterable[str] | None = None,
        devices: Iterable[str] | None = None,
        within: Duration | None = None,
    ) -> Events:
        """The events from the moment on at which it is entered: see AsyncRig.events."""
        return Events(self._inner.events(kinds, devices, within))

    def phone(self, name: str = "phone") -> Phone:
        """A handle on the phone of that name, which need not be plugged in yet."""
        return Phone(self._inner.phone(name))

    def launch(
        self, name: str, *, bundle: str | None = None, device: str | None = None, acknowledges: bool = False
    ) -> App:
        """Declares an app, which lives until it is closed: see AsyncRig.launch."""
        __tracebackhide__ = True
        return App._of(_run(self._inner.launch(name, bundle=bundle, device=device, acknowledges=acknowledges)))


async def _ended(replies: Any) -> None:
    await replies.aclose()
