"""What comparing outputs leaves open: the notebook has them, in order, frozen and as published, and it reads well."""

import json
import re
from pathlib import Path

import nbformat
import pytest
import rerun_notebook

import helpers
from tests.published import TABLE

ROOT = rerun_notebook.ROOT
NOTEBOOK = nbformat.read(rerun_notebook.NOTEBOOK, as_version=4)
CODE = [cell for cell in NOTEBOOK.cells if cell.cell_type == "code"]
PROSE = [cell for cell in NOTEBOOK.cells if cell.cell_type == "markdown"]

LOADED = """\
58,365 characters, 45 numbered sections, 8 citations

A citation with a quote:
{
  "id": "aud_reject",
  "claim": "If a validator does not find itself in a token's audience list, it has to reject the token.",
  "quote": "If the principal processing the claim does not identify itself with a value in the \\"aud\\" claim when \
this claim is present, then the JWT MUST be rejected.",
  "section": "4.1.3"
}

A claim-only citation:
{
  "id": "iat_future",
  "claim": "The \\"iat\\" claim requires validators to reject tokens whose issue time is in the future.",
  "quote": null,
  "section": "4.1.6"
}
"""

FOUND = """\
epoch_seconds     found         section of 3,122 chars
aud_reject        found         section of 761 chars
sig_reporting     missing       not in the source
clock_skew        found         section of 529 chars
exp_required      found         section of 529 chars
pii_encryption    found         section of 1,653 chars
iat_future        section-only  section of 270 chars
duplicate_names   found         section of 918 chars
"""

# Words in code type that are no public name of `helpers`: what stands in the files, and what a shell or a server knows.
OTHER_WORDS = {
    *("SOURCE_FILE", "CITATIONS_FILE", "CACHE_FILE", "TYPESAFE_MODEL", "AUTO_ACCEPT", "EXAMPLE_ID"),
    *("TYPESAFE_API_KEY", "TYPESAFE_ENDPOINT", "TYPESAFE_BASE_URL", "Choice", "@json_cache", "json_cache"),
    *("says_nothing", "section-only", "4.1.3.  \"aud\" (Audience) Claim"),
    *(c["id"] for c in helpers.load_citations(ROOT / "citations.json")),
    *(c["id"] for c in helpers.load_citations(ROOT / "tests/data/handbook.citations.json")),
}  # fmt: skip


def cell(name: str) -> nbformat.NotebookNode:
    return next(cell for cell in NOTEBOOK.cells if cell.id == name)


def printed(name: str) -> str:
    return "".join(output.text for output in cell(name).outputs if output.output_type == "stream")


def test_every_code_cell_was_run_in_order():
    assert [cell.execution_count for cell in CODE] == list(range(1, len(CODE) + 1))


def test_every_cell_that_shows_something_has_its_output_stored():
    shows = re.compile(r"\b(?:print|display|show_source)\(")
    assert [cell.id for cell in CODE if shows.search(cell.source) and not cell.outputs] == []


def test_no_cell_ended_in_an_error_or_wrote_to_stderr():
    outputs = [(cell.id, output) for cell in CODE for output in cell.outputs]
    assert [name for name, output in outputs if output.output_type == "error"] == []
    assert [name for name, output in outputs if output.get("name") == "stderr"] == []


def test_metadata_say_nothing_of_the_machine():
    nbformat.validate(NOTEBOOK)
    assert NOTEBOOK.metadata == rerun_notebook.METADATA
    assert {cell.id: cell.metadata for cell in NOTEBOOK.cells if cell.metadata} == {
        "settings": {"tags": ["parameters"]}
    }
    assert [cell.id for cell in NOTEBOOK.cells if not re.fullmatch(r"[a-z]+(-[a-z]+)*", cell.id)] == []
    assert rerun_notebook.NOTEBOOK.read_bytes().endswith(b"}\n")


