"""Short queries as people type them, five for each language, some without a function word."""

QUERIES = {
    "de": (
        "Rechnung herunterladen",
        "wie kündige ich mein Abo",
        "Zwei-Faktor-Anmeldung",
        "was kostet der Versand",
        "darf ich das Paket zurückgeben",
    ),
    "en": (
        "download invoice",
        "how do I cancel my plan",
        "driver's license renewal",
        "who can help me with billing?",
        "won't start",
    ),
    "es": (
        "descargar factura",
        "cómo cancelo mi suscripción",
        "código de verificación",
        "cuánto cuesta el envío",
        "quiero devolver un paquete",
    ),
    "fr": (
        "télécharger facture",
        "comment résilier mon abonnement",
        "preuve d'identité",
        "c'est payant ?",
        "combien coûte l'envoi",
    ),
    "it": (
        "scaricare fattura",
        "come disdico il mio abbonamento",
        "verifica dell'identità",
        "quanto costa la spedizione",
        "non riesco ad accedere",
    ),
    "nl": (
        "factuur downloaden",
        "hoe zeg ik mijn abonnement op",
        "inloggen lukt niet",
        "wat kost het verzenden",
        "waar is mijn pakket",
    ),
    "pt": (
        "baixar fatura",
        "como cancelo minha assinatura",
        "código de verificação",
        "quanto custa o envio",
        "não consigo entrar",
    ),
    "zh": (
        "下载发票",
        "如何取消我的订阅",
        "身份验证",
        "运费是多少",
        "我可以退货吗",
    ),
}
