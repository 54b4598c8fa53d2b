"""What a difference may do to the meaning, and what a verbatim quote leaves out."""

import pytest

from helpers.matching.risks import gap_risk, risk_of, short, truncated

RISKS = [
    ("MUST", "SHOULD", "modality"),
    ("MUST", "must", "modality"),
    ("Must", "must", None),
    ("The", "the", None),
    ("MUST NOT", "MUST", "negation"),
    ("", "not", "negation"),
    ("can", "can't", "negation"),
    ("cannot", "can", "negation"),
    ("is", "isn’t", "negation"),
    ("no", "a", "negation"),
    ("90", "60", "number"),
    ("10²", "102", "number"),
    ("[14]", "[15]", "number"),
    ("-5", "5", "number"),
    (">=", ">", "number"),
    ("10 000", "10.000", "number"),
    ("1.5", "1,5", "number"),
    ("seconds", "minutes", "number"),
    ("twelve", "eleven", "number"),
    ("all", "some", "quantifier"),
    ("at least", "at most", "quantifier"),
    ("dient", "ist", None),
    ("ein", "das", None),
    ("非常", "很", None),
    ("only", "", "quantifier"),
    ("unless", "and", "exception"),
    ("if expired", "", "exception"),
    ("stale", "fresh", None),
    (",", "", None),
    ("darf nicht", "darf", "negation"),
    ("keine", "eine", "negation"),
    ("muss", "kann", "modality"),
    ("alle", "einige", "quantifier"),
    ("не должен", "должен", "negation"),
    ("должен", "может", "modality"),
    ("кроме", "и", "exception"),
    ("不得", "可以", "negation"),
    ("必须", "可以", "modality"),
    ("除非", "并且", "negation"),  # 非 is a negation by itself
    ("三", "四", "number"),
    ("n'est pas", "est", "negation"),
    ("n’est", "est", "negation"),
    ("qu'aucun", "qu'un", "negation"),
    ("doit", "peut", "modality"),
    ("devrait", "devra", "modality"),
    ("sauf", "et", "exception"),
    ("à moins que", "pour que", "exception"),
    ("lorsqu'il", "puisqu'il", "exception"),
    ("tous", "quelques", "quantifier"),
    ("ningún", "un", "negation"),
    ("debe", "puede", "modality"),
    ("a menos que", "para que", "exception"),
    ("siempre", "", "quantifier"),
    ("nessun'altra", "un'altra", "negation"),
    ("può", "deve", "modality"),
    ("tranne", "e", "exception"),
    ("não", "", "negation"),
    ("podem", "devem", "modality"),
    ("exceto", "e", "exception"),
    ("żadna", "ta", "negation"),
    ("musi", "może", "modality"),
    ("chyba że", "bo", "exception"),
    ("geen", "een", "negation"),
    ("moet", "mag", "modality"),
    ("tenzij", "want", "exception"),
    ("ніколи", "тут", "negation"),
    ("повинен", "буде", "modality"),
    ("крім", "та", "exception"),
    ("開かない", "開く", "negation"),
    ("べき", "こと", "modality"),
    ("少なくとも", "", "quantifier"),
    ("少ない", "多い", None),
    ("열지 않는다", "연다", "negation"),
    ("열 수 있다", "연다", "modality"),
    ("모든", "이", "quantifier"),
    ("제외하고", "그리고", "exception"),
    ("لا يجب", "يجب", "negation"),
    ("يجب", "يفتح", "modality"),
    ("إلا", "و", "exception"),
    ("לא", "", "negation"),
    ("değil", "", "negation"),
    ("δεν", "", "negation"),
    ("Stunden", "Tore", "number"),
    ("Mai", "Juni", None),
    ("due", "thanks", None),
    ("plus", "point", None),
    ("mais", "tarde", None),
    ("die", "para", None),
    ("si", "se", None),
]


@pytest.mark.parametrize(
    ("source", "quote", "risk"), RISKS, ids=[f"{s or 'nothing'} to {q or 'nothing'}" for s, q, _ in RISKS]
)
def test_a_change_is_named_by_its_gravest_risk(source: str, quote: str, risk: str | None) -> None:
    assert risk_of(source, quote) == risk


