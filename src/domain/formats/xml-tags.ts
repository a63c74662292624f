// The tags of a text that may be cut or broken XML, found in one walk. For guesses only: imports are read by xml.ts.

export interface XmlTag {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
}

/** Constructs to skip: how each begins after `<`, and how it ends. */
const PASSED_OVER = [
  ['!--', '-->'],
  ['![CDATA[', ']]>'],
  ['?', '?>'],
  ['!', '>'],
] as const;

/** Stops at the first construct that is not closed or cannot be a tag. */
export function* xmlTags(text: string): Generator<XmlTag> {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const passed = PASSED_OVER.find(([start]) => text.startsWith(start, at + 1));
    const end = passed === undefined ? endOfTag(text, at + 1) : endOf(text, passed[1], at + 1 + passed[0].length);
    if (end < 0) return;
    if (passed === undefined) yield tagOf(text.slice(at + 1, end - 1));
    at = end;
  }
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

/** The index after the tag's `>`, ignoring any `>` inside quotes. */
function endOfTag(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at]!;
    if (char === '>') return at + 1;
    if (char === '<') return -1;
    if (char !== '"' && char !== "'") continue;
    at = text.indexOf(char, at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

function tagOf(inside: string): XmlTag {
  const kind = inside.startsWith('/') ? 'close' : inside.endsWith('/') ? 'empty' : 'open';
  return { kind, name: /^[^\s/]*/.exec(kind === 'close' ? inside.slice(1) : inside)![0] };
}
