// Pictures as callers send them, and their form.
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Answer } from './service.ts';

/** Left half red, right half blue, so that the orientation is visible. */
export function twoColours(width = 64, height = 48): Sharp {
  const half = { create: { width: width / 2, height, channels: 3, background: '#0000ff' } } as const;
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([
    { input: half, left: width / 2, top: 0 },
  ]);
}

export const aJpeg = (width?: number, height?: number): Promise<Buffer> => twoColours(width, height).jpeg().toBuffer();

export interface FormPart {
  readonly name: string;
  readonly value: string | Buffer;
  readonly fileName?: string;
  readonly type?: string;
}

export function formOf(parts: readonly FormPart[]): FormData {
  const form = new FormData();
  for (const { name, value, fileName = 'IMG_0001.jpg', type = 'image/jpeg' } of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)], { type }), fileName);
  }
  return form;
}

export interface Sender {
  readonly url: string;
  readonly key: string;
}

export async function sendForm(
  { url, key }: Sender,
  path: string,
  body: FormData | readonly FormPart[],
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: body instanceof FormData ? body : formOf(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: /^[[{]/.test(text) ? JSON.parse(text) : undefined };
}

export const fileParts = (value: Buffer, texts: Record<string, string> = {}): FormPart[] => [
  ...Object.entries(texts).map(([name, text]) => ({ name, value: text })),
  { name: 'file', value },
];

/** The content and type of the link. */
export async function download(url: string): Promise<{ response: Response; bytes: Buffer }> {
  const response = await fetch(url);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

export const metadataOf = (bytes: Buffer): Promise<Metadata> => sharp(bytes).metadata();

/** Colours in the middle of the four edges. */
export async function edgesOf(bytes: Buffer): Promise<Record<'left' | 'right' | 'top' | 'bottom', string>> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const [red = 0, , blue = 0] = data.subarray((y * info.width + x) * info.channels);
    return red > 150 && blue < 100 ? 'red' : blue > 150 && red < 100 ? 'blue' : 'other';
  };
  const [right, bottom] = [info.width - 1, info.height - 1];
  const [x, y] = [Math.floor(info.width / 4), Math.floor(info.height / 4)];
  return { left: at(0, y), right: at(right, y), top: at(x, 0), bottom: at(x, bottom) };
}