def test_outputs_are_small_text_and_name_no_place_on_a_disk():
    for source in CODE:
        for output in source.outputs:
            stored = json.dumps(output)
            assert len(stored) < 20_000, source.id
            assert "image/" not in stored, source.id
            assert not re.search(r"(/home/|/tmp/|/root/|/Users/|[A-Z]:\\\\)", stored), source.id


def test_a_re_run_gives_the_same_bytes():
    again = rerun_notebook.run(nbformat.read(rerun_notebook.NOTEBOOK, as_version=4))
    assert rerun_notebook.text(again) == rerun_notebook.NOTEBOOK.read_text(encoding="utf-8")


def test_the_three_prints_are_the_published_ones():
    assert printed("load-all") == LOADED
    assert printed("find-all") == FOUND
    assert printed("check-all-run") == TABLE


def test_the_playground_link_opens_exp_required_with_its_section_the_question_and_the_model():
    (output,) = cell("playground-link").outputs
    label, link = re.fullmatch(r"\[(🔗 .+)\]\((\S+)\)", output.data["text/markdown"]).groups()
    carried = helpers.read_playground_link(link)
    citation = next(c for c in helpers.load_citations(ROOT / "citations.json") if c["id"] == "exp_required")
    sections = helpers.split_sections(helpers.load_source(ROOT / "rfc7519.txt"))
    assert "exp_required" in label
    assert carried["document"] == {"claim": citation["claim"], "section": sections["4.1.4"]}
    assert carried["questions"] == helpers.QUESTIONS
    assert carried["models"] == ["jev-1.12"]


def test_every_figure_of_the_prose_is_one_of_the_table():
    rows = {line.split()[0]: line.split() for line in TABLE.split("\n")[1:-1]}
    verdicts = [row[4] for row in rows.values()]
    text = cell("results").source
    counted = ", ".join(f"{verdicts.count(v)} is `{v}`" for v in ("fabricated", "contradicted"))
    assert f"{verdicts.count('verified')} are `verified`, {counted} and {verdicts.count('unsupported')}" in text
    for name in ("pii_encryption", "iat_future"):
        assert f"**`{name}`** ({rows[name][3]})" in text
    right = [row[3] for row in rows.values() if row[4] == "verified"]
    assert f"{min(right)} to {max(right)}" in text
    assert f"confidence of {min(right)} or more" in cell("promise").source
    assert f"confidence of {rows['exp_required'][3]}" in text


def test_what_the_prose_says_of_the_threshold_table_stands_in_it():
    rows = [line.split() for line in printed("tune").split("\n")[1:] if line[:9].strip()[:2] in ("0.", "1.")]
    threshold, _, decided, errors, *_, high = next(row for row in rows if float(row[0]) >= 0.8)
    assert (decided, errors) == ("5", "0"), threshold
    assert f"up to {high}" in cell("tune-read").source


def test_what_the_prose_says_of_the_near_miss_is_printed():
    assert [line.split()[:2] for line in printed("handbook").strip().split("\n")] == [
        ["seal_first", "found"],
        ["watch_limit", "altered"],
        ["gate_book", "found"],
        ["night_pass", "missing"],
    ]
    assert "up to -> at most [quantifier]" in printed("near-miss-diff")


def test_the_overview_names_the_parts_as_the_headings_do():
    overview = re.findall(r"^\d+\. .+$", cell("promise").source, re.M)
    headings = re.findall(r"^## (\d+\. .+)$", "\n".join(cell.source for cell in PROSE), re.M)
    assert overview == headings


def test_the_flow_chart_is_the_readme_s_too():
    chart = re.search(r"```mermaid\n.+?\n```", cell("flow").source, re.S)[0]
    assert chart in (ROOT / "README.md").read_text(encoding="utf-8")


def test_code_cells_are_short_and_introduced_by_prose():
    for before, this in zip(NOTEBOOK.cells, NOTEBOOK.cells[1:], strict=False):
        if this.cell_type == "code":
            assert before.cell_type == "markdown", this.id
            assert len(this.source.split("\n")) <= 12, this.id


