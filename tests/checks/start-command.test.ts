import { expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'

test('systemd starts the shop as `npm start` does', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const [, settings = '', parameters] = /^exec env (.*?) node (.*)$/.exec(scripts.start) ?? []
  const [unit = ''] = /^\[Service\][^[]*/m.exec(read('docs/operating.md')) ?? []
  expect(unit.match(/(?<=^Environment=).*/gm)).toEqual(settings.split(' '))
  expect(unit).toContain(`\nExecStart=/opt/karras/node_modules/.bin/node ${parameters}\n`)
})

test('tests and benches start the shop with the command of `npm start`, never main.ts directly', () => {
  const files = sourceFiles(/^tests\/(bench|chaos|e2e|server|start|support)\/.*\.ts$/)
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => read(file).includes('src/server/main.ts'))).toEqual([])
})
