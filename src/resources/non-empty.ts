/** A list that is not `[]`. Lists of a length that the compiler does not know are allowed. */
export type NonEmpty<List extends readonly unknown[]> = List & (List extends readonly [] ? never : unknown);