@pytest.mark.parametrize(
    ("gap", "risk"),
    [
        ("refuse a token", None),
        ("with 3 seals that", None),
        ("NOT", "negation"),
        ("accept it unless it is old and", "exception"),
        ("nicht", "negation"),
        ("除非过期", "negation"),
    ],
)
def test_only_what_turns_the_sentence_is_a_risk_in_a_gap(gap: str, risk: str | None) -> None:
    assert gap_risk(gap) == risk


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("A gate MUST refuse it unless the porter agrees.", "A gate MUST refuse it", True),
        ("A gate MUST refuse it, except at night.", "A gate MUST refuse it", True),
        ("A gate MUST refuse it only if it is old.", "A gate MUST refuse it", True),
        ("A gate MUST refuse it when it is old.", "A gate MUST refuse it", True),
        ("A gate MUST refuse it in the dark, unless the porter agrees.", "A gate MUST refuse it", True),
        ("A gate MUST NOT accept the token.", "accept the token.", True),
        ("A gate in the dark MUST NOT accept it.", "A gate in the dark MUST", True),
        ("It is not true that a gate opens.", "a gate opens", True),
        ("Only a porter may open it.", "a porter may open it.", True),
        ("Der Pförtner darf nicht öffnen.", "öffnen.", True),
        ("门不得放行过期令牌。", "放行过期令牌", True),
        ("Das Tor bleibt zu, es sei denn, es regnet.", "Das Tor bleibt zu", True),
        ("Ворота закрыты, если не идёт дождь.", "Ворота закрыты", True),
        ("大门必须关闭，除非下雨。", "大门必须关闭", True),
        ("门不开。", "门", True),
        ("La porte est fermée, sauf s'il pleut.", "La porte est fermée", True),
        ("La porte est fermée à moins qu’il ne pleuve.", "La porte est fermée", True),
        ("La porte est fermée la nuit si le gardien le veut.", "La porte est fermée la nuit", True),
        ("La porte ne doit pas être ouverte.", "être ouverte.", True),
        ("La puerta está cerrada salvo que llueva.", "La puerta está cerrada", True),
        ("La puerta está cerrada, y a menos que llueva todo va bien.", "La puerta está cerrada", True),
        ("El portero no debe abrir la puerta.", "abrir la puerta.", True),
        ("La porta è chiusa, tranne di notte.", "La porta è chiusa", True),
        ("La porta è chiusa nella notte se piove.", "La porta è chiusa nella notte", True),
        ("A porta está fechada, exceto à noite.", "A porta está fechada", True),
        ("O porteiro não deve abrir a porta.", "abrir a porta.", True),
        ("Brama jest zamknięta, chyba że pada.", "Brama jest zamknięta", True),
        ("De poort is dicht, tenzij het regent.", "De poort is dicht", True),
        ("Ворота зачинено, якщо не йде дощ.", "Ворота зачинено", True),
        ("البوابة مغلقة إلا في الليل.", "البوابة مغلقة", True),
        ("門は開かない。", "門は開か", True),
        ("문은 열지 않는다.", "문은 열지", True),
        ("La porta si apre da sola nella notte.", "La porta", False),
        ("La puerta se abre por la noche en el campo.", "La puerta", False),
        ("O porteiro dorme no quarto da torre e abre a porta das salas uma vez.", "abre a porta das salas", False),
        ("A porta fica aberta mais tempo.", "A porta fica aberta", False),
        ("大门可以打开，不必关闭。", "大门可以打开", False),
        ("A gate MUST refuse it. Unless it rains, all is well.", "A gate MUST refuse it.", False),
        ("A gate MUST refuse it and ring a bell.", "A gate MUST refuse it", False),
        ("It does not rain. A gate opens.", "A gate opens.", False),
        ("A gate opens at nine.", "A gate opens at nine.", False),
        ("The gate falls shut at noon.", "The gate", False),
        ("Das Tor öffnet, falls es klopft.", "Das Tor öffnet", True),
        ("Das Tor öffnet (falls es klopft).", "Das Tor öffnet", True),
        ("A non-empty list of gates is open.", "list of gates is open", False),
        ("No-one may open the gate.", "may open the gate", True),
        ("这个问题非常重要。", "重要", False),
        ("他在未来的门前等待。", "门前等待", False),
        ("门未打开。", "打开", True),
        ("The gate opens." + "\n" * 400 + "Nobody is there.", "The gate opens.", False),
    ],
)
def test_a_quote_is_truncated_when_its_sentence_turns_outside(text: str, quote: str, expected: bool) -> None:
    start = text.index(quote)
    assert truncated(text, start, start + len(quote)) is expected


@pytest.mark.parametrize(
    ("quote", "expected"),
    [("A gate", True), ("A gate opens at nine", False), ("令牌", True), ("令牌必须唯一", False), ("5", True)],
)
def test_a_quote_that_could_stand_anywhere_is_short(quote: str, expected: bool) -> None:
    assert short(quote) is expected
