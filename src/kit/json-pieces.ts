// A large reply, built in pieces: serializing ten thousand rows at once would block every other request.
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

  /** The whole text between `before` and `after`, once everything has been added. */
  within(before: string, after: string): Buffer {
    return Buffer.concat([Buffer.from(before), ...this.#pieces, Buffer.from(after)]);
  }

  /** Throws, because only the reply of a read knows how to send the pieces. */
  toJSON(): never {
    throw new Error('JSON in pieces is sent as it is');
  }

  /** Hash of the text in base64url. It can be read only once. */
  digest(): string {
    return this.#hash.digest('base64url');
  }
}
