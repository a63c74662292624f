// Commands that go on until somebody stops them: Ctrl-C or SIGTERM is their ordinary end.

export function onInterrupt(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  // Whoever read what we print has gone (`| head`): there is nobody to go on for.
  process.stdout.once('error', () => stop.abort());
  return stop.signal;
}
