// Downloads a file of an endpoint. It is fetched first, so that an error is shown on the screen instead of being saved as a file.
import { addressed, envelopeOf, passwordAgain, refusal, signIn } from './api.ts';
import type { GetEndpoint, ParamsOf, QueryOf } from './endpoints.ts';
import { preferences } from './preferences.ts';

interface Options<Id extends GetEndpoint> {
  readonly params?: ParamsOf<Id>;
  readonly query?: QueryOf<Id>;
}

/** Throws an ApiError where it was refused, and another error where no answer came. Asks for the password where it is wanted again. */
export async function download<Id extends GetEndpoint>(endpoint: Id, options: Options<Id>): Promise<void> {
  const [, address] = addressed(endpoint, options as Parameters<typeof addressed>[1]);
  const ask = () => fetch(address, { credentials: 'same-origin', headers: { 'Accept-Language': preferences().locale } });
  const first = await ask();
  const refused = first.ok || first.status === 401 ? null : await refusalOf(first);
  if (refused !== null && (refused.code !== 'reauthentication_required' || !(await passwordAgain()))) throw refused;
  const response = refused === null ? first : await ask();
  if (response.status === 401) return signIn();
  if (!response.ok) throw await refusalOf(response);
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'galeri';
  save(await response.blob(), decodeURIComponent(name));
}

const refusalOf = async (response: Response) =>
  refusal(response.status, envelopeOf(await response.text()), response.headers.get('X-Request-Id'));

export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoked later, because the browser reads the URL asynchronously.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
