// Metrics of several API processes on one port: the parent asks each of them and labels its figures with its number.
import type { Worker } from 'node:cluster';

const ANSWER_WITHIN_MS = 2000;

interface Answer {
  readonly figures: number;
  readonly text: string;
}

let lastNumber = 0;

/** Null where the process does not answer in time: it is starting, stopping or stuck. */
export function askFigures(worker: Worker): Promise<string | null> {
  lastNumber += 1;
  const number = lastNumber;
  return new Promise((resolve) => {
    const answer = (text: string | null) => {
      clearTimeout(timer);
      worker.off('message', receive);
      resolve(text);
    };
    const receive = (message: Partial<Answer> | string) => {
      if (typeof message === 'object' && message.figures === number) answer(message.text ?? null);
    };
    const timer = setTimeout(answer, ANSWER_WITHIN_MS, null);
    worker.on('message', receive);
    if (worker.isConnected()) worker.send({ figures: number }, () => {});
  });
}

/** In an API process: answers the parent. */
export function answerFigures(figures: () => Promise<string>): void {
  process.on('message', (message: Partial<Answer> | string) => {
    if (typeof message !== 'object' || message.figures === undefined) return;
    const number = message.figures;
    figures().then(
      (text) => process.send?.({ figures: number, text }, () => {}),
      () => {},
    );
  });
}

/** One text of several, in which every sample says which process it is of; those of the parent, null, say nothing. */
export function mergeFigures(processes: readonly (readonly [process: number | null, text: string | null])[]): string {
  const families = new Map<string, { readonly about: string[]; readonly samples: string[] }>();
  const familyOf = (name: string) => {
    const family = families.get(name) ?? { about: [], samples: [] };
    families.set(name, family);
    return family;
  };
  const up = familyOf('galeri_process_up');
  up.about.push('# HELP galeri_process_up Whether an API process answered.', '# TYPE galeri_process_up gauge');
  for (const [process, text] of processes) {
    if (process !== null) up.samples.push(`galeri_process_up{process="${process}"} ${text === null ? 0 : 1}`);
    let family = up;
    for (const line of text?.split('\n') ?? []) {
      const [mark, kind, name = ''] = line.split(' ', 3);
      if (mark === '#') {
        family = familyOf(name);
        if (!family.about.some((known) => known.startsWith(`# ${kind} `))) family.about.push(line);
      } else if (line !== '') family.samples.push(process === null ? line : labelled(line, process));
    }
  }
  return `${[...families.values()].flatMap(({ about, samples }) => [...about, ...samples]).join('\n')}\n`;
}

function labelled(sample: string, process: number): string {
  const label = `process="${process}"`;
  const brace = sample.indexOf('{');
  if (brace !== -1) return `${sample.slice(0, brace + 1)}${label},${sample.slice(brace + 1)}`;
  const space = sample.indexOf(' ');
  return `${sample.slice(0, space)}{${label}}${sample.slice(space)}`;
}
