"""Tell the language of a text from its script and its commonest words."""

from __future__ import annotations

import collections
import re
from typing import Final

# The words that carry a sentence and not its topic: they tell languages apart, and a query asks
# for nothing by them. The last of the English ones are how people put questions.
FUNCTION_WORDS: Final = {
    "en": frozenset(
        """a about after again all also am an and any are as at be because been before being
        between both but by can cannot could did do does doing done down during each either else
        even ever for from further get gets getting give go going got had has have having he her
        here hers him his how however i if in into is it its itself just let like ll m many may
        me might more most much must my myself need no nor not now of off on once one only or
        other our ours out over own please re s same shall she should show since so some such t
        take tell than thank thanks that the their them then there these they thing things this
        those though through to too under until up upon us use used using ve very want was way
        we well were what when where whether which while who whom whose why will with within
        without wondering would yes yet you your yours explain know help hello hi ok okay don
        doesn didn isn aren won couldn wouldn im ive id whats hows anyone someone something
        anything really actually kind sort tried trying looking able possible question
        answer""".split()
    ),
    "es": frozenset(
        """a al algo alguna alguno ante antes aquí así aún cada como cómo con contra cual cuál
        cuales cuando cuándo cuanto cuánto de debe debo del desde donde dónde dos durante e el
        él ella ellas ellos en entre era es esa ese eso esta está están estar estas este esto
        estos fue ha hace hacer hago hasta hay la las le les lo los más me mi mis mucho muy
        necesito ni no nos o otra otro para pero poder por porque puede pueden puedo que qué
        quien quién quiero se sea según ser si sí sido sin sobre son su sus también tan te tengo
        ti tiene todo todos tu tú tus un una uno unos usted ustedes y ya yo""".split()
    ),
    "fr": frozenset(
        """a afin ai alors au aucun aussi autre aux avec avez avoir c ce ceci cela celle celui ces
        cet cette chaque ci comme comment d dans de des deux dois doit donc dont du elle elles
        en encore est et était être eu faire fait faut il ils j je jusqu l la le les leur leurs
        lors lui m ma mais me même mes moi mon n ne ni non nos notre nous on ont ou où par pas
        peut peuvent peux plus pour pourquoi pouvez puis qu quand que quel quelle quelles quels
        qui quoi s sa sans se ses si son sont sous sur t ta tes toi ton tous tout toute très tu
        un une veux vers vos votre vous y à ça""".split()
    ),
    "de": frozenset(
        """aber alle als also am an auch auf aus bei bin bis bitte da damit dann das dass dem den
        der des die dies diese dieser dieses doch du durch ein eine einem einen einer eines er
        es für gibt haben hat hatte ich ihm ihn ihr ihre im in ist ja jede kann können könnte
        man mein mehr mich mir mit muss nach nicht noch nur ob oder ohne sein seine sich sie
        sind so über um und uns unter vom von vor wann war warum was welche wenn wer werden wie
        wieder wir wird wo zu zum zur""".split()
    ),
    "pt": frozenset(
        """a ao aos aquela aquele aqui as até com como da das de dela dele deve do dos e é ela elas
        ele eles em entre era essa esse esta está este eu faço fazer foi há isso isto já lhe
        mais mas me mesmo meu minha muito na não nas nem no nos nós nossa nosso o onde os ou
        para pela pelas pelo pelos pode podem por porque posso preciso qual quando quanto que
        quem quero são se sem ser seu seus só sobre sua suas também tem tenho ter todos tu um
        uma você vocês""".split()
    ),
    "it": frozenset(
        """a agli ai al alla alle anche c che chi ci come con cosa cui da dal dalla dei del della
        delle devo di dove due e è ed era gli ha hai hanno ho i il in io la le lei lo loro lui
        ma mi mia mio molto ne nei nel nella no noi non o ogni per perché più poi posso può puoi
        quale quando quanto quella quello questa questo se sei si sia sono su sua sul sulla suo
        tra tu tutti tutto un una uno vi voi voglio""".split()
    ),
    "nl": frozenset(
        """aan als bij dan dat de der deze die dit door een en er geen had heb hebben heeft het hij
        hoe ik in is ja je kan kunnen maar meer met mij mijn moet naar niet nog nu of om onder
        ons ook op over te tot uit van veel voor waar waarom wanneer was wat we welke werd wie
        wij wil worden wordt ze zich zij zijn zo zou""".split()
    ),
    "zh": frozenset(
        """什么 怎么 怎样 如何 为什 哪里 哪些 哪个 是否 能否 可否 可以 可不 以吗 我们 我的 你们 你的
        请问 是不 不是 有没 没有 一个 这个 那个 需要 要怎 么办 么样 多少""".split()
    ),
}

_SCRIPTS: Final = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u3400-\u9fff\uf900-\ufaff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("ta", re.compile("[\u0b80-\u0bff]")),
)
_LETTERS: Final = re.compile(r"[^\W\d_]")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_SAMPLE: Final = 4_000
_SHARE: Final = 0.2
"""A script with this share of the letters is the text's: names in it are often in another."""
_ENOUGH: Final = 3
"""Function words that must be found before a language is believed."""


def detect(text: str, default: str = "en") -> str:
    """Return the BCP 47 language of *text*, *default* where it is too short to tell."""
    sample = text[:_SAMPLE]
    if not sample.isascii():
        letters = len(_LETTERS.findall(sample))
        for language, script in _SCRIPTS:
            if len(script.findall(sample)) > _SHARE * letters:
                return language
    said = collections.Counter(_WORDS.findall(sample.lower()))
    counts = {
        language: sum(said[word] for word in words & said.keys())
        for language, words in FUNCTION_WORDS.items()
    }
    best = max(counts, key=lambda language: (counts[language], language == default))
    return best if counts[best] >= _ENOUGH and counts[best] > counts.get(default, 0) else default


def base(tag: str) -> str:
    """Return the language of a BCP 47 *tag* without region and script, in lower case."""
    return re.split(r"[-_]", tag.strip().lower(), maxsplit=1)[0]
