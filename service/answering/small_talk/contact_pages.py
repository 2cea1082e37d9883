"""Find the page of a portal that says how to reach a person, where the portal has one."""

from __future__ import annotations

import re
from typing import Final

from service.answering.small_talk import distress
from service.answering.small_talk.kinds import Kind, SmallTalk
from service.corpus.index import Chunk
from service.language import content_terms

_QUERIES: Final = {
    Kind.DISTRESS: {
        "en": "Is there a crisis line or hotline that I can call now?",
        "es": "¿Hay una línea de crisis a la que pueda llamar ahora?",
        "fr": "Y a-t-il une ligne de crise que je peux appeler maintenant ?",
        "de": "Gibt es ein Krisentelefon, das ich jetzt anrufen kann?",
        "it": "C'è una linea di aiuto per le crisi che posso chiamare ora?",
        "pt": "Há uma linha de crise para a qual posso ligar agora?",
        "zh": "有可以拨打的危机热线吗？",
        "nl": "Is er een crisislijn die ik nu kan bellen?",
    },
    Kind.HUMAN: {
        "en": "How do I contact support?",
        "es": "¿Cómo puedo contactar con atención al cliente?",
        "fr": "Comment contacter le service client ?",
        "de": "Wie erreiche ich den Kundendienst, Kontakt?",
        "it": "Come posso contattare l'assistenza?",
        "pt": "Como entrar em contato com o atendimento?",
        "zh": "如何联系客服？",
        "nl": "Hoe neem ik contact op met de klantenservice?",
    },
    Kind.HELP: {
        "en": "How do I get help?",
        "es": "¿Cómo obtengo ayuda?",
        "fr": "Comment obtenir de l'aide ?",
        "de": "Wie bekomme ich Hilfe?",
        "it": "Come posso ottenere aiuto?",
        "pt": "Como obter ajuda?",
        "zh": "如何获得帮助？",
        "nl": "Hoe krijg ik hulp?",
    },
}
"""What is searched for, in the words of such pages: nobody calls a page "speak to a human"."""
_TITLES: Final = {
    "en": "contact contacting support help helping hotline phone call calling reach reaching"
    " customer - us get getting a the our to service services center centre desk email team"
    " talk speak agent line how do i you me with by or and",
    "es": "contacto contactar contáctenos contáctanos atención ayuda soporte teléfono llamar"
    " - póngase en con al cliente clientes obtener centro de servicio nosotros cómo",
    "fr": "contact contacter contactez aide assistance support téléphone joindre"
    " - nous service client clients obtenir de le centre comment par",
    "de": "kontakt kontaktieren kundendienst kundenservice support hilfe hotline telefon"
    " - erhalten service erreichen so sie uns und wie",
    "it": "contatti contatto contattaci contattare assistenza aiuto supporto telefono"
    " - ottenere servizio clienti centro come di",
    "pt": "contato contacto contate contatar atendimento ajuda suporte telefone fale"
    " - cliente ao obter central serviço conosco como de",
    "zh": "联系 客服 帮助 支持 - 我们 获取 中心 系我 们的 得帮 取帮 系客 服务",
    "nl": "contact klantenservice hulp support bellen telefoon - krijgen service opnemen met ons",
}
"""Words of the title of such a page: it has one of the first, and none but these."""


_INVITES: Final = re.compile(
    r"(?:\b(?:call|phone|contact|e-?mail|reach|text|write to|speak to|talk to)(?: the| our| to)?"
    r" (?:us|our|support|customer|help ?desk|service desk|help ?line|hot ?line|contact center)\b"
    r"|\b(?:support|customer service|contact|help ?desk|help ?line|hot ?line)"
    r"(?: (?:phone|number|email))?:"
    r"|llámenos|contáctenos|contáctanos|atención al cliente|appelez-nous|contactez|service client"
    r"|rufen sie uns|kontaktieren sie|kundendienst|kundenservice|chiamaci|contattaci"
    r"|servizio clienti|fale conosco|contate-nos|atendimento|bel ons|klantenservice"
    r"|联系我们|客服|致电)"
    r"[^\n]{0,80}?(?:\d[\d ()./-]{5,}\d|[\w.+-]{1,64}@[\w-]{1,64}\.\w|https?://)",
    re.IGNORECASE,
)
"""What says by which number or address somebody is reached."""
_NAME: Final = re.compile(r"(?<=[a-zà-ÿ] )[A-Z][\w.]*")
"""A word written as a name, where others are not: headings name whose support it is."""


def query(talk: SmallTalk) -> str:
    """Return what to search for on behalf of *talk*."""
    queries = _QUERIES[Kind.HUMAN if talk.kind is Kind.REACH else talk.kind]
    return queries.get(talk.language, queries["en"])


def answers(talk: SmallTalk, chunk: Chunk) -> bool:
    """Tell whether *chunk* says whom to turn to for *talk*, which is of a kind that asks."""
    if talk.kind is Kind.DISTRESS:
        return distress.names_a_line(chunk.text)
    if talk.kind is Kind.REACH and _INVITES.search(chunk.text):
        return True
    # A portal in English serves who writes in another language, too.
    return is_contact_page(chunk, talk.language) or is_contact_page(chunk, "en")


def is_contact_page(chunk: Chunk, language: str) -> bool:
    """Tell whether *chunk* stands under a heading that says how to reach somebody."""
    needed, _, others = _TITLES.get(language, _TITLES["en"]).partition(" - ")
    needed, allowed = (set(content_terms.all_of(words, language)) for words in (needed, others))
    allowed |= needed
    headings = (chunk.title, *chunk.headings)
    for heading in headings:
        terms = set(content_terms.all_of(_NAME.sub("", heading), language))
        if terms & needed and terms <= allowed:
            return True
    return False
