// A large reply, made piece by piece: written out at once, ten thousand rows would keep everyone else waiting.
import { createHash } from 'node:crypto';

export class JsonPieces {
  readonly #pieces: Buffer[] = [];
  readonly #hash = createHash('sha256');

  /** The next part of the JSON text. */
  add(text: string): void {
    const piece = Buffer.from(text);
    this.#hash.update(piece);
    this.#pieces.push(piece);
  }

  /** Around it what stands before and behind. Everything has been added. */
  within(before: string, behind: string): Buffer {
    return Buffer.concat([Buffer.from(before), ...this.#pieces, Buffer.from(behind)]);
  }

  /** Only the reply of a read knows how to send it. */
  toJSON(): never {
    throw new Error('JSON in pieces is sent as it is');
  }

  /** Of the text, in base64url; asked for once. */
  digest(): string {
    return this.#hash.digest('base64url');
  }
}
