// Names in mails. Mail programs turn an address in plain text into a link, and a name is chosen by others than the sender.

/** Dots as browsers read them in a host name. */
const DOT_IN_ADDRESS = /([.\u3002\uff0e\uff61])(?=[\p{L}\p{N}])/gu;

/** The name with a space where an address or a scheme would continue: `evil.example` → `evil. example`. */
export const unlinked = (name: string): string =>
  name
    .replace(DOT_IN_ADDRESS, '$1 ')
    .replace(/:(?=\/)/g, ': ')
    .replace(/@(?=\S)/g, '@ ');
