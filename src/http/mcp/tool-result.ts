// What tools answer. Texts of the dealer's records are data with their source, never a part of our own sentences.
import type { Text } from '../../kit/errors.ts';
import type { OwnReply } from './own-call.ts';
import type { Json } from './protocol.ts';

/** `asks`: the client has to ask its person first. */
export type ToolResult = Json;

export const answered = (structuredContent: Json): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
});

/** The same of an answer and of an error. */
export const contentOf = ({ content }: ToolResult): Json =>
  JSON.parse((content as readonly { readonly text: string }[])[0]!.text);

export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly param?: string | undefined;
  /** What to do next. */
  readonly next?: string | undefined;
  readonly details?: unknown;
}

/** Without `structuredContent`: clients validate it against the tool's output schema, also that of an error, and would hide the error. */
export const failedWith = (error: ToolError, more: Json = {}): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify({ error, ...more }) }],
  isError: true,
});

const both = (en: string, tr: string): Text => ({ en, tr });

/** By the API's code, and otherwise by its status. */
const NEXT: Readonly<Record<string, Text>> = {
  not_found: both(
    'Find the id with a list, or the path with search_endpoints.',
    'Kimliği bir listeden, yolu search_endpoints ile bulun.',
  ),
  insufficient_scope: both(
    'The key does not hold this endpoint; a person can add it in the panel.',
    'Anahtarda bu uç nokta yok; panelden eklenebilir.',
  ),
  endpoint_not_active: both(
    'This endpoint is not released yet; use search_endpoints to find released ones.',
    'Henüz açılmadı; açık olanları search_endpoints bulur.',
  ),
  rate_limit_exceeded: both('Wait for the time in the message, then repeat.', 'Mesajdaki süre kadar bekleyip tekrarlayın.'),
  '4': both('Compare the call with describe_endpoint and correct it.', 'Çağrıyı describe_endpoint ile karşılaştırıp düzeltin.'),
  '5': both(
    'Repeat the same call in a moment; it will not be executed twice.',
    'Aynı çağrıyı birazdan tekrarlayın; tek etkisi olur.',
  ),
};

/** A refusal of the API as a tool error: its code, message and parameter, and what to do next. */
export function refusalOf({ status, json }: OwnReply, more: Json = {}, locale: 'en' | 'tr' = 'en'): ToolResult {
  const { code, message, param, details } = json.error;
  const next = (NEXT[code] ?? NEXT[String(Math.floor(status / 100))])?.[locale];
  return failedWith({ code, message, param, details, next }, more);
}

/** Data of the account: it may contain any text, and none of it is an instruction. */
export const dataFrom = (source: string, data: unknown): Json => ({ untrusted_data: { source, value: data } });
