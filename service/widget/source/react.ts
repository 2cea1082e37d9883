/** The chat for React 18 and later: attributes as properties, events as typed callbacks. */

import { createElement, type ReactElement, type Ref, useEffect, useImperativeHandle, useRef } from "react";

import type { ChatEvents, ColloquyChat as Element, Context, Texts } from "./index";

type Callback<Name extends keyof ChatEvents> = (detail: ChatEvents[Name]) => void;

export interface ColloquyChatProps {
  /** WebSocket address of the service: wss://answers.example.com/v1/ws. */
  endpoint: string;
  servingConfig: string;
  form?: "inline" | "launcher" | "page";
  position?: "end" | "start";
  heading?: string;
  placeholder?: string;
  /** Of BCP 47: pt-BR; default: that of the page, then of the browser. */
  lang?: string;
  /** Words of your own, instead of those of the language. */
  texts?: Partial<Texts>;
  className?: string;
  tokenProvider?: () => Promise<string> | string;
  context?: Context;
  onReady?: Callback<"ready">;
  onQuestion?: Callback<"question">;
  onAnswer?: Callback<"answer">;
  onCitationOpen?: Callback<"citation-open">;
  onFeedback?: Callback<"feedback">;
  onHandover?: Callback<"handover">;
  onError?: Callback<"error">;
  /** The element, for its methods: open, close, ask, setContext, newSession. */
  chatRef?: Ref<Element>;
}

export function ColloquyChat(props: ColloquyChatProps): ReactElement {
  const element = useRef<Element>(null);
  const current = useRef(props);
  current.current = props;
  useImperativeHandle(props.chatRef, () => element.current as Element);
  useEffect(() => {
    const chat = element.current;
    if (!chat) return undefined;
    // The module touches the document: it is loaded where there is one, and not on a server.
    void import("./index.js").then(() => customElements.upgrade(chat));
    const listeners = callbacks(current);
    for (const [name, listener] of listeners) chat.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) chat.removeEventListener(name, listener);
    };
  }, []);
  useEffect(() => {
    if (element.current) element.current.tokenProvider = props.tokenProvider;
  }, [props.tokenProvider]);
  // By what it says: an object that is written anew with each render would build the chat anew.
  const words = JSON.stringify(props.texts ?? {});
  useEffect(() => {
    if (element.current) element.current.texts = JSON.parse(words) as Partial<Texts>;
  }, [words]);
  useEffect(() => {
    const context = props.context ?? {};
    void customElements.whenDefined("colloquy-chat").then(() => element.current?.setContext(context));
  }, [props.context]);
  return createElement("colloquy-chat", {
    ref: element,
    endpoint: props.endpoint,
    "serving-config": props.servingConfig,
    form: props.form,
    position: props.position,
    heading: props.heading,
    placeholder: props.placeholder,
    lang: props.lang,
    class: props.className,
  });
}

function callbacks(props: { current: ColloquyChatProps }): [string, (event: Event) => void][] {
  const hear = <Name extends keyof ChatEvents>(
    name: Name,
    callback: (props: ColloquyChatProps) => Callback<Name> | undefined,
  ): [string, (event: Event) => void] => [
    name,
    (event) => callback(props.current)?.((event as CustomEvent<ChatEvents[Name]>).detail),
  ];
  return [
    hear("ready", ({ onReady }) => onReady),
    hear("question", ({ onQuestion }) => onQuestion),
    hear("answer", ({ onAnswer }) => onAnswer),
    hear("citation-open", (all) => all.onCitationOpen),
    hear("feedback", ({ onFeedback }) => onFeedback),
    hear("handover", ({ onHandover }) => onHandover),
    hear("error", ({ onError }) => onError),
  ];
}
