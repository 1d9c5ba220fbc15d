import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Kysely, sql } from 'kysely'
import { ZipFile } from 'yazl'
import { formatDate } from '../../i18n/dates.ts'
import { bareAmount } from '../../i18n/format.ts'
import { dirOf, type Locale } from '../../i18n/locales.ts'
import type { Texts } from '../../i18n/texts.ts'
import { inDinars } from '../../rules/money.ts'
import { EXPORT_MS, EXPORT_TRIES } from '../../rules/own-data.ts'
import { reasonOf } from '../carriers/carriers.ts'
import type { Schema } from '../database/schema.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { keyOf } from '../files/files.ts'
import { fault } from '../http/errors.ts'
import { escapeHtml } from '../http/html.ts'
import { enqueueMail } from '../mail/mail.ts'
import { readTexts } from '../site-texts/site-texts.ts'
import { readDeletion } from './deletions.ts'
import { namesOf } from './names.ts'
import { filesTaken, SECTIONS, type SectionName } from './sections.ts'
import type { Names } from './tables.ts'

/** Asks for a ZIP of an account's data; once a day. Throws `too_many_requests`. */
export async function askForExport(
  tx: Tx,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  userId: number,
): Promise<void> {
  const at = new Date(now())
  const since = new Date(at.getTime() - EXPORT_MS)
  const asked = await tx
    .insertInto('dataExports')
    .values({ userId, askedAt: at })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ askedAt: at, tries: 0, storageKey: null, size: null, readyAt: null })
        .where((row) =>
          row.or([
            row('dataExports.askedAt', '<=', since),
            row.and([
              row('dataExports.storageKey', 'is', null),
              row('dataExports.tries', '>=', EXPORT_TRIES),
            ]),
          ]),
        ),
    )
    .returning('userId')
    .executeTakeFirst()
  // The next turn, at once; where one is waiting already, that one makes it.
  if (asked) return jobs.enqueue(tx, 'clock', { name: EXPORTS })
  const { askedAt } = await tx
    .selectFrom('dataExports')
    .select('askedAt')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  const retryAfter = Math.ceil((askedAt.getTime() - since.getTime()) / 1000)
  throw fault('too_many_requests', { retryAfter })
}

/** What became of the last ZIP that an account asked for; null: none, or its day is over. */
async function readExport(db: Kysely<Schema>, userId: number, now: number) {
  const row = await db
    .selectFrom('dataExports')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!row || (row.readyAt ?? row.askedAt).getTime() <= now - EXPORT_MS) return null
  const until = row.readyAt && new Date(row.readyAt.getTime() + EXPORT_MS)
  return {
    state: until
      ? ('ready' as const)
      : row.tries < EXPORT_TRIES
        ? ('making' as const)
        : ('failed' as const),
    until: until?.toISOString() ?? null,
    size: row.size,
    storageKey: row.storageKey,
  }
}

/** What was asked for an account: its data, its deletion. */
export async function readLeaving(
  { database: { kysely }, now }: Pick<Deps, 'database' | 'now'>,
  userId: number,
) {
  return {
    export: await readExport(kysely, userId, now()),
    deletion: await readDeletion(kysely, userId),
  }
}

/** The ZIP of an account. Throws `not_found` where there is none, or no longer. */
export async function openExport(deps: Deps, userId: number): Promise<Readable> {
  const found = await readExport(deps.database.kysely, userId, deps.now())
  const file = found?.storageKey ? await deps.files.read(found.storageKey) : null
  if (!file) throw fault('not_found')
  return file
}

/** Ends the day of an account's ZIP: the next turn removes it, or does not make it. */
export async function endExport(tx: Tx, userId: number): Promise<void> {
  await sql`
    UPDATE data_exports SET asked_at = 'epoch',
      ready_at = CASE WHEN ready_at IS NOT NULL THEN timestamptz 'epoch' END
    WHERE user_id = ${userId}`.execute(tx)
}

/**
 * Makes every ZIP that was asked for, one after the other; where the process ends meanwhile, the
 * next turn makes it again. Deletes those whose day is over.
 */
