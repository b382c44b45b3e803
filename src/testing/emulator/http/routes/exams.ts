// The handlers of the emulated operations on exams and results.

import { requireExam } from '../../domain/assignments.ts';
import type { World } from '../../domain/world.ts';
import { examRow, resultRow } from '../../laravel/styles/rows.ts';
import { styles } from '../../laravel/styles/styles.ts';
import { listForm, resultsForm } from './forms.ts';
import { type Handlers, idIn, inputOf, jsonResponse, listResponse } from './handler.ts';

export function examHandlers(world: World): Handlers<'exams' | 'examResults'> {
  const { settings, store } = world;
  const style = styles[settings.style];
  return {
    'exams.list': async (c) => {
      const { page, perPage } = await inputOf(c, listForm);
      const records = store.exams.rows;
      const rows = records
        .slice((page - 1) * perPage, page * perPage)
        .map((record) => examRow(settings, record));
      return listResponse(c, style, { rows, total: records.length, page, perPage });
    },
    'exams.retrieve': (c) => jsonResponse(style.record(examRow(settings, requireExam(world, idIn(c))))),
    'examResults.list': async (c) => {
      const { page, perPage, ...filter } = await inputOf(c, resultsForm);
      const found = store.resultPage(filter, (page - 1) * perPage, page * perPage);
      const rows = found.rows.map((record) => resultRow(settings, store, record));
      return listResponse(c, style, { rows, total: found.total, page, perPage });
    },
  };
}
