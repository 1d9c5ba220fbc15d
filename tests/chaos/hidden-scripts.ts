import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSecret } from '../../src/server/http/secret.ts'
import { openDatabaseOf } from '../support/embedded-database.ts'
import { factories } from '../support/factories.ts'
import { spawnShop } from '../support/shop-process.ts'
import { TRICKY } from '../support/tricky-pdf.ts'
import { importerOf } from './importer.ts'

// Manual runs: `node tests/chaos/hidden-scripts.ts [directory of another checkout]` uploads every
// PDF that viewers read differently, and prints those that the shop takes for something else.

const ANSWERS = {
  active: 'pdf_active',
  bomb: 'pdf_too_complex',
  unknown: 'pdf_not_checkable',
} as const

/** How many files one account may upload in a day, with room for others. */
const FILES_OF_TEACHER = 50

interface Outcome {
  readonly file: string
  readonly expected: string
  readonly answer: string
}

/** What a shop in a process of its own says of each file, uploaded by teachers. */
export async function uploadTrickyFiles(root?: string): Promise<Outcome[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-hidden-'))
  const env = { DATA_DIR: dataDir, DEMO: '0', CHAT_MAIL: '0' }
  const shop = await spawnShop(env, root === undefined ? {} : { root })
  try {
    const files = Object.entries(TRICKY)
    const tokens = await teachers(dataDir, Math.ceil(files.length / FILES_OF_TEACHER))
    const outcomes: Outcome[] = []
    for (const [at, [file, [verdict, make]]] of files.entries()) {
      const token = tokens[Math.floor(at / FILES_OF_TEACHER)] ?? ''
      const { sent } = importerOf(() => shop.url, token)
      const answer = await sent(make(), 'document').then(
        () => 'accepted',
        (error: Error) => /"error":"(\w+)"/.exec(error.message)?.[1] ?? error.message,
      )
      outcomes.push({ file, expected: verdict ? ANSWERS[verdict] : 'accepted', answer })
    }
    return outcomes
  } finally {
    await shop.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function teachers(dataDir: string, count: number): Promise<string[]> {
  const database = openDatabaseOf(dataDir)
  try {
    const secret = await readSecret({ jwtSecret: null, dataDir })
    const make = factories({ database, secret, dataDir, now: Date.now, firstNumber: 1000 })
    const tokens: string[] = []
    for (let at = 0; at < count; at++) tokens.push((await make.anOfficeTeacher()).token)
    return tokens
  } finally {
    await database.close()
  }
}

if (import.meta.main) {
  const outcomes = await uploadTrickyFiles(process.argv[2])
  console.table(outcomes.filter(({ expected, answer }) => expected !== answer))
  const harmful = outcomes.filter(({ expected }) => expected !== 'accepted')
  const sold = harmful.filter(({ answer }) => answer === 'accepted')
  console.log(`${sold.length} of ${harmful.length} files with something active or hidden accepted`)
  const refused = outcomes.filter(
    (each) => each.expected === 'accepted' && each.answer !== 'accepted',
  )
  console.log(`${refused.length} of ${outcomes.length - harmful.length} harmless files refused`)
}