def test_the_settings_cell_is_the_first_code_and_holds_nothing_else():
    assert CODE[0].id == "settings"
    names = re.findall(r"^(\w+) = \S+$", CODE[0].source, re.M)
    assert names == ["SOURCE_FILE", "CITATIONS_FILE", "CACHE_FILE", "TYPESAFE_MODEL", "AUTO_ACCEPT", "EXAMPLE_ID"]


def test_no_cell_installs_anything_and_no_badge_is_shown():
    assert [cell.id for cell in CODE if re.search(r"^\s*[!%]|pip|getpass", cell.source, re.M)] == []
    assert [cell.id for cell in PROSE if "![" in cell.source or "<img" in cell.source] == []


def test_every_name_in_the_prose_exists():
    words = {word for cell in PROSE for word in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", cell.source)}
    names = {word.removesuffix("()") for word in words if re.fullmatch(r"@?[A-Za-z]+(_[A-Za-z]+)*(\(\))?", word)}
    spoken = {name for name in names if "_" in name or name != name.lower()} | {w[:-2] for w in words if w[-2:] == "()"}
    assert spoken - set(helpers.__all__) - OTHER_WORDS == set()
    files = {word for word in words if re.fullmatch(r"[\w./]+\.(json|txt|md|py|html)", word)}
    assert {name for name in files if not (ROOT / name).exists()} <= {"reviews.json", "report.html"}


OWN_DOCUMENT = """\
# Kitchen rules

## Knives

Knives are washed by hand. They are never put into the dishwasher.

## Kettle

The kettle is emptied every evening.
"""

OWN = {
    "found": {"id": "mine", "claim": "Knives go into the dishwasher.", "quote": "washed by hand", "section": "Knives"},
    "missing": {"id": "mine", "claim": "Cups are blue.", "quote": "All of the cups must be blue.", "section": "Cups"},
    "no quote": {"id": "mine", "claim": "The kettle is emptied.", "quote": None, "section": "Kettle"},
}


def run_with(folder: Path, citations: list[dict[str, str | None]]) -> dict[str, list[nbformat.NotebookNode]]:
    """Run the notebook on a reader's own files in this folder, and return the outputs of each code cell."""
    (folder / "rules.md").write_text(OWN_DOCUMENT, encoding="utf-8")
    (folder / "mine.json").write_text(json.dumps(citations), encoding="utf-8")
    notebook = nbformat.read(rerun_notebook.NOTEBOOK, as_version=4)
    settings = next(cell for cell in notebook.cells if cell.id == "settings")
    for name, value in {"SOURCE_FILE": "rules.md", "CITATIONS_FILE": "mine.json", "CACHE_FILE": "cache.json"}.items():
        settings.source = re.sub(
            rf"^{name} = .*$", lambda _, n=name, v=value: f"{n} = {str(folder / v)!r}", settings.source, flags=re.M
        )
    settings.source = settings.source.replace('EXAMPLE_ID = "exp_required"', 'EXAMPLE_ID = "mine"')
    return {cell.id: cell.outputs for cell in rerun_notebook.run(notebook).cells if cell.cell_type == "code"}


@pytest.mark.parametrize("citation", OWN.values(), ids=OWN)
def test_a_reader_s_own_files_run_to_the_end_without_a_key(tmp_path: Path, citation: dict[str, str | None]):
    outputs = run_with(tmp_path, [citation])
    table = "".join(output.text for output in outputs["check-all-run"])
    status, word = table.split("\n")[1].split()[1], table.split("\n")[1].split()[4]
    expected = {"Cups are blue.": ("missing", "fabricated"), "The kettle is emptied.": ("section-only", "unjudged")}
    assert (status, word) == expected.get(citation["claim"], ("found", "unjudged"))
    assert len(outputs["playground-link"]) == 1


def test_a_reader_s_file_without_a_citation_runs_to_the_end(tmp_path: Path):
    outputs = run_with(tmp_path, [])
    assert outputs["load-all"][0].text.endswith(" sections, 0 citations\n")
    assert outputs["playground-link"] == []
