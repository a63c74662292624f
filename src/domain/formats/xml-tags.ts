// The tags of a text that may be XML, cut or broken, in one walk: for guesses only. What is imported is read by xml.ts.

export interface XmlTag {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
}

/** What is passed over whole: `<` with this behind it, up to its end. */
const PASSED_OVER = [
  ['!--', '-->'],
  ['![CDATA[', ']]>'],
  ['?', '?>'],
  ['!', '>'],
] as const;

/** Ends at the first thing that has no end, or cannot be a tag. */
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

/** Behind its `>`, wherever a value in quotes has one. */
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
