"""Whole transcripts of commands on a small library."""

import _thread
import json
import re
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from assistant.chat_model import suggested
from tests.ollama_server import EMBEDDER, Model, OllamaServer, Scripted
from tests.ui.conftest import Command
from tests.ui.corpus import RECORDS, write_corpus

KELP_SOURCE = (
    "[1] KelpNet: Counting Kelp from Satellites\n    Maren Holt, Ito Kenji, ICML 2024\n"
    "    https://doi.org/10.5555/kelp\n"
)


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_an_answer_quotes_and_lists_its_sources(command: Command) -> None:
    result = command("ask", "How many of the forests does KelpNet find?")
    assert result.exit_code == 0
    assert "“It finds 91% of the forests that divers report.” [1]" in result.stdout
    assert result.stdout.endswith(f"\nSources\n{KELP_SOURCE}")
    assert result.stderr == ""


def test_verbose_tells_times_on_standard_error(command: Command) -> None:
    result = command("ask", "What does KelpNet count?", "-v")
    assert re.match(r"content, extractive; retrieve \d+ ms, .*total \d+ ms; tokens 0 \+ 0\n$", result.stderr)


def test_an_answer_as_json_is_one_line_whose_offsets_hold(command: Command) -> None:
    result = command("ask", "What does KelpNet count?", "--json")
    [row] = rows(result.stdout)
    assert row["mode"] == "extractive"
    assert row["answer"].endswith("[1]")
    by_number = {paper["n"]: paper for paper in row["papers"]}
    assert by_number[1]["source_ids"] == ["kelp"]
    for sentence in row["sentences"]:
        for quote in sentence["evidence"]:
            abstract = by_number[quote["n"]]["abstract"]
            assert abstract[quote["start"] : quote["end"]] == quote["quote"]


def test_an_abstention_is_no_error(command: Command) -> None:
    result = command("ask", "Who won the chess olympiad?")
    assert result.exit_code == 0
    assert "\nNearest papers\n[1] " in result.stdout


def test_filters_narrow_an_answer(command: Command) -> None:
    [row] = rows(command("ask", "What does a network do?", "--json", "--venue", "icml", "--year", "2026").stdout)
    assert [paper["source_ids"] for paper in row["papers"]] == [["moss"]]


def test_a_conversation_reads_a_question_a_line_and_knows_what_was_said(command: Command) -> None:
    result = command("ask", typed="What does KelpNet count?\n\nHow many forests does it find?\nquit\nnot read\n")
    assert result.exit_code == 0
    first, second = result.stdout.split("\n\n\n")[0], result.stdout
    assert "“KelpNet counts kelp in satellite images.” [1]" in first
    assert second.count("Sources") == 2
    assert "91%" in second
    assert "not read" not in second


def test_a_conversation_as_json_is_a_line_an_answer(command: Command) -> None:
    result = command("ask", "--json", typed="What does KelpNet count?\nHow many forests does it find?\n")
    first, second = rows(result.stdout)
    assert first["question"] == "What does KelpNet count?"
    assert "KelpNet" in second["standalone_question"] or second["papers"][0]["source_ids"] == ["kelp"]


