// A program of an integrator: `import`.
import { Galeri, VERSION, verifyWebhook } from '@galeri/client';

const galeri = new Galeri({ key: process.env.GALERI_KEY, url: process.env.GALERI_URL });
let walked = 0;
for await (const _ of galeri.each('/vehicles')) walked += 1;
console.log(JSON.stringify({ walked, VERSION, verify: typeof verifyWebhook }));
