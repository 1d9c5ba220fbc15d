// @one-database: it searches an index in memory.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { searchDocuments } from '../../../src/contract/catalogue.ts'
import { fillDemoShop } from '../../../src/server/demo/demo.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillDemoShop(app.deps)

/** The lines of a file of cases, without the one that names its columns. */
function linesOf(file: string): string[][] {
  const lines = readFileSync(`tests/cases/searches/${file}.tsv`, 'utf8').trim().split('\n')
  return lines.slice(1).map((line) => line.split('\t'))
}

const codes = async (table: 'matieres' | 'niveaux' | 'categories') => {
  const rows = await app.kysely.selectFrom(table).select(['id', 'code']).execute()
  return new Map(rows.map(({ id, code }) => [code ?? '', id]))
}
const [subjects, classes, categories] = [
  await codes('matieres'),
  await codes('niveaux'),
  await codes('categories'),
]
const COLUMNS = {
  kind: 'paperKind',
  n: 'paperNumber',
  t: 'trimester',
  year: 'schoolYear',
  corr: 'correctionPage',
} as const

/** The demo shop has few papers beside each other: these are like its own, and like each other. */
const papers = new Map<string, number>()
for (const [name = '', title, subject, schoolClass, category, facts = ''] of linesOf('papers')) {
  const of = {
    matiereId: subjects.get(subject ?? ''),
    niveauId: classes.get(schoolClass ?? ''),
    categoryId: categories.get(category ?? ''),
  }
  const { id } = await app.aDocument({ title, ...of })
  const given = facts.split('; ').map((fact) => fact.split('='))
  await app.change(
    'documents',
    id,
    Object.fromEntries(given.map(([key, value]) => [COLUMNS[key as keyof typeof COLUMNS], value])),
  )
  papers.set(name, id)
}

test('of sixty searches as parents type them, 57 find their document among the first five', async () => {
  const searches = linesOf('parents')
  expect(searches).toHaveLength(60)
  const missed: string[] = []
  for (const [title = '', wanted = ''] of searches) {
    const { content, understood = [] } = await app.call(searchDocuments, {
      query: { title, size: 60 },
    })
    const place = content.findIndex(({ id }) => id === (papers.get(wanted) ?? Number(wanted)))
    if (place >= 0 && place < 5) continue
    const read = understood.map(({ filter, value }) => `${filter}=${value}`).join(' ')
    const first = content.slice(0, 5).map((one) => one.title)
    missed.push(`${title} (${wanted}): place ${place + 1}; ${read}\n    ${first.join('\n    ')}`)
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(3)
})
