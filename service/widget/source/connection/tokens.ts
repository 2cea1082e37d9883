/** What a token says of who shows it. The service alone decides what that is good for. */

export type TokenProvider = () => Promise<string> | string;

/**
 * Return who a JSON Web Token is about, as `issuer/subject`: "" without a token, and nothing for
 * one that does not say it.
 */
export function subjectOf(token: string | undefined): string | undefined {
  if (token === undefined) return "";
  try {
    const part = token.split(".")[1] ?? "";
    const bytes = atob(part.replace(/-/g, "+").replace(/_/g, "/"));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (sign) => sign.charCodeAt(0)));
    const { iss = "", sub } = JSON.parse(text) as { iss?: string; sub?: string };
    return sub && `${iss}/${sub}`;
  } catch {
    return undefined;
  }
}
