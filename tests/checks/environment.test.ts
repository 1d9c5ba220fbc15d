import { expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'

test('only src/server/config/environment.ts reads or writes process.env', () => {
  const touching = sourceFiles(/^src\/.*\.(ts|tsx|astro|mjs)$/).filter((file) =>
    /process\s*(\?\.|\.)\s*env\b|process\['env'\]|import\.meta\.env\.(?!SSR|DEV|PROD)/.test(
      read(file).replace(/`[^`\n]*`/g, ''),
    ),
  )
  expect(touching).toEqual(['src/server/config/environment.ts'])
})
