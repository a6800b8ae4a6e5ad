"""``verifier keys``: keys made, listed and taken back, and what the server's start and the doctor say of them."""

import json
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

from tests.support import cli, inside


def run(place, *arguments, **environ):
    return inside.run(*arguments, cwd=place, **environ)


def test_a_key_is_shown_once_listed_without_itself_and_taken_back(tmp_path):
    made = run(
        tmp_path, "keys", "add", "ci", "--namespaces", "a,b", "--rights", "check,write", "--keys", "k.json"
    )
    assert made.returncode == 0, made.stderr
    secret = made.stdout.strip()
    assert secret.startswith("rv_")
    assert secret not in (tmp_path / "k.json").read_text()
    listed = run(tmp_path, "keys", "list", VERIFIER_SERVER__KEYS="k.json")
    assert listed.stdout.split()[-3:] == ["ci", "a,b", "check,write"]
    removed = run(tmp_path, "keys", "remove", "ci", "--keys", "k.json")
    assert removed.returncode == 0
    assert json.loads((tmp_path / "k.json").read_text()) == {"keys": []}


def test_eight_keys_made_at_once_are_eight_keys(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        made = list(
            pool.map(lambda n: cli.run("keys", "add", f"key-{n}", "--keys", "k.json", cwd=tmp_path), range(8))
        )
    assert [one.returncode for one in made] == [0] * 8, made
    kept = json.loads((tmp_path / "k.json").read_text())["keys"]
    assert {key["name"]: key["sha256"] for key in kept} == {
        f"key-{n}": sha256(one.stdout.strip().encode()).hexdigest() for n, one in enumerate(made)
    }
    assert (tmp_path / "k.json").stat().st_mode & 0o777 == 0o600


def test_what_keys_cannot_be_made_of_is_told_with_what_can(tmp_path):
    wrong = run(tmp_path, "keys", "add", "ci", "--rights", "all", "--keys", "k.json")
    assert wrong.returncode == 2
    assert "unknown right 'all'; known: check, write, ask, metrics" in wrong.stderr
    nowhere = run(tmp_path, "keys", "add", "ci")
    assert nowhere.returncode == 2
    assert "server.keys" in nowhere.stderr


def test_the_server_does_not_start_where_others_reach_it_without_keys(tmp_path):
    started = cli.run("serve", "--host", "0.0.0.0", "--create", cwd=tmp_path)
    assert started.returncode == 2
    assert "needs keys" in started.stderr
    assert not (tmp_path / "kb").exists()
