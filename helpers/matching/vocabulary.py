"""Words that turn, weaken or measure what a sentence says, in the languages that documents come in most.

All languages share one list, since a change of a word or two does not tell its language. So a word is left out where it
is an everyday word of another language: French "plus", "point" and "mais", Italian "mai" (German May), "due" and "sei",
Spanish "dos", Dutch "als", "tot", "noch" and "dient" (German "serves"), Polish "nic", and everywhere "si" and "se".
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Lower case; a line each for English, German, Russian, French, Spanish, Italian, Portuguese, Polish, Dutch, Ukrainian,
# Turkish, Greek, Arabic, Hebrew, Hindi, as far as there are words to tell. "n'" is what an elision leaves of "ne".
NEGATIONS = _words(
    "not no never none nor neither without cannot nothing nobody nowhere non "
    "nicht kein keine keinen keiner keinem keines nie niemals nichts weder ohne "
    "не нет ни никогда нельзя без никто ничто ничего никакой "
    "ne n' pas aucun aucune jamais rien sans ni "
    "nunca jamás ningún ninguno ninguna nada nadie sin tampoco "
    "nessun nessun' nessuno nessuna niente nulla senza né neppure nemmeno "
    "não nenhum nenhuma ninguém sem nem "
    "nigdy żaden żadna żadne żadnego żadnej żadnych bez nikt "
    "niet geen nooit niets niemand zonder "
    "ні ніколи немає нема жоден жодна жодне жодного жодної ніхто ніщо "
    "değil asla hiç hiçbir yok "
    "δεν δε μην όχι ποτέ χωρίς κανένας κανένα καμία κανείς ούτε "
    "لا لن لم ليس ليست غير بدون دون ولا فلا ولم ولن وليس بلا "
    "לא ולא אין אינו אינה אינם ללא בלי אסור "
    "नहीं मत न बिना"
)
MODALS = _words(
    "must shall should may can will would could might ought required recommended optional need needs "
    "muss muß müssen soll sollen sollte sollten darf dürfen kann können könnte wird mag erforderlich empfohlen "
    "должен должна должно должны может могут можно следует обязан обязана обязаны необходимо рекомендуется "
    "обязательно "
    "doit doivent devrait devraient devra devront peut peuvent pourrait pourraient pourra pourront faut obligatoire "
    "facultatif facultative requis requise recommandé recommandée "
    "debe deben debería deberían deberá deberán puede pueden podría podrían podrá podrán obligatorio obligatoria "
    "opcional recomendado recomendada necesario necesaria "
    "deve devono dovrebbe dovrebbero dovrà dovranno può possono potrebbe potrebbero potrà potranno obbligatorio "
    "obbligatoria facoltativo facoltativa opzionale raccomandato raccomandata "
    "devem deveria deveriam deverá deverão pode podem poderia poderiam poderá poderão obrigatório obrigatória "
    "necessário necessária "
    "musi muszą powinien powinna powinno powinny może mogą można należy wolno wymagane wymagany zalecane "
    "moet moeten mogen kan kunnen zou zouden verplicht vereist aanbevolen optioneel "
    "повинен повинна повинно повинні може можуть можна слід мусить мусять потрібно необхідно "
    "gerekir gerekli zorunlu zorunda önerilir "
    "πρέπει μπορεί μπορούν οφείλει οφείλουν θα απαιτείται συνιστάται "
    "يجب ينبغي يمكن يجوز يلزم قد ويجب ويمكن "
    "חייב חייבת חייבים צריך צריכה צריכים יכול יכולה יכולים רשאי עשוי מותר "
    "चाहिए सकता सकते सकती"
)
BCP14 = _words("MUST SHALL SHOULD MAY REQUIRED RECOMMENDED OPTIONAL NOT")
QUANTIFIERS = _words(
    "all any each every only some many most few least most both either several always sometimes often usually rarely "
    "alle allen aller jede jeder jedes jeden nur einige manche mindestens höchstens immer manchmal oft "
    "все всех каждый каждая каждое только лишь некоторые любой любая любые всегда иногда часто "
    "tous tout toute toutes chaque seul seule seulement uniquement quelques certains certaines plusieurs toujours "
    "souvent parfois moins "
    "todo toda todos todas cada solo sólo solamente únicamente algunos algunas siempre menos "
    "tutto tutta tutti tutte ogni ciascun ciascuno soltanto solamente alcuni alcune qualche sempre almeno "
    "somente apenas alguns algumas sempre "
    "wszystkie wszyscy wszystkich każdy każda każde tylko niektóre niektórzy zawsze często "
    "elke elk ieder iedere alleen slechts sommige enkele altijd vaak "
    "всі усі кожен кожна кожне тільки лише деякі завжди "
    "tüm bütün yalnızca sadece bazı "
    "όλα όλες όλοι κάθε μόνο πάντα μερικά μερικές μερικοί "
    "كل جميع بعض فقط دائما معظم "
    "כל רק תמיד "
    "सभी हर केवल"
)
EXCEPTIONS = _words(
    "unless except excepting if when until provided otherwise but "
    "außer wenn falls sofern bis ausgenommen "
    "если кроме пока когда исключением "
    "sauf excepté hormis lorsque lorsqu' quand sinon jusqu' pourvu s'il s'ils "
    "salvo excepto cuando hasta pero "
    "tranne eccetto quando finché purché qualora "
    "exceto quando até "
    "oprócz jeśli jeżeli gdy dopóki wyjątkiem "
    "tenzij behalve indien wanneer totdat mits "
    "якщо крім окрім коли доки винятком "
    "hariç eğer sürece "
    "εκτός αν εάν όταν μέχρι "
    "إلا سوى باستثناء إذا حتى "
    "אלא אם למעט מלבד חוץ עד "
    "यदि अगर सिवाय"
)
NUMBERS = _words(
    "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy "
    "eighty ninety hundred thousand million first second third half twice once percent "
    "seconds minute minutes hour hours day days week weeks month months year years ms "
    "kb mb gb bit bits byte bytes octet octets "
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig hundert tausend "
    "sekunden minuten stunde stunden tage tagen woche wochen monat monate monaten jahr jahre jahren "
    "один два три четыре пять шесть семь восемь девять десять двадцать сто тысяча "
    "секунд минут часов дней недель месяцев лет "
    "deux trois quatre cinq sept huit dix onze douze vingt trente cent mille "
    "secondes heure heures jour jours semaine semaines mois année années "
    "tres cuatro cinco seis siete ocho nueve diez doce veinte treinta cien ciento mil "
    "segundos minutos hora horas día días semana semanas meses año años "
    "tre quattro cinque sette otto nove dieci dodici trenta cento "
    "secondi minuti giorno giorni settimana settimane mese mesi anno anni "
    "dois duas três quatro sete oito dez doze vinte trinta cem dia dias ano anos "
    "dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć tysiąc sekund minut godzin dni "
    "tygodni miesięcy lat "
    "twee drie vijf zes zeven negen tien twaalf twintig honderd duizend seconden minuten uur dagen weken maanden jaar "
    "дві чотири п'ять шість сім вісім дев'ять десять тисяча секунд хвилин годин днів тижнів місяців років"
)
WORDS = {
    "negation": NEGATIONS,
    "modality": MODALS,
    "number": NUMBERS,
    "exception": EXCEPTIONS,
    "quantifier": QUANTIFIERS,
}
# What is looked for inside a change: Chinese and Japanese words are not set apart by blanks, Korean ones are endings of
# others, and some are phrases. 少ない is "few", and 必ず "always".
# Not in 非常 "very", 未来 "future", 无线 "wireless" and 无论 "whatever".
HAN_NOT = "[不没沒勿]|未(?![来來])|[无無](?![线線论論])|非(?!常)"
INSIDE = {
    "negation": (
        HAN_NOT + "|莫|禁止|(?<!少)な(?:い|く|かっ|けれ)|ません|せず|ずに|なし(?![でと])"
        "|않|없|못하|못한|아니|아닌|아닙|금지|안 [되된됩]|지 마|ไม่|ห้าม|ไร้"
    ),
    "modality": (
        "必须|必須|必需|应当|應當|应该|應該|应|應|可以|可能|可|须|須|能|需要|需|得|推荐|推薦|可选|べき|できる|かもしれ|推奨"
        "|야 [하한합]|수 있|수도 있|권장|필수|가능|ต้อง|ควร|อาจ(?!าร)|สามารถ"
    ),
    "number": "[一二两兩三四五六七八九十百千万萬亿億零]",
    "exception": (
        "除非|除了|除外|如果|若|直到|否则|否則|ただし|を除[きくい]|限り|もし|제외|다만|만약|만일|[는은] 한(?!\\w)"
        "|เว้นแต่|ยกเว้น|ถ้า|หาก|จนกว่า"
        "|à moins qu|a menos que|a meno che|a não ser|es sei denn|chyba że|ما لم"
    ),
    "quantifier": (
        "所有|全部|每|任何|任意|只|仅|僅|至少|至多|某些|一些|都|すべて|全て|のみ|だけ|少なくとも"
        "|모든|모두|항상|적어도|최소|최대|오직|ทั้งหมด|ทุก|เท่านั้น|บาง"
    ),
}
# Directly behind a quote these turn its sentence; the strong ones do so anywhere in the rest of it.
STRONG = (
    "unless|except|provided that|es sei denn|за исключением|если только не|разве что|sauf|à moins|excepté|hormis"
    "|salvo|excepto|a menos que|tranne|eccetto|a meno|exceto|a não ser|chyba że|z wyjątkiem|tenzij|behalve|за винятком"
    "|хіба що|hariç|εκτός|إلا|باستثناء|ما لم|אלא אם|למעט"
)
STRONG_INSIDE = "除非|除外|제외하|다만|ただし|を除"
TURNS = (
    "if|only|when|until|provided|otherwise|but|not|never|außer|wenn|sofern|bis|nicht|nie"
    "|кроме|если|пока|но|не|lorsqu['’]\\w+|lorsque|quand|jusqu['’]\\w+|pourvu|sinon|s['’]ils?|pas|jamais"
    "|cuando|hasta que|siempre que|pero|nunca|quando|finché|purché|qualora|se non|até que|desde que|mas"
    "|oprócz|jeśli|jeżeli|gdy|dopóki|ale|indien|wanneer|totdat|mits|maar|niet|nooit|якщо|крім|окрім|поки|доки|але"
    "|eğer|αν|εάν|όταν|μέχρι|αλλά|سوى|إذا|لكن|אלא|אם|מלבד|אבל|यदि|अगर|लेकिन|नहीं"
)
# "mais" without a comma is "more" in Portuguese, and "falls" an English verb.
TURNS_INSIDE = r"除了|但|(?:(?<=, )|(?<=\())(?:mais|falls)(?!\w)"
DENIED = (
    "不|没|沒|未|ない|ません|なかっ|なければ|않|못[하한합]|없|아니"  # with no comma before it: that begins a clause
)
DENIES = (
    r"not|never|no|no-one|nor|neither|without|cannot|non|\w+n['’]t|nicht|kein\w*|nie|niemals|weder|ohne|не|нет|ни|нельзя|без"
    r"|ne|n['’]\w+|pas|aucune?|jamais|sans|ni|nunca|jamás|ning[úu]n[oa]?|nadie|sin|nessun[oa]?|senza|né|não|nenhuma?"
    r"|ninguém|sem|nem|nigdy|bez|żad\w+|niet|geen|nooit|zonder|ні|ніколи|немає|δεν|μην?|χωρίς|ποτέ"
    r"|لا|لن|لم|ليس|ليست|غير|بدون|ولا|לא|אין|ללא|בלי"
)
ONLY = (
    "only|nur|только|лишь|seulement|uniquement|solo|sólo|solamente|soltanto|somente|apenas|tylko|alleen|slechts|тільки"
)
# "si" is "if" in French and Spanish and "oneself" in Italian, "se" the other way round; Portuguese has both.
SI, SE = re.compile(r"\W*(?:(?:et|ou|y|o) )?si\b", re.I), re.compile(r"\W*(?:[eo] )?se\b", re.I)
ITALIAN = _words("il lo gli che di della delle dei è nel nella non sono per una")
PORTUGUESE = _words("não da dos das em um uma os são pelo pela")  # its "no" is "in the"
NOT_ITALIAN = _words("le les des est et dans pour une pas el los las y es en que para por os as do da um não")
