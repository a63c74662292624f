// Uploads a file with progress by XMLHttpRequest, because fetch does not report it.
import { ApiError, addressed, changeHeaders, envelopeOf, refusal, signIn } from './api.ts';
import type { DataEndpoint, DataOf, EndpointName, ParamsOf } from './endpoints.ts';

interface UploadOptions<Id extends EndpointName> {
  readonly params: ParamsOf<Id>;
  readonly form: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with the share sent, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** A connection without progress for this long counts as broken. */
const STALLED_MS = 60_000;

/** Returns the reply's data; throws an ApiError where it was refused, and another error where no answer came. */
export function upload<Id extends Extract<DataEndpoint, `POST ${string}`>>(
  endpoint: Id,
  options: UploadOptions<Id>,
): Promise<DataOf<Id>> {
  const { form, headers, onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressed(endpoint, options)[1]);
    for (const [name, value] of Object.entries({ ...changeHeaders(), ...headers })) request.setRequestHeader(name, value);
    let stalled: ReturnType<typeof setTimeout> | undefined;
    const moved = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), STALLED_MS);
    };
    const stop = () => request.abort();
    signal?.addEventListener('abort', stop);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      moved();
      if (total > 0) onProgress?.(loaded / total);
    });
    request.addEventListener('loadend', () => {
      clearTimeout(stalled);
      signal?.removeEventListener('abort', stop);
      // 0 means no answer: the connection broke or the upload was cancelled.
      if (request.status === 0) return reject(signal?.reason ?? new TypeError('no answer'));
      const answer = answerOf(request);
      if (!(answer instanceof ApiError)) resolve(answer.data as DataOf<Id>);
      else if (answer.status === 401) void signIn();
      else reject(answer);
    });
    if (signal?.aborted) return reject(signal.reason);
    moved();
    request.send(form);
  });
}

function answerOf(request: XMLHttpRequest): ApiError | { readonly data?: unknown } {
  const { status } = request;
  const envelope = envelopeOf(request.responseText);
  return status >= 200 && status < 300 ? envelope : refusal(status, envelope, request.getResponseHeader('X-Request-Id'));
}
