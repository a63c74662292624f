// The payload of a request: JSON, or a form with a small PDF for endpoints that accept files only.
import type { EndpointRequest } from './requests.ts';

const BOUNDARY = 'galeri-contract-form';

interface Payload {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The same bytes for the same request, so that a repeated one is identical. */
export function payloadOf({ body, form }: Pick<EndpointRequest, 'body' | 'form'>): Payload {
  if (form !== undefined)
    return { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body: formText(form) };
  if (body === undefined) return { headers: {} };
  return {
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

function formText(fields: Readonly<Record<string, string>>): string {
  const part = (head: string, value: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value));
  const file = part('name="file"; filename="tarama.pdf"', SCAN);
  return `${texts.join('')}${file}--${BOUNDARY}--\r\n`;
}

const SCAN = '%PDF-1.7\n% taranmış\n%%EOF\n';
const POINT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12Po6OgAAAM0AZkQj9/uAAAAAElFTkSuQmCC';

/** The same form with a picture instead of a scan, which is binary. */
export const withPicture = (form: string): Buffer =>
  Buffer.from(
    form.replace(SCAN, () => Buffer.from(POINT, 'base64').toString('latin1')),
    'latin1',
  );
