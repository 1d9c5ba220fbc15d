import { describe, expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'

/** What names a side of the screen instead of a side of the text (look, bidi rule 1). */
const PHYSICAL = [
  /(?:^|[\s;{])(?:margin|padding|border)-(?:left|right)/,
  /(?:^|[\s;{])(?:left|right)\s*:/,
  /text-align:\s*(?:left|right)/,
  /float:\s*(?:left|right)/,
  /border-(?:top|bottom)-(?:left|right)-radius/,
  /translateX\(/,
]

/** The styles of a file: all of a .css, the `<style>` blocks of an .astro. */
function stylesOf(file: string): string {
  const text = read(file)
  if (file.endsWith('.css')) return text
  return [...text.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css]) => css).join('\n')
}

describe('styles', () => {
  test('speak of start and end, never of left and right', () => {
    const wrong: string[] = []
    for (const file of sourceFiles(/^src\/.*\.(css|astro)$/)) {
      for (const [at, line] of stylesOf(file).split('\n').entries()) {
        if (PHYSICAL.some((pattern) => pattern.test(line))) {
          wrong.push(`${file} (style line ${at + 1}): ${line.trim()}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('are never written in style attributes, which the content security policy refuses', () => {
    const wrong = sourceFiles(/^src\/.*\.(astro|tsx)$/).filter((file) =>
      /\sstyle=["{]/.test(read(file)),
    )
    expect(wrong).toEqual([])
  })

  test('take their colours from the tokens', () => {
    const wrong: string[] = []
    for (const file of sourceFiles(/^src\/.*\.(css|astro)$/)) {
      if (/tokens|cover/.test(file)) continue
      for (const line of stylesOf(file).split('\n')) {
        if (/#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/i.test(line)) wrong.push(`${file}: ${line.trim()}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
