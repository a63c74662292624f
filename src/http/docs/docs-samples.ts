// Samples on the reference page: requests as curl, replies made from the row's own shape.
import { answerOf, bodySchemaOf } from '../../domain/catalog/json-schema.ts';
import { SAMPLE_AT, SAMPLE_META, sampleOf, samplePath } from '../../domain/catalog/sample.ts';
import { type Locale, messageOf } from '../../kit/errors.ts';
import { paging } from '../../kit/params.ts';
import { type ApiRow, isList } from '../api/api-rows.ts';
import { type Html, html } from '../wire/html.ts';
import { NO_STORE, REVALIDATE } from '../wire/reply.ts';

/** Null for rows without a body, whose shape is not known. */
export function sampleReply({ body }: ApiRow): Html | null {
  if (body === null) return null;
  const { wire, list } = answerOf(body);
  if (!list) return json({ success: true, data: sampleOf(wire), meta: SAMPLE_META });
  return json({ success: true, data: [sampleOf(wire)], meta: { limit: isList(body) ? 25 : 1, offset: 0, count: 1 } });
}

/** The headers of a reply, in the order in which the service writes them. */
export function sampleHeaders({ body }: ApiRow): string {
  const kept = body !== null && body.fresh !== true;
  const lines = [
    'HTTP/1.1 200 OK',
    'Content-Type: application/json; charset=utf-8',
    `Cache-Control: ${kept ? REVALIDATE : NO_STORE}`,
    ...(kept ? [`ETag: ${isList(body) ? '' : 'W/'}"9mZ0Qk3vT1xw7Yd2Lr8cNf5HaPe"`] : []),
    `X-Request-Id: ${SAMPLE_META.request_id}`,
    'RateLimit-Policy: "minute";q=60;w=60',
    'RateLimit: "minute";r=41;t=23',
    'X-RateLimit-Limit: 60',
    'X-RateLimit-Remaining: 41',
    `X-RateLimit-Reset: ${Math.floor(SAMPLE_AT.getTime() / 1000) + 23}`,
  ];
  return lines.join('\n');
}

export function sampleRefusal(locale: Locale): Html {
  const facts = { param: 'limit', words: { allowed: paging.limit.allowed } };
  const error = { code: 'invalid_parameter', message: messageOf('invalid_parameter', facts, locale), param: 'limit' };
  return json({ success: false, error, meta: SAMPLE_META });
}

export function curl(row: ApiRow, api: string, query = ''): string {
  const lines = [`curl ${row.method === 'GET' ? '' : `-X ${row.method} `}"${api}/${samplePath(row.path)}${query}"`];
  lines.push('-H "Authorization: Bearer $GALERI_KEY"');
  if (row.body?.upload !== undefined) lines.push('-F "file=@file"');
  else if (row.body?.takes !== undefined) {
    const body = JSON.stringify(sampleOf(bodySchemaOf(row.body.takes))).replaceAll("'", "'\\''");
    lines.push('-H "Content-Type: application/json"', `-d '${body}'`);
  }
  return lines.join(' \\\n  ');
}

/** JSON with syntax highlighting. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  const parts: Html[] = [];
  let from = 0;
  for (const match of text.matchAll(/("(?:[^"\\]|\\.?)*(?:"|$))(:)?|\b(?:true|false|null|-?\d+(?:\.\d+)?)\b/g)) {
    const kind = match[2] !== undefined ? 'k' : match[1] !== undefined ? 's' : 'v';
    const token = match[1] ?? match[0];
    parts.push(html`${text.slice(from, match.index)}<span class="${kind}">${token}</span>`);
    from = match.index + token.length;
  }
  return html`${parts}${text.slice(from)}`;
}
