// Resizes photos before they are uploaded, one after the other, because a phone lacks memory for several of twelve megapixels.

/** Not a picture, or in a format that this browser cannot read. */
export class UnreadablePhoto extends Error {}

let worker: Worker | null = null;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** The resized picture; rejects with UnreadablePhoto. */
export function photoToSend(file: Blob, signal: AbortSignal): Promise<Blob> {
  waiting += 1;
  const mine = last
    .then(() => {
      signal.throwIfAborted();
      worker ??= new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module' });
      return askOf(worker, file);
    })
    .finally(() => {
      waiting -= 1;
      // Ending the worker frees its memory.
      if (waiting === 0) dismiss();
    });
  last = mine.catch(() => {});
  return mine;
}

function askOf(target: Worker, file: Blob): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const answers = new AbortController();
    const { signal } = answers;
    target.addEventListener(
      'message',
      ({ data }: MessageEvent<Blob | null>) => {
        answers.abort();
        if (data === null) reject(new UnreadablePhoto());
        else resolve(data);
      },
      { signal },
    );
    // The worker ran out of memory or could not be loaded; the next photo gets a new one.
    target.addEventListener(
      'error',
      () => {
        answers.abort();
        dismiss();
        reject(new UnreadablePhoto());
      },
      { signal },
    );
    target.postMessage(file);
  });
}

function dismiss(): void {
  worker?.terminate();
  worker = null;
}
