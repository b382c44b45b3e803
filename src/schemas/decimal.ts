// Decimal numbers, which the service may send as strings.

const decimal = /^-?\d+(\.\d+)?$/;

/** Reads a decimal that the service sends as a string (`"87.50"`) as a number; leaves anything else alone. */
export const readDecimal = (value: unknown): unknown =>
  typeof value === 'string' && decimal.test(value) ? Number(value) : value;
