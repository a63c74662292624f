// The help texts of the command line.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const galeri = async (...args: string[]): Promise<string> => (await run('bin/galeri', args)).stdout;

describe('galeri', () => {
  it('names itself once on each line of help', async () => {
    for (const text of await Promise.all([galeri('help'), galeri('help', 'key'), galeri('key', '--help'), galeri('--help')])) {
      for (const line of text.split('\n').slice(text.startsWith('galeri:') ? 1 : 0)) {
        expect(line).not.toMatch(/galeri +(\[|galeri)/);
        if (/^\s*galeri/.test(line)) expect(line).toMatch(/^\s*galeri \S/);
      }
    }
  });

  it('explains one command as `help TOPIC` and as `TOPIC --help`', async () => {
    const [help, flag] = await Promise.all([galeri('help', 'release'), galeri('release', '--help')]);
    expect(help).toBe(flag);
    expect(help).toContain('galeri release list');
    await expect(galeri('help', 'nothing')).rejects.toThrow('there is no command "nothing"');
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await galeri('--version')).toBe(`${version}\n`);
  });
});
