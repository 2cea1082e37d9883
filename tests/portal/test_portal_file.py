"""The portal file: what it may say, and what is said of one that cannot be used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import service
from service.composition.app import create_app
from service.portal import localized_text, portal_file
from service.portal.portal import Portal
from service.portal.portal_file import PortalError
from service.project_numbers import ProjectNumbers
from service.settings import Settings

GUIDE = Path(service.__file__).with_name("guide") / "portal-file.md"


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "portal.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_a_portal_needs_no_file() -> None:
    assert portal_file.read(None) == Portal()


def test_the_example_of_the_guide_is_read(tmp_path: Path) -> None:
    found = re.search(r"```toml\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert found
    read = portal_file.read(written(tmp_path, found[1]))
    assert read.name == "Riverton City Services"
    assert read.synonyms[1] == ("sign in", "login", "log on")
    assert read.contact.phone == "+1 555 0100"
    assert read.banned_phrases == ("Rivertown Waste Ltd",)
    assert read.ignored_queries[0].examples[0] == "legal advice"
    assert localized_text.in_language(read.replies.greeting, "es").startswith("¡Hola!")
    assert localized_text.in_language(read.replies.goodbye, "fr") == "Goodbye!"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name =", "is not TOML that can be used"),
        (b"name = '\xff'", "is not in UTF-8 (byte 8)"),
        ("nam = 'a'", "unknown field `nam`"),
        ("name = 1", "name: Expected `str`, got `int`"),
        (f"name = '{'a' * 81}'", "name: Expected `str` of length <= 80"),
        ("contact.fax = '1'", "contact: Object contains unknown field `fax`"),
        ("contact.url = 'example.org'", "contact: 'example.org' is no address"),
        ("contact.url.es = 'javascript:1'", "contact: 'javascript:1' is no address"),
        ("contact.email = 'somebody'", "contact: 'somebody' is no email address"),
        ("contact.text = {}", "contact: give a text for at least one language"),
        ("replies.greeting.english = 'Hi'", "replies: 'english' is no language"),
        ("replies.greeting.en = ''", "replies.greeting, one of its languages: Expected"),
        ("replies.hello = 'Hi'", "replies: Object contains unknown field `hello`"),
        ("synonyms = [['a', 'b'], ['c']]", "synonyms number 2: Expected `array` of length >= 2"),
        ("synonyms = [['Log  on', 'b'], ['log on', 'c']]", "'log on' is in two groups; join them"),
        ("synonyms = [['a', ' ']]", "synonyms: a phrase is empty"),
        ("banned_phrases = ['…']", "banned_phrases: '…' has no word"),
        (f"banned_phrases = ['{'a' * 61}']", "has a word that is too long"),
        ("banned_phrases = [" + "'a'," * 1_001 + "]", "banned_phrases: give at most 1,000"),
        (
            "ignored_queries = [{name = 'a', examples = ['Who are you?']}]",
            "ignored_queries number 1: 'Who are you?' has no word that tells",
        ),
        ("ignored_queries = [{name = 'a', examples = []}]", "Expected `array` of length >= 1"),
        (
            "ignored_queries = [{name = 'a', examples = [" + "'fee'," * 1_001 + "]}]",
            "ignored_queries: give at most 1,000 examples",
        ),
        ("[[data_stores]]", "data_stores number 1: Object missing required field `name`"),
        ("data_stores = [{name = 'projects/p'}]", "'projects/p' names no data store"),
        ("data_stores = [{name = 'a#b'}]", "'a#b' can be no id of a data store"),
        ("data_stores = [{name = 'a'}, {name = 'a'}]", "a name is there twice"),
        ("data_stores = [{name = 'a', origins = ['*']}]", "'*' is no origin as browsers send it"),
        ("data_stores = [{name = 'a', origins = ['https://A.org/']}]", "'https://A.org/' is no"),
        (
            "redaction.mask = ['email', 'e-mail']",
            "redaction: 'e-mail' is nothing that is masked; give some of card, email, iban, phone",
        ),
        ("redaction.masks = []", "redaction: Object contains unknown field `masks`"),
        ("#" * (1 << 20) + "\n", "larger than 1,048,576 bytes"),
        ("a=" + "[" * 10_000, "is not TOML that can be used"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_field(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(PortalError, match=re.escape(said)) as caught:
        portal_file.read(file)
    assert str(caught.value).startswith(f"COLLOQUY_PORTAL is '{file}': the file ")


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(PortalError, match="No such file"):
        portal_file.read(tmp_path / "nowhere.toml")


@pytest.mark.anyio
async def test_a_file_that_cannot_be_used_stops_the_start(tmp_path: Path) -> None:
    """Before anything is opened: no Redis of our own is left behind."""
    settings = Settings(data_dir=tmp_path / "data", portal=written(tmp_path, "nam = 'Riverton'"))
    with pytest.raises(PortalError, match="nam"):
        async with create_app(settings).opened():
            pass
    assert not settings.data_dir.exists()


def test_a_policy_may_name_its_project_by_the_number(tmp_path: Path) -> None:
    store = "projects/123/locations/global/collections/default_collection/dataStores/d"
    file = written(tmp_path, f'[[data_stores]]\nname = "{store}"\norigins = ["https://a.example"]')
    said = portal_file.read(file, ProjectNumbers(["town=123"]))
    assert said.policy(store.replace("123", "town")) == said.data_stores[0]
    assert said.policy(store.replace("123", "124")) is None


def test_a_project_has_one_policy_for_both_its_names(tmp_path: Path) -> None:
    store = "projects/%s/locations/global/collections/default_collection/dataStores/d"
    tables = [f'[[data_stores]]\nname = "{store % name}"\n' for name in ("town", "123")]
    file = written(tmp_path, "\n".join(tables))
    with pytest.raises(PortalError, match="a name is there twice"):
        portal_file.read(file, ProjectNumbers(["town=123"]))
