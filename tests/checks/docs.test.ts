import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('docs/architecture.md names every room of the server, and no other', () => {
  const text = readFileSync('docs/architecture.md', 'utf8')
  const rows = text.split('### The rooms of the server')[1]?.split('\n## ')[0]?.split('\n') ?? []
  const named = rows.flatMap((row) => {
    const [, first = ''] = row.split('|')
    return [...first.matchAll(/`([a-z-]+)\/`/g)].map(([, room]) => room)
  })
  const rooms = readdirSync('src/server', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(named.toSorted()).toEqual(rooms.toSorted())
})

test('README.md names each command of the office once', () => {
  const rows = readFileSync('README.md', 'utf8').match(/^\| `(?:\w.*)$/gm) ?? []
  const starts = rows.map((row) => row.split('|')[1]?.trim())
  expect(starts).toEqual([...new Set(starts)])
})
