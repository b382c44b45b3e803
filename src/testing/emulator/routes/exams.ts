// The handlers of the emulated operations on exams and results.

import { requireExam } from '../domain/assignments.ts';
import { answer, answerList, type Handlers, type ServiceWorld } from '../http/handler.ts';
import { listQuery, resultsQuery } from '../http/inputs.ts';
import { readId, readQuery } from '../http/validation.ts';
import { examRow, resultRow } from '../styles/rows.ts';
import { styleOf } from '../styles/style-of.ts';

export function examHandlers(world: ServiceWorld): Handlers<'exams' | 'examResults'> {
  const { settings, store } = world;
  const style = styleOf(settings);
  return {
    'exams.list': (c) => {
      const { page, limit } = readQuery(c, listQuery);
      const records = store.exams.rows;
      const rows = records.slice((page - 1) * limit, page * limit).map((record) => examRow(settings, record));
      return answerList(c, style, { kind: 'exam', rows, total: records.length, page, perPage: limit });
    },
    'exams.retrieve': (c) => answer(style.record(examRow(settings, requireExam(world, readId(c))), 'exam')),
    'examResults.list': (c) => {
      const { page, limit, ...filter } = readQuery(c, resultsQuery);
      const found = store.resultPage(filter, (page - 1) * limit, page * limit);
      const rows = found.rows.map((record) => resultRow(settings, store, record));
      return answerList(c, style, { kind: 'exam_result', rows, total: found.total, page, perPage: limit });
    },
  };
}
