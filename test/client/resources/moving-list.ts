// A service whose participants move, vanish and register while its list is read.

import { randomOf } from '../../helpers/random.ts';
import type { Handler } from '../../helpers/server.ts';

/** People in the order of a list that changes between requests. */
export class MovingList {
  /** The emails of those who are there from the beginning to the end. */
  readonly staying: readonly string[];
  readonly #people: { id: number; email: string; name: string }[];
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomOf(seed);
    const count = 250 + this.#below(200);
    this.#people = Array.from({ length: count }, (_, index) => this.#person(index + 1));
    this.staying = this.#people.filter(({ id }) => id % 3 > 0).map(({ email }) => email);
  }

  readonly respond: Handler = ({ query }) => {
    for (let changes = this.#below(3); changes > 0; changes -= 1) this.#change();
    const page = Number(query.get('page') ?? 1);
    const size = Number(query.get('limit'));
    const data = this.#people.slice((page - 1) * size, page * size);
    const total = this.#people.length;
    return {
      body: { data, meta: { current_page: page, last_page: Math.ceil(total / size), per_page: size, total } },
    };
  };

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #person(id: number) {
    return { id, email: `p${id}@x.test`, name: 'N' };
  }

  /** Somebody moves to the end, as whoever is touched in a list by date; leaves; or registers, at the end. */
  #change(): void {
    const place = this.#below(this.#people.length);
    const [person] = this.#people.splice(place, 1);
    if (person === undefined) return;
    const what = this.#random();
    // Every third may leave.
    if (what < 0.3 && person.id % 3 === 0) return;
    if (what < 0.5) this.#people.splice(place, 0, person);
    if (what < 0.5 && what > 0.3) this.#people.push(this.#person(1_000 + 3 * this.#below(1e6)));
    else if (what >= 0.5) this.#people.push(person);
  }
}
