import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

/** The project's own files: tracked by git, or new and not ignored. */
export function sourceFiles(pattern: RegExp): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => pattern.test(file))
}

export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8')
}
