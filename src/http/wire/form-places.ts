// Slots for forms of people who are not signed in. Each network has a share, and an IPv6 customer, who has a /56 or a /48, is limited
// at each of these sizes. If no slot is free, the oldest form whose body has not arrived is dropped: a browser sends its form at once,
// so a form without its body comes from a slow or hostile client.
import type { IncomingMessage } from 'node:http';
import { addressGroups } from '../../domain/net/address.ts';
import { Failure, fail } from '../../kit/errors.ts';
import { giveUpBody } from './request-body.ts';

export interface FormLimits {
  readonly total: number;
  /** For an IPv4 address or an IPv6 /64, for a /56 and for a /48. */
  readonly each: readonly [number, number, number];
}

interface Place {
  readonly request: IncomingMessage;
  readonly networks: readonly string[];
}

export class FormPlaces {
  readonly #limits: FormLimits;
  /** In the order in which they were taken. */
  readonly #places = new Set<Place>();

  constructor(limits: FormLimits) {
    this.#limits = limits;
  }

  /** Holds a slot while the request runs. */
  async during<T>(ip: string, request: IncomingMessage, visit: () => Promise<T>): Promise<T> {
    const place = { request, networks: addressGroups(ip) };
    place.networks.forEach((network, size) => {
      this.#makeRoom(({ networks }) => networks[size] === network, this.#limits.each[size]!);
    });
    this.#makeRoom(() => true, this.#limits.total);
    this.#places.add(place);
    try {
      return await visit();
    } finally {
      this.#places.delete(place);
    }
  }

  #makeRoom(isOfThem: (place: Place) => boolean, max: number): void {
    const places = [...this.#places].filter(isOfThem);
    if (places.length < max) return;
    const oldest = places.find(({ request }) => !request.complete) ?? fail('service_unavailable');
    this.#places.delete(oldest);
    giveUpBody(oldest.request, new Failure('service_unavailable', {}));
  }
}
