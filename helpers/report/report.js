"use strict";
(() => {
  const VERDICTS = ["verified", "contradicted", "unsupported", "fabricated"];
  const cards = [...document.querySelectorAll("article.card")];
  const byId = new Map(cards.map((card) => [card.dataset.id, card]));
  const element = (id) => document.getElementById(id);
  const status = element("status");
  const stored = `citation_check ${document.body.dataset.run}`;
  const decisions = new Map(); // id -> {verdict, note, at}
  const past = []; // [id, decision before], the latest last
  let current = -1;
  let show = "all";

  document.documentElement.classList.add("live");

  function save() {
    try {
      localStorage.setItem(stored, JSON.stringify([...decisions]));
    } catch {
      // A page from file:// may have no storage: the download is what lasts.
    }
  }

  function restore() {
    for (const card of cards) {
      const { id, decided, note, at } = card.dataset;
      if (decided) decisions.set(id, { verdict: decided, note, at });
    }
    try {
      for (const [id, decision] of JSON.parse(localStorage.getItem(stored)) ?? []) {
        if (byId.has(id) && VERDICTS.includes(decision.verdict)) decisions.set(id, decision);
      }
    } catch {
      // Nothing usable was kept.
    }
  }

  function decide(card, verdict, note) {
    const id = card.dataset.id;
    const before = decisions.get(id);
    past.push([id, before]);
    if (verdict) decisions.set(id, { verdict, note, at: new Date().toISOString() });
    else decisions.delete(id);
    update(card);
    save();
    tell(`${id}: ${verdict ? wording(card) : "decision taken back"}. ${element("progress").textContent}.`);
  }

  function press(card, verdict) {
    const taken = decisions.get(card.dataset.id)?.verdict === verdict;
    decide(card, taken ? null : verdict, noteOf(card).value);
  }

  function undo() {
    const [id, before] = past.pop() ?? [];
    if (id === undefined) return;
    if (before) decisions.set(id, before);
    else decisions.delete(id);
    const card = byId.get(id);
    noteOf(card).value = before?.note ?? "";
    update(card);
    save();
    go(cards.indexOf(card));
    tell(`Undone: ${id}. ${element("progress").textContent}.`);
  }

  const noteOf = (card) => card.querySelector("textarea");

  function wording(card) {
    const { verdict } = decisions.get(card.dataset.id);
    const proposed = card.dataset.verdict;
    if (!proposed) return verdict;
    return verdict === proposed ? `${verdict}, confirmed` : `${verdict}, changed from ${proposed}`;
  }

  function update(card) {
    const decision = decisions.get(card.dataset.id);
    for (const button of card.querySelectorAll("[data-decide]")) {
      button.setAttribute("aria-pressed", String(button.dataset.decide === decision?.verdict));
    }
    card.querySelector(".decision").textContent = decision ? wording(card) : "";
    count();
  }

  function count() {
    const waiting = cards.filter((card) => "waits" in card.dataset);
    const done = waiting.filter((card) => decisions.has(card.dataset.id)).length;
    const others = decisions.size - done;
    element("bar").value = done;
    const told = waiting.length ? `${done} of ${waiting.length} reviewed` : "nothing to review";
    element("progress").textContent = others ? `${told}, ${others} ${waiting.length ? "more" : "decided"}` : told;
    element("undo").disabled = past.length === 0;
  }

  function tell(text) {
    status.textContent = text;
  }

  function mark(index) {
    cards[current]?.classList.remove("current");
    current = index;
    cards[current]?.classList.add("current");
  }

  function go(index) {
    const card = cards[index];
    if (!card) return;
    mark(index);
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "start" });
  }

  function step(by, wanted = () => true) {
    for (let i = current + by; i >= 0 && i < cards.length; i += by) {
      if (!cards[i].hidden && wanted(cards[i])) return go(i);
    }
    return tell(by > 0 ? "That was the last one." : "That was the first one.");
  }

  function nextOpen() {
    const open = (card) => "waits" in card.dataset && !decisions.has(card.dataset.id);
    if (!cards.slice(current + 1).some((card) => open(card) && !card.hidden)) mark(-1);
    step(1, open);
  }

  function filter() {
    const words = element("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const card of cards) {
      const fits =
        (show === "all" || (show === "review" ? "waits" in card.dataset : card.classList.contains(show))) &&
        (!words.length || words.every((word) => textOf(card).includes(word)));
      card.hidden = !fits;
      shown += fits;
    }
    element("none").hidden = shown > 0;
    tell(shown === cards.length ? "" : `${shown} of ${cards.length} shown`);
  }

  function textOf(card) {
    const quote = card.querySelector("blockquote");
    card.words ??= `${card.querySelector("h2").textContent} ${quote ? quote.textContent : ""}`.toLowerCase();
    return card.words;
  }

  function download() {
    const reviews = cards
      .filter((card) => decisions.has(card.dataset.id))
      .map(({ dataset: { id, fingerprint } }) => {
        const { verdict, note, at } = decisions.get(id);
        return { id, verdict, note, at, fingerprint };
      });
    const text = JSON.stringify({ schema: 1, reviews }, null, 2) + "\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "reviews.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    tell(`reviews.json holds ${reviews.length} review${reviews.length === 1 ? "" : "s"}.`);
  }

  function load(text, name) {
    let reviews;
    try {
      ({ reviews } = JSON.parse(text));
    } catch {
      reviews = null;
    }
    if (!Array.isArray(reviews)) return tell(`${name} is not a reviews file; nothing was loaded.`);
    const told = { stale: [], unknown: [] };
    let taken = 0;
    for (const review of reviews) {
      const card = byId.get(review?.id);
      if (!card || !VERDICTS.includes(review.verdict)) told.unknown.push(review?.id);
      else if (review.fingerprint !== card.dataset.fingerprint) told.stale.push(review.id);
      else {
        past.push([review.id, decisions.get(review.id)]);
        decisions.set(review.id, { verdict: review.verdict, note: String(review.note ?? ""), at: review.at });
        noteOf(card).value = String(review.note ?? "");
        update(card);
        taken += 1;
      }
    }
    save();
    const stale = told.stale.length ? ` Stale, not applied: ${told.stale.join(", ")}.` : "";
    const unknown = told.unknown.length ? ` Not of this report: ${told.unknown.join(", ")}.` : "";
    return tell(`${taken} review${taken === 1 ? "" : "s"} loaded from ${name}.${stale}${unknown}`);
  }

  const actions = {
    j: () => step(1),
    k: () => step(-1),
    r: nextOpen,
    z: undo,
    d: download,
    n: () => cards[current] && noteOf(cards[current]).focus(),
    "/": () => element("search").focus(),
  };
  for (const verdict of VERDICTS) actions[verdict[0]] = () => cards[current] && press(cards[current], verdict);

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("textarea, input:not([type=checkbox])");
    if (typing && event.key === "Escape") {
      typing.blur();
      if (cards[current]) cards[current].focus({ preventScroll: true });
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !element("keys").checked) return;
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });

  document.addEventListener("click", (event) => {
    const dot = event.target.closest("circle[data-n]");
    if (dot) return go(Number(dot.dataset.n));
    const filterButton = event.target.closest("[data-show]");
    if (filterButton) {
      show = filterButton.dataset.show;
      for (const button of document.querySelectorAll("[data-show]")) {
        button.setAttribute("aria-pressed", String(button === filterButton));
      }
      return filter();
    }
    const card = event.target.closest("article.card");
    if (card) mark(cards.indexOf(card));
    const verdict = event.target.closest("[data-decide]");
    return verdict && press(card, verdict.dataset.decide);
  });
  document.addEventListener("focusin", (event) => {
    const card = event.target.closest("article.card");
    if (card) mark(cards.indexOf(card));
  });
  document.addEventListener("change", (event) => {
    const card = event.target.closest("article.card");
    const decision = card && decisions.get(card.dataset.id);
    if (decision && event.target === noteOf(card)) decide(card, decision.verdict, event.target.value);
  });
  element("search").addEventListener("input", filter);
  element("next-open").addEventListener("click", nextOpen);
  element("undo").addEventListener("click", undo);
  element("download").addEventListener("click", download);
  element("load").addEventListener("click", () => element("file").click());
  element("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) load(await file.text(), file.name);
    event.target.value = "";
  });

  restore();
  for (const [id, { note }] of decisions) {
    const card = byId.get(id);
    noteOf(card).value = note ?? "";
    update(card);
  }
  count();
})();
