import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './source.ts'

/** What the check says of a project with this module in its build. */
function checked(code: string, scripts: Record<string, string> = {}): string {
  const root = mkdtempSync(path.join(tmpdir(), 'karras-dependencies-'))
  try {
    const folder = path.join(root, 'src/server/publishing/build')
    mkdirSync(folder, { recursive: true })
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
    writeFileSync(path.join(folder, 'module.ts'), code)
    const project = { scripts, dependencies: { astro: '7', '@astrojs/react': '7' } }
    writeFileSync(path.join(root, 'package.json'), JSON.stringify(project))
    const script = path.join(ROOT, 'scripts/check-dependencies.ts')
    const { status, stdout } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' })
    return status === 0 ? '' : stdout
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

test('the check allows documented entries of a dependency', () => {
  expect(checked("import { createApp } from 'astro/app/entrypoint'\nimport 'virtual:x'")).toBe('')
})

test.each([
  ["import 'astro/dist/core/build/index.js'", 'astro/dist/core/build/index.js'],
  ["const { x } = await import('astro/runtime/server/index.js')", 'no entry of astro'],
  ["const file = '/astro/dist/runtime/server/scripts.js'", 'names the file /astro/dist'],
  ['export const plugin = { name: "x", transform(code: string) {} }', 'changes the text'],
  ['export const vite = { resolve: { alias: { astro: "./own.ts" } } }', 'in the place of another'],
  ["const setup = react().hooks['astro:config:setup']", 'takes over a hook'],
])('it refuses %s', (code, reason) => {
  expect(checked(code)).toContain(reason)
})

test('it refuses to change what was installed', () => {
  expect(checked('', { postinstall: 'patch-package' })).toContain('the script postinstall')
})
