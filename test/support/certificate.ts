// A certificate for a test: its own authority, with its key in the same file.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function testCertificate(folder: string): Promise<string> {
  const [key, certificate, both] = ['key', 'crt', 'pem'].map((kind) => join(folder, `galeri.${kind}`)) as [
    string,
    string,
    string,
  ];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  const args = ['req', '-x509', ...newKey, '-out', certificate, '-subj', '/CN=localhost', '-days', '2'];
  execFileSync('openssl', [...args, '-addext', 'subjectAltName=DNS:localhost'], { stdio: 'pipe' });
  await writeFile(both, (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')), { mode: 0o600 });
  return both;
}
