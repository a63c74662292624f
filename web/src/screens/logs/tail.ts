// The live view: a stream that continues from the list's position, and from its last position after a lost connection. Without a
// stream the same news are polled. Both use the position, so nothing is missed or shown twice.
import { useEffect, useRef, useState } from 'react';
import type { LogLine } from '../../../../src/domain/usage/log-lines.ts';
import type { TailMessage } from '../../../../src/panel/logs/logs.ts';
import { addressOf, call } from '../../api.ts';
import type { filterOf } from './search.ts';

/** `lost`: there is no stream, so news are polled until it is back. */
export type TailState = 'off' | 'connecting' | 'live' | 'lost';

export const RETRY_SECONDS = 5;
const ASK_MS = 2500;
/** The server sends something at least every ten seconds. */
const SILENCE_MS = 25_000;
/** How many lines a live view shows; the list has the rest. */
const MAX_SHOWN = 200;
const MAX_WAITING = 1000;

export interface Tail {
  readonly state: TailState;
  /** The visible lines, newest first. */
  readonly lines: readonly LogLine[];
  /** The number of lines that arrived while the view was paused. */
  readonly waiting: number;
  /** More lines were written than a live view shows. */
  readonly missed: boolean;
  /** Shows the waiting lines. */
  release(): void;
}

type TailFilter = ReturnType<typeof filterOf>;

interface Options {
  readonly running: boolean;
  /** Paused: new lines wait, so that nothing moves under the pointer. */
  readonly held: boolean;
  /** The list's position; undefined until the list is loaded. */
  readonly since: string | undefined;
  readonly filter: TailFilter;
}

interface Kept {
  readonly since: string | undefined;
  readonly lines: readonly LogLine[];
  readonly waiting: readonly LogLine[];
  readonly missed: boolean;
}

const nothing = (since: string | undefined): Kept => ({ since, lines: [], waiting: [], missed: false });

export function useTail({ running, held, since, filter }: Options): Tail {
  const [state, setState] = useState<TailState>('off');
  const [kept, setKept] = useState<Kept>(() => nothing(since));
  const isHeld = useRef(held);
  isHeld.current = held;
  // As text, because each render creates a new filter object.
  const question = JSON.stringify(filter);
  useEffect(() => {
    if (!running || since === undefined) {
      setState('off');
      return;
    }
    setKept(nothing(since));
    const take = (news: TailMessage) => setKept((before) => added(before, news, isHeld.current));
    return follow(JSON.parse(question) as TailFilter, since, take, setState);
  }, [running, since, question]);
  useEffect(() => {
    if (!held) setKept(released);
  }, [held]);
  const current = kept.since === since ? kept : nothing(since);
  return {
    state,
    lines: current.lines,
    waiting: current.waiting.length,
    missed: current.missed,
    release: () => setKept(released),
  };
}

const newestFirst = (one: LogLine, other: LogLine): number => (one.request_id < other.request_id ? 1 : -1);

function added(kept: Kept, { lines, missed }: TailMessage, held: boolean): Kept {
  if (lines.length === 0 && !missed) return kept;
  const fresh = [...lines].sort(newestFirst);
  if (held) return { ...kept, waiting: [...fresh, ...kept.waiting].slice(0, MAX_WAITING), missed: kept.missed || missed };
  return { ...kept, lines: [...fresh, ...kept.lines].sort(newestFirst).slice(0, MAX_SHOWN), missed: kept.missed || missed };
}

const released = (kept: Kept): Kept =>
  kept.waiting.length === 0
    ? kept
    : { ...kept, lines: [...kept.waiting, ...kept.lines].sort(newestFirst).slice(0, MAX_SHOWN), waiting: [] };

/** Returns a function that stops it. */
function follow(
  filter: TailFilter,
  since: string,
  take: (news: TailMessage) => void,
  setState: (state: TailState) => void,
): () => void {
  let position = since;
  let source: EventSource | null = null;
  let timers: ReturnType<typeof setTimeout>[] = [];
  let over = false;
  const rest = () => {
    source?.close();
    source = null;
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  };
  const connect = () => {
    rest();
    source = new EventSource(addressOf('GET logs/tail', { query: { ...filter, since: position } }));
    const onSignal = () => {
      for (const timer of timers) clearTimeout(timer);
      timers = [setTimeout(lose, SILENCE_MS)];
    };
    source.onopen = () => {
      setState('live');
      onSignal();
    };
    source.addEventListener('news', (event) => {
      position = event.lastEventId;
      take(JSON.parse(event.data));
      onSignal();
    });
    source.onerror = lose;
  };
  /** Without a stream: polls, and tries to open the stream again. */
  const lose = () => {
    rest();
    setState('lost');
    timers = [setTimeout(ask, ASK_MS), setTimeout(connect, RETRY_SECONDS * 1000)];
  };
  const ask = async () => {
    try {
      const news = await call('GET logs/news', { query: { ...filter, since: position } });
      if (over || source !== null) return;
      position = news.position;
      take(news);
    } catch {
      // Polling failed too; the next try follows.
    }
  };
  setState('connecting');
  connect();
  return () => {
    over = true;
    rest();
  };
}
