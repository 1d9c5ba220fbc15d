import type { Environment } from '../../src/server/config/config.ts'
import { runOffice } from '../../src/server/office/run.ts'
import type { RefusedCall, TestApp } from './app.ts'

/**
 * The lines that a command says, without the one that each command with a mail says in these shops:
 * they have no mail server.
 */
export const withoutMailNote = (lines: readonly string[]): string[] =>
  lines.filter((line) => !line.startsWith('SMTP_URL is not set: '))

/**
 * Runs an operator's command on the shop of a test; `out` is its output, including errors, and `all`
 * has the note on mail as well.
 */
export async function runCommand(
  { databaseUrl, deps, env: more }: Pick<TestApp, 'databaseUrl' | 'deps'> & { env?: Environment },
  ...typed: string[]
): Promise<{ exit: number; out: string; all: string }> {
  const lines: string[] = []
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: deps.config.dataDir,
    SITE_URL: 'http://shop.example',
    ...more,
  }
  const keep = (line: string) => void lines.push(line)
  const exit = await runOffice(typed, env, { out: keep, err: keep })
  return { exit, out: withoutMailNote(lines).join('\n'), all: lines.join('\n') }
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
