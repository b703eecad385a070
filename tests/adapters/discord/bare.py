"""A client that says exactly what it is told to say: for rules that discord.py never breaks."""

import asyncio
import json
import zlib
from contextlib import asynccontextmanager

import aiohttp

GUILDS = 1


class Bare:
    """One connection to the gateway, and requests with the bot's token."""

    def __init__(self, standin, session, socket, *, compressed):
        self._standin = standin
        self._session = session
        self._inflate = zlib.decompressobj() if compressed else None
        self.socket = socket
        self.session_id = None
        self.seq = None

    async def frame(self):
        """The next frame; None when the gateway has closed."""
        message = await self.socket.receive(timeout=5)
        if message.type not in {aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY}:
            return None
        text = self._inflate.decompress(message.data) if self._inflate else message.data
        frame = json.loads(text)
        self.seq = frame["s"] or self.seq
        return frame

    async def event(self, name):
        """The data of the next event of that name; those before it are skipped."""
        while (frame := await self.frame()) is not None:
            if frame["t"] == name:
                return frame["d"]
        raise AssertionError(f"closed with {self.socket.close_code} before {name}")

    async def closed(self):
        """Read to the end; the code that the gateway closed with."""
        while await self.frame() is not None:
            pass
        return self.socket.close_code

    async def says(self, op, data=None):
        await self.socket.send_json({"op": op, "d": data})

    async def identify(self, *, intents=GUILDS, **more):
        data = {"token": self._standin.bot_token, "intents": intents, "properties": {}, **more}
        await self.says(2, data)

    async def ready(self, **identity):
        await self.identify(**identity)
        ready = await self.event("READY")
        self.session_id = ready["session_id"]
        return ready

    async def resume(self, session_id, seq):
        data = {"token": self._standin.bot_token, "session_id": session_id, "seq": seq}
        await self.says(6, data)

    async def call(self, method, path, body=None, *, token=None, data=None):
        """Status and body of a request."""
        headers = {"Authorization": f"Bot {token or self._standin.bot_token}"}
        url = self._standin.api_url + path
        request = self._session.request(method, url, json=body, data=data, headers=headers)
        async with request as response:
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def answer(self, asked, kind, data=None):
        path = f"/interactions/{asked['id']}/{asked['token']}/callback?with_response=1"
        return await self.call("POST", path, {"type": kind, **({"data": data} if data else {})})

    def hook(self, asked, path=""):
        return f"/webhooks/{asked['application_id']}/{asked['token']}{path}"

    async def asked(self, doing):
        """What the bot is asked while a person does something, and that person's waiting."""
        waiting = asyncio.create_task(doing)
        return await self.event("INTERACTION_CREATE"), waiting


@asynccontextmanager
async def bare(standin, *, compressed=False):
    """Connected; HELLO is the first frame to come."""
    query = "?v=10&encoding=json" + ("&compress=zlib-stream" if compressed else "")
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(standin.gateway_url + query) as socket,
    ):
        yield Bare(standin, session, socket, compressed=compressed)


def said(text):
    """A message of components with one text in it, and nobody pinged."""
    return {"flags": 1 << 15, "components": [shown(text)], "allowed_mentions": {"parse": []}}


def plain(text, **more):
    return {"content": text, "allowed_mentions": {"parse": []}, **more}


def shown(text):
    return {"type": 10, "content": text}


def button(label, custom_id=None, **more):
    return {"type": 2, "style": 2, "label": label, "custom_id": custom_id or label, **more}


def row(*components):
    return {"type": 1, "components": list(components)}


def command(name="quiz", *options, **more):
    return {"name": name, "description": f"About {name}", "options": list(options), **more}


def option(name, kind=3, **more):
    return {"name": name, "type": kind, "description": f"The {name}", **more}


EPHEMERAL = 1 << 6
