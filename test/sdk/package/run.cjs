// A program of an integrator: `require`.
const { Galeri, NotFound, VERSION, verifyWebhook } = require('@galeri/client');

async function main() {
  const galeri = new Galeri({ key: process.env.GALERI_KEY, url: process.env.GALERI_URL });
  let walked = 0;
  for await (const _ of galeri.each('/vehicles')) walked += 1;
  const params = { vehicle_id: '00000000-0000-4000-8000-000000000000' };
  const absent = await galeri.get('/vehicles/{vehicle_id}', { params }).catch((error) => error);
  if (!(absent instanceof NotFound)) throw absent;
  console.log(JSON.stringify({ walked, VERSION, verify: typeof verifyWebhook }));
}
main();
