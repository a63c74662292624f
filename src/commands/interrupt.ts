// For commands that run until they are stopped: Ctrl-C and SIGTERM end them with exit code 0.

export function onInterrupt(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  // The reader of our output has gone (`| head`).
  process.stdout.once('error', () => stop.abort());
  return stop.signal;
}
