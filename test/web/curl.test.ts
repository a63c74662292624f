import { expect, test } from 'vitest';
import { curlOf } from '../../web/src/screens/logs/curl.ts';

test('a logged request as curl leaves the key and every value to fill in', () => {
  expect(curlOf({ method: 'GET', path: '/api/v1/vehicles' }, ['status', 'limit'], 'https://a.example')).toBe(
    `curl 'https://a.example/api/v1/vehicles?status=…&limit=…' \\\n  -H "Authorization: Bearer $GALERI_KEY"`,
  );
  const written = curlOf({ method: 'POST', path: "/api/v1/o'x" }, [], 'https://a.example');
  expect(written).toContain("-X POST 'https://a.example/api/v1/o'\\''x'");
  expect(written).toContain('Idempotency-Key');
  expect(written).toContain("-d '{…}'");
  expect(curlOf({ method: 'DELETE', path: '/x' }, [], 'https://a.example')).not.toContain('-d');
});
