// The form of a claim about the service, and of how it can be decided.

/**
 * What decides a claim: requests that change nothing (`read`), those that do (`write`), a delivery that arrives
 * (`delivery`), or nothing that can be done from outside (`none`).
 */
export type Means = 'read' | 'write' | 'delivery' | 'none';

/** Something that the service's documentation says, in words of our own. */
export interface Claim {
  /** Section of the service's documentation. */
  readonly section: string;
  /** Operation that it is about, by the client's name for it; empty where it is about no single one. */
  readonly of: string;
  readonly by: Means;
  readonly says: string;
}

/** The claims of one section, by their ids. */
export function section<const Id extends string>(
  name: string,
  claims: Readonly<Record<Id, Omit<Claim, 'section'>>>,
): Readonly<Record<Id, Claim>> {
  const entries = Object.entries<Omit<Claim, 'section'>>(claims);
  return Object.fromEntries(entries.map(([id, claim]) => [id, { section: name, ...claim }])) as Record<
    Id,
    Claim
  >;
}
