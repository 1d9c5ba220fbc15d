// What it costs to sign a document of 30 pages, and to find those like it among 100 000 pages.
// node tests/bench/likeness.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { bandsOf } from '../../src/rules/likeness.ts'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { findAlike } from '../../src/server/library/library.ts'
import { pageLikenesses } from '../../src/server/library/pages/pdf-tasks.ts'
import { examPdf } from '../support/exam-pdf.ts'
import { anExam } from '../support/exams.ts'
import { randomFrom } from '../support/random.ts'

const PAGES = 30
const FILES = Math.ceil(100_000 / PAGES)
const AT_ONCE = 100

const directory = mkdtempSync(join(tmpdir(), 'karras-likeness-'))
const path = join(directory, 'exam.pdf')
writeFileSync(path, examPdf(anExam(1, PAGES)))
await pageLikenesses({ path, from: 0, most: 1 })
const before = process.cpuUsage()
const signed = await pageLikenesses({ path, from: 0, most: PAGES })
const { user, system } = process.cpuUsage(before)
console.log(`signing ${PAGES} pages: ${Math.round((user + system) / 1000)} ms of a processor`)

const embedded = await startEmbedded({ dataDir: directory })
const database = openDatabase(embedded.connection)
try {
  await migrate(embedded.connection)
  const { kysely } = database
  const random = randomFrom(1)
  const signature = () => Buffer.from(Uint8Array.from({ length: 60 }, () => random.between(0, 255)))
  await sql`INSERT INTO teachers (id, first_name, last_name, email) VALUES (1, 'A', 'B', '')`.execute(
    kysely,
  )
  await sql`INSERT INTO files (id, storage_key, media_type, file_type, size, sha256, likeness_due_at)
    SELECT id, '00/' || lpad(id::text, 64, '0') || '.pdf', 'application/pdf', 'pdf', 1,
      lpad(id::text, 64, '0'), NULL
    FROM generate_series(1, ${FILES}::integer) AS id`.execute(kysely)
  await sql`INSERT INTO documents (id, teacher_id, title, reference)
    SELECT id, 1, 'Document ' || id, 'document ' || id
    FROM generate_series(1, ${FILES}::integer) AS id`.execute(kysely)
  await sql`INSERT INTO document_versions (document_id, number, file_id, state, created_by)
    SELECT id, 1, id, 'draft', 'command line'
    FROM generate_series(1, ${FILES}::integer) AS id`.execute(kysely)
  for (let file = 1; file <= FILES; file += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, FILES - file + 1) }, (_, at) =>
      Array.from({ length: PAGES }, (_, page) => {
        // The first two files are the same.
        const own = file + at <= 2 ? signed[page] : undefined
        const made = own ?? { hasWords: true, text: signature(), picture: signature() }
        const bands = bandsOf(made)
        const [text, picture] = [made.text, made.picture].map((each) => each && Buffer.from(each))
        return { fileId: file + at, page: page + 1, hasWords: made.hasWords, text, picture, bands }
      }),
    ).flat()
    const values = rows.map(({ text = null, picture = null, ...row }) => ({
      ...row,
      text,
      picture,
    }))
    await kysely.insertInto('pageSignatures').values(values).execute()
  }
  await sql`ANALYZE`.execute(kysely)
  const { rows } = await sql<{ table: string; index: string }>`
    SELECT pg_size_pretty(pg_table_size('page_signatures')) AS table,
      pg_size_pretty(pg_indexes_size('page_signatures')) AS index`.execute(kysely)
  console.log(`${FILES * PAGES} pages: table ${rows[0]?.table}, indexes ${rows[0]?.index}`)
  const times = []
  for (let run = 0; run < 20; run++) {
    const start = performance.now()
    const { documents } = await findAlike(kysely, 1)
    if (documents[0]?.id !== 2) throw new Error('the copy is not found')
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  console.log(
    `look-up of ${PAGES} pages: median ${times[10]?.toFixed(0)} ms, longest ${times[19]?.toFixed(0)} ms`,
  )
} finally {
  await database.close()
  await embedded.stop()
  rmSync(directory, { recursive: true, force: true })
}
