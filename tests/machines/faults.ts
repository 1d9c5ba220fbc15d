import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Machine } from './machine.ts'
import { type DatabaseCluster, type ShopMachine, until } from './topology.ts'

/** How long a machine of the database stays as it is after another one has become the primary. */
const LINGER_MS = 3000

export interface Fault {
  readonly name: string
  readonly rounds: number
  /** Whether requests may fail: not when processes are restarted one by one. */
  readonly mayRefuse: boolean
  /** Does it, and resolves once the rest of the topology has dealt with it. */
  happen(): Promise<void>
  /** Brings back what it took away. */
  mend(): Promise<void>
}

/** Every fault of the proof, with how often it happens; `newer` is the directory of a newer version. */
export function faultsOf(
  database: DatabaseCluster,
  shops: readonly ShopMachine[],
  { rounds, newer }: { rounds: number; newer: string },
): Fault[] {
  let victim: Machine | undefined
  let at = 0

  /** Does something to the primary, and waits until another machine is. */
  async function toPrimary(act: (machine: Machine) => void | Promise<void>): Promise<void> {
    victim = await database.primary()
    if (!victim) throw new Error('There is no primary.')
    const former = victim
    await act(former)
    await until('no other machine became the primary', async () => {
      const now = await database.primary()
      return now !== undefined && now !== former
    })
    await wait(LINGER_MS)
  }

  async function restartEach(root?: string): Promise<void> {
    for (const shop of shops) {
      const code = await shop.stop()
      if (code !== 0) throw new Error(`${shop.name} ended with ${code}.`)
      await shop.start(root)
      await wait(LINGER_MS)
    }
  }

  const most = (times: number) => Math.min(rounds, times)
  const nothing = async () => {}
  return [
    {
      name: 'switchover',
      rounds: most(10),
      mayRefuse: true,
      happen: () => toPrimary((machine) => database.switchOver(machine)),
      mend: nothing,
    },
    {
      name: 'primary killed',
      rounds: most(10),
      mayRefuse: true,
      happen: () => toPrimary((machine) => machine.kill()),
      mend: async () => victim && database.start(victim),
    },
    {
      name: 'primary frozen',
      rounds: most(5),
      mayRefuse: true,
      happen: () => toPrimary((machine) => machine.freeze()),
      mend: async () => victim?.thaw(),
    },
    {
      name: 'primary cut off',
      rounds: most(5),
      mayRefuse: true,
      happen: () => toPrimary((machine) => machine.cutOff()),
      mend: async () => victim?.reconnect(),
    },
    {
      name: 'shop killed',
      rounds: most(5),
      mayRefuse: true,
      async happen() {
        await shops[at % shops.length]?.kill()
        await wait(LINGER_MS)
      },
      mend: async () => shops[at++ % shops.length]?.start(),
    },
    {
      name: 'rolling restart',
      rounds: 1,
      mayRefuse: false,
      happen: () => restartEach(),
      mend: nothing,
    },
    {
      name: 'rolling upgrade',
      rounds: 1,
      mayRefuse: false,
      happen: () => restartEach(newer),
      mend: nothing,
    },
  ]
}

const ROOT = resolve(import.meta.dirname, '../..')

/** What a version is made of. */
const PARTS = [
  ...['src', 'locales', 'public', 'package.json'],
  ...['astro.config.mjs', 'tsconfig.json', 'tsconfig.astro.json'],
]

/** Builds the site of a checkout. */
export function build(root = ROOT): void {
  execFileSync(process.execPath, ['src/server/publishing/build/build.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Makes and builds a copy of this checkout with one more migration; returns its directory. */
export function makeNewerVersion(directory: string): string {
  const root = join(directory, 'newer')
  for (const part of PARTS) cpSync(join(ROOT, part), join(root, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const index = join(root, 'src/server/database/migrations/index.ts')
  const text = readFileSync(index, 'utf8')
  const list = '    ...documentsMigrations,\n'
  if (!text.includes(list)) throw new Error(`${index} has no ${list.trim()}`)
  const more = "    ...additive('9999-more', sql`CREATE TABLE more (id integer PRIMARY KEY)`),\n"
  writeFileSync(
    index,
    `import { sql } from 'kysely'\nimport { additive } from './migration.ts'\n${text.replace(list, list + more)}`,
  )
  build(root)
  return root
}
