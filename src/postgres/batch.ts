// Statements that are sent in one write and answered in one: any number of them takes one round trip. When one fails, PostgreSQL
// skips the rest of the batch.

/** The part of pg's connection for code that writes its own messages. */
export interface Wire {
  readonly stream: { write(bytes: Buffer): void };
  /** The destination of single messages. */
  _send(bytes: Buffer): void;
  /** Names of statements that PostgreSQL has prepared on this connection. */
  readonly parsedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: { portal: string; statement: string; values: unknown[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string }): void;
  sync(): void;
}

/** The parser of PostgreSQL's text, by the type's number. */
export type ParserOf = (type: number) => (text: string) => unknown;

export interface Answer {
  readonly rows: unknown[];
  /** Rows returned or affected. */
  readonly count: number;
  /** `INSERT`, `COMMIT` … */
  readonly command: string;
}

export interface Outgoing {
  readonly text: string;
  /** As pg writes them: text, bytes or null. */
  readonly values: unknown[];
  /** The name under which it is prepared once for each connection. */
  readonly name: string | undefined;
  /** null: no caller waits for its answer, and its failure is reported to the next statement with a waiting caller. */
  readonly waiter: { resolve(answer: Answer): void; reject(error: unknown): void } | null;
  /** Throws the error that replaces the statement's own failure. */
  readonly explain?: ((error: Error) => never) | undefined;
}

/** PostgreSQL's own code for statements after a failed one: the failure itself has been reported to another caller. */
export class Skipped extends Error {
  readonly code = '25P02';
}

interface Shape {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

interface Connection {
  /** The columns of prepared statements: described once, since PostgreSQL refuses a plan whose columns have changed. */
  readonly shapes: Map<string, Shape>;
  /** The same wire, but its messages are buffered until the batch is complete: one write instead of thirty. */
  readonly collecting: Wire;
  readonly messages: Buffer[];
}

const connections = new WeakMap<Wire, Connection>();

function connectionOf(wire: Wire): Connection {
  let connection = connections.get(wire);
  if (connection === undefined) {
    const messages: Buffer[] = [];
    const collecting = Object.assign(Object.create(wire) as Wire, { _send: (bytes: Buffer) => messages.push(bytes) });
    connection = { shapes: new Map(), collecting, messages };
    connections.set(wire, connection);
  }
  return connection;
}

function explained(error: Error, failed: Outgoing | undefined): unknown {
  try {
    return failed?.explain?.(error) ?? error;
  } catch (better) {
    return better;
  }
}

const NOTHING: Shape = { names: [], parsers: [] };

interface Reading extends Outgoing {
  shape: Shape | undefined;
  rows: unknown[];
  count: number;
  command: string;
}

/** pg calls it with the messages from the server; `name` and `text` are those of the statement being answered. */
export class Batch {
  name: string | undefined;
  text: string;
  readonly #statements: Reading[];
  readonly #parserOf: ParserOf;
  readonly #ended: () => void;
  #shapes: Map<string, Shape> | undefined;
  #place = 0;

  constructor(statements: readonly Outgoing[], parserOf: ParserOf, ended: () => void) {
    this.#statements = statements.map((one) => ({ ...one, shape: undefined, rows: [], count: 0, command: '' }));
    this.#parserOf = parserOf;
    this.#ended = ended;
    this.name = statements[0]!.name;
    this.text = statements[0]!.text;
  }

  submit(wire: Wire): null {
    const { shapes, collecting, messages } = connectionOf(wire);
    this.#shapes = shapes;
    const parsedHere = new Set<string>();
    for (const statement of this.#statements) {
      const { name = '', text, values } = statement;
      if (name === '' || (wire.parsedStatements[name] === undefined && !parsedHere.has(name))) collecting.parse({ name, text });
      parsedHere.add(name);
      collecting.bind({ portal: '', statement: name, values });
      statement.shape = name === '' ? undefined : shapes.get(name);
      if (statement.shape === undefined) collecting.describe({ type: 'P', name: '' });
      collecting.execute({ portal: '' });
    }
    collecting.sync();
    wire.stream.write(Buffer.concat(messages.splice(0)));
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#learn({
      names: fields.map((field) => field.name),
      parsers: fields.map((field) => this.#parserOf(field.dataTypeID)),
    });
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { shape, rows } = this.#statements[this.#place]!;
    const { names, parsers } = shape!;
    const row: Record<string, unknown> = {};
    for (let column = 0; column < names.length; column += 1) {
      const text = fields[column]!;
      row[names[column]!] = text === null ? null : parsers[column]!(text);
    }
    rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const statement = this.#statements[this.#place]!;
    // Without a description it returns nothing.
    if (statement.shape === undefined) this.#learn(NOTHING);
    const space = text.lastIndexOf(' ');
    statement.count = space === -1 ? 0 : Number(text.slice(space + 1)) || 0;
    statement.command = space === -1 ? text : text.slice(0, text.indexOf(' '));
    this.#next();
  }

  handleEmptyQuery(): void {
    this.#next();
  }

  handleReadyForQuery(): void {
    this.#ended();
    for (const { waiter, rows, count, command } of this.#statements) waiter?.resolve({ rows, count, command });
  }

  /** The failure of a statement or of the connection; earlier statements have their answers. */
  handleError(error: Error): void {
    this.#ended();
    const [answered, failed] = [this.#statements.slice(0, this.#place), this.#statements.slice(this.#place)];
    for (const { waiter, rows, count, command } of answered) waiter?.resolve({ rows, count, command });
    const [first, ...others] = failed.flatMap(({ waiter }) => waiter ?? []);
    first?.reject(explained(error, failed[0]));
    for (const waiter of others) waiter.reject(new Skipped('a statement before it failed', { cause: error }));
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(): void {}

  handleCopyData(): void {}

  #learn(shape: Shape): void {
    this.#statements[this.#place]!.shape = shape;
    if (this.name !== undefined) this.#shapes!.set(this.name, shape);
  }

  #next(): void {
    this.#place += 1;
    const next = this.#statements[this.#place];
    this.name = next?.name;
    this.text = next?.text ?? '';
  }
}
