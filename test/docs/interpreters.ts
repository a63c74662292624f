// Runs many printed samples in one start of an interpreter each: every sample is a separate file, as a reader would save it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Ran {
  /** The output of the sample, or why it failed. */
  readonly printed: string;
  readonly failed: boolean;
}

interface Interpreter {
  readonly command: string;
  readonly ending: string;
  /** Reads the folder's samples, runs each and writes `ran.json`: a list of [failed, printed]. */
  readonly runner: string;
}

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  curl: {
    command: 'bash',
    ending: 'sh',
    runner: `shopt -s extglob; for file in sample-*.sh; do source "./$file" >"$file.out" 2>"$file.err" || echo "exit $?" >"$file.failed"; done`,
  },
  js: {
    command: process.execPath,
    ending: 'mjs',
    runner: `
      import { readdirSync, writeFileSync } from 'node:fs';
      import { inspect } from 'node:util';
      for (const file of readdirSync('.').filter((name) => /^sample-.*mjs$/.test(name))) {
        let printed = '';
        console.log = (...values) => { printed += values.map((value) => typeof value === 'string' ? value : inspect(value)).join(' ') + '\\n'; };
        try { await import('./' + file); } catch (error) { writeFileSync(file + '.failed', String(error)); }
        writeFileSync(file + '.out', printed);
      }`,
  },
  php: {
    command: 'php',
    ending: 'php',
    runner: `<?php
      set_error_handler(function ($level, $text) { throw new ErrorException($text); });
      function run(string $file): void {
        ob_start();
        try { include $file; } catch (Throwable $error) { file_put_contents("$file.failed", $error->getMessage()); }
        file_put_contents("$file.out", ob_get_clean());
      }
      foreach (glob(__DIR__ . '/sample-*.php') as $file) run($file);`,
  },
  py: {
    command: 'python3',
    ending: 'py',
    runner: `
import contextlib, glob, io
for file in sorted(glob.glob("sample-*.py")):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(open(file).read(), file, "exec"), {"__name__": "__main__"})
    except Exception as error:
        open(file + ".failed", "w").write(repr(error) + (error.read().decode() if hasattr(error, "read") else ""))
    open(file + ".out", "w").write(printed.getvalue())
`,
  },
};

/** For `skipIf`: true, with a warning, if it is not installed. In CI that is a failure instead. */
export function isMissing(language: string): boolean {
  const { command } = INTERPRETERS[language]!;
  const needed = language === 'curl' ? 'curl' : command;
  if (process.env.CI || spawnSync(needed, ['--version']).status === 0) return false;
  console.warn(`SKIPPED: ${needed} is not installed, so its samples are not run`);
  return true;
}

/** In the given order. The key is in the environment, as the reference says. */
export async function runAll(language: string, samples: readonly string[], folder: string, key: string): Promise<Ran[]> {
  const { command, ending, runner } = INTERPRETERS[language]!;
  await mkdir(folder, { recursive: true });
  const nameOf = (index: number) => `sample-${String(index).padStart(4, '0')}.${ending}`;
  await Promise.all(samples.map((text, index) => writeFile(join(folder, nameOf(index)), text)));
  await writeFile(join(folder, `run.${ending}`), runner);
  await finished(command, [`run.${ending}`], folder, key);
  return Promise.all(
    samples.map(async (_, index) => {
      const file = join(folder, nameOf(index));
      const failed = existsSync(`${file}.failed`);
      return { failed, printed: await readFile(failed ? `${file}.failed` : `${file}.out`, 'utf8') };
    }),
  );
}

/** A program, started as its first lines say. */
export const runProgram = (file: string, folder: string, key: string): Promise<string> => {
  const { command } = Object.values(INTERPRETERS).find(({ ending }) => file.endsWith(`.${ending}`))!;
  return finished(command, [file], folder, key);
};

async function finished(command: string, args: string[], cwd: string, key: string): Promise<string> {
  const child = spawn(command, args, { cwd, env: { ...process.env, GALERI_KEY: key }, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${code}: ${errors}${output}`);
  return output;
}
