/** What the operator says of the chat, as the service tells it. */

import type { Connection } from "./connection/connection";
import type { WidgetConfig } from "./wire";

/** Return it for a data store or engine, in a language of BCP 47; nothing where it is not told. */
export async function readConfig(
  connection: Pick<Connection, "request">,
  store: string,
  language: string,
): Promise<WidgetConfig | undefined> {
  const code = encodeURIComponent(language);
  const path = `widgetConfigs/default_search_widget_config?languageCode=${code}`;
  const reply = await connection.request("GET", `/v1/${store}/${path}`).catch(() => undefined);
  if (reply?.status !== 200) return undefined;
  const { displayName, ...config } = reply.body as WidgetConfig & { name?: string };
  // A store that nobody named is called as its id: no word for people.
  const isNamed = displayName && !config.name?.includes(`/${displayName}/`);
  return isNamed ? { ...config, displayName } : config;
}
