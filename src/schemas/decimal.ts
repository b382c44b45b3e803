const decimal = /^-?\d+(\.\d+)?$/;

/** A decimal that the service sends as a string (`"87.50"`) is read as the number it is; anything else stays. */
export const readDecimal = (value: unknown): unknown =>
  typeof value === 'string' && decimal.test(value) ? Number(value) : value;
