import { runCommandLine, type Terminal } from '../../src/server/command-line/run.ts'
import type { Environment } from '../../src/server/config/config.ts'
import type { RefusedCall, TestApp } from './app.ts'

/**
 * The lines that a command says, without the one that each command with a mail says in these shops:
 * they have no mail server.
 */
export const withoutMailNote = (lines: readonly string[]): string[] =>
  lines.filter((line) => !line.startsWith('SMTP_URL is not set: '))

/** Runs an operator's command in this process; `all` is its output with its errors. */
export async function runOperator(
  typed: string[],
  env: Environment,
  terminal: Pick<Terminal, 'ask' | 'piped'> = {},
) {
  const out: string[] = []
  const err: string[] = []
  const all: string[] = []
  const exit = await runCommandLine(typed, env, {
    out: (line) => void [out, all].map((lines) => lines.push(line)),
    err: (line) => void [err, all].map((lines) => lines.push(line)),
    ...terminal,
  })
  return {
    exit,
    out: out.join('\n'),
    err: withoutMailNote(err).join('\n'),
    all: all.join('\n'),
    json: () => JSON.parse(out.join('')),
  }
}

/**
 * Runs an operator's command on the shop of a test; `out` is its output, including errors, and `all`
 * has the note on mail as well.
 */
export async function runCommand(
  { databaseUrl, deps, env: more }: Pick<TestApp, 'databaseUrl' | 'deps'> & { env?: Environment },
  ...typed: string[]
): Promise<{ exit: number; out: string; all: string }> {
  const { exit, all } = await runOperator(typed, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: deps.config.dataDir,
    SITE_URL: 'http://shop.example',
    ...more,
  })
  return { exit, out: withoutMailNote(all.split('\n')).join('\n'), all }
}

/** Makes a call of the office by the command line; returns its answer, or throws its error. */
export async function callByCommand(
  app: Parameters<typeof runCommand>[0],
  name: string,
  ...typed: string[]
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type.
): Promise<any> {
  const { exit, out } = await runCommand(app, 'call', name, ...typed, '--yes', '--json')
  if (exit !== 0) throw new Error(out)
  return JSON.parse(out)
}

/**
 * Makes the same call as two people concurrently; returns the number of successes, and the
 * refusals.
 */
export async function bothAtOnce<Person>(
  people: readonly [Person, Person],
  call: (as: Person) => Promise<unknown>,
): Promise<{ done: number; refusals: RefusedCall[] }> {
  const ends = await Promise.allSettled(people.map(call))
  const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  return { done: ends.length - refusals.length, refusals: refusals as RefusedCall[] }
}
