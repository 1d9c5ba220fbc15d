import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundleInline } from '../../src/server/publishing/build/integration.ts'

// What the script in the head decides before the first paint.
let script = ''
beforeAll(async () => {
  const source = path.resolve(import.meta.dirname, '../../src/layouts/head.ts')
  script = (await bundleInline(source)).text
})

const FORBIDDEN = null

function decided({ stored = {} as object | null, connection = undefined as object | undefined }) {
  const font = { media: 'not all' }
  const root = { dataset: {} as Record<string, string> }
  const document = { documentElement: root, querySelectorAll: () => [font] }
  const context = { document, navigator: { connection } }
  const get = () => {
    if (stored === FORBIDDEN) throw new Error('SecurityError')
    return stored
  }
  runInNewContext(script, Object.defineProperty(context, 'localStorage', { get }))
  return { ...root.dataset, fontMedia: font.media }
}

describe('the head', () => {
  test('shows everybody the shop as to a visitor who is not known', () => {
    const unknown = {
      session: 'out',
      owns: 'false',
      remembers: 'false',
      line: '',
      fontMedia: 'not all',
    }
    expect(decided({})).toEqual(unknown)
    expect(decided({ stored: FORBIDDEN })).toEqual(unknown)
  })

  test('knows who is logged in, who has a cart, and who has the font', () => {
    expect(decided({ stored: { token: 'a.b.c' } })).toMatchObject({
      session: 'in',
      remembers: 'true',
    })
    expect(decided({ stored: { static_cart: '{"items":[]}' } })).toMatchObject({
      session: 'out',
      remembers: 'true',
    })
    expect(decided({ stored: { owned_documents: '[12]' } })).toMatchObject({ owns: 'true' })
    expect(decided({ stored: { font: '1' } })).toMatchObject({ font: '', fontMedia: '' })
  })

  test.each([
    [{ saveData: true, effectiveType: '4g', downlink: 10 }, 'saved'],
    [{ saveData: false, effectiveType: '4g', downlink: 10 }, 'fast'],
    [{ saveData: false, effectiveType: '4g', downlink: 2 }, ''],
    [{ saveData: false, effectiveType: '3g', downlink: 10 }, ''],
  ])('tells the speed of the line by %j', (connection, line) => {
    expect(decided({ connection, stored: { font: '1' } })).toMatchObject({
      line,
      fontMedia: line === 'saved' ? 'not all' : '',
    })
  })

  test('takes less than a kilobyte of each page', () => {
    expect(Buffer.byteLength(script)).toBeLessThan(1024)
  })
})
