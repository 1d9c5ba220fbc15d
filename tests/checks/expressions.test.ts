import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './source.ts'

const FILES = {
  'built.ts': `const spaces = '\\\\s+'
export const once = new RegExp(spaces + '$')
export const often = (text: string) => new RegExp(text)
`,
  'page.astro': `---
const trimmed = Astro.url.search.replace(/=+$/, '')
---

<p>{trimmed.replace(/\\.+$/, '')}</p>
<script>
  document.title.match(/-+$/)
</script>
`,
  'linear.tsx': "export const Text = () => <p>{'a'.replace(/a+/g, '')}</p>\n",
  'linear.ts': `export const digits = new RegExp('^\\\\d{8}$')
`,
  'unknown.ts': 'export const letters = /[\\p{L}--[a-z]]/v\n',
}

test('names each expression that is not linear, with a text that shows it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'expressions-'))
  try {
    for (const [name, text] of Object.entries(FILES)) {
      await writeFile(path.join(folder, name), text)
    }
    const output = await checked(folder)
    const lines = output.replaceAll(`${folder}/`, '').trim().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^built\.ts:2: \/\\s\+\$\/ takes 2nd degree .* for '.*'\.repeat/),
      expect.stringMatching(/^built\.ts:3: .* is built where this check cannot see it/),
      expect.stringMatching(/^page\.astro:2: \/=\+\$\/ takes 2nd degree .* for '='\.repeat/),
      expect.stringMatching(/^page\.astro:5: \/\\\.\+\$\/ takes 2nd degree/),
      expect.stringMatching(/^page\.astro:7: \/-\+\$\/ takes 2nd degree/),
      expect.stringMatching(/^unknown\.ts:1: .* is not understood/),
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** The output of the check, which must fail. */
function checked(folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = path.join(ROOT, 'scripts/check-expressions.ts')
    execFile(process.execPath, [script, folder], { cwd: ROOT }, (error, stdout) => {
      if (error?.code === 1) resolve(stdout)
      else reject(error ?? new Error(`passed: ${stdout}`))
    })
  })
}
