// The line of `npm start` on isolated sandboxes.
import { expect, test } from 'vitest';
import { sandboxHint } from '../../src/commands/serve/serve.ts';
import { readConfig } from '../../src/config.ts';

const hint = (env: Record<string, string>) => sandboxHint(readConfig({ DATA_DIR: '/tmp/galeri', ...env }));

test('is one line, and names the setting', () => {
  expect(hint({})).toMatch(/^SANDBOX=isolated npm start [^\n]+$/);
});

test('is absent where sandboxes are isolated already, and on a service that others use', () => {
  expect(hint({ SANDBOX: 'isolated' })).toBeNull();
  expect(hint({ PUBLIC_URL: 'https://galeri.example' })).toBeNull();
});
