import { describe, expect, test } from 'vitest'
import { readList } from '../../src/server/documents/import/read-list.ts'

test('x', () => {
  const csv =
    '\uFEFF# hello, you\nreference;title;price;subject;class;category;teacher_email;file\n\nA1;"x;\ny";12,5;m;c;k;a@b.c;f.pdf\n# no\nA2;\'=1;3;m;c;k;a@b.c;f.pdf\n'
  console.log(
    JSON.stringify(
      readList(Buffer.from(csv), 'csv').map((r) => [
        r.number,
        r.values.reference,
        r.values.title,
        r.values.price,
      ]),
    ),
  )
  expect(1).toBe(1)
})
