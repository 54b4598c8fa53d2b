"""Check an LLM's citations: are a quote's words in the source, and does their section support the claim?"""

from .citations import Answer, Citation, Result, load_citations
from .documents import Document, Section, Sections, Source
from .errors import CitationCheckError
from .judging import (
    AUTO_ACCEPT,
    QUESTIONS,
    RELATION_TO_VERDICT,
    TYPESAFE_MODEL,
    ask,
    check_citation,
    check_citations,
    estimate,
    make_ask,
    verdict,
)
from .locating import Trace, closest, find_quote, locate, normalize, trace
from .parsing import load_source, outline, read_document, split_sections
from .playground import make_playground_link, read_playground_link
from .replay import JsonCache
from .reporting import report_excerpt, show_source, to_json, verdict_table, write_report
from .reviewing import apply_reviews, load_reviews, threshold_table, tune_threshold

__all__ = [
    "AUTO_ACCEPT",
    "QUESTIONS",
    "RELATION_TO_VERDICT",
    "TYPESAFE_MODEL",
    "Answer",
    "Citation",
    "CitationCheckError",
    "Document",
    "JsonCache",
    "Result",
    "Section",
    "Sections",
    "Source",
    "Trace",
    "apply_reviews",
    "ask",
    "check_citation",
    "check_citations",
    "closest",
    "estimate",
    "find_quote",
    "load_citations",
    "load_reviews",
    "load_source",
    "locate",
    "make_ask",
    "make_playground_link",
    "normalize",
    "outline",
    "read_document",
    "read_playground_link",
    "report_excerpt",
    "show_source",
    "split_sections",
    "threshold_table",
    "to_json",
    "trace",
    "tune_threshold",
    "verdict",
    "verdict_table",
    "write_report",
]