export async function makeExports(deps: Deps): Promise<void> {
  await forgetExports(deps)
  for (;;) {
    const { rows } = await sql<{ userId: number; locale: Locale }>`
      UPDATE data_exports SET tries = tries + 1 FROM users
      WHERE users.id = user_id AND user_id = (
        SELECT user_id FROM data_exports WHERE storage_key IS NULL AND tries < ${EXPORT_TRIES}
        ORDER BY asked_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING user_id, locale`.execute(deps.database.kysely)
    const [next] = rows
    if (!next) return
    try {
      await makeExport(deps, next)
    } catch (error) {
      deps.report(`The data of account ${next.userId} could not be packed: ${reasonOf(error)}`)
    }
  }
}

async function forgetExports({ database: { kysely }, files, now }: Deps): Promise<void> {
  const { rows } = await sql<{ storageKey: string | null }>`
    DELETE FROM data_exports
    WHERE coalesce(ready_at, asked_at) <= ${new Date(now() - EXPORT_MS)}
    RETURNING storage_key`.execute(kysely)
  for (const { storageKey } of rows) if (storageKey) await files.remove(storageKey)
}

async function makeExport(
  deps: Deps,
  { userId, locale }: { userId: number; locale: Locale },
): Promise<void> {
  const { database, files, config, now } = deps
  const names = await transaction(database, (tx) => namesOf(tx, userId))
  const folder = join(config.dataDir, 'exports')
  const path = join(folder, `${userId}.zip`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const hash = createHash('sha256')
    await pipeline(
      await zipOf(deps, names, locale),
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          hash.update(piece)
          yield piece
        }
      },
      createWriteStream(path, { mode: 0o600 }),
    )
    const storageKey = keyOf(hash.digest('hex'), 'zip')
    await files.putAs(storageKey, createReadStream(path))
    const { size } = await stat(path)
    await transaction(database, async (tx) => {
      await tx
        .updateTable('dataExports')
        .set({ storageKey, size, readyAt: new Date(now()) })
        .where('userId', '=', userId)
        .execute()
      await enqueueMail(tx, deps.jobs, 'data_ready', { userId })
    })
  } finally {
    await rm(path, { force: true })
  }
}

/** The name of the turn. */
export const EXPORTS = 'exports'

/** A page that people can read, a file of JSON a section, and stored files; read and packed piece by piece. */
async function zipOf(deps: Deps, names: Names, locale: Locale): Promise<Readable> {
  const { kysely } = deps.database
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  const fail = (error: unknown) => stream.destroy(error instanceof Error ? error : undefined)
  const add = (name: string, pieces: () => AsyncGenerator<string>) =>
    zip.addReadStreamLazy(name, { mtime: new Date(deps.now()) }, (pass) => {
      pass(null, Readable.from(pieces()).once('error', fail))
    })
  zip.on('error', fail)
  const site = await readTexts(kysely)
  const { 'own-data': words, 'report-dialog': report } = site[locale]
  const texts = { ...words, values: { ...words.values, ...report.reasons } }
  add('index.html', () => pageOf(kysely, names, { locale, texts }))
  for (const section of sectionsOf(names)) {
    add(`${section}.json`, () => jsonOf(kysely, names, section))
  }
  const { rows: files } = await filesTaken(names).execute(kysely)
  for (const { file, storageKey } of files) {
    zip.addReadStreamLazy(file, { mtime: new Date(deps.now()), compress: false }, (pass) => {
      deps.files
        .read(storageKey)
        .then((stored) => pass(null, (stored ?? Readable.from([])).once('error', fail)), fail)
    })
  }
  zip.end()
  return stream
}

const OF_TEACHERS: readonly SectionName[] = [
  'profile',
  'ownDocuments',
  'sales',
  'payouts',
  'bankAccount',
  'answers',
]

const sectionsOf = ({ teachers }: Names) =>
  (Object.keys(SECTIONS) as SectionName[]).filter(
    (section) => teachers.length > 0 || !OF_TEACHERS.includes(section),
  )

type Row = Readonly<Record<string, unknown>>

