// The handlers of the emulated operations on exams and results.

import { requireExam } from '../../domain/assignments.ts';
import type { World } from '../../domain/world.ts';
import { examRow, resultRow } from '../../laravel/styles/rows.ts';
import { styles } from '../../laravel/styles/styles.ts';
import type { ExamRecord, ResultRecord } from '../../state/records.ts';
import { listForm, resultsForm } from './forms.ts';
import { type Handlers, idIn, inputOf, jsonResponse, listResponse } from './handler.ts';

export function examHandlers(world: World): Handlers<'exams' | 'examResults'> {
  const { settings, store } = world;
  const style = () => styles[settings.style];
  return {
    'exams.list': async (c) => {
      const row = (record: ExamRecord) => examRow(settings, record);
      const { page, limit: perPage } = await inputOf(c, listForm);
      return listResponse(c, style(), { page, perPage }, { records: store.exams.rows, row });
    },
    'exams.retrieve': (c) => jsonResponse(style().record(examRow(settings, requireExam(world, idIn(c))))),
    'examResults.list': async (c) => {
      const { page, limit: perPage, ...filter } = await inputOf(c, resultsForm);
      const row = (record: ResultRecord) => resultRow(settings, store, record);
      return listResponse(c, style(), { page, perPage }, { records: store.resultsOf(filter), row });
    },
  };
}
