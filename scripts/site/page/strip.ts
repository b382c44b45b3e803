// Takes the types out of a snippet; loaded with the first run.
import { transform } from 'sucrase';

export function stripTypes(code: string): string {
  const options = { transforms: ['typescript' as const], disableESTransforms: true, keepUnusedImports: true };
  return transform(code, options).code;
}
