"""Networks that the server offers: by name, from a file or a folder, and never by a path."""

from __future__ import annotations

import pytest

from gambito.errors import SearchError
from gambito.web.catalogue import Catalogue
from gambito.web.choosing import Choosing
from gambito.web.server_limits import ServerLimits


def option(server: ServerLimits) -> dict:
    mcts = next(each for each in Catalogue(server).as_dict()["algorithms"] if each["name"] == "mcts")
    return next(each for each in mcts["options"] if each["name"] == "network")


def test_networks_have_names(tmp_path):
    for name in ("age-2", "age-10", "age-1"):
        (tmp_path / f"{name}.net").touch()
    (tmp_path / "network.npz").touch()
    server = ServerLimits(networks=(str(tmp_path), str(tmp_path / "age-1.net")))
    assert option(server)["choices"] == ["", "learned", "age-1", "age-2", "age-10", f"{tmp_path.name}/age-1"]
    choosing = Choosing(server)
    assert choosing.options("mcts", {"network": "age-2"}) == {"network": str(tmp_path / "age-2.net")}
    assert choosing.options("mcts", {"network": ""}) == {"network": ""}
    with pytest.raises(SearchError, match="unknown network"):
        choosing.options("mcts", {"network": str(tmp_path / "age-2.net")})


def test_the_network_that_comes_with_gambito_is_always_offered():
    assert option(ServerLimits())["choices"] == ["", "learned"]
    choosing = Choosing(ServerLimits())
    assert choosing.options("mcts", {"network": "learned"}) == {"network": "learned"}
    with pytest.raises(SearchError, match="accepted: learned"):
        choosing.options("mcts", {"network": "any"})
