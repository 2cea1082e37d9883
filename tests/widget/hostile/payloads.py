"""What attackers write where a page shows what others wrote; each would set `window.__xss`."""

from __future__ import annotations

from typing import Final

RUN: Final = "window.__xss=1"

MARKUP: Final = (
    f"<script>{RUN}</script>",
    f"</textarea></title></style><script>{RUN}</script>",
    f"<img src=x onerror={RUN}>",
    f'"><img src="https://evil.example/x.png" onerror="{RUN}">',
    f"<svg onload={RUN}><animate onbegin={RUN} attributeName=x dur=1s>",
    f"<svg><script>{RUN}</script></svg>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"<math><mtext><table><mglyph><style><!--</style><img src=1 onerror={RUN}>",
    f"<noscript><p title='</noscript><img src=x onerror={RUN}>'>",
    f"<template><script>{RUN}</script></template>",
    f"<details open ontoggle={RUN}>",
    f"<input autofocus onfocus={RUN}>",
    "<form id=document><input name=body><img name=cookie>",
    "<a id=adoptedStyleSheets></a><a id=__proto__></a>",
    "<base href=https://evil.example/><link rel=stylesheet href=//evil.example/x.css>",
    "<style>@import 'https://evil.example/x.css';*{background:url(//evil.example)}</style>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "constructor",
    "__proto__",
    f"{{{{constructor.constructor('{RUN}')()}}}}${{{RUN}}}",
    "\u202e<img src=x onerror=1>\u2066\u2069\u200b",
    "\x00<scr\x00ipt>\x00",
    "A" * 5_000,
)
ADDRESSES: Final = (
    f"javascript:{RUN}",
    f"JaVaScRiPt:{RUN}",
    f" \tjava\nscript:{RUN}",
    f"javascript&colon;{RUN}",
    f"&#106;avascript:{RUN}",
    f"\x01javascript:{RUN}",
    f"vbscript:{RUN}",
    f"data:text/html,<script>{RUN}</script>",
    "data:image/svg+xml,<svg onload=1>",
    "blob:https://evil.example/1",
    "file:///etc/passwd",
)
MARKDOWN: Final = (
    *(f"[a link]({address})" for address in ADDRESSES),
    *(f"[another](<{address}>)" for address in ADDRESSES),
    f"<javascript:{RUN}>",
    f"[by name][1]\n\n[1]: javascript:{RUN}",
    f'![alt](x"onerror="{RUN})',
    "![alt](https://evil.example/x.png)",
    f"```html\n<script>{RUN}</script>\n```",
    f"| <img src=x onerror={RUN}> |\n| --- |\n| <svg onload={RUN}> |",
    f"[<img src=x onerror={RUN}>](https://library.example/)",
)