/** How many rows are read at a time. */
const ROWS_AT_ONCE = 500

async function* rowsOf(
  db: Kysely<Schema>,
  names: Names,
  section: SectionName,
): AsyncGenerator<Row> {
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const query = SECTIONS[section](names)
    const { rows } = await sql<Row>`${query} LIMIT ${ROWS_AT_ONCE} OFFSET ${offset}`.execute(db)
    yield* rows
    if (rows.length < ROWS_AT_ONCE) return
  }
}

const AMOUNTS: readonly string[] = ['price', 'amount', 'withheld', 'share']

async function* jsonOf(db: Kysely<Schema>, names: Names, section: SectionName) {
  let before = '[\n'
  for await (const row of rowsOf(db, names, section)) {
    const inWire = Object.entries(row).map(([name, value]) => [
      name,
      AMOUNTS.includes(name) && typeof value === 'number' ? inDinars(value) : value,
    ])
    yield `${before}${JSON.stringify(Object.fromEntries(inWire))}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

const STYLE =
  'body{font:16px/1.7 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}th,td{border:1px solid #ccc;padding:.4rem;text-align:start;vertical-align:top;overflow-wrap:anywhere}@media(width<40rem){thead{display:none}tr,td{display:block}tr{border:1px solid #ccc;padding:.4rem;margin-bottom:.6rem}td{border:0;padding:0;text-align:-webkit-match-parent;text-align:match-parent}td:empty{display:none}td::before{content:attr(data-name);display:block;color:#555;font-size:.875rem}}'

interface Wording {
  readonly locale: Locale
  readonly texts: Pick<Texts[Locale]['own-data'], 'page' | 'sections' | 'columns'> & {
    readonly values: Readonly<Record<string, string>>
  }
}

async function* pageOf(db: Kysely<Schema>, names: Names, { locale, texts }: Wording) {
  const { page, sections, columns } = texts
  yield `<!doctype html>\n<html lang="${locale}" dir="${dirOf(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(page.title)}</title><style>${STYLE}</style></head><body>\n<h1>${escapeHtml(page.title)}</h1>\n<p>${escapeHtml(page.text)}</p>\n`
  for (const section of sectionsOf(names)) {
    yield `<h2>${escapeHtml(sections[section])}</h2>\n`
    let isEmpty = true
    for await (const row of rowsOf(db, names, section)) {
      if (isEmpty) {
        const heads = Object.keys(row).map(
          (name) => `<th>${escapeHtml(headOf(columns, name))}</th>`,
        )
        yield `<table><thead><tr>${heads.join('')}</tr></thead><tbody>\n`
      }
      isEmpty = false
      const cells = Object.entries(row).map(
        ([name, value]) =>
          `<td dir="auto" data-name="${escapeHtml(headOf(columns, name))}">${escapeHtml(inWords(locale, texts, name, value))}</td>`,
      )
      yield `<tr>${cells.join('')}</tr>\n`
    }
    yield isEmpty ? `<p>${escapeHtml(page.nothing)}</p>\n` : '</tbody></table>\n'
  }
  yield '</body></html>\n'
}

const headOf = (columns: Readonly<Record<string, string>>, name: string) => columns[name] ?? name

function inWords(locale: Locale, { values }: Wording['texts'], name: string, value: unknown) {
  if (value === null) return ''
  if (value instanceof Date) return `${formatDate(locale, value.toISOString())} ${timeOf(value)}`
  if (AMOUNTS.includes(name) && typeof value === 'number') return bareAmount(locale, value)
  const text = String(value)
  if (name === 'terms') {
    return text.replace(/\d{4}-\d\d-\d\d/g, (day) => formatDate(locale, `${day}T12:00:00Z`))
  }
  return ['status', 'method', 'kind', 'gender', 'language', 'isMine', 'newsMails'].includes(name)
    ? (values[text] ?? text)
    : text
}

/** In Tunisia, which is an hour ahead of UTC all year. */
const timeOf = (date: Date) => new Date(date.getTime() + 3_600_000).toISOString().slice(11, 16)
