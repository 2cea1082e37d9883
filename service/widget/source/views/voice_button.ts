/** A button that writes down what is said, where the browser can; nothing is sent by it. */

import { speak } from "../dom";
import type { Texts } from "../texts/texts";
import { iconButton } from "./answer_tools";

const MICROPHONE = "M12 14a3 3 0 0 0 3-3V5a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3zm5-3a5 5 0 0 1-10 0H5a7 7 0 0 0 6 6.9V21h2v-3.1A7 7 0 0 0 19 11z";

/** As far as the chat uses it; TypeScript has no types of the Web Speech API. */
interface Recognition {
  lang: string;
  interimResults: boolean;
  onresult: (event: { results: Iterable<Iterable<{ transcript: string }>> }) => void;
  onerror: (event: { error: string }) => void;
  onend: () => void;
  start(): void;
  stop(): void;
}

type Page = Partial<Record<"SpeechRecognition" | "webkitSpeechRecognition", new () => Recognition>>;

/** Make it; nothing where the browser has no such thing, or the page may not hear. */
export function voiceButton(texts: Texts, field: HTMLTextAreaElement, written: () => void): HTMLElement[] {
  const { SpeechRecognition: known, webkitSpeechRecognition: older } = window as Page;
  const Speech = known ?? older;
  if (!Speech || !isSecureContext || !mayHear()) return [];
  const button = iconButton(MICROPHONE, texts.dictate);
  let running: Recognition | undefined;
  const show = (recognition: Recognition | undefined) => {
    running = recognition;
    button.setAttribute("aria-pressed", String(Boolean(recognition)));
  };
  show(undefined);
  button.onclick = () => {
    if (running) return running.stop();
    const before = field.value && `${field.value.trimEnd()} `;
    const heard = new Speech();
    heard.lang = button.closest<HTMLElement>("[lang]")?.lang ?? "";
    heard.interimResults = true;
    heard.onresult = ({ results }) => {
      const said = Array.from(results, ([best]) => best?.transcript ?? "");
      field.value = (before + said.join("").trimStart()).slice(0, field.maxLength);
      written();
    };
    heard.onerror = ({ error }) => {
      if (error !== "aborted") speak(button, (field.placeholder = texts.notHeard));
    };
    heard.onend = () => {
      show(undefined);
      field.focus();
    };
    show(heard);
    heard.start();
  };
  return [button];
}

/** Whether the page's Permissions-Policy lets it use the microphone, as far as the browser tells. */
function mayHear(): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
  return featurePolicy?.allowsFeature("microphone") ?? true;
}
