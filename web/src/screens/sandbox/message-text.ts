// The text of a message in parts: links to this service can be opened, such as a signing link; all else is text.

export interface TextPart {
  readonly text: string;
  readonly href: string | null;
}

const URL_IN_TEXT = /(https?:\/\/[^\s<>"«»]+)/;
/** At the end of a sentence, not of an address. */
const AFTER = '.,;:!?)';

function lengthOfAddress(part: string): number {
  let length = part.length;
  while (length > 0 && AFTER.includes(part[length - 1]!)) length -= 1;
  return length;
}

export function textParts(text: string, origin: string): readonly TextPart[] {
  return text
    .split(URL_IN_TEXT)
    .flatMap((part): readonly TextPart[] => {
      if (!URL_IN_TEXT.test(part)) return [{ text: part, href: null }];
      const length = lengthOfAddress(part);
      const [address, end] = [part.slice(0, length), part.slice(length)];
      const isOurs = URL.canParse(address) && new URL(address).origin === origin;
      return [
        { text: address, href: isOurs ? address : null },
        { text: end, href: null },
      ];
    })
    .filter(({ text: part }) => part !== '');
}
