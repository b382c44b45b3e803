import { ExamClient } from '../../../src/index.ts';
import { failureOf, type Symptoms } from './symptom.ts';

const baseUrl = 'https://exams.example.com/api/v1';
const creating = (options: object) => () => failureOf(() => new ExamClient({ baseUrl, ...options }));

export const optionSymptoms: Symptoms = {
  'No base URL': creating({ baseUrl: '', apiKey: 'key' }),
  'No API key': creating({}),
  'begins with "Bearer "': creating({ apiKey: 'Bearer key' }),
  'contains a space, a line break': creating({ apiKey: 'key\n' }),
  'uses plain http to': creating({ baseUrl: 'http://exams.example.com/api/v1', apiKey: 'key' }),
  'must be an absolute http or https URL': creating({ baseUrl: 'exams.example.com', apiKey: 'key' }),
  'Unknown name in the options of the client': creating({ apikey: 'key' }),
};
