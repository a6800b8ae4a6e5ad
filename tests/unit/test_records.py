"""Records on disk and back: items stay in their files, equal metadata are kept once, states share only what stays."""

from verifier_backends.index.records import Records
from verifier_backends.types import Item

ITEMS = [
    Item("a", "naïve café\n東京 ", {"n": 1}),
    Item("b", 'a "quoted" text', {"n": True}),
    Item("c", "third", {"n": 1}),
    Item("d", "fourth", {}),
]


def reloaded(tmp_path, items=ITEMS):
    Records().append(items).save(tmp_path / "records.jsonl")
    return Records.load(tmp_path / "records.jsonl")


def test_what_was_saved_comes_back_to_the_character_and_type(tmp_path):
    records = reloaded(tmp_path)
    assert [tuple(item) for item in records.items()] == [tuple(item) for item in ITEMS]
    assert [type(item.metadata["n"]) for item in list(records.items())[:3]] == [int, bool, int]
    assert (records.size, records.live) == (4, 4)


def test_items_are_left_in_the_file_and_hits_are_fresh(tmp_path):
    records = reloaded(tmp_path)
    assert (records._ids, records._texts, records._metadata, records._slots) == ([], [], [], {})
    first, third = records.get(["a", "c"])
    first["metadata"]["n"] = "changed by the caller"
    assert third["metadata"] == records.get(["a"])[0]["metadata"] == {"n": 1}


def test_equal_metadata_of_added_items_are_kept_once_too_and_types_are_told_apart(tmp_path):
    added = Records().append(
        [Item("a", "one", {"n": 1}), Item("b", "two", {"n": 1}), Item("c", "three", {"n": True})]
    )
    assert added._metadata[0] is added._metadata[1]
    assert added._metadata[2]["n"] is True


def test_a_loaded_state_takes_new_texts_beside_those_of_the_file(tmp_path):
    records = reloaded(tmp_path)
    after = records.append([Item("b", "another", {}), Item("e", "fifth", {})])
    assert [hit["text"] for hit in after.get(["a", "b", "e"])] == [ITEMS[0].text, "another", "fifth"]
    assert [item.text for item in records.items()] == [item.text for item in ITEMS]
    assert [item.doc_id for item in after.compacted().items()] == ["a", "c", "d", "b", "e"]
    after.save(tmp_path / "again.jsonl")
    assert Records.load(tmp_path / "again.jsonl").get(["b"])[0]["text"] == "another"


def test_no_items_leave_an_empty_file_that_loads(tmp_path):
    records = reloaded(tmp_path, [])
    assert list(records.items()) == []
    assert records.append(ITEMS).live == 4
