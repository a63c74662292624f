// Parsing a query string: nothing is clamped, guessed or silently ignored.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure, messageOf } from '../../src/kit/errors.ts';
import {
  flagParam,
  foldEnum,
  integerParam,
  momentParam,
  moneyParam,
  oneOfParam,
  type Params,
  paging,
  readQuery,
  textParam,
  trueParam,
  uuidParam,
  withFallback,
} from '../../src/kit/params.ts';

const STATUSES = ['Stokta', 'Rezerve', "Auction'da", 'Satıldı'] as const;
const PARAMS = {
  ...paging,
  status: oneOfParam(STATUSES),
  brand: textParam(10),
  visible: flagParam,
  id: uuidParam,
  since: momentParam,
};

/** The refused parameter and the reason, or null. */
function refusal(query: string, params: Params = PARAMS): { code: string; param: string | undefined; message: string } | null {
  try {
    readQuery(query, params);
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { code: error.code, param: error.facts.param, message: messageOf(error.code, error.facts, 'en') };
  }
}

describe('a whole number', () => {
  const one = { n: integerParam(0, 999_999_999) };

  test('is 0 or a digit from 1 to 9 followed by digits, nine at most, and nothing else', () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.integer().map(String),
      fc.double().map(String),
      fc.stringMatching(/^[-+]?0*\d{0,11}(\.0|e1)?$/),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const taken = refusal(`n=${encodeURIComponent(text)}`, one) === null;
        return taken === (/^\d{1,9}$/.test(text) && String(Number(text)) === text);
      }),
      { numRuns: 2000 },
    );
  });

  test('is accepted exactly from its minimum to its maximum', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), fc.nat(2500), (min, width, value) => {
        const taken = refusal(`n=${value}`, { n: integerParam(min, min + width) }) === null;
        return taken === (value >= min && value <= min + width);
      }),
    );
  });

  test('of paging defaults to 25 and 0', () => {
    expect(readQuery('', paging)).toEqual({ limit: 25, offset: 0 });
    expect(readQuery('offset=7', paging)).toEqual({ limit: 25, offset: 7 });
  });
});

describe('an enumerated value', () => {
  test('is compared after NFC, with the curly apostrophes folded', () => {
    for (const text of ["Auction'da", 'Auction’da', 'Auction‘da', 'Auctionʼda']) {
      expect(readQuery(`status=${encodeURIComponent(text)}`, PARAMS).status).toBe("Auction'da");
    }
    expect(readQuery(`status=${encodeURIComponent('Satıldı'.normalize('NFD'))}`, PARAMS).status).toBe('Satıldı');
    const Composed = { city: oneOfParam(['Gönyeli']) };
    expect(readQuery(`city=${encodeURIComponent('Gönyeli'.normalize('NFD'))}`, Composed).city).toBe('Gönyeli');
  });

  test('is otherwise compared exactly', () => {
    for (const text of [
      'stokta',
      'STOKTA',
      ' Stokta',
      'Stokta ',
      'Satildi',
      'SATILDI',
      'Auction"da',
      'Auction`da',
      'Auction´da',
      'Auctionda',
      '',
      'Stokta,Rezerve',
    ]) {
      expect(refusal(`status=${encodeURIComponent(text)}`), text).toMatchObject({ code: 'invalid_parameter', param: 'status' });
    }
  });

  test('lists the valid values', () => {
    expect(refusal('status=x')!.message).toBe("status must be one of Stokta, Rezerve, Auction'da, Satıldı");
  });

  test('folding changes only apostrophes and composition', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldEnum(text);
        return foldEnum(folded) === folded && folded === text.normalize('NFC').replace(/[‘’ʼ]/g, "'");
      }),
    );
  });
});

describe('a moment', () => {
  const parse = (text: string) => readQuery(`since=${encodeURIComponent(text)}`, { since: momentParam }).since;

  test('is a calendar date, or an instant with its offset', () => {
    expect(parse('2026-11-15')).toEqual({ day: '2026-11-15' });
    expect(parse('2024-02-29')).toEqual({ day: '2024-02-29' });
    expect(parse('2026-11-15T09:00:00Z')).toEqual({ at: new Date('2026-11-15T09:00:00Z') });
    expect(parse('2026-11-15T12:00:00+03:00')).toEqual({ at: new Date('2026-11-15T09:00:00Z') });
    expect(parse('2026-11-15T09:00Z')).toEqual({ at: new Date('2026-11-15T09:00:00Z') });
    expect(parse('2026-11-15T09:00:00.123Z')).toEqual({ at: new Date('2026-11-15T09:00:00.123Z') });
  });

  test('is accepted for every date that exists, and for no other', () => {
    const part = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 1900, max: 2199 }), part(13), part(32), (year, month, day) => {
        const text = `${year}-${month}-${day}`;
        const at = new Date(Date.UTC(year, Number(month) - 1, Number(day)));
        const exists = at.toISOString().slice(0, 10) === text;
        return (refusal(`since=${text}`, { since: momentParam }) === null) === exists;
      }),
      { numRuns: 1000 },
    );
  });

  test('needs its plus sign encoded: a bare one is a space', () => {
    expect(refusal('since=2026-11-15T12:00:00+03:00')).toMatchObject({ code: 'invalid_parameter', param: 'since' });
    expect(refusal('since=2026-11-15T12:00:00%2B03:00')).toBeNull();
  });
});

