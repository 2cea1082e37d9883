/** Copying a text, also on pages without a secure context. */

/** Copy `text`; return whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text); // pages over plain http have no navigator.clipboard
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  const inner = before?.shadowRoot?.activeElement ?? before;
  if (inner instanceof HTMLElement) inner.focus();
  return isCopied;
}
