"""Identities as settings and the command line write them."""

import pytest

from bot.engine.people import Identity

WRITTEN = {
    "slack:T1:U1": Identity("slack", "T1", "U1"),
    "discord:1234": Identity("discord", "", "1234"),
    "local:ayu": Identity("local", "", "ayu"),
}


@pytest.mark.parametrize(("written", "identity"), WRITTEN.items(), ids=WRITTEN)
def test_an_identity_is_read_as_it_is_written(written, identity):
    assert Identity.read(written) == identity
    assert identity.written == written


@pytest.mark.parametrize(
    "written", ["", "U1", ":", "::", "slack:", ":U1", "slack:T1:", ":T1:U1", "slack:T1:U1:x"]
)
def test_what_names_no_identity_is_refused_with_what_was_written(written):
    with pytest.raises(ValueError, match="no identity") as refused:
        Identity.read(written)
    assert repr(written) in str(refused.value)
