"""`sections`, `find`, `link`: looks at one document or one citation, without asking anything."""

from __future__ import annotations

import sys
from argparse import Namespace

from ..citations import Citation
from ..errors import CitationCheckError
from .inputs import choose_inputs, choose_model, read_citations_of, read_source, read_sources
from .outputs import DONE, as_json


def sections(a: Namespace) -> int:
    """Show how a document was split."""
    document = read_source(a.source)
    if a.json:
        rows = [
            {"label": s.label, "title": s.title, "start": s.start, "end": s.end}
            | {"characters": len(document.section_text(s)), "numbered": s.numbered}
            for s in document.outline
        ]
        print(as_json(rows))
        return DONE
    from ..terminal import outline_view, use_color

    print(outline_view(document, color=use_color(sys.stdout)))
    return DONE


def find(a: Namespace) -> int:
    """Do step 1 for one quote."""
    from ..locating import closest, trace
    from ..outcomes import match_fields
    from ..terminal import near_view, trace_view, use_color

    document = read_source(a.source)
    if not any(map(str.isalnum, a.quote)):
        raise CitationCheckError("QUOTE: has no letter or digit, so it stands everywhere; give the quoted words")
    found = trace(document, Citation(id="quote", claim="", quote=a.quote, section=None))
    if a.json:
        where = {"status": found.status, "found_in": found.found_in, "also_in": found.also_in}
        print(as_json({**where, "match": match_fields(found), "risks": found.risks}))
        return DONE
    color = use_color(sys.stdout)
    print(trace_view(document, found, color))
    if found.status == "missing" and (near := closest(document, a.quote)):
        print(near_view(document, near, color))
    return DONE


def link(a: Namespace) -> int:
    """Print the playground link of one citation."""
    from ..judging import QUESTIONS
    from ..locating import locate
    from ..playground import make_playground_link

    *files, name = a.inputs
    inputs = choose_inputs(files, None)
    documents = read_sources(inputs.sources, inputs.cache.parent, False)
    citations = {c["id"]: c for c in read_citations_of(inputs.citations, documents)}
    if name not in citations:
        raise CitationCheckError(f"{inputs.citations}: has no citation {name}; it has {', '.join(citations) or 'none'}")
    status, section = locate(documents if len(documents) > 1 else documents[0], citations[name])
    if section is None:
        raise CitationCheckError(f"{name}: is {status}, so there is no section to ask about and no link")
    models = [choose_model(a.model, inputs.shipped)]
    print(make_playground_link({"claim": citations[name]["claim"], "section": section}, QUESTIONS, models=models))
    return DONE