def test_many_questions_are_a_row_each_and_failures_do_not_stop_them(command: Command, tmp_path: Path) -> None:
    asked, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    turn = {"question": "What is KelpNet?", "answer": "A counter [1].", "papers": ["doi:10.5555/kelp"]}
    lines = [
        {"id": "a", "question": "What does KelpNet count?", "gold": ["kelp"]},
        {"id": "b", "question": " "},
        {"id": "c", "question": "How many forests does it find?", "history": [turn]},
        {"id": "d", "question": "And divers?", "history": [["What is KelpNet?", "A counter [1]."]]},
    ]
    asked.write_text("not json\n" + "\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    result = command("ask", "--questions", asked, "--out", out)
    assert result.exit_code == 1
    assert result.stdout == ""
    written = rows(out.read_text(encoding="utf-8"))
    assert [row["id"] for row in written] == [1, "a", "b", "c", "d"]
    assert written[0] == {"id": 1, "error": "Line 1: this is not a JSON object."}
    assert written[2] == {"id": "b", "error": 'Line 3: "question" must hold the text to ask.'}
    assert written[1]["answer"]
    assert "error" not in written[3]
    assert 'b: Line 3: "question" must hold the text to ask.\n' in result.stderr


def test_many_questions_without_out_go_to_standard_output(command: Command) -> None:
    result = command("ask", "--questions", "-", typed='{"id": 1, "question": "What does KelpNet count?"}\n')
    assert result.exit_code == 0
    assert [row["id"] for row in rows(result.stdout)] == [1]


def test_a_model_writes_and_a_broken_one_is_completed(command: Command) -> None:
    said = "KelpNet counts kelp in satellite images [1]."
    with OllamaServer(script=[said, Scripted("KelpNet counts", end="error")]) as server:
        model = {"ASKPAPERS_LLM": "auto", "OLLAMA_HOST": server.url}
        [row] = rows(command("ask", "What does KelpNet count?", "--json", **model).stdout)
        broken = command("ask", "What does KelpNet count?", **model)
    assert row["mode"] == "ollama:qwen3:4b"
    assert row["tokens"]["completion"] > 0
    assert broken.exit_code == 0
    assert "Sources" in broken.stdout
    assert "qwen3:4b" in broken.stderr


def test_a_model_that_is_not_there_is_one_sentence(command: Command) -> None:
    with OllamaServer() as server:
        missing = command("ask", "Why?", "--llm", "ollama:llama9", OLLAMA_HOST=server.url)
    refused = command("ask", "Why?", "--llm", "ollama:llama9", OLLAMA_HOST="127.0.0.1:9")
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert "ollama pull llama9" in missing.stderr
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "ollama serve" in refused.stderr
    assert missing.stderr.count("\n") == refused.stderr.count("\n") == 1


def test_search_ranks(command: Command) -> None:
    result = command("search", "frost in vineyards", "-k", "1")
    assert re.fullmatch(
        r"1\. Forecasting Frost in Vineyards\n   Odile Brun, NeurIPS 2025\n   https://example\.org/frost\n"
        r"   \d\.\d\d  \S+\n",
        result.stdout,
    )
    [row] = rows(command("search", "frost in vineyards", "--json").stdout)
    assert set(row) == {"id", "ms", "results"}
    assert row["results"][0]["source_ids"] == ["frost"]
    assert row["results"][0]["title"] == "Forecasting Frost in Vineyards"
    scores = [found["score"] for found in row["results"]]
    assert scores == sorted(scores, reverse=True)


def test_many_searches(command: Command, tmp_path: Path) -> None:
    queries, out = tmp_path / "queries.jsonl", tmp_path / "results.jsonl"
    queries.write_text('{"_id": "1", "text": "kelp"}\n{"id": "2"}\n{"id": "3", "text": "moss"}\n', encoding="utf-8")
    result = command("search", "--queries", queries, "--out", out, "-k", "2")
    assert result.exit_code == 1
    first, second, third = rows(out.read_text(encoding="utf-8"))
    assert first["id"] == "1"
    assert first["results"][0]["source_ids"] == ["kelp"]
    assert second == {"id": "2", "error": 'Line 2: "text" must hold the text to ask.'}
    assert third["results"][0]["source_ids"] == ["moss"]
    assert len(third["results"]) == 2


def test_papers_are_listed_newest_first_also_without_naming_the_command(command: Command) -> None:
    result = command("papers", "--venue", "icml")
    assert [line.split("\t")[1:3] for line in result.stdout.splitlines()] == [["2026", "ICML"], ["2024", "ICML"]]
    assert result.stdout.splitlines()[1].startswith("doi:10.5555/kelp\t")
    assert result.stderr == "2 papers.\n"


def test_a_paper_is_shown_by_any_of_its_ids(command: Command) -> None:
    for name in ("doi:10.5555/kelp", "10.5555/kelp", "kelp"):
        result = command("papers", "show", name)
        assert result.stdout == (
            "KelpNet: Counting Kelp from Satellites\nMaren Holt, Ito Kenji, ICML 2024\n"
            f"https://doi.org/10.5555/kelp\n\n{RECORDS[0]['abstract']}\n\n"
            "id             doi:10.5555/kelp\nsource ids     kelp\nalso known as  text:f26aa8d275a76f5d\n"
        )
    missing = command("papers", "show", "nothing")
    assert missing.exit_code == 1
    assert "`askpapers papers list`" in missing.stderr


def test_papers_are_exported(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "papers.bib"
    assert command("papers", "export", "--year", "2024", "--out", out).exit_code == 0
    assert out.read_text(encoding="utf-8").startswith("@inproceedings{holt2024kelpnet,\n")
    listed = rows(command("papers", "export", "--format", "jsonl").stdout)
    assert [row["year"] for row in listed] == [2026, 2025, 2024]


def test_an_export_can_be_ingested_and_is_the_same_papers(command: Command, tmp_path: Path) -> None:
    exported = tmp_path / "papers.jsonl"
    command("papers", "export", "--format", "jsonl", "--out", exported)
    other = tmp_path / "other"
    assert command("ingest", exported, "--library", other).exit_code == 0
    ids = [row["paper_id"] for row in rows(command("papers", "export", "--format", "jsonl").stdout)]
    again = [
        row["paper_id"] for row in rows(command("papers", "export", "--format", "jsonl", "--library", other).stdout)
    ]
    assert again == ids


def test_ingest_reports_and_rejects(command: Command, tmp_path: Path) -> None:
    corpus, folder = write_corpus(tmp_path / "papers.jsonl"), tmp_path / "library"
    with corpus.open("a", encoding="utf-8") as file:
        file.write('{"id": "short", "abstract": "Too short."}\n')
    first = command("ingest", corpus, "--library", folder, "--set", "venue=Harbour")
    assert first.exit_code == 3
    assert re.fullmatch(r"3 new, 1 rejected; 3 papers in the library \(\d+\.\d s\)\.\n", first.stdout)
    assert first.stderr.startswith(f"Rejected: {corpus}, record 4, line 4: ")
    again = command("ingest", corpus, "--library", folder, "--set", "venue=Harbour", "--json")
    assert again.exit_code == 3
    [row] = rows(again.stdout)
    assert (row["new"], row["unchanged"], row["encoded_chunks"], row["papers"]) == (0, 3, 0, 3)
    assert row["rejected"][0] | {"reason": ""} == {"file": str(corpus), "record": 4, "line": 4, "reason": ""}
    assert set(row["seconds"]) == {"total", "read", "encode", "write"}


def test_ingest_of_nothing_is_an_error(command: Command, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.touch()
    for path, says in ((empty, "Rejected: "), (tmp_path / "nowhere", "no file or folder")):
        result = command("ingest", path, "--library", tmp_path / "library")
        assert result.exit_code == 1
        assert says in result.stderr


def test_a_path_that_does_not_exist_leaves_no_library_behind(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    assert command("ingest", tmp_path / "nowhere", "--library", folder).exit_code == 1
    assert not folder.exists()


def test_standard_input_is_a_source(command: Command, tmp_path: Path) -> None:
    text = "\n\n".join(str(record["abstract"]) for record in RECORDS)
    result = command("ingest", "-", "--format", "text", "--library", tmp_path / "library", typed=text)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("3 new; 3 papers in the library")


def test_papers_are_removed_and_the_library_looks_after_itself(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    command("ingest", write_corpus(tmp_path / "papers.jsonl"), "--library", folder)
    removed = command("papers", "remove", "kelp", "--library", folder)
    assert removed.stderr == "Removed KelpNet: Counting Kelp from Satellites.\n"
    state = rows(command("library", "info", "--json", "--library", folder).stdout)[0]
    assert state["papers"] == 2
    assert command("library", "--library", folder).stdout.startswith(
        f"folder   {folder}\npapers   2\nyears    2025-2026"
    )
    verified = command("library", "verify", "--library", folder)
    assert (verified.exit_code, verified.stderr) == (0, "Catalogue and indexes agree.\n")
    rebuilt = command("library", "rebuild", "--library", folder)
    assert (rebuilt.exit_code, rebuilt.stderr) == (0, "Rebuilt the indexes of 2 papers.\n")


def test_without_a_library_every_command_says_how_to_make_one(command: Command, tmp_path: Path) -> None:
    for arguments in (["ask", "Why?"], ["search", "a"], ["papers"], ["library"]):
        result = command(*arguments, "--library", tmp_path / "none")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "`askpapers ingest PATH`" in result.stderr
    assert not (tmp_path / "none").exists()


def test_the_doctor_tells_what_prevents_asking_from_what_does_not(command: Command, tmp_path: Path) -> None:
    well = command("doctor", "--llm", "auto", OLLAMA_HOST="127.0.0.1:9")
    assert well.exit_code == 0
    assert re.search(r"^ok +The library .* holds 3 papers\.$", well.stdout, re.MULTILINE)
    assert re.search(r"^ok +There is no .*config\.toml; all settings have defaults\.$", well.stdout, re.MULTILINE)
    assert re.search(r"^note +Nothing answers at .*`ollama serve`", well.stdout, re.MULTILINE)
    missing = command("doctor", "--library", tmp_path / "none")
    assert missing.exit_code == 1
    assert re.search(r"^problem +There is no library in .*`askpapers ingest PATH`", missing.stdout, re.MULTILINE)
    with OllamaServer() as server:
        chosen = command("doctor", "--llm", "ollama:llama9", OLLAMA_HOST=server.url)
        found = command("doctor", "--llm", "auto", OLLAMA_HOST=server.url)
    assert chosen.exit_code == 1
    assert "`ollama pull llama9`" in chosen.stdout
    assert "ollama:qwen3:4b writes the answers." in found.stdout


BARE = Model("bare:1b", 1_000_000_000, template="{{ .Prompt }}")


def test_models_are_listed(command: Command) -> None:
    with OllamaServer(models=[Model(), EMBEDDER, BARE]) as server:
        result = command("models", OLLAMA_HOST=server.url)
    assert result.stdout == "qwen3:4b  2.5 GB\nbare:1b   1.0 GB, has no chat template and will babble\n"


def test_without_a_chat_model_one_is_named_that_fits(command: Command) -> None:
    pull = f"`askpapers models pull {suggested()}`"
    with OllamaServer(models=[EMBEDDER]) as server:
        model = {"ASKPAPERS_LLM": "auto", "OLLAMA_HOST": server.url}
        listed = command("models", **model)
        doctor = command("doctor", **model)
        talk = command("ask", typed="What does KelpNet count?\n", **model)
        once = command("ask", "What does KelpNet count?", **model)
    assert (listed.exit_code, listed.stdout) == (0, "")
    assert pull in listed.stderr
    assert pull in doctor.stdout
    assert pull in talk.stderr
    assert once.stderr == ""
    gone = command("ask", typed="What does KelpNet count?\n", ASKPAPERS_LLM="auto", OLLAMA_HOST="127.0.0.1:9")
    assert "`ollama serve`" in gone.stderr


def test_a_model_without_a_template_is_warned_of_once(command: Command) -> None:
    with OllamaServer(models=[BARE], script="KelpNet counts kelp in satellite images [1].") as server:
        model = {"ASKPAPERS_LLM": "auto", "OLLAMA_HOST": server.url}
        once = command("ask", "What does KelpNet count?", **model)
        talk = command("ask", typed="What does KelpNet count?\nWhat does KelpNet count?\n", **model)
        doctor = command("doctor", **model)
    for said in (once.stderr, talk.stderr, doctor.stdout):
        assert said.count("bare:1b has no chat template and will babble: get a model from") == 1


def test_a_conversation_has_the_model_loaded_before_the_first_question(command: Command) -> None:
    with OllamaServer() as server:
        command("ask", typed="quit\n", ASKPAPERS_LLM="auto", OLLAMA_HOST=server.url)
        assert server.wait_loaded()
        assert server.chats == []


def test_a_model_is_pulled(command: Command) -> None:
    with OllamaServer(models=[]) as server:
        result = command("models", "pull", "qwen3:0.6b", OLLAMA_HOST=server.url)
        assert [model.name for model in server.models] == ["qwen3:0.6b"]
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "qwen3:0.6b is here: `askpapers chat --llm ollama:qwen3:0.6b` has it write the answers.\n"


def test_a_pull_that_fails_is_one_sentence(command: Command) -> None:
    with OllamaServer(models=[], pull_error="pull model manifest: file does not exist") as server:
        failed = command("models", "pull", "nope:1b", OLLAMA_HOST=server.url)
    assert (failed.exit_code, failed.stdout) == (1, "")
    assert failed.stderr == "Ollama's library has no model nope:1b; try `askpapers models pull qwen3:4b`.\n"
    refused = command("models", "pull", "nope:1b", OLLAMA_HOST="127.0.0.1:9")
    assert refused.exit_code == 1
    assert "`ollama serve`" in refused.stderr
    assert command("models", "pull").exit_code == 2


def test_a_pull_can_be_stopped_and_says_that_it_can_be_resumed(command: Command) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    with OllamaServer(models=[], pull_pause=10.0) as server:
        timer = threading.Timer(0.5, _thread.interrupt_main)
        timer.start()
        result = command("models", "pull", "qwen3:0.6b", OLLAMA_HOST=server.url)
        assert server.wait_closed()
    signal.signal(signal.SIGINT, before)
    assert result.exit_code == 130
    assert result.stderr == "Stopped; `askpapers models pull qwen3:0.6b` goes on where it stopped.\n\n"


def test_an_unusable_setting_is_one_sentence(command: Command) -> None:
    result = command("ask", "Why?", ASKPAPERS_NUM_CTX="many")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "ASKPAPERS_NUM_CTX" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--out", "no/such/folder/a.jsonl"], ["--questions", "no-such-file"]])
def test_files_that_cannot_be_used_are_one_sentence(command: Command, tmp_path: Path, arguments: list[str]) -> None:
    asked = tmp_path / "questions.jsonl"
    asked.touch()
    result = command("ask", "--questions", asked, *arguments)
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1


def test_a_folder_can_be_kept_in_step(command: Command, tmp_path: Path) -> None:
    library = str(tmp_path / "library")
    folder = tmp_path / "papers"
    folder.mkdir()
    write_corpus(folder / "all.jsonl")
    ingest = ("ingest", str(folder), "--library", library)
    assert "would be in the library" in command(*ingest, "--dry-run").stdout
    assert f"{len(RECORDS)} new" in command(*ingest).stdout
    (folder / "all.jsonl").write_text(json.dumps(RECORDS[0]), encoding="utf-8")
    [row] = rows(command(*ingest, "--sync", "--json").stdout)
    assert (row["unchanged"], row["removed"], row["papers"]) == (1, len(RECORDS) - 1, 1)
