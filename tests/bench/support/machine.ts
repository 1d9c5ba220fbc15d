import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem, type } from 'node:os'

/** The machine and its present load in one line. */
export function machine(): string {
  const cores = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  const load = (loadavg()[0] ?? 0).toFixed(1)
  return `${cores.length} × ${cores[0]?.model.trim() || 'unknown processor'}, ${memory} GB, ${type()}, Node ${process.version}, load ${load}`
}

/** The commit of a checkout, with a plus sign where files differ from it. */
export function commitOf(directory: string): string {
  const git = (...parameters: string[]) =>
    execFileSync('git', parameters, { cwd: directory, encoding: 'utf8' }).trim()
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
    return git('rev-parse', '--short', 'HEAD') + (isChanged ? '+' : '')
  } catch {
    return 'no commit'
  }
}
