// The program of a separate process (worker-process.ts): does one piece of work at a time until its parent is gone.
export function serveParent<Message>(work: (message: Message) => Promise<unknown>): void {
  // Ctrl-C in a terminal reaches every process; the parent decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit(0));
  process.on('message', (message: Message) => {
    work(message).then(
      (done) => process.send!({ done }),
      (error: Error) => process.send!({ failed: error.message }),
    );
  });
}
