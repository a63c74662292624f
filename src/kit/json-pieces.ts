// A large reply, made piece by piece: turning ten thousand rows into text at once would block every other request.
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

  /** The whole text between `before` and `behind`, once everything has been added. */
  within(before: string, behind: string): Buffer {
    return Buffer.concat([Buffer.from(before), ...this.#pieces, Buffer.from(behind)]);
  }

  /** Fails, because only the reply of a read knows how to send the pieces. */
  toJSON(): never {
    throw new Error('JSON in pieces is sent as it is');
  }

  /** Hash of the text in base64url. It can be asked for only once. */
  digest(): string {
    return this.#hash.digest('base64url');
  }
}
