// What it costs to sign a document of 30 pages, and to find those like it among 100 000 pages; and to
// compare a book whose pages all are in 100 others.
// node tests/bench/likeness.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { bandsOf } from '../../src/rules/likeness.ts'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { openStorage } from '../../src/server/files/files.ts'
import { findAlike } from '../../src/server/library/library.ts'
import { pageLikenesses } from '../../src/server/library/reading/pdf-tasks.ts'
import { openWorkers, WorkersBusy } from '../../src/server/workers/workers.ts'
import { examPdf } from '../support/exam-pdf.ts'
import { anExam } from '../support/exams.ts'
import { randomFrom } from '../support/random.ts'

const PAGES = 30
const FILES = Math.ceil(100_000 / PAGES)
const AT_ONCE = 100

const BOOK_PAGES = 300
const BOOKS = 100

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
const deps = {
  database,
  files: await openStorage({
    files: { kind: 'directory', path: join(directory, 'files') },
    dataDir: directory,
  }),
  workers: openWorkers(null),
}
try {
  await migrate(embedded.connection)
  const { kysely } = database
  const random = randomFrom(1)
  const signature = () => Buffer.from(Uint8Array.from({ length: 60 }, () => random.between(0, 255)))
  await sql`INSERT INTO teachers (id, first_name, last_name, email) VALUES (1, 'A', 'B', ''), (2, 'C', 'D', '')`.execute(
    kysely,
  )
  await sql`INSERT INTO files (id, storage_key, media_type, file_type, size, sha256, likeness_due_at)
    SELECT id, '00/' || lpad(id::text, 64, '0') || '.pdf', 'application/pdf', 'pdf', 1,
      lpad(id::text, 64, '0'), NULL
    FROM generate_series(1, ${FILES}::integer) AS id`.execute(kysely)
  await sql`INSERT INTO documents (id, teacher_id, title, reference)
    SELECT id, least(id, 2), 'Document ' || id, 'document ' || id
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
  const alike = await measured('look-ups of 30 pages', 20, 1)
  if (alike.documents[0]?.id !== 2) throw new Error('the copy is not found')

  const pages = Array.from({ length: BOOK_PAGES }, () => ({
    hasWords: true,
    text: signature(),
    picture: signature(),
  }))
  for (let book = 0; book <= BOOKS; book++) {
    const id = FILES + 1 + book
    await sql`INSERT INTO files (id, storage_key, media_type, file_type, size, sha256, likeness_due_at, page_count)
      SELECT ${id}, '00/' || lpad(${String(id)}, 64, '0') || '.pdf', 'application/pdf', 'pdf', 1,
        lpad(${String(id)}, 64, '0'), NULL, ${BOOK_PAGES}`.execute(kysely)
    await sql`INSERT INTO documents (id, teacher_id, title, reference)
      VALUES (${id}, ${book === 0 ? 1 : 2}, 'Book', ${`book ${book}`})`.execute(kysely)
    await sql`INSERT INTO document_versions (document_id, number, file_id, state, created_by)
      VALUES (${id}, 1, ${id}, 'draft', 'command line')`.execute(kysely)
    await kysely
      .insertInto('pageSignatures')
      .values(
        pages.map((page, at) => ({ ...page, fileId: id, page: at + 1, bands: bandsOf(page) })),
      )
      .execute()
  }
  await measured(`a book of ${BOOK_PAGES} pages that stand in ${BOOKS} others`, 3, FILES + 1)

  /** Comparisons that find nothing kept; what they cost this process beside. */
  async function measured(name: string, times: number, id: number) {
    const took = []
    await work(id)
    const memory = process.memoryUsage().rss
    let grown = 0
    const watch = setInterval(() => {
      grown = Math.max(grown, process.memoryUsage().rss - memory)
    }, 10)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    for (let run = 0; run < times; run++) {
      const start = performance.now()
      await work(id)
      took.push(performance.now() - start)
    }
    delay.disable()
    clearInterval(watch)
    took.sort((one, other) => one - other)
    const [median, longest] = [took[Math.floor(times / 2)], took.at(-1)].map((ms) => ms?.toFixed(0))
    console.log(
      `${name}: median ${median} ms, longest ${longest} ms; this process stood still for at most ${Math.round(delay.max / 1e6)} ms, and grew by ${Math.round(grown / 1024 ** 2)} MB`,
    )
    return findAlike(deps, id)
  }

  async function work(id: number) {
    await deps.files.made.removeFolder('likeness', String(id))
    // A slow machine is told to come back: the work goes on.
    for (;;) {
      try {
        return await findAlike(deps, id)
      } catch (error) {
        if (!(error instanceof WorkersBusy)) throw error
      }
    }
  }
} finally {
  await deps.workers.close()
  await database.close()
  await embedded.stop()
  rmSync(directory, { recursive: true, force: true })
}
