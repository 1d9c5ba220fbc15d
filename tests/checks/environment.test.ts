import { expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'

test('nothing but src/server/environment.ts touches the variables of the process', () => {
  const touching = sourceFiles(/^src\/.*\.(ts|tsx|astro|mjs)$/).filter((file) =>
    /process\s*(\?\.|\.)\s*env\b|process\['env'\]|import\.meta\.env\.(?!SSR|DEV|PROD)/.test(
      read(file).replace(/`[^`\n]*`/g, ''),
    ),
  )
  expect(touching).toEqual(['src/server/environment.ts'])
})
