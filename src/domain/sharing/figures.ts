// Figures of a process in Prometheus' text form. Each is read when it is asked for.

/** `task="mails"` and its value. */
export type Sample = readonly [labels: string, value: number];

export interface Figures {
  /** A value that rises and falls. */
  gauge(name: string, help: string, read: () => number | readonly Sample[]): void;
  /** A value that only rises. */
  counter(name: string, help: string, read: () => number | readonly Sample[]): void;
  /** Called before the values are read, for those that come from elsewhere; a failure leaves the last ones. */
  before(read: () => Promise<void>): void;
  /** As read last. */
  text(): string;
  readAll(): Promise<string>;
}

export function createFigures(): Figures {
  const families: { head: string; name: string; read: () => number | readonly Sample[] }[] = [];
  const reads: (() => Promise<void>)[] = [];
  const add = (type: string) => (name: string, help: string, read: () => number | readonly Sample[]) => {
    families.push({ head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, name, read });
  };
  const text = (): string => {
    const lines = families.flatMap(({ head, name, read }) => {
      const value = read();
      const samples =
        typeof value === 'number' ? [`${name} ${value}`] : value.map(([labels, one]) => `${name}{${labels}} ${one}`);
      return [head, ...samples];
    });
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  };
  return {
    gauge: add('gauge'),
    counter: add('counter'),
    before: (read) => reads.push(read),
    text,
    readAll: async () => {
      await Promise.allSettled(reads.map((read) => read()));
      return text();
    },
  };
}

/** Quotes, backslashes and line ends would end a label early. */
export const label = (text: string): string => text.replace(/[\\"\n]/g, '_');
