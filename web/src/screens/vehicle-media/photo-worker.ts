// A web worker that resizes a photo from the camera for the upload.

/** The server stores no larger photos. */
const MAX_SIDE = 2560;
const QUALITY = 0.85;
/** A smaller JPEG is sent unchanged, because each encoding loses quality. */
const SMALL_BYTES = 1_500_000;

addEventListener('message', async ({ data: file }: MessageEvent<Blob>) => {
  try {
    postMessage(await smaller(file));
  } catch {
    // Not a picture, or in a format that this browser cannot read.
    postMessage(null);
  }
});

async function smaller(file: Blob): Promise<Blob> {
  // Rotated according to the photo's metadata, which the result does not contain.
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const { width, height } = picture;
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  if (scale === 1 && file.size <= SMALL_BYTES && (await isJpeg(file))) {
    picture.close();
    return file;
  }
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const paper = canvas.getContext('2d', { alpha: false })!;
  // Transparent areas become white instead of black.
  paper.fillStyle = '#fff';
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.imageSmoothingQuality = 'high';
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}

/** Checks the bytes, because the name says nothing about the content. */
async function isJpeg(file: Blob): Promise<boolean> {
  const [first, second, third] = new Uint8Array(await file.slice(0, 3).arrayBuffer());
  return first === 0xff && second === 0xd8 && third === 0xff;
}
