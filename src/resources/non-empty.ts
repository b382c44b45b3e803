/** A list that is not `[]`. Lists of a length that the compiler does not know are allowed. */
export type NonEmpty<List extends readonly unknown[]> = List & (List extends readonly [] ? never : unknown);

/** A body whose `events`, if it has them, are not `[]`. */
export type WithEvents<Body, Events extends readonly unknown[]> = Body & {
  /** At least one event. */
  readonly events?: NonEmpty<Events> | undefined;
};
