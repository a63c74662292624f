// What the panel may weigh, compressed, as it is built: more fails here before it slows a phone down.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildPanel } from '../../scripts/build-panel.ts';
import { FIRST_SCREENS } from '../../src/http/panel/first-screens.ts';

const PANEL = 'dist/panel';
const KB = 1000;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
}

const gz = (file: string): number => statSync(`${PANEL}/${file}.gz`).size;

describe('the built panel', () => {
  let manifest: Record<string, Chunk>;
  beforeAll(async () => {
    if (!statSync(`${PANEL}/manifest.json`, { throwIfNoEntry: false })) await buildPanel();
    manifest = JSON.parse(readFileSync(`${PANEL}/manifest.json`, 'utf8'));
  });

  /** A chunk with everything it cannot start without. */
  function withImports(name: string, seen = new Set<string>()): Set<string> {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const other of manifest[name]!.imports ?? []) withImports(other, seen);
    return seen;
  }
  const weight = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + gz(manifest[name]!.file), 0);
  const entry = (): string => Object.keys(manifest).find((name) => manifest[name]!.isEntry)!;

  it('shows the first screen with at most 200 kB of scripts', () => {
    const first = withImports('src/screens/overview/screen.tsx', withImports(entry()));
    expect(weight(first)).toBeLessThanOrEqual(200 * KB);
  });

  it('fetches at most 60 kB for any other screen', () => {
    const known = withImports(entry());
    const heavy = Object.keys(manifest)
      .filter((name) => manifest[name]!.isDynamicEntry)
      .map((name) => [name, weight([...withImports(name)].filter((part) => !known.has(part)))] as const)
      .filter(([, size]) => size > 60 * KB);
    expect(heavy).toEqual([]);
  });

  it('has at most 25 kB of styles, and 46 kB of letters before the first word', () => {
    const files = readdirSync(`${PANEL}/assets`);
    const styles = files.filter((name) => name.endsWith('.css')).reduce((sum, name) => sum + gz(`assets/${name}`), 0);
    expect(styles).toBeLessThanOrEqual(25 * KB);
    const letters = files.filter((name) => /^geist-latin.*\.woff2$/.test(name));
    expect(letters).toHaveLength(2);
    expect(letters.reduce((sum, name) => sum + statSync(`${PANEL}/assets/${name}`).size, 0)).toBeLessThanOrEqual(46 * KB);
  });

  it('has a page for each first screen that names its scripts, all of which exist', () => {
    for (const { name, modules } of FIRST_SCREENS) {
      const page = readFileSync(`${PANEL}/index.${name}.html`, 'utf8');
      const named = [...page.matchAll(/<link rel="modulepreload"[^>]* href="\/panel\/([^"]+)"/g)].map(([, file]) => file!);
      const wanted = new Set(modules.flatMap((module) => [...withImports(module)]).map((part) => manifest[part]!.file));
      expect(
        [...wanted].filter((file) => !page.includes(file)),
        name,
      ).toEqual([]);
      expect(
        named.filter((file) => !statSync(`${PANEL}/${file}`, { throwIfNoEntry: false })),
        name,
      ).toEqual([]);
      expect(new Set(named).size, name).toBe(named.length);
    }
  });

  it('has nothing inline: the content policy would refuse it', () => {
    const page = readFileSync(`${PANEL}/index.html`, 'utf8');
    expect(page).not.toMatch(/<style|style="|<script(?![^>]*\bsrc=)|\son\w+=/);
    expect(page.indexOf('assets/start-')).toBeLessThan(page.indexOf('<title>'));
  });

  it('lies beside its compressed forms', () => {
    const files = new Set(readdirSync(`${PANEL}/assets`));
    const missing = [...files].filter(
      (name) => /\.(js|css|svg)$/.test(name) && !(files.has(`${name}.br`) && files.has(`${name}.gz`)),
    );
    expect(missing).toEqual([]);
  });
});
