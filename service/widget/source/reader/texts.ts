/** What the page that shows a document says, in the language of the browser. */

export interface ReaderTexts {
  /** The token is missing, or its five minutes are over. */
  ended: string;
  absent: string;
  failed: string;
  offline: string;
  /** Before the number of a page. */
  page: string;
  original: string;
}

const TEXTS: Record<string, ReaderTexts> = {
  en: {
    ended: "This link has ended. Open the source again from the chat.",
    absent: "This document is not there any more, or it is not for you.",
    failed: "The document could not be opened. Try again in a moment.",
    offline: "There is no connection. Check your network and open the source again.",
    page: "Page",
    original: "Open the original",
  },
  de: {
    ended: "Dieser Link ist abgelaufen. Öffnen Sie die Quelle noch einmal aus dem Chat.",
    absent: "Dieses Dokument gibt es nicht mehr, oder es ist nicht für Sie.",
    failed: "Das Dokument ließ sich nicht öffnen. Versuchen Sie es gleich noch einmal.",
    offline: "Keine Verbindung. Prüfen Sie das Netz und öffnen Sie die Quelle noch einmal.",
    page: "Seite",
    original: "Original öffnen",
  },
  es: {
    ended: "Este enlace ha caducado. Abra la fuente otra vez desde el chat.",
    absent: "Este documento ya no existe o no es para usted.",
    failed: "No se pudo abrir el documento. Inténtelo de nuevo en un momento.",
    offline: "No hay conexión. Compruebe la red y abra la fuente otra vez.",
    page: "Página",
    original: "Abrir el original",
  },
  fr: {
    ended: "Ce lien a expiré. Rouvrez la source depuis le chat.",
    absent: "Ce document n’existe plus, ou il ne vous est pas destiné.",
    failed: "Impossible d’ouvrir le document. Réessayez dans un instant.",
    offline: "Pas de connexion. Vérifiez le réseau et rouvrez la source.",
    page: "Page",
    original: "Ouvrir l’original",
  },
  pt: {
    ended: "Este link expirou. Abra a fonte novamente pelo chat.",
    absent: "Este documento já não existe ou não é para você.",
    failed: "Não foi possível abrir o documento. Tente de novo em instantes.",
    offline: "Sem conexão. Verifique a rede e abra a fonte novamente.",
    page: "Página",
    original: "Abrir o original",
  },
  ar: {
    ended: "انتهت صلاحية هذا الرابط. افتح المصدر مرة أخرى من المحادثة.",
    absent: "لم يعد هذا المستند موجودًا، أو أنه ليس متاحًا لك.",
    failed: "تعذر فتح المستند. حاول مرة أخرى بعد قليل.",
    offline: "لا يوجد اتصال. تحقق من الشبكة وافتح المصدر مرة أخرى.",
    page: "صفحة",
    original: "فتح الأصل",
  },
  zh: {
    ended: "此链接已失效。请从聊天中重新打开来源。",
    absent: "此文档已不存在，或您无权查看。",
    failed: "无法打开文档。请稍后再试。",
    offline: "没有网络连接。请检查网络后重新打开来源。",
    page: "页",
    original: "打开原文",
  },
  ja: {
    ended: "このリンクは期限切れです。チャットから出典をもう一度開いてください。",
    absent: "この文書は存在しないか、閲覧できません。",
    failed: "文書を開けませんでした。しばらくしてからもう一度お試しください。",
    offline: "接続がありません。ネットワークを確認し、出典をもう一度開いてください。",
    page: "ページ",
    original: "原文を開く",
  },
};

/** Return the texts, and say their language in the page. */
export function readerTexts(): ReaderTexts {
  const spoken = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in TEXTS);
  const language = spoken ?? "en";
  document.documentElement.lang = language;
  document.documentElement.dir = language === "ar" ? "rtl" : "ltr";
  return TEXTS[language] as ReaderTexts;
}
