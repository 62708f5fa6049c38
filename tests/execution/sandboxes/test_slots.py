"""SlotQueue are first come, first served, say how many are before, and let go of who gives up."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.execution.sandboxes.slots import SlotQueue


async def _hold(
    turns: SlotQueue, said: list[int], cancel: asyncio.Event, go: asyncio.Event
) -> bool:
    async with turns.turn(waiting=said.append, cancel=cancel) as given:
        if given:
            await go.wait()
        return given


def _never() -> asyncio.Event:
    return asyncio.Event()


async def _settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_everybody_is_told_how_many_are_before_and_moves_up():
    async def scene() -> None:
        turns = SlotQueue(1)
        said: list[list[int]] = [[], [], []]
        go = [asyncio.Event() for _ in said]
        tasks = []
        for number in range(3):
            tasks.append(asyncio.create_task(_hold(turns, said[number], _never(), go[number])))
            await _settle()
        assert said == [[], [0], [1]]
        go[0].set()
        await _settle()
        assert said == [[], [0], [1, 0]]
        go[1].set()
        go[2].set()
        assert await asyncio.gather(*tasks) == [True, True, True]

    asyncio.run(scene())


def test_cancelled_caller_leaves_the_queue_and_others_move_up():
    async def scene() -> None:
        turns = SlotQueue(1)
        go, cancel = asyncio.Event(), asyncio.Event()
        first = asyncio.create_task(_hold(turns, [], _never(), go))
        await _settle()
        second = asyncio.create_task(_hold(turns, [], cancel, go))
        await _settle()
        said: list[int] = []
        third = asyncio.create_task(_hold(turns, said, _never(), go))
        await _settle()
        cancel.set()
        assert await second is False
        await _settle()
        assert said == [1, 0]
        go.set()
        assert await first
        assert await third

    asyncio.run(scene())


def test_more_places_let_the_waiting_in():
    async def scene() -> None:
        turns = SlotQueue(1)
        go = asyncio.Event()
        tasks = [asyncio.create_task(_hold(turns, [], _never(), go)) for _ in range(3)]
        await _settle()
        turns.places = 3
        await _settle()
        go.set()
        assert await asyncio.wait_for(asyncio.gather(*tasks), 5) == [True] * 3

    asyncio.run(scene())


def test_a_place_is_free_again_after_an_error():
    async def scene() -> None:
        turns = SlotQueue(1)
        for _ in range(2):
            try:
                async with turns.turn(waiting=lambda _: None, cancel=_never()) as given:
                    assert given
                    raise KeyError
            except KeyError:
                pass

    asyncio.run(scene())
