// The name that an agent's client gives itself is stored as JSON in the audit log.
import { expect, test } from 'vitest';
import { type McpHeaders, readMessage } from '../../src/http/mcp/protocol.ts';
import { cutValue } from '../../src/http/mcp/read.ts';

const HEADERS: McpHeaders = { version: undefined, method: undefined, name: undefined };
const nameOf = (name: string) => {
  const read = readMessage({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo: { name } } }, HEADERS);
  return read.kind === 'request' ? read.request.client : read;
};

test('a long name is not cut within a pair of surrogates', () => {
  expect(nameOf(`${'a'.repeat(79)}😀`)).toBe('a'.repeat(79));
  expect(nameOf(`${'a'.repeat(78)}😀b`)).toBe(`${'a'.repeat(78)}😀`);
  expect(nameOf('a\ud83d\u0000b')).toBe('ab');
});

test('nor is a long text of a reply', () => {
  const cut = cutValue(`a${'😀'.repeat(100_000)}`) as string;
  expect(cut.length).toBeLessThan(100_000);
  expect(cut.isWellFormed()).toBe(true);
  expect((cutValue('😀'.repeat(100_000)) as string).isWellFormed()).toBe(true);
});
