// What makes a test depend on the speed of the machine, found in its text. docs/testing.md says what to write instead.
import type { SourceFile } from './rules.ts';

const READS =
  'innerText|textContent|count|isVisible|isHidden|inputValue|allTextContents|allInnerTexts|isChecked|isEnabled|isDisabled';

const CAUSES: readonly { readonly pattern: RegExp; readonly problem: string; readonly only?: RegExp }[] = [
  { pattern: /^\s*\}, \d{2,}_?000\);$/, problem: 'a test sets a time limit; vitest.config.ts has one for all' },
  { pattern: /\btimeout: \d/, problem: 'a fixed time limit: use PATIENCE_MS or patience(ms)' },
  {
    pattern: /(?:for \(const|const|let) (?:until|end) = (?:Date|performance)\.now\(\) \+ (?:[\d_]+|[A-Z_]*PATIENCE\w*);(?! *$)/,
    problem: 'a deadline that does not follow the speed of the machine: use deadline(ms) or until()',
  },
  { pattern: /^\s*await \w+\.waitForTimeout\(/, problem: 'a pause: wait for the state instead' },
  { pattern: /\b(?:eventually|poll)\((?:async )?\(\) => expect\(/, problem: 'a poll without an assertion passes at once' },
  { pattern: /\.listen\([1-9]\d{3,4}\b|\bPORT: '[1-9]\d{3,4}'/, problem: 'a fixed port: listen on 0' },
  {
    pattern: new RegExp(`\\bexpect\\(await [^;]*\\.(?:${READS})\\([^()]*\\)\\)`),
    problem: 'the page is read once: await eventually(() => …)',
    only: /^test\/(?:browser|looks)\//,
  },
];

export function unsteadyIn(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        CAUSES.filter(({ pattern, only }) => (only?.test(path) ?? true) && pattern.test(line)).map(
          ({ problem }) => `${path}:${index + 1}: ${problem}`,
        ),
      ),
  );
}
