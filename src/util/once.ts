// Values that are made when they are first needed.

/** Gives what `make` makes at the first call. */
// @__NO_SIDE_EFFECTS__
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
