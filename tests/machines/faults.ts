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

/** Every fault of the proof, with how often it happens. */
export function faultsOf(
  database: DatabaseCluster,
  shops: readonly ShopMachine[],
  { rounds, directory }: { rounds: number; directory: string },
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
      happen: () => restartEach(newerVersion(directory)),
      mend: nothing,
    },
  ]
}

const ROOT = resolve(import.meta.dirname, '../..')

/** A copy of this checkout with one more migration; resolves to its directory. */
function newerVersion(directory: string): string {
  const root = join(directory, 'newer')
  for (const part of ['src', 'dist', 'locales', 'public', 'package.json']) {
    cpSync(join(ROOT, part), join(root, part), { recursive: true })
  }
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
  return root
}
