// Off the page's own thread: a photo as it came from the camera becomes one that is worth sending.

/** The server keeps no more of a photo than this. */
const MAX_SIDE = 2560;
const QUALITY = 0.85;
/** A JPEG that is small already is sent as it is: each encoding takes a little of it away. */
const SMALL_BYTES = 1_500_000;

addEventListener('message', async ({ data: file }: MessageEvent<Blob>) => {
  try {
    postMessage(await smaller(file));
  } catch {
    // It is no picture, or one of a kind that this browser cannot read.
    postMessage(null);
  }
});

async function smaller(file: Blob): Promise<Blob> {
  // Turned as the camera was held; the mark itself does not come along.
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const { width, height } = picture;
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  if (scale === 1 && file.size <= SMALL_BYTES && (await isJpeg(file))) {
    picture.close();
    return file;
  }
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const paper = canvas.getContext('2d', { alpha: false })!;
  // What a picture leaves clear is white, not black.
  paper.fillStyle = '#fff';
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.imageSmoothingQuality = 'high';
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}

/** By its bytes: the name says what someone called it. */
async function isJpeg(file: Blob): Promise<boolean> {
  const [first, second, third] = new Uint8Array(await file.slice(0, 3).arrayBuffer());
  return first === 0xff && second === 0xd8 && third === 0xff;
}
