import { expect, test } from 'vitest'
import { read } from './source.ts'

test('systemd starts the shop as `npm start` does', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const [, settings = '', parameters] = /^exec env (.*?) node (.*)$/.exec(scripts.start) ?? []
  const [unit = ''] = /^\[Service\][^[]*/m.exec(read('README.md')) ?? []
  expect(unit.match(/(?<=^Environment=).*/gm)).toEqual(settings.split(' '))
  expect(unit).toContain(`\nExecStart=/opt/karras/node_modules/.bin/node ${parameters}\n`)
})