describe('the other kinds', () => {
  test('a flag is true or false, one that only narrows is true', () => {
    expect(readQuery('visible=true', PARAMS).visible).toBe(true);
    expect(readQuery('visible=false', PARAMS).visible).toBe(false);
    expect(refusal('deleted=false', { deleted: trueParam })).not.toBeNull();
    expect(refusal('deleted=true', { deleted: trueParam })).toBeNull();
  });

  test('an amount has at most two decimals and twelve digits before them', () => {
    const price = { price: moneyParam };
    expect(readQuery('price=1500.5', price).price).toBe(150_050n);
    expect(readQuery('price=0', price).price).toBe(0n);
    expect(readQuery('price=999999999999.99', price).price).toBe(99_999_999_999_999n);
    for (const text of ['', '-1', '1.', '.5', '1.234', '1,5', '1e3', '1 000', '1234567890123', 'NaN']) {
      expect(refusal(`price=${encodeURIComponent(text)}`, price), text).not.toBeNull();
    }
  });

  test('an id is a uuid in either case', () => {
    const id = '0190A6C0-0000-7000-8000-0000000000AB';
    expect(readQuery(`id=${id}`, PARAMS).id).toBe(id.toLowerCase());
    expect(refusal('id=0190a6c0')).not.toBeNull();
  });

  test('text has 1 to the maximum number of characters, is not blank, and has no NUL', () => {
    expect(readQuery('brand=Şahin', PARAMS).brand).toBe('Şahin');
    expect(readQuery('brand=a+b%20c', PARAMS).brand).toBe('a b c');
    for (const text of ['', '%20', '12345678901', 'a%00b']) expect(refusal(`brand=${text}`), text).not.toBeNull();
  });
});

describe('the query as a whole', () => {
  test('refuses unknown parameters with any value, and never confuses them with others', () => {
    const known = Object.keys(PARAMS);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (name) => {
        fc.pre(!known.includes(name));
        return refusal(`${encodeURIComponent(name)}=1`)?.code === 'unknown_parameter';
      }),
    );
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'LIMIT', 'limit[]', 'limit%00']) {
      expect(refusal(`${name}=1`)?.code, name).toBe('unknown_parameter');
    }
  });

  test('names the invalid parameter without control characters, and truncated', () => {
    const { param, message } = refusal(`a%0D%0AX-Evil:1%1B[31m${'b'.repeat(500)}=1`)!;
    expect(param).not.toMatch(/\p{Cc}/u);
    expect(param!.length).toBeLessThanOrEqual(60);
    expect(message).toContain(param);
  });

  test('lists the parameters of an endpoint, or states that it takes none', () => {
    expect(refusal('x=1')!.message).toBe(`x is not a parameter of this endpoint; it takes ${Object.keys(PARAMS).join(', ')}`);
    expect(refusal('x=1', {})!.message).toBe('x is not a parameter of this endpoint; it takes no parameters');
  });

  test('refuses a parameter that occurs twice, also with another spelling of its name', () => {
    for (const query of ['limit=5&limit=5', 'limit=5&offset=1&limit=6', 'limit=5&%6Cimit=5', 'brand=a&brand=']) {
      expect(refusal(query)?.code, query).toBe('invalid_parameter');
    }
    expect(refusal('limit=5&limit=5')!.message).toBe('limit must be given once');
  });

  test('refuses a name without a value, and a value that is not UTF-8', () => {
    for (const query of ['limit', 'limit=', 'brand=%FF', 'brand=%E0%A4%A', 'brand=%']) {
      expect(refusal(query), query).toMatchObject({ code: 'invalid_parameter' });
    }
    expect(refusal('%FF=1')!.code).toBe('unknown_parameter');
  });

  test('ignores only empty parts', () => {
    expect(readQuery('&&limit=5&&', paging)).toEqual({ limit: 5, offset: 0 });
    expect(readQuery('', {})).toEqual({});
    expect(refusal('?limit=5')?.code).toBe('unknown_parameter');
    expect(refusal('limit=5;offset=2')?.code).toBe('invalid_parameter');
  });

  test('uses a default only for an absent parameter', () => {
    const params = { group: withFallback(oneOfParam(['day', 'hour']), 'day') };
    expect(readQuery('', params)).toEqual({ group: 'day' });
    expect(readQuery('group=hour', params)).toEqual({ group: 'hour' });
  });
});
